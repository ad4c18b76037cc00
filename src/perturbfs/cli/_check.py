"""`perturbfs check`: say what is suspicious in a table, and do nothing else."""

from __future__ import annotations

from dataclasses import replace

from ._console import Terminal
from ._requests import CheckRequest
from ._several import list_sources, read_several
from ._tables import Groups, read_source, read_with_columns, values_of


def run_check(terminal: Terminal, request: CheckRequest) -> None:
    """Read a table as far as it can be read, and print what is suspicious in it."""
    # Text and missing values are findings here, not errors.
    reading = replace(request.reading, drop_text=True, impute=request.reading.impute or "median")
    columns = {"groups": request.groups, "batch": request.batch}
    found: dict[str, Groups] = {}
    with terminal.waiting(f"reading {list_sources(request)}"):
        if request.more:
            table, found = read_several((request.source, *request.more), reading, columns)
        elif request.groups is None and request.batch is None:
            table = read_source(request.source, reading)
        else:
            table, found = read_with_columns(request.source, reading, columns)
    from ._findings import report_findings  # loads scikit-learn, so after errors about the file

    groups, batch = (values_of(found.get(role)) for role in columns)
    report_findings(terminal, list_sources(request), table, groups, batch)
