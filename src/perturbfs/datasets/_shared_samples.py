"""The samples that several tables share, by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array

from ._errors import TableError
from .reading._labels import check_loose
from .reading._names import count, loosened, quoted

SHOWN = 3  # names of each table that an error shows
ADVICE = "Give each sample the same name in all tables."
LOOSE = "--match-names loose (match_names='loose')"


@dataclass(frozen=True, slots=True)
class SharedSamples:
    """Where the samples that are in all tables are in each of them.

    Attributes
    ----------
    places : dict of str to array of int
        Positions of the shared samples in each table, in the order of the first table.
    notes : tuple of str
        A sentence for each table of which samples are left out.
    """

    places: dict[str, Array]
    notes: tuple[str, ...]


def find_shared_samples(
    names: Mapping[str, Sequence[str]], *, is_loose: bool = False, advice: str = ADVICE
) -> SharedSamples:
    """Find the samples that are in all tables.

    Parameters
    ----------
    names : mapping of str to sequence of str
        The names of the samples of each table.
    is_loose : bool, default=False
        Whether case, blanks and punctuation are ignored.
    advice : str
        What to do if too few samples are shared, unless their spelling is the reason.

    Returns
    -------
    shared : SharedSamples

    Raises
    ------
    TableError
        If a name repeats in a table, or if less than half of the samples of the smallest table
        are in all tables.

    Examples
    --------
    >>> found = find_shared_samples({"genes": ["a", "b", "c"], "methylation": ["c", "a"]})
    >>> found.places["methylation"].tolist(), found.notes
    ([1, 0], ("1 of 3 samples of genes is not in all tables and was left out: 'b'.",))
    """
    key = loosened if is_loose else str
    position = {table: _positions(table, each, key) for table, each in names.items()}
    first, *others = position.values()
    shared = [name for name in first if all(name in other for other in others)]
    places = {
        table: np.array([each[name] for name in shared], dtype=np.intp)
        for table, each in position.items()
    }
    left_out = {table: _without(each, places[table]) for table, each in names.items()}
    if 2 * len(shared) < min(map(len, names.values())):
        smallest = min(names, key=lambda table: len(names[table]))
        alike = "" if is_loose else _describe_alike(left_out[smallest], smallest, names)
        raise TableError(
            _describe_few(names, smallest, left_out, len(shared), alike or f" {advice}")
        )
    notes = []
    for table, left in left_out.items():
        if left:
            is_one = len(left) == 1
            notes.append(
                f"{len(left):,} of {count(len(names[table]), 'sample')} of {table} "
                f"{'is' if is_one else 'are'} not in all tables and "
                f"{'was' if is_one else 'were'} left out: {quoted(left)}."
                + ("" if is_loose else _describe_alike(left, table, names))
            )
    return SharedSamples(places, tuple(notes))


def _without(names: Sequence[str], places: Array) -> list[str]:
    taken = set(places.tolist())
    return [name for place, name in enumerate(names) if place not in taken]


def _positions(table: str, names: Sequence[str], key: Callable[[str], str]) -> dict[str, int]:
    """Return the position of each sample by its name, which must not repeat."""
    n_blank = sum(not name.strip() for name in names)
    if n_blank:
        raise TableError(
            f"{count(n_blank, 'sample')} of {table} {'has' if n_blank == 1 else 'have'} no name. "
            "Tables are matched by the names of the samples, so each sample needs one. Name them, "
            "or give another column of names with --index (index)."
        )
    repeated = [name for name, n in Counter(names).items() if n > 1]
    if repeated:
        raise TableError(
            f"{count(len(repeated), 'sample name')} of {table} "
            f"{'occurs' if len(repeated) == 1 else 'occur'} more than once: {quoted(repeated)}. "
            "Tables are matched by the names of the samples, so each sample needs its own. Rename "
            "them, or give another column of names with --index (index)."
        )
    if key is loosened:
        try:
            check_loose(list(names))
        except TableError as error:
            raise TableError(f"{table}: {error}") from error
    return {key(name): place for place, name in enumerate(names)}


def _describe_few(
    names: Mapping[str, Sequence[str]],
    smallest: str,
    left_out: Mapping[str, Sequence[str]],
    n_shared: int,
    advice: str,
) -> str:
    """Return the error about tables that share too few samples."""
    examples = [f"{table} has {quoted(left, SHOWN)}" for table, left in left_out.items() if left]
    only = f"Only {n_shared:,}" if n_shared else "None"
    return (
        f"{only} of the {count(len(names[smallest]), 'sample')} of {smallest}, the smallest "
        "table, can be found in all tables by name, and at least half of them are needed. Of "
        f"those that cannot, {', and '.join(examples)}.{advice}"
    )


def _describe_alike(left: Sequence[str], table: str, names: Mapping[str, Sequence[str]]) -> str:
    """Return a sentence on samples whose names differ in spelling only; empty without any."""
    others = {other: {loosened(n): n for n in each} for other, each in names.items()}
    del others[table]
    pairs = [
        (name, next(spelled for spelled in spellings if spelled != name))
        for name in left
        if None not in (spellings := [each.get(loosened(name)) for each in others.values()])
        and set(spellings) != {name}
    ]
    if not pairs:
        return ""
    one, other = pairs[0]
    verb = "differs" if len(pairs) == 1 else "differ"
    return (
        f" {count(len(pairs), 'name')} {verb} from another table in case, blanks or punctuation "
        f"only, such as {one!r} and {other!r}. Match them with {LOOSE}."
    )
