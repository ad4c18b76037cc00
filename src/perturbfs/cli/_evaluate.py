"""`perturbfs evaluate`: read a table and compare several methods on the same splits."""

from __future__ import annotations

from ._claimed import holding_out
from ._console import Terminal
from ._requests import EvaluateRequest
from ._select import refuse_taken
from ._tables import read_for_work


@holding_out
def run_evaluate(terminal: Terminal, request: EvaluateRequest) -> None:
    """Read a table, compare methods on it, write and print the results."""
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {request.source}"):
        table, *shared = read_for_work(request.source, request.reading, request.samples)
    from ._comparing import compare  # loads scikit-learn, so after errors about the file

    compare(terminal, request, table, *shared)
