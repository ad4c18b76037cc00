"""Join several tables of the same samples, matched by the names of the samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from perturbfs.arrays import Array, is_blocks, to_dense

from ._errors import TableError
from ._reduce import recount_missing, take_samples
from ._shared_samples import ADVICE, SHOWN, find_shared_samples
from .reading._limits import show_bytes, usable_memory
from .reading._names import quoted
from .reading._sparse import is_sparse
from .reading._table import Table


def join_tables(
    tables: Mapping[str, Table], *, match_names: Literal["exact", "loose"] = "exact"
) -> Table:
    """Join tables of the same samples, such as genes and methylation, into one table.

    Parameters
    ----------
    tables : mapping of str to Table
        Two or more, by their names. Samples are matched by their names; they may be in any
        order. One of the tables has the outcome, or several have the same.
    match_names : {"exact", "loose"}, default="exact"
        With "loose" case, blanks and punctuation of the names of the samples are ignored.

    Returns
    -------
    table : Table
        The samples that are in all tables, in the order of the first one. ``notes`` has a
        sentence on those that are left out. The features of each table follow those of the one
        before, and ``origins`` has the name of the table for each feature. A feature whose name
        another table has too is called ``"genes: TP53"``; other names stay.

    Raises
    ------
    TableError
        If names of samples are missing or repeat, if less than half of the samples of the
        smallest table are in all tables, or if the outcomes differ.

    Notes
    -----
    Features are not weighted by their table. All selectors put each feature on a scale of its
    own, so neither the unit nor the number of features of a table gives it more weight.

    The result is dense unless all tables are sparse.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table, join_tables
    >>> def names(*each):
    ...     return np.array(each, dtype=object)
    >>> genes = Table(
    ...     X=np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]),
    ...     y=np.array(["ill", "ill", "healthy"]),
    ...     feature_names=names("TP53", "MYC"),
    ...     sample_names=names("S1", "S2", "S3"),
    ...     task="classification",
    ... )
    >>> methylation = Table(
    ...     X=np.array([[0.3], [0.1]]),
    ...     feature_names=names("TP53"),
    ...     sample_names=names("S3", "S1"),
    ... )
    >>> joined = join_tables({"genes": genes, "methylation": methylation})
    >>> joined.feature_names.tolist()
    ['genes: TP53', 'MYC', 'methylation: TP53']
    >>> joined.origins.tolist()
    ['genes', 'genes', 'methylation']
    >>> joined.X
    array([[1. , 5. , 0.1],
           [3. , 7. , 0.3]])
    >>> joined.notes
    ("1 of 3 samples of genes is not in all tables and was left out: 'S2'.",)
    """
    _check_given(tables, match_names)
    names = {name: [str(each) for each in _samples_of(table)] for name, table in tables.items()}
    advice = _advise_turning(tables) or ADVICE
    shared = find_shared_samples(names, is_loose=match_names == "loose", advice=advice)
    matched = {name: take_samples(table, shared.places[name]) for name, table in tables.items()}
    answered = _table_with_outcome(matched)
    origins = [name for name, table in matched.items() for _ in range(table.n_features)]
    dropped = [pair for table in matched.values() for pair in table.dropped]
    notes = [f"{name}: {note}" for name, table in matched.items() for note in table.notes]
    first = next(iter(matched.values()))
    joined = replace(
        answered,
        X=_side_by_side(matched),
        feature_names=_distinct_names(matched),
        sample_names=first.sample_names,
        source=" + ".join(Path(table.source).name or name for name, table in matched.items()),
        dropped=tuple(dict.fromkeys(dropped)),
        n_missing=sum(table.n_missing for table in matched.values()),
        missing_features=(),
        notes=(*shared.notes, *notes),
        origins=np.array(origins, dtype=object),
    )
    return recount_missing(joined)


def _check_given(tables: Mapping[str, Table], match_names: str) -> None:
    if len(tables) < 2:
        raise TableError(
            f"{len(tables)} table was given, and two or more are needed. Give them by their "
            "names, as in {'genes': table, 'methylation': other}."
        )
    if match_names not in ("exact", "loose"):
        raise TableError(f"match_names={match_names!r} is not known. Give 'exact' or 'loose'.")
    for name, table in tables.items():
        if is_blocks(table.X):
            raise TableError(
                f"{name} is read in blocks, and tables are joined in memory. Read it with "
                "read_table, or write one file with the features of all tables."
            )


def _samples_of(table: Table) -> Array:
    if table.sample_names is None:
        raise TableError(
            f"{table.source or 'a table'} has no names of samples, so it cannot be matched with "
            "the other tables. Add a column with the names, or give that column with --index "
            "(index)."
        )
    return table.sample_names


def _advise_turning(tables: Mapping[str, Table]) -> str:
    """Return a sentence if the features of a table have the names of the samples of another."""
    for name, table in tables.items():
        features = set() if table.feature_names is None else set(table.feature_names.tolist())
        for other, samples in tables.items():
            known = [] if samples.sample_names is None else samples.sample_names.tolist()
            n_alike = len(features.intersection(known))
            if name != other and n_alike and 2 * n_alike >= min(len(features), len(known)):
                return (
                    f"The features of {name} have the names of the samples of {other}: state "
                    "that features are in rows with --features-in-rows (features_in_rows=True)."
                )
    return ""


def _table_with_outcome(tables: Mapping[str, Table]) -> Table:
    """Return a table with an outcome, which those of other tables equal; any if none has one."""
    answered = {name: table for name, table in tables.items() if table.y is not None}
    if not answered:
        return next(iter(tables.values()))
    (name, chosen), *others = answered.items()
    for other, table in others:
        _check_same_outcome(name, chosen, other, table)
    for other, table in tables.items():
        names = [] if table.feature_names is None else table.feature_names.tolist()
        if other not in answered and chosen.target_name in names:
            raise TableError(
                f"{other} has a feature called {chosen.target_name!r}, as the outcome in {name} "
                "is called. It would give the outcome away. Read that table with the same target, "
                f"or leave the feature out with exclude={chosen.target_name!r}."
            )
    return chosen


def _check_same_outcome(name: str, table: Table, other: str, second: Table) -> None:
    """Refuse two tables whose outcomes differ, because their samples are not the same then."""
    y, again = np.asarray(table.y), np.asarray(second.y)
    if "U" in (y.dtype.kind, again.dtype.kind):
        y, again = y.astype(np.str_), again.astype(np.str_)
    differing = np.flatnonzero(y != again).tolist()
    if differing:
        names = _samples_of(table)
        examples = [f"{y[at]} and {again[at]} for {names[at]!r}" for at in differing[:SHOWN]]
        raise TableError(
            f"The outcomes of {name} ({table.target_name}) and {other} ({second.target_name}) "
            f"differ for {len(differing):,} of {len(y):,} samples: {', '.join(examples)}. Either "
            "a name stands for different samples, or one of the columns is another quantity. "
            "Remove the wrong one."
        )


def _distinct_names(tables: Mapping[str, Table]) -> Array:
    """Return the names of all features, with that of the table where two tables have the same."""
    own = {
        name: (
            [f"{name}: feature {at}" for at in range(1, table.n_features + 1)]
            if table.feature_names is None
            else list(map(str, table.feature_names))
        )
        for name, table in tables.items()
    }
    n_tables = Counter(each for names in own.values() for each in set(names))
    distinct = [
        f"{table}: {name}" if n_tables[name] > 1 else name
        for table, names in own.items()
        for name in names
    ]
    repeated = [name for name, n in Counter(distinct).items() if n > 1]
    if repeated:
        raise TableError(
            f"Features of the joined tables would have the same names: {quoted(repeated)}. Rename "
            "them, or give the tables other names."
        )
    return np.array(distinct, dtype=object)


def _side_by_side(tables: Mapping[str, Table]) -> Any:
    """Return all features as one array: dense, unless all tables are sparse."""
    parts = [table.X for table in tables.values()]
    if all(map(is_sparse, parts)):
        import scipy.sparse

        return scipy.sparse.hstack(parts, format="csr")
    if any(map(is_sparse, parts)):
        _check_dense_size(tables)
    return np.hstack([np.asarray(to_dense(part)) for part in parts])


def _check_dense_size(tables: Mapping[str, Table]) -> None:
    """Refuse to make a sparse table dense where the memory does not suffice."""
    size = sum(8 * table.n_samples * table.n_features for table in tables.values())
    if size > usable_memory(None):
        sparse = [name for name, table in tables.items() if is_sparse(table.X)]
        raise TableError(
            f"{' and '.join(sparse)} would have to be made dense to be joined with a dense table, "
            f"and {show_bytes(size)} of memory would be needed; {show_bytes(usable_memory(None))} "
            "may be taken. Leave out rare features first, or save all tables as sparse ones."
        )
