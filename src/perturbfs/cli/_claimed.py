"""Hold the output directory of a command while the command runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from perturbfs._support.claim import claimed, refuse_files

from ._command import WrongUseError
from ._console import Terminal


def holding_out(run: Callable[[Terminal, Any], None]) -> Callable[[Terminal, Any], None]:
    """Return the function of a command, which then has its output directory to itself.

    A second process with the same directory stops at once, instead of when its work is done.

    Parameters
    ----------
    run : callable
        Its second argument, the request, has an attribute `out`.

    Returns
    -------
    hold_and_run : callable
    """

    @wraps(run)
    def hold_and_run(terminal: Terminal, request: Any) -> None:
        try:
            refuse_files(request.out)
        except FileExistsError as error:
            raise WrongUseError(str(error)) from error
        with claimed(request.out):
            run(terminal, request)

    return hold_and_run
