"""`perturbfs check`: say what is suspicious in a table, and do nothing else."""

from __future__ import annotations

from dataclasses import replace

from perturbfs.arrays import Array

from ._console import Terminal
from ._requests import CheckRequest
from ._several import list_sources, read_several
from ._tables import read_source, read_with_groups


def run_check(terminal: Terminal, request: CheckRequest) -> None:
    """Read a table as far as it can be read, and print what is suspicious in it."""
    # Text and missing values are findings here, not errors.
    reading = replace(request.reading, drop_text=True, impute=request.reading.impute or "median")
    groups: Array | None = None
    with terminal.waiting(f"reading {list_sources(request)}"):
        if request.more:
            sources = (request.source, *request.more)
            table, found = read_several(sources, reading, request.groups)
            groups = None if found is None else found.values
        elif request.groups is None:
            table = read_source(request.source, reading)
        else:
            table, own = read_with_groups(request.source, reading, request.groups)
            groups = own.values
    from ._findings import report_findings  # loads scikit-learn, so after errors about the file

    report_findings(terminal, list_sources(request), table, groups)
