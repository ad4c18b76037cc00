"""`perturbfs select`: read a table, select features, write the results.

Files and names are checked before scikit-learn is loaded, which takes a second or more.
"""

from __future__ import annotations

from perturbfs._support.files import check_free

from ._claimed import holding_out
from ._command import WrongUseError
from ._console import Terminal
from ._disk import check_blocks, is_stopped, open_blocks, open_groups
from ._requests import SelectRequest
from ._several import list_sources, read_requested


@holding_out
def run_select(terminal: Terminal, request: SelectRequest) -> None:
    """Select features of a table that is read as a whole or in blocks."""
    if request.is_in_blocks:
        _select_in_blocks(terminal, request)
        return
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {list_sources(request)}"):
        table, *shared = read_requested(request)
    from ._selecting import select_in_memory  # loads scikit-learn

    select_in_memory(terminal, request, table, *shared)


def _select_in_blocks(terminal: Terminal, request: SelectRequest) -> None:
    """Select features of a table that stays on disk; its page has no figures."""
    check_blocks(request)
    if is_stopped(request.out) and not (request.resume or request.force):
        raise WrongUseError(
            f"There are finished passes of a stopped job that writes to {request.out}. Continue "
            "it with --resume, or start again with --force."
        )
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"opening {request.source}"):
        opened = open_blocks(request.source, request.reading, request.memory)
        groups = open_groups(request.source, request.reading, request.samples.groups, opened)
    from ._selecting import select_in_blocks  # loads scikit-learn

    select_in_blocks(terminal, request, opened, groups)


def refuse_taken(out: str, *, force: bool) -> None:
    """Refuse an output directory that cannot be used, before any work is done."""
    try:
        check_free(out, force=force)
    except FileExistsError as error:
        raise WrongUseError(str(error)) from error
