"""Optional dependencies: imported where they are needed, with a hint where they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(module: str, *, extra: str, needed_by: str) -> Any:
    """Import a module that an extra of the package installs.

    Parameters
    ----------
    module : str
        Its name, dots included.
    extra : str
        The extra that installs it.
    needed_by : str
        What the user was about to do, as the subject of a sentence.

    Returns
    -------
    module : module

    Raises
    ------
    ImportError
        With the command that installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # installed but broken: its own message is the useful one
        raise ImportError(
            f"{needed_by} needs the package {module.partition('.')[0]!r}. "
            f"Install it with: pip install 'perturbfs[{extra}]'"
        ) from error
