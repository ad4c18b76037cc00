"""Names: found again with a suggestion where they are not, and refused where they mislead."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from ._table import TableError


def quoted(names: Sequence[str], most: int = 5) -> str:
    """The first names for a sentence, and that there are more."""
    listed = ", ".join(repr(name) for name in names[:most])
    return f"{listed} and {len(names) - most} more" if len(names) > most else listed


def find_place(asked: str | int, names: Sequence[str] | None, n: int, *, what: str) -> int:
    """Position of what was asked for by name or by position.

    Parameters
    ----------
    asked : str or int
        Negative positions count from the end.
    names : sequence of str or None
    n : int
        Number of positions.
    what : str
        The parameter that asks, for messages.

    Returns
    -------
    place : int
        From 0 to n - 1.

    Examples
    --------
    >>> find_place(-1, None, 5, what="target")
    4
    """
    if isinstance(asked, int):
        if -n <= asked < n:
            return asked % n
        raise TableError(
            f"{what}={asked} is not one of the {n} positions. Give one from 0 to {n - 1}, or a "
            "negative one counted from the end."
        )
    if names is None:
        raise TableError(
            f"{what}={asked!r} was asked for by name, but there are no names. Give its position "
            f"from 0 to {n - 1}, or say header=True if the first line holds names."
        )
    if asked not in names:
        raise unknown_name(asked, names, what=what)
    return list(names).index(asked)


def unknown_name(asked: str, names: Sequence[str], *, what: str) -> TableError:
    """The error for a name that is not there, with the nearest that are."""
    folded = {name.strip().casefold(): name for name in names}
    near = [folded[key] for key in difflib.get_close_matches(asked.casefold(), folded, n=3)]
    if near:
        hint = f"Did you mean {' or '.join(repr(name) for name in near)}?"
    else:
        hint = f"There are {len(names)} names: {quoted(names)}."
    # A mistyped path of a file of labels is searched for as a name.
    no_file = ", and there is no such file" if re.search(r"/|\.\w+(:|$)", asked) else ""
    return TableError(f"{what}={asked!r} is not there{no_file}. {hint}")


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse names that are empty or stand twice.

    Parameters
    ----------
    names : sequence of str
        The first may be empty: above a column of names there often is none.
    what : str
        What bears them: "column" or "row". Positions in messages count from 1.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names, 1):
        if not name.strip() and position > 1:
            raise TableError(
                f"{what} {position} has no name. Name it, or remove it; a delimiter at the end of "
                "the first line makes such a column."
            )
        if name in seen:
            raise TableError(
                f"the name {name!r} stands twice, at {what}s {seen[name]} and {position}. Rename "
                "one of them: features are told apart by their names."
            )
        seen[name] = position
