"""The options of the commands that select, evaluate and reproduce, each declared once."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from perturbfs._support.names import (
    METHODS,
    PREDICTORS,
    REPEATED,
    SURVIVAL_METHODS,
    TABLES,
    Size,
)

from . import _options as o
from ._command import WrongUseError, options_in, spell
from ._shown import as_shown

# Files that are read in blocks always, and those that can be.
ONLY_IN_BLOCKS = (".zarr", ".h5", ".hdf5")
DEFAULT_METHODS = ("robust", "paper", "mrmr", "random")  # of evaluate
BLOCK_FORMATS = (*ONLY_IN_BLOCKS, ".npy", ".h5ad", ".parquet", ".pq")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """Options of `perturbfs check`."""

    source: o.Source
    more: o.MoreSources = None
    reading: o.Reading
    groups: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of groups, such as patients, or a second file.",
            show_default=False,
        ),
    ] = None
    batch: o.Batch = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectRequest:
    """Options of `perturbfs select`."""

    source: o.Source
    more: o.MoreSources = None
    reading: o.Reading
    samples: o.Samples
    method: Annotated[
        str,
        typer.Option(help=f"One of {', '.join(METHODS)}.", autocompletion=o.complete_method),
    ] = "robust"
    n_features: Annotated[str, typer.Option(help="Number of features, or auto.")] = "auto"
    out: o.Out = "perturbfs-result"
    repeats: Annotated[
        int | None,
        typer.Option(
            help="Runs of the paper's method with --n-features auto.", min=1, show_default="10"
        ),
    ] = None
    paper: o.Paper
    splits: Annotated[
        int | None,
        typer.Option(
            help="Random splits of the estimate.",
            min=2,
            show_default="10 below 200 samples, else 5",
        ),
    ] = None
    details: Annotated[
        bool, typer.Option(help="Whether the page has figures, with values of selected features.")
    ] = True
    noise_study: Annotated[
        bool | None,
        typer.Option(
            help="Whether to repeat the selection about thirty times with noise added.",
            show_default="only if it takes seconds",
        ),
    ] = None
    random_state: o.RandomState = 0
    computing: o.Computing
    memory: Annotated[
        str | None,
        typer.Option(
            help="Read .npy, Zarr, HDF5, Parquet or h5ad in blocks with this much memory, such "
            "as 2GB. Each worker started here gets as much.",
            show_default="2GB for Zarr, HDF5 and on a cluster; other files are read as a whole",
        ),
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a stopped job after its last finished pass.")
    ] = False
    force: o.Force = False

    def __post_init__(self) -> None:
        o.check_method(self.method)
        _check_survival(self.reading, (self.method,))
        o.parse_size(self.n_features)
        for option, value, is_used in (
            ("--repeats", self.repeats, self.has_runs),
            ("--estimator", self.paper.estimator, self.has_runs),
            ("--clusterer", self.paper.clusterer, self.method in REPEATED),
        ):
            if value is not None and not is_used:
                auto = "" if option == "--clusterer" else " with --n-features auto"
                raise WrongUseError(
                    f"{option} is for the methods {', '.join(REPEATED)}{auto}, but the method is "
                    f"{self.method} with --n-features {self.n_features}."
                )

    @property
    def size(self) -> Size:
        """The number of features, or ``"auto"``."""
        return o.parse_size(self.n_features)

    @property
    def has_runs(self) -> bool:
        """Whether the method shows its progress by runs."""
        return self.method in REPEATED and self.n_features == "auto"

    @property
    def is_in_blocks(self) -> bool:
        """Whether the table is read in blocks instead of as a whole."""
        suffixes = {Path(source).suffix.lower() for source in (self.source, *(self.more or ()))}
        is_asked = self.memory is not None or self.resume
        on_cluster = self.computing.is_on_cluster and not suffixes.isdisjoint(BLOCK_FORMATS)
        return is_asked or on_cluster or not suffixes.isdisjoint(ONLY_IN_BLOCKS)

    @property
    def command(self) -> str:
        """The command that repeats this selection, with every option that decides the result."""
        options = {
            "method": self.method,
            "n_features": self.n_features,
            **options_in(self.reading),
            **options_in(self.samples),
            "memory": self.memory,
            "repeats": self.repeats,
            **self.paper.given,
            "splits": self.splits,
            "random_state": self.random_state,
        }
        words = ["perturbfs", "select", self.source, *(self.more or ()), *spell(options)]
        return shlex.join(map(as_shown, words))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateRequest:
    """Options of `perturbfs evaluate`; lists are separated by commas."""

    source: o.Source
    more: o.MoreSources = None
    reading: o.Reading
    methods: Annotated[
        str | None,
        typer.Option(
            help="Names of methods, as in select, separated by commas.",
            show_default=f"{','.join(DEFAULT_METHODS)}; robust for survival",
        ),
    ] = None
    n_features: Annotated[
        str,
        typer.Option(help="Numbers of features, separated by commas; auto: the method chooses."),
    ] = "5,10,20,40"
    predictors: Annotated[
        str | None,
        typer.Option(
            help=f"Predictors to test with, separated by commas: {', '.join(PREDICTORS)}.",
            show_default="tree,svm,3nn; tree,ridge,3nn for regression; cox for survival",
        ),
    ] = None
    scoring: Annotated[
        str | None,
        typer.Option(
            help="A score by its name in scikit-learn, such as roc_auc.",
            show_default="balanced accuracy; R^2 for regression; concordance for survival",
        ),
    ] = None
    samples: o.Samples
    out: o.Out = "perturbfs-evaluation"
    splits: Annotated[int, typer.Option(help="Random splits, 70 % to 30 %.", min=2)] = 10
    random_state: o.RandomState = 0
    computing: o.Computing
    force: o.Force = False

    def __post_init__(self) -> None:
        for name in self.method_names:
            o.check_method(name)
        _check_survival(self.reading, self.method_names)
        for name in self.predictor_names or ():
            o.check_one_of("--predictors", name, PREDICTORS)
        self.sizes  # noqa: B018

    @property
    def method_names(self) -> tuple[str, ...]:
        """The methods."""
        if self.methods is None:
            return SURVIVAL_METHODS if self.reading.is_survival else DEFAULT_METHODS
        return o.split_names(self.methods)

    @property
    def predictor_names(self) -> tuple[str, ...] | None:
        """The predictors, or None for the default ones."""
        return None if self.predictors is None else o.split_names(self.predictors)

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The numbers of features, or ``"auto"``."""
        return tuple(map(o.parse_size, o.split_names(self.n_features)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateRequest:
    """Options of `perturbfs validate`."""

    selection: Annotated[str, typer.Argument(metavar="DIR", help="Directory that select wrote.")]
    source: Annotated[str, typer.Argument(metavar="NEWFILE", help="Table of the second cohort.")]
    target: Annotated[
        str | None,
        typer.Option(
            help="Outcome of the second cohort: a column by name or position, or a second file "
            "with sample names and labels (FILE or FILE:COLUMN).",
            show_default="as in the selection",
        ),
    ] = None
    layout: o.Layout
    match_names: o.MatchNames = "exact"
    stand_ins: o.StandIns = False
    unlabelled: Annotated[
        str | None,
        typer.Option(
            help="What to do about samples without an outcome: error or drop.",
            show_default="error",
        ),
    ] = None
    unknown_classes: Annotated[
        str,
        typer.Option(
            help="What to do about samples of classes that the first cohort does not have: error "
            "or drop."
        ),
    ] = "error"
    out: o.Out = "perturbfs-validation"
    random_state: o.RandomState = 0
    force: o.Force = False

    def __post_init__(self) -> None:
        o.as_name_match(self.match_names)
        o.check_one_of("--unlabelled", self.unlabelled, ("error", "drop"))
        o.check_one_of("--unknown-classes", self.unknown_classes, ("error", "drop"))

    @property
    def command(self) -> str:
        """The command that repeats this validation, with every option that decides the result."""
        options = {
            "target": self.target,
            **options_in(self.layout),
            "match_names": None if self.match_names == "exact" else self.match_names,
            "stand_ins": self.stand_ins,
            "unlabelled": self.unlabelled,
            "unknown_classes": None if self.unknown_classes == "error" else self.unknown_classes,
            "random_state": self.random_state,
        }
        words = ["perturbfs", "validate", self.selection, self.source, *spell(options)]
        return shlex.join(map(as_shown, words))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproduceRequest:
    """Options of `perturbfs reproduce`."""

    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE]...", help=f"All tables, or any of {', '.join(TABLES)}."),
    ] = None
    protocol: Annotated[
        str,
        typer.Option(
            help="published (selects on the test rows, as the released program does), honest, "
            "or both."
        ),
    ] = "both"
    datasets: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these data sets of the paper: names separated by commas, or repeat the "
            "option.",
            show_default="all",
        ),
    ] = None
    out: o.Out = "perturbfs-reproduction"
    quick: Annotated[bool, typer.Option("--quick", help="Do only a few runs.")] = False
    random_state: o.RandomState = 0
    computing: o.Computing
    force: o.Force = False

    def __post_init__(self) -> None:
        o.check_one_of("--protocol", self.protocol, ("published", "honest", "both"))


def _check_survival(reading: o.Reading, methods: tuple[str, ...]) -> None:
    """Refuse methods that take no survival outcomes."""
    others = [name for name in methods if name not in SURVIVAL_METHODS]
    if reading.is_survival and others:
        raise WrongUseError(
            f"--time {reading.time} and --event {reading.event} are a survival outcome, which the "
            f"method {others[0]} does not take. Use {' or '.join(SURVIVAL_METHODS)}."
        )
