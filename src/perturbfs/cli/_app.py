"""The command line: parse, call, print. Each command imports its heavy modules itself."""

from __future__ import annotations

from typing import Annotated

import typer

from perturbfs._support.extras import import_extra

from . import _options as o
from ._command import command
from ._console import Terminal
from ._requests import (
    CheckRequest,
    EvaluateRequest,
    ReproduceRequest,
    SelectRequest,
    ValidateRequest,
)

_PURPOSE = (
    "Select a few features of a wide table, and estimate without bias how well they predict."
)

app = typer.Typer(
    name="perturbfs",
    help=_PURPOSE,
    epilog="Start with: perturbfs demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(value: bool) -> None:
    if value:
        from perturbfs import __version__

        print(f"perturbfs {__version__}")
        raise typer.Exit


@app.callback(help=_PURPOSE)
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Run a command."""


@app.command(epilog="Example: perturbfs demo")
@command
def demo(random_state: o.RandomState = 0, quiet: o.Quiet = False) -> None:
    """Make a wide table whose useful features are known, select, and compare with the truth."""
    from ._demo import run_demo

    run_demo(Terminal(quiet=quiet), random_state=random_state)


@app.command(epilog="Example: perturbfs check table.csv --target diagnosis")
@command
def check(request: CheckRequest, quiet: o.Quiet = False, json: o.Json = False) -> None:
    """Say what is suspicious in a table before features are selected, and what to do about it."""
    from ._check import run_check

    run_check(Terminal(json=json, quiet=quiet), request)


@app.command(
    epilog="Example: perturbfs select table.csv --target diagnosis --n-features 10 --out result"
)
@command
def select(request: SelectRequest, quiet: o.Quiet = False, json: o.Json = False) -> None:
    """Select features of a table; write selection.json, features.csv, selected.csv, a page."""
    from ._select import run_select

    run_select(Terminal(json=json, quiet=quiet), request)


@app.command(epilog="Example: perturbfs convert table.npy --to zarr --memory 2GB")
@command
def convert(
    source: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Table: .npy, .h5, .h5ad, .parquet, .zarr."),
    ],
    to: Annotated[str, typer.Option(help="Format of the copy: zarr.")] = "zarr",
    out: Annotated[
        str | None,
        typer.Option(help="Path of the copy.", show_default="FILE with the extension .zarr"),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="Outcome to store with it: a column, or a second file with labels."),
    ] = None,
    memory: Annotated[str, typer.Option(help="Memory to use, such as 500MB.")] = "2GB",
    layer: o.Layer = None,
    quiet: o.Quiet = False,
) -> None:
    """Copy a large table so that it is stored feature by feature, which makes selecting fast."""
    from ._convert import run_convert

    run_convert(Terminal(quiet=quiet), source, to, out, target=target, memory=memory, layer=layer)


@app.command(
    epilog="Example: perturbfs evaluate table.csv --target diagnosis --methods robust,random "
    "--n-features 5,10 --out comparison"
)
@command
def evaluate(request: EvaluateRequest, quiet: o.Quiet = False, json: o.Json = False) -> None:
    """Compare methods, each fitted only to the training part of each split; write a page."""
    from ._evaluate import run_evaluate

    run_evaluate(Terminal(json=json, quiet=quiet), request)


@app.command(epilog="Example: perturbfs apply result new.csv --out new-selected.csv")
@command
def apply(
    selection: Annotated[
        str,
        typer.Argument(
            metavar="SELECTION", help="Directory that select wrote, or the selection.json in it."
        ),
    ],
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="NEWFILE",
            help="Table to take the features from; or one for each table that was selected from, "
            "in the same order.",
        ),
    ],
    out: Annotated[str, typer.Option(metavar="FILE", help="CSV file to write.")],
    layout: o.Layout,
    match_names: o.MatchNames = "exact",
    stand_ins: o.StandIns = False,
    force: o.Force = False,
    quiet: o.Quiet = False,
) -> None:
    """Take the selected features from another table by their names, in any order.

    Features may be in rows or in columns. Missing values are filled as in the selection.
    """
    from ._apply import run_apply

    o.as_name_match(match_names)
    run_apply(
        Terminal(quiet=quiet),
        selection,
        sources,
        out,
        layout,
        match_names=match_names,
        stand_ins=stand_ins,
        force=force,
    )


@app.command(epilog="Example: perturbfs validate result new.csv --target diagnosis")
@command
def validate(request: ValidateRequest, quiet: o.Quiet = False, json: o.Json = False) -> None:
    """Score a second cohort with the selected features, and say whether the selection holds.

    The predictor is trained on the first cohort, from the files of select. Features may be in
    rows or in columns. Missing values are filled as in the selection.
    """
    from ._validate import run_validate

    run_validate(Terminal(json=json, quiet=quiet), request)


@app.command(epilog="Example: perturbfs report result")
@command
def report(
    directory: Annotated[
        str,
        typer.Argument(
            metavar="DIR", help="Directory that select, evaluate, validate or reproduce wrote."
        ),
    ],
    quiet: o.Quiet = False,
) -> None:
    """Write the page again from saved results, without computing anything again."""
    from ._report import run_report

    run_report(Terminal(quiet=quiet), directory)


@app.command(epilog="Example: perturbfs reproduce datasets synth-angles --out reproduction")
@command
def reproduce(request: ReproduceRequest, quiet: o.Quiet = False, json: o.Json = False) -> None:
    """Compute the paper's tables and compare with the published ones; continue a stopped run."""
    from ._reproduce import run_reproduce

    run_reproduce(Terminal(json=json, quiet=quiet), request)


@app.command(epilog="Example: perturbfs serve --no-browser")
@command
def serve(
    port: Annotated[
        int, typer.Option(help="Port of 127.0.0.1.", min=0, max=65535, show_default="a free one")
    ] = 0,
    max_size: Annotated[int, typer.Option(help="Largest file to accept, in MB.", min=1)] = 500,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
    jobs: o.Jobs = 1,
) -> None:
    """Open a page on this machine to upload a table, select features, and read the report."""
    for package in ("starlette", "uvicorn"):
        import_extra(package, extra="serve", needed_by="perturbfs serve")
    from ._serve import run_serve

    run_serve(Terminal(), port=port, max_size=max_size, browser=not no_browser, jobs=jobs)


@app.command(epilog="Example: perturbfs doctor --json")
@command
def doctor(json: o.Json = False) -> None:
    """Say which versions, threads and directories are used, for a bug report, and what is wrong.

    The exit code is 1 if something is wrong.
    """
    from ._doctor import run_doctor

    run_doctor(Terminal(json=json))


datasets = typer.Typer(
    help="List the data sets that can be used by name, or download one.",
    epilog="Example: perturbfs datasets fetch colon",
    invoke_without_command=True,
)
app.add_typer(datasets, name="datasets")


@datasets.callback(invoke_without_command=True)
@command
def list_datasets(context: typer.Context, json: o.Json = False) -> None:
    """List the data sets that can be used by name, and whether they are on disk."""
    if context.invoked_subcommand is None:
        from ._datasets import run_list

        run_list(Terminal(json=json))


@datasets.command(epilog="Example: perturbfs datasets fetch colon")
@command
def fetch(
    name: Annotated[
        str, typer.Argument(help="Name of a data set.", autocompletion=o.complete_dataset)
    ],
    quiet: o.Quiet = False,
) -> None:
    """Download a data set from its publisher and check it."""
    from ._datasets import run_fetch

    run_fetch(Terminal(quiet=quiet), name)
