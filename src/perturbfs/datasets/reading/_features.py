"""The names of features: excluded ones, repeated ones, and those that Excel has damaged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from perturbfs.datasets._errors import TableError, UnknownNameError

from ._names import count, quoted, unknown_name
from ._options import Duplicates
from ._parts import Parts
from ._sparse import is_sparse

MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
# What Excel makes of SEPT2 and MARCH1.
DATE = re.compile(rf"\d{{1,2}}-({MONTH})|({MONTH})-\d{{1,2}}|\d{{4}}-\d\d-\d\d(T[\d:]+)?", re.I)
KEPT = {
    "first": "the first feature of each name was kept",
    "mean": "the features of one name were replaced by their mean",
    "rename": "numbers were added to the repeated names",
}


def find_excluded(names: Sequence[str] | None, patterns: Sequence[str]) -> list[int]:
    """Return the places of the features that one of the patterns matches.

    Parameters
    ----------
    names : sequence of str or None
    patterns : sequence of str
        Names, or patterns of the shell with ``*``, ``?`` and ``[...]``.

    Examples
    --------
    >>> find_excluded(["age", "date_1", "date_2"], ["date_*"])
    [1, 2]
    """
    if names is None:
        raise UnknownNameError(
            f"exclude={list(patterns)!r} was given, but the features have no names. Remove the "
            "columns from the file."
        )
    found: set[int] = set()
    for pattern in patterns:
        # A name that holds [ or * is meant as it is.
        matched = {at for at, name in enumerate(names) if name == pattern}
        matched = matched or {at for at, name in enumerate(names) if fnmatchcase(name, pattern)}
        if not matched:
            raise unknown_name(pattern, names, what="exclude")
        found |= matched
    return sorted(found)


def exclude_features(parts: Parts, patterns: Sequence[str]) -> Parts:
    """Return the parts of a table without the features that one of the patterns matches."""
    excluded = find_excluded(parts.feature_names, patterns)
    names = parts.feature_names or []
    gone = set(excluded)
    kept = [at for at in range(len(names)) if at not in gone]
    return replace(
        parts,
        X=parts.X[:, kept],
        feature_names=[names[at] for at in kept],
        dropped=(*parts.dropped, *((names[at], "excluded") for at in excluded)),
    )


def check_sample_names(names: Sequence[str]) -> None:
    """Raise an error if two columns of samples have the same name."""
    repeated = [name for name, n in Counter(names).items() if n > 1 and name.strip()]
    if repeated:
        raise TableError(
            f"{count(len(repeated), 'sample name')} {_occur(repeated)} more than once: "
            f"{quoted(repeated)}. Every column needs its own name where features are in rows. "
            "Rename them."
        )


def _occur(names: Sequence[str]) -> str:
    return "occurs" if len(names) == 1 else "occur"


def with_unique_names(parts: Parts, duplicates: Duplicates) -> Parts:
    """Return the parts of a table in which every feature has its own name.

    Parameters
    ----------
    parts : Parts
    duplicates : {"error", "first", "mean", "rename"}
    """
    if parts.feature_names is None:
        return parts
    names = parts.feature_names
    unnamed = [at for at, name in enumerate(names) if not name.strip()]
    if unnamed and duplicates == "rename":
        names = [name if name.strip() else f"feature {at}" for at, name in enumerate(names, 1)]
        parts = replace(parts, feature_names=names)
    elif unnamed:
        raise TableError(
            f"{len(unnamed):,} of {count(len(names), 'feature')} "
            f"{'has' if len(unnamed) == 1 else 'have'} no name. The first of them is feature "
            f"{unnamed[0] + 1}. Name them, choose another column of names with --index (index), "
            "or number them with --duplicates rename (duplicates='rename')."
        )
    counts = Counter(names)
    repeated = [name for name, n in counts.items() if n > 1]
    if not repeated:
        return parts
    if duplicates == "error":
        listed = ", ".join(f"{name!r} ({counts[name]} times)" for name in repeated[:10])
        more = f" and {len(repeated) - 10:,} more" if len(repeated) > 10 else ""
        raise TableError(
            f"{count(len(repeated), 'name')} of features {_occur(repeated)} more than once: "
            f"{listed}{more}. "
            "Keep the first of each with --duplicates first (duplicates='first'), replace them "
            "by their mean with --duplicates mean, or number them with --duplicates rename."
        )
    note = f"{count(len(repeated), 'name')} of features occurred more than once, such as "
    note += f"{repeated[0]!r}; {KEPT[duplicates]}."
    parts = replace(parts, notes=(*parts.notes, note))
    if duplicates == "rename":
        return replace(parts, feature_names=_numbered(names))
    places: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        places.setdefault(name, []).append(at)
    groups = list(places.values())
    X = parts.X[:, [group[0] for group in groups]] if duplicates == "first" else None
    X = _means(parts.X, groups) if X is None else X
    return replace(parts, X=X, feature_names=list(places))


def _numbered(names: list[str]) -> list[str]:
    """Return the names with a number after the second and each further one of a kind."""
    taken, n_seen = set(names), Counter[str]()
    numbered = []
    for name in names:
        n_seen[name] += 1
        new = name
        while n_seen[name] > 1 and new in taken:
            new = f"{name}.{n_seen[name]}"
            n_seen[name] += new in taken
        taken.add(new)
        numbered.append(new)
    return numbered


def _means(X: Any, groups: list[list[int]]) -> Any:
    """Return the mean of each group of columns over its known values."""
    if is_sparse(X):
        rows = np.concatenate(groups)
        columns = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        shares = np.repeat([1 / len(group) for group in groups], [len(g) for g in groups])
        from scipy.sparse import csc_array

        return X @ csc_array((shares, (rows, columns)), (X.shape[1], len(groups)))
    means = X[:, [group[0] for group in groups]].astype(np.result_type(X.dtype, np.float32))
    for place, group in enumerate(groups):
        if len(group) > 1:
            values = X[:, group]
            is_known = ~np.isnan(values)
            n_known = is_known.sum(axis=1)
            total = np.where(is_known, values, 0).sum(axis=1)
            means[:, place] = np.where(n_known > 0, total / np.maximum(n_known, 1), np.nan)
    return means


def note_dates(names: Sequence[str] | None) -> str:
    """Return a sentence on features whose names are dates; empty if there are none."""
    dates = [name for name in names or () if DATE.fullmatch(name.strip())]
    if not dates:
        return ""
    which = "1 feature has" if len(dates) == 1 else f"{len(dates):,} features have"
    return (
        f"{which} a date for a name, such as {dates[0]!r}. Excel turns gene names such as SEPT2 "
        "and MARCH1 into dates; take the names from the original file."
    )
