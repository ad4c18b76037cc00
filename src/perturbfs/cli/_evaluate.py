"""`perturbfs evaluate`: read a table and compare several methods on the same splits."""

from __future__ import annotations

from ._claimed import holding_out
from ._console import Terminal
from ._requests import EvaluateRequest
from ._select import refuse_taken
from ._several import list_sources, read_requested


@holding_out
def run_evaluate(terminal: Terminal, request: EvaluateRequest) -> None:
    """Read a table, compare methods on it, write and print the results."""
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {list_sources(request)}"):
        table, *shared = read_requested(request)
    from ._comparing import compare  # loads scikit-learn, so after errors about the file

    compare(terminal, request, table, *shared)
