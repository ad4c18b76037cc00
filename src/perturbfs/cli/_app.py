"""The command line: parse, call, print. Everything heavy is imported by the command itself."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from perturbfs._support.names import METHODS, PREDICTORS, TABLES

from . import _options as o
from ._cluster import ClusterOptions
from ._console import Terminal, WrongUseError, guarded

app = typer.Typer(
    name="perturbfs",
    help="Select few features of a wide table, and find out honestly how well they predict.",
    epilog="Start with: perturbfs demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(value: bool) -> None:
    if value:
        from perturbfs import __version__

        print(f"perturbfs {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Select few features of a wide table, and find out honestly how well they predict."""


@app.command(epilog="Example: perturbfs demo")
@guarded
def demo(random_state: o.RandomState = 0, quiet: o.Quiet = False, debug: o.Debug = False) -> None:
    """Make a wide table whose useful features are known, select, and compare with the truth."""
    from ._demo import run_demo

    run_demo(Terminal(quiet=quiet), random_state=random_state)


@app.command(
    epilog="Example: perturbfs select table.csv --target diagnosis --n-features 10 --out result"
)
@guarded
def select(
    source: o.Source,
    target: o.Target = None,
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")] = "robust",
    n_features: Annotated[str, typer.Option(help="How many features, or auto.")] = "auto",
    out: o.Out = "perturbfs-result",
    index: o.Index = None,
    features_in_rows: o.FeaturesInRows = None,
    task: o.Task = None,
    impute: o.Impute = None,
    drop_text: o.DropText = False,
    repeats: Annotated[
        int | None,
        typer.Option(help="Runs of the paper's method (auto only), 10 by default.", min=1),
    ] = None,
    splits: Annotated[int, typer.Option(help="Splits of the estimate.", min=2)] = 5,
    details: Annotated[
        bool,
        typer.Option(
            "--details/--no-details",
            help="Whether the page has pictures, and with them values of the chosen features.",
        ),
    ] = True,
    noise_study: Annotated[
        bool | None,
        typer.Option(
            "--noise-study/--no-noise-study",
            help="Whether to select again with noise added, about thirty times.",
            show_default="where it takes seconds",
        ),
    ] = None,
    random_state: o.RandomState = 0,
    jobs: o.Jobs = 1,
    scheduler: o.Scheduler = None,
    workers: o.Workers = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Read .npy, Zarr, HDF5, Parquet or h5ad block by block with so much memory, "
            "such as 2GB; a worker started here has as much.",
            show_default="2GB for Zarr, HDF5 and on a cluster; others are read as a whole",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with a job that was stopped, after its last pass."),
    ] = False,
    force: o.Force = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Select features of a table; write selection.json, features.csv, selected.csv, a page."""
    from ._select import SelectRequest, run_select

    request = SelectRequest(
        source=source,
        method=_known_method(method),
        n_features=_size(n_features),
        out=out,
        impute=_one_of("--impute", impute, ("median", "knn")),
        repeats=repeats,
        details=details,
        noise=noise_study and details,
        splits=splits,
        random_state=random_state,
        jobs=jobs,
        cluster=ClusterOptions(scheduler=scheduler, workers=workers),
        memory=memory,
        resume=resume,
        force=force,
        reading=_reading(target, index, features_in_rows, task, drop_text),
    )
    run_select(Terminal(json=json, quiet=quiet), request)


@app.command(epilog="Example: perturbfs convert table.npy --to zarr --memory 2GB")
@guarded
def convert(
    source: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Table: .npy, .h5, .h5ad, .parquet, .zarr."),
    ],
    to: Annotated[str, typer.Option(help="Format of the copy: zarr.")] = "zarr",
    out: Annotated[
        str | None,
        typer.Option(help="Where the copy goes.", show_default="beside FILE, called .zarr"),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="Outcome to keep with it: a column, or a second file with labels."),
    ] = None,
    memory: Annotated[str, typer.Option(help="Memory to use, such as 500MB.")] = "2GB",
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> None:
    """Copy a large table so that it is stored feature by feature, as selecting reads it."""
    from ._convert import run_convert

    run_convert(Terminal(quiet=quiet), source, to, out, target=target, memory=memory)


@app.command(
    epilog="Example: perturbfs evaluate table.csv --target diagnosis --methods robust,random "
    "--n-features 5,10 --out comparison"
)
@guarded
def evaluate(
    source: o.Source,
    target: o.Target = None,
    methods: Annotated[
        str, typer.Option(help="Names of methods, as in select, with commas.")
    ] = "robust,paper,mrmr,random",
    n_features: Annotated[
        str,
        typer.Option(help="Numbers of features, with commas; auto for each method's own choice."),
    ] = "5,10,20,40",
    predictors: Annotated[
        str | None,
        typer.Option(
            help=f"What judges the selections, with commas: {', '.join(PREDICTORS)}.",
            show_default="tree,svm,3nn; tree,ridge,3nn for a quantity",
        ),
    ] = None,
    scoring: Annotated[
        str | None,
        typer.Option(
            help="A score by its name in scikit-learn, such as roc_auc.",
            show_default="balanced accuracy; R^2 for a quantity",
        ),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of patients, say, whose samples are never on both sides of a split.",
            show_default=False,
        ),
    ] = None,
    min_class_size: Annotated[
        int | None,
        typer.Option(help="Leave out classes with fewer samples.", min=2, show_default="no"),
    ] = None,
    out: o.Out = "perturbfs-evaluation",
    index: o.Index = None,
    features_in_rows: o.FeaturesInRows = None,
    task: o.Task = None,
    impute: o.Impute = None,
    drop_text: o.DropText = False,
    splits: Annotated[int, typer.Option(help="Random splits, 70 % to 30 %.", min=2)] = 10,
    random_state: o.RandomState = 0,
    jobs: o.Jobs = 1,
    scheduler: o.Scheduler = None,
    workers: o.Workers = None,
    force: o.Force = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Compare methods, each fitted to the training part of every split alone; write a page."""
    from ._evaluate import EvaluateRequest, run_evaluate

    request = EvaluateRequest(
        source=source,
        methods=tuple(_known_method(name.strip()) for name in methods.split(",")),
        n_features=tuple(_size(size.strip()) for size in n_features.split(",")),
        predictors=_known_predictors(predictors),
        scoring=scoring,
        groups=groups,
        min_class_size=min_class_size,
        out=out,
        impute=_one_of("--impute", impute, ("median", "knn")),
        splits=splits,
        random_state=random_state,
        jobs=jobs,
        cluster=ClusterOptions(scheduler=scheduler, workers=workers),
        force=force,
        reading=_reading(target, index, features_in_rows, task, drop_text),
    )
    run_evaluate(Terminal(json=json, quiet=quiet), request)


@app.command(
    epilog="Example: perturbfs apply result/selection.json new.csv --out new-selected.csv"
)
@guarded
def apply(
    selection: Annotated[str, typer.Argument(metavar="SELECTION", help="A selection.json.")],
    source: Annotated[str, typer.Argument(metavar="NEWFILE", help="Table to take columns from.")],
    out: Annotated[str, typer.Option(metavar="FILE", help="CSV file to write.")],
    index: o.Index = None,
    features_in_rows: o.FeaturesInRows = None,
    force: o.Force = False,
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> None:
    """Take the selected features of another table, by their names, in any order."""
    from ._apply import run_apply

    run_apply(
        Terminal(quiet=quiet),
        selection,
        source,
        out,
        index=index,
        features_in_rows=features_in_rows,
        force=force,
    )


@app.command(epilog="Example: perturbfs report result")
@guarded
def report(
    directory: Annotated[
        str, typer.Argument(metavar="DIR", help="Where select or evaluate wrote its results.")
    ],
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> None:
    """Write report.html anew from saved results, without computing anything again."""
    from ._report import run_report

    run_report(Terminal(quiet=quiet), directory)


@app.command(epilog="Example: perturbfs reproduce datasets synth-angles --out reproduction")
@guarded
def reproduce(
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TABLE]...", help=f"Any of {', '.join(TABLES)}; none for all of them."
        ),
    ] = None,
    protocol: Annotated[
        str,
        typer.Option(
            help="published (chooses on the test rows, as the released program does), honest, "
            "or both."
        ),
    ] = "both",
    out: o.Out = "perturbfs-reproduction",
    quick: Annotated[bool, typer.Option("--quick", help="A first picture: few runs.")] = False,
    random_state: o.RandomState = 0,
    jobs: o.Jobs = 1,
    scheduler: o.Scheduler = None,
    workers: o.Workers = None,
    force: o.Force = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Compute the paper's tables beside the published ones; go on where a run was stopped."""
    from ._reproduce import ReproduceRequest, run_reproduce

    protocol = str(_one_of("--protocol", protocol, ("published", "honest", "both")))
    request = ReproduceRequest(
        tables=tuple(tables or ()),
        protocol=protocol,
        out=out,
        quick=quick,
        random_state=random_state,
        jobs=jobs,
        cluster=ClusterOptions(scheduler=scheduler, workers=workers),
        force=force,
    )
    run_reproduce(Terminal(json=json, quiet=quiet), request)


@app.command(epilog="Example: perturbfs serve --no-browser")
@guarded
def serve(
    port: Annotated[
        int, typer.Option(help="Port of 127.0.0.1.", min=0, max=65535, show_default="a free one")
    ] = 0,
    max_size: Annotated[int, typer.Option(help="Largest file to take, in MB.", min=1)] = 500,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
    jobs: o.Jobs = 1,
    debug: o.Debug = False,
) -> None:
    """Open a page on this machine to drop a table on, select, and see the report."""
    from ._serve import run_serve

    run_serve(Terminal(), port=port, max_size=max_size, browser=not no_browser, jobs=jobs)


datasets = typer.Typer(
    help="List the data sets that can be used by name, or fetch one.",
    epilog="Example: perturbfs datasets fetch colon",
    invoke_without_command=True,
)
app.add_typer(datasets, name="datasets")


@datasets.callback(invoke_without_command=True)
@guarded
def list_datasets(context: typer.Context, json: o.Json = False, debug: o.Debug = False) -> None:
    """List the data sets that can be used by name, with what is on disk."""
    if context.invoked_subcommand is None:
        from ._datasets import run_list

        run_list(Terminal(json=json))


@datasets.command(epilog="Example: perturbfs datasets fetch colon")
@guarded
def fetch(
    name: Annotated[str, typer.Argument(help="Name of a data set.")],
    quiet: o.Quiet = False,
    debug: o.Debug = False,
) -> None:
    """Download a data set from its publisher and check it."""
    from ._datasets import run_fetch

    run_fetch(Terminal(quiet=quiet), name)


def _reading(
    target: str | None,
    index: str | None,
    features_in_rows: bool | None,
    task: str | None,
    drop_text: bool,
) -> dict[str, Any]:
    return {
        "target": target,
        "index": index,
        "features_in_rows": features_in_rows,
        "task": _one_of("--task", task, ("classification", "regression")),
        "drop_text": drop_text,
    }


def _size(text: str) -> int | str:
    if text == "auto":
        return text
    try:
        size = int(text)
    except ValueError:
        size = 0
    if size < 1:
        raise WrongUseError(
            f"--n-features got {text!r}, but a positive whole number or auto is needed."
        )
    return size


def _known_method(name: str) -> str:
    if name not in METHODS:
        raise WrongUseError(f"the method {name!r} is not known. Use one of {', '.join(METHODS)}.")
    return name


def _known_predictors(names: str | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    predictors = tuple(name.strip() for name in names.split(","))
    for name in predictors:
        _one_of("--predictors", name, PREDICTORS)
    return predictors


def _one_of(option: str, value: str | None, allowed: tuple[str, ...]) -> str | None:
    if value is not None and value not in allowed:
        raise WrongUseError(f"{option} got {value!r}, but one of {', '.join(allowed)} is needed.")
    return value
