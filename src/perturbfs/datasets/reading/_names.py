"""Names of rows and columns: the usual ones, look-up with a suggestion, and checks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from perturbfs.datasets._errors import TableError

# Names are compared with `simplify`. A column with one of these names is never a feature:
# a repeated patient number would tell a model which samples belong together.
_EITHER = {"id", "ids", "identifier", "index", "indexlevel0", "unnamed0", "rowname", "rownames"}
SAMPLE_NAMES = frozenset(
    {"sample", "samples", "sampleid", "sampleids", "samplename", "samplenames", "barcode"}
    | {"subject", "subjectid", "patient", "patientid", "participant", "participantid"}
    | {"individualid", "caseid", "observationid", "cellid", "accession", "geoaccession"}
    | _EITHER
)
FEATURE_NAMES = frozenset(
    {"gene", "genes", "geneid", "genename", "genesymbol", "symbol", "idref", "name", "names"}
    | {"probe", "probeid", "probeset", "probesetid", "ensemblid", "transcript", "transcriptid"}
    | {"feature", "features", "featureid", "featurename"}
    | _EITHER
)
CLASS_NAMES = ("class", "target", "outcome", "label")  # of an outcome, the most usual first


def simplify(name: str) -> str:
    """Return a name in lower case, without spaces and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def quoted(names: Sequence[str], most: int = 5) -> str:
    """Return the first names in quotes, and how many more there are."""
    listed = ", ".join(repr(name) for name in names[:most])
    return f"{listed} and {len(names) - most} more" if len(names) > most else listed


def find_place(asked: str | int, names: Sequence[str] | None, n: int, *, what: str) -> int:
    """Return the position of a row, column or variable given by name or by position.

    Parameters
    ----------
    asked : str or int
        Negative positions count from the end.
    names : sequence of str or None
    n : int
        Number of positions.
    what : str
        Parameter that the caller set, for messages.

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
            f"{what}={asked!r} is a name, but the file has no names. Give a position from 0 to "
            f"{n - 1}, or header=True if the first line holds names."
        )
    if asked not in names:
        raise unknown_name(asked, names, what=what)
    return list(names).index(asked)


def find_name(asked: str | int, names: Sequence[str], *, what: str) -> str:
    """Return the name of a column or variable given by name or by position."""
    return names[find_place(asked, names, len(names), what=what)]


def unknown_name(asked: str, names: Sequence[str], *, what: str) -> TableError:
    """Return the error for an unknown name, with the most similar names."""
    folded = {name.strip().casefold(): name for name in names}
    near = [folded[key] for key in difflib.get_close_matches(asked.casefold(), folded, n=3)]
    if near:
        hint = f"Did you mean {' or '.join(repr(name) for name in near)}?"
    else:
        hint = f"There are {len(names)} names: {quoted(names)}."
    # A mistyped path of a file of labels ends up here, because it is taken for a name.
    no_file = ", and there is no such file" if re.search(r"/|\.\w+(:|$)", asked) else ""
    return TableError(f"{what}={asked!r} was not found{no_file}. {hint}")


def check_names(names: Sequence[str], what: str) -> None:
    """Raise an error if a name is empty or occurs twice.

    Parameters
    ----------
    names : sequence of str
        The first may be empty, because a column of names often has none.
    what : str
        "column", "row" or "feature". Positions in messages count from 1.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names, 1):
        if not name.strip() and position > 1:
            raise TableError(
                f"{what} {position} has no name. Give it one, or remove it. A delimiter at the "
                "end of the first line creates such a column."
            )
        if name in seen:
            raise TableError(
                f"the name {name!r} occurs twice, at {what}s {seen[name]} and {position}. Rename "
                "one of them: every feature needs its own name."
            )
        seen[name] = position
