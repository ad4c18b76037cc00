"""Import optional dependencies when they are needed, with a hint if they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(module: str, *, extra: str, needed_by: str) -> Any:
    """Import a module that an extra of the package installs.

    Parameters
    ----------
    module : str
        Its full name.
    extra : str
        The extra that installs it.
    needed_by : str
        The action that needs the module, as the subject of a sentence.

    Returns
    -------
    module : module

    Raises
    ------
    ImportError
        If it is not installed, with the command that installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # installed but broken: its own message is more useful
        raise ImportError(
            f"{needed_by} needs the package {module.partition('.')[0]!r}. "
            f"Install it with: pip install 'perturbfs[{extra}]'"
        ) from error
