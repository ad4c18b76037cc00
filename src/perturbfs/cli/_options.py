"""Options that several commands share, alone and in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from perturbfs._support.names import CLUSTERERS, ESTIMATOR_NAMES, METHODS, Size

from ._command import WrongUseError

Source = Annotated[
    str, typer.Argument(metavar="FILE", help="Table to read, or the name of a data set.")
]
MoreSources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MORE",
        help="Further tables of the same samples, such as genes and methylation. They are joined "
        "by the names of the samples.",
        show_default=False,
    ),
]
RandomState = Annotated[int, typer.Option(help="Seed of all random choices.")]
Out = Annotated[str, typer.Option(metavar="DIR", help="Directory for the results.")]
Force = Annotated[bool, typer.Option("--force", help="Replace results that exist already.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show nothing but errors.")]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print the result as JSON, everything else to standard error."),
]
MatchNames = Annotated[
    str,
    typer.Option(
        help="How names of features, and of the samples of several files, are compared: exact, or "
        "loose (case, blanks and punctuation are ignored)."
    ),
]
Batch = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN|FILE",
        help="Batch of each sample, such as its plate or site, given as --groups is. Features are "
        "centered within batches, and the batch alone is scored as a predictor.",
        show_default=False,
    ),
]
StandIns = Annotated[
    bool,
    typer.Option(
        "--stand-ins",
        help="Replace a missing feature by the most similar one of its group.",
    ),
]
Layer = Annotated[
    str | None,
    typer.Option(
        help="Layer of an .h5ad file that holds the features, or raw for its raw.",
        show_default="X",
    ),
]
Jobs = Annotated[int, typer.Option(help="Processes to use; -1 for all cores.")]


def check_one_of(option: str, value: str | None, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is given and not allowed."""
    if value is not None and value not in allowed:
        raise WrongUseError(f"{option} got {value!r}, but one of {', '.join(allowed)} is needed.")


def as_name_match(value: str) -> Literal["exact", "loose"]:
    """Return how names of features are compared; refuse what is no way to do so."""
    check_one_of("--match-names", value, ("exact", "loose"))
    return "loose" if value == "loose" else "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a table is written in its file: options of every command that reads one."""

    index: Annotated[
        str | None,
        typer.Option(help="Column of sample names, by name or position.", show_default="detected"),
    ] = None
    features_in_rows: Annotated[
        bool | None,
        typer.Option(
            "--features-in-rows/--features-in-columns",
            help="Whether rows are features (genes by samples).",
            show_default="detected",
        ),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first row holds names.",
            show_default="detected",
        ),
    ] = None
    na: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="Text or number that stands for a missing value, such as -99, beside the usual "
            "ones (NA, n.d., <LOD>). Give the option once for each.",
            show_default=False,
        ),
    ] = None
    decimal: Annotated[
        str | None, typer.Option(help="Decimal mark: . or ,", show_default="detected")
    ] = None
    thousands: Annotated[
        str | None,
        typer.Option(help="Character between thousands, such as ,", show_default="detected"),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(
            help="Sheet of an Excel workbook, by name or position from 0.",
            show_default="the first with a table",
        ),
    ] = None
    layer: Layer = None
    skip_rows: Annotated[
        int | None,
        typer.Option(help="Rows above the table to skip.", min=0, show_default="detected"),
    ] = None
    duplicates: Annotated[
        str | None,
        typer.Option(
            help="What to do about features with the same name: error, first (keep it), mean, "
            "or rename (number them).",
            show_default="error",
        ),
    ] = None

    read_memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory that reading the file may take, such as 4GB.",
            show_default="three quarters of what is free",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_one_of("--decimal", self.decimal, (".", ","))
        check_one_of("--duplicates", self.duplicates, ("error", "first", "mean", "rename"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How to read a table with an outcome: options of `select` and `evaluate`."""

    target: Annotated[
        str | None,
        typer.Option(
            help="Outcome: a column by name or position (-1 is the last), or a second file with "
            "sample names and labels (FILE or FILE:COLUMN).",
            show_default=False,
        ),
    ] = None
    time: Annotated[
        str | None,
        typer.Option(
            help="Survival outcome: the column of times until the event or the last observation. "
            "Give --event too, and no --target.",
            show_default=False,
        ),
    ] = None
    event: Annotated[
        str | None,
        typer.Option(
            help="The column that says whether the event happened at --time: 1 or 0, true or "
            "false, or words such as dead and alive.",
            show_default=False,
        ),
    ] = None
    event_value: Annotated[
        str | None,
        typer.Option(
            help="The value of --event that stands for the event; all others are censored.",
            show_default="1, true, dead and the like",
        ),
    ] = None
    layout: Layout = Layout()
    task: Annotated[
        str | None,
        typer.Option(help="classification or regression.", show_default="from the outcome"),
    ] = None
    impute: Annotated[
        str | None,
        typer.Option(help="Fill missing values in each split: median or knn.", show_default="no"),
    ] = None
    drop_text: Annotated[
        bool,
        typer.Option(
            "--drop-text",
            help="Leave out features that hold text, unless they are more than a tenth.",
        ),
    ] = False
    drop_all_text: Annotated[
        bool,
        typer.Option(
            "--drop-all-text", help="Leave out features that hold text, however many they are."
        ),
    ] = False
    unlabelled: Annotated[
        str | None,
        typer.Option(
            help="What to do about samples without an outcome: error or drop.",
            show_default="error",
        ),
    ] = None
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Feature to leave out, or a pattern such as 'AFFX*'. Give the option once for "
            "each.",
            show_default=False,
        ),
    ] = None
    match_names: Annotated[
        str | None,
        typer.Option(
            help="How sample names of further files are compared: exact, or loose (case, blanks "
            "and punctuation are ignored).",
            show_default="exact",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_one_of("--task", self.task, ("classification", "regression"))
        check_one_of("--impute", self.impute, ("median", "knn"))
        check_one_of("--unlabelled", self.unlabelled, ("error", "drop"))
        check_one_of("--match-names", self.match_names, ("exact", "loose"))
        self._check_survival()

    @property
    def is_survival(self) -> bool:
        """Whether the outcome is a time and an event."""
        return self.time is not None

    def _check_survival(self) -> None:
        """Refuse options that do not fit a survival outcome."""
        if (self.time is None) != (self.event is None):
            given, missing = ("--time", "--event") if self.event is None else ("--event", "--time")
            raise WrongUseError(
                f"{given} {self.time or self.event} was given without {missing}, but a survival "
                "outcome is a time and an event. Give both."
            )
        if self.event_value is not None and self.event is None:
            raise WrongUseError(
                f"--event-value {self.event_value} was given without --event. Give --time and "
                "--event too."
            )
        for option, value in (("--target", self.target), ("--task", self.task)):
            if self.is_survival and value is not None:
                raise WrongUseError(
                    f"{option} {value} and --time {self.time} were given, but a time and its "
                    "event are the whole outcome. Leave one of them out."
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Which samples take part, and what they share: options of `select` and `evaluate`."""

    groups: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN|FILE",
            help="Groups of samples that are not independent, such as the samples of a patient: a "
            "column by name or position, or a second file (FILE or FILE:COLUMN). No split "
            "separates the samples of a group.",
            show_default=False,
        ),
    ] = None
    batch: Batch = None
    min_class_size: Annotated[
        int | None,
        typer.Option(help="Leave out classes with fewer samples.", min=2, show_default="no"),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Parts of the paper's method: options of `select`."""

    clusterer: Annotated[
        str | None,
        typer.Option(
            help=f"How the paper's method groups features: {', '.join(CLUSTERERS)}.",
            show_default="kmeans",
        ),
    ] = None
    estimator: Annotated[
        str | None,
        typer.Option(
            help="What scores the numbers of features in the paper's method with --n-features "
            f"auto: {', '.join(ESTIMATOR_NAMES)}.",
            show_default="tree",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_one_of("--clusterer", self.clusterer, CLUSTERERS)
        check_one_of("--estimator", self.estimator, ESTIMATOR_NAMES)

    @property
    def given(self) -> dict[str, str]:
        """The parameters of the selector that are given."""
        parts = {"clusterer": self.clusterer, "estimator": self.estimator}
        return {name: value for name, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Computing:
    """Which processes do the work: options of the commands that compute for long."""

    jobs: Annotated[
        int | None,
        typer.Option(
            help="Splits or runs at the same time; -1 for all cores.",
            show_default="all cores that memory allows in select, else 1",
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Work on the dask cluster of this scheduler, such as tcp://host:8786.",
            show_default=False,
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(help="Number of dask workers to start here.", min=1, show_default="none"),
    ] = None

    def __post_init__(self) -> None:
        if self.scheduler is not None and self.workers is not None:
            raise WrongUseError(
                f"--scheduler {self.scheduler} and --workers {self.workers} were given, but work "
                "is done either on a running cluster or on workers started here. Give one of them."
            )

    def at_once(self, jobs: int | None = None) -> int:
        """Return the number of steps that run at the same time; on a cluster it is not known."""
        from joblib import effective_n_jobs

        return 1 if self.is_on_cluster else effective_n_jobs(jobs or self.jobs)

    @property
    def is_on_cluster(self) -> bool:
        """Whether a dask cluster does the work."""
        return self.scheduler is not None or self.workers is not None


def complete_method(incomplete: str) -> list[str]:
    """Return the methods that begin so, for the completion of the shell."""
    return [name for name in METHODS if name.startswith(incomplete)]


def complete_dataset(incomplete: str) -> list[str]:
    """Return the data sets of the catalogue that begin so, for the completion of the shell."""
    from perturbfs.datasets import list_datasets

    return [each.name for each in list_datasets() if each.name.startswith(incomplete.lower())]


def check_method(name: str) -> None:
    """Refuse the name of an unknown method."""
    if name not in METHODS:
        raise WrongUseError(f"the method {name!r} is not known. Use one of {', '.join(METHODS)}.")


def parse_size(text: str) -> Size:
    """Return a number of features, or ``"auto"``."""
    if text == "auto":
        return "auto"
    try:
        size = int(text)
    except ValueError:
        size = 0
    if size < 1:
        raise WrongUseError(
            f"--n-features got {text!r}, but a positive whole number or auto is needed."
        )
    return size


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a list that is separated by commas."""
    return tuple(name.strip() for name in text.split(","))
