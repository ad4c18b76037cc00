"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Source = Annotated[
    str, typer.Argument(metavar="FILE", help="Table to read, or the name of a data set.")
]
Target = Annotated[
    str | None,
    typer.Option(
        help="Outcome: a column by name or position (-1 is the last), or a second file with "
        "sample names and labels (FILE or FILE:COLUMN).",
        show_default=False,
    ),
]
Index = Annotated[
    str | None,
    typer.Option(help="Column of sample names, by name or position.", show_default="found"),
]
FeaturesInRows = Annotated[
    bool | None,
    typer.Option(
        "--features-in-rows/--features-in-columns",
        help="Whether features are rows (genes by samples).",
        show_default="found",
    ),
]
Task = Annotated[
    str | None,
    typer.Option(help="classification or regression.", show_default="from the outcome"),
]
Impute = Annotated[
    str | None,
    typer.Option(help="Fill missing values inside every split: median or knn.", show_default="no"),
]
DropText = Annotated[bool, typer.Option("--drop-text", help="Leave out features that hold text.")]
RandomState = Annotated[int, typer.Option(help="Seed of all random choices.")]
Jobs = Annotated[int, typer.Option(help="Processes to use; -1 for all cores.")]
Out = Annotated[str, typer.Option(metavar="DIR", help="Directory for the results.")]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on the dask cluster of this scheduler, such as tcp://host:8786.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        help="Work on so many dask workers started here.", min=1, show_default="no cluster"
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace results that are there already.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show nothing but errors.")]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print the result as JSON, everything else to standard error."),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show where an error came from.")]
