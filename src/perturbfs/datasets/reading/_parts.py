"""The last step to a table: the checks of features and outcome that all formats share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs._support.names import Task
from perturbfs.datasets._errors import TableError

from ._cells import LABELS, PLAIN, numbers_among
from ._grid import Dropped
from ._names import count, quoted
from ._notation import find_notation, with_notation
from ._options import ReadOptions
from ._sparse import is_sparse
from ._table import Table

MAX_CLASSES = 20  # whole numbers with more values than this may be a quantity


@dataclass(frozen=True, slots=True)
class Parts:
    """Features, outcome and names of a file, not checked yet."""

    X: Any
    y: list[str] | NDArray[Any] | None = None  # as in the file
    feature_names: list[str] | None = None
    sample_names: list[str] | None = None
    target_name: str | None = None
    dropped: Dropped = ()
    notes: tuple[str, ...] = ()  # sentences on how the file was read


def make_table(parts: Parts, options: ReadOptions, *, source: str) -> Table:
    """Check the parts of a table and return the table.

    Parameters
    ----------
    parts : Parts
    options : ReadOptions
        Those about the outcome and missing values are used.
    source : str
        Path of the file.

    Returns
    -------
    table : Table
    """
    parts = _without_unlabelled(parts, options)
    X = as_floats(parts.X)
    if 0 in X.shape:
        raise TableError(
            f"{X.shape[0]} samples and {X.shape[1]} features are left. At least one of each is "
            "needed. Check the target, and which columns hold text."
        )
    X, note = _blanked(X, options)
    parts = replace(parts, notes=(*parts.notes, *note))
    missing = _count_missing(X, parts)
    incomplete = _feature_names_at(np.flatnonzero(missing), parts)
    if incomplete and not options.allow_missing:
        why = "".join(f" {note}" for note in parts.notes if "missing value" in note)
        raise TableError(
            f"{count(int(missing.sum()), 'value')} {'is' if missing.sum() == 1 else 'are'} "
            f"missing, in {len(incomplete):,} of {count(missing.size, 'feature')}: "
            f"{quoted(incomplete)}.{why} On the command line: --impute median or --impute "
            "knn; in Python: missing='allow' and an imputer inside a Pipeline."
        )
    return replace(
        finish_table(parts, X, source=source, task=options.task, na=options.na),
        n_missing=int(missing.sum()),
        missing_features=tuple(incomplete),
    )


def _blanked(X: Any, options: ReadOptions) -> tuple[Any, tuple[str, ...]]:
    """Return X with NaN for the numbers that stand for missing values, and a note."""
    codes = numbers_among(options.na)
    is_code = np.isin(X.data if is_sparse(X) else X, codes) if codes else None
    if is_code is None or not is_code.any():
        return X, ()
    X = X.copy()
    (X.data if is_sparse(X) else X)[is_code] = np.nan
    n_cells = count(int(is_code.sum()), "cell")
    shown = " or ".join(f"{code:g}" for code in codes)
    return X, (f"{n_cells} with {shown} were read as missing values, as --na says.",)


def _without_unlabelled(parts: Parts, options: ReadOptions) -> Parts:
    """Return the parts of a table without the samples whose outcome is missing, if so asked."""
    if parts.y is None or options.unlabelled != "drop":
        return parts
    is_known = ~find_missing(parts.y, options.na)
    n_known, n_samples = int(is_known.sum()), len(is_known)
    if n_known in (0, n_samples):
        return parts
    kept = np.flatnonzero(is_known)
    names = parts.sample_names or [f"row {at}" for at in range(1, n_samples + 1)]
    gone = [name for name, known in zip(names, is_known.tolist(), strict=True) if not known]
    note = f"{n_samples - n_known:,} of {n_samples:,} samples have no outcome and were left out: "
    return replace(
        parts,
        X=(parts.X.tocsr() if is_sparse(parts.X) else parts.X)[kept],
        y=np.asarray(parts.y)[kept],
        sample_names=parts.sample_names and [parts.sample_names[at] for at in kept],
        notes=(*parts.notes, f"{note}{quoted(gone)}."),
    )


def finish_table(
    parts: Parts, X: Any, *, source: str, task: Task | None, na: tuple[str, ...] = ()
) -> Table:
    """Return a table, with its outcome checked; `X` is checked before or when it is read."""
    _check_lengths(parts, X)
    y = None if parts.y is None else parse_target(parts.y, parts.sample_names, na)
    if y is None and task is not None:
        raise TableError(f"task={task!r} was given without a target. Give the target too.")
    notes = parts.notes
    if y is not None:
        is_given = task is not None
        y, task = decide_task(y, task)
        n_values = np.unique(y).size
        is_unsure = task == "classification" and not is_given and y.dtype.kind == "i"
        if is_unsure and n_values > MAX_CLASSES:
            note = (
                f"The outcome has {n_values:,} different whole numbers, which were read as "
                "classes. If they are a quantity, state it with --task regression "
                "(task='regression')."
            )
            notes = (*notes, note)
    return Table(
        X=X,
        y=y,
        feature_names=as_names(parts.feature_names),
        sample_names=as_names(parts.sample_names),
        task=task,
        target_name=None if y is None else parts.target_name,
        source=source,
        dropped=parts.dropped,
        notes=notes,
    )


def _check_lengths(parts: Parts, X: Any) -> None:
    """Refuse names and an outcome that do not fit the features."""
    n_samples, n_features = X.shape
    for what, found, size in (
        ("names of features", parts.feature_names, n_features),
        ("names of samples", parts.sample_names, n_samples),
        ("values of the outcome", parts.y, n_samples),
    ):
        if found is not None and len(found) != size:
            raise TableError(
                f"there are {len(found):,} {what}, but the table has {n_samples:,} samples and "
                f"{n_features:,} features. The file is damaged: write it again."
            )


def as_floats(X: Any) -> Any:
    """Return X as float64, or float32 if it has no more digits; sparse as CSR or CSC."""
    if X.dtype.kind not in "fiub":
        raise TableError(f"the features have the type {X.dtype}, and numbers are needed.")
    is_single = X.dtype.kind == "f" and X.dtype.itemsize <= 4
    dtype = np.dtype(np.float32 if is_single else np.float64)
    if is_sparse(X):
        X = X if X.format in ("csr", "csc") else X.tocsr()
    return X.astype(dtype, copy=False)


def as_names(names: list[str] | None) -> NDArray[np.object_] | None:
    """Return names as scikit-learn keeps them: an array of str objects."""
    return None if names is None else np.array(names, dtype=object)


def _count_missing(X: Any, parts: Parts) -> NDArray[np.int64]:
    """Return the number of missing values of each feature; infinite values are an error."""
    if is_sparse(X):
        stored = X.tocoo()
        infinite = np.unique(stored.col[np.isinf(stored.data)])
        missing = np.bincount(stored.col[np.isnan(stored.data)], minlength=X.shape[1])
    else:
        infinite = np.flatnonzero(np.isinf(X).any(axis=0))
        missing = np.isnan(X).sum(axis=0)
    if infinite.size:
        raise TableError(
            f"{count(infinite.size, 'feature')} {'has' if infinite.size == 1 else 'have'} "
            "infinite values: "
            f"{quoted(_feature_names_at(infinite, parts))}. Correct them, or leave them empty if "
            "they are unknown."
        )
    return missing.astype(np.int64)


def _feature_names_at(places: NDArray[Any], parts: Parts) -> list[str]:
    names = parts.feature_names
    return [names[place] if names else f"feature {place + 1}" for place in places.tolist()]


def parse_target(
    values: list[str] | NDArray[Any],
    sample_names: list[str] | None = None,
    na: tuple[str, ...] = (),
) -> NDArray[Any]:
    """Return the outcome as whole numbers if possible, else as fractions, else as text.

    Parameters
    ----------
    values : list of str or array of shape (n_samples,)
    sample_names : list of str or None
        To name the samples whose outcome is missing.
    na : tuple of str
        What else stands for a missing value.

    Returns
    -------
    y : array of shape (n_samples,)
        int64, float64 or str.

    Raises
    ------
    TableError
        If a value is missing or infinite.

    Examples
    --------
    >>> parse_target(["1", "2.0"]), parse_target(["a", "1"])
    (array([1, 2]), array(['a', '1'], dtype='<U1'))
    """
    _refuse_missing(find_missing(values, na), sample_names)
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return _as_whole(values)
    entries = [str(value).strip() for value in values]
    numbers = _parse_labels(entries)
    if None in numbers:
        return np.array(entries, dtype=np.str_)
    return _as_whole(np.array(numbers, dtype=np.float64))


def _parse_labels(entries: list[str]) -> list[float | None]:
    """Return the labels as numbers; None for text."""
    notation = find_notation(entries, comma_is_free=True)
    cells = LABELS if notation is None else with_notation(LABELS, notation)
    return [cells.parse(entry) for entry in entries]


def find_missing(values: list[str] | NDArray[Any], na: tuple[str, ...] = ()) -> NDArray[np.bool_]:
    """Return whether the outcome of each sample is missing or infinite.

    Text such as n.d. is missing in a quantity, but may be a class among others.
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return np.asarray(~np.isfinite(values) | np.isin(values, numbers_among(na)))
    others = {each.strip().casefold() for each in na}
    entries = [str(value).strip() for value in values]
    is_gone = [LABELS.is_missing(entry) or entry.casefold() in others for entry in entries]
    numbers = _parse_labels(entries)
    is_token = [PLAIN.is_token(entry) for entry in entries]
    known = [number for number in numbers if number is not None and number == number]
    is_quantity = len(set(known)) > MAX_CLASSES or any(
        x != round(x) for x in known if abs(x) < 1e9
    )
    if is_quantity and all(
        gone or token or number is not None
        for gone, token, number in zip(is_gone, is_token, numbers, strict=True)
    ):
        is_gone = [gone or token for gone, token in zip(is_gone, is_token, strict=True)]
    is_infinite = [number is not None and not np.isfinite(number) for number in numbers]
    return np.asarray(is_gone, dtype=np.bool_) | np.asarray(is_infinite, dtype=np.bool_)


def _as_whole(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind in "iub":
        return values.astype(np.int64)
    if np.all(values == np.round(values)) and np.abs(values).max() < 2**53:
        return values.astype(np.int64)
    return values.astype(np.float64)


def _refuse_missing(is_missing: NDArray[np.bool_], sample_names: list[str] | None) -> None:
    places = np.flatnonzero(is_missing).tolist()
    if places:
        names = [sample_names[place] if sample_names else f"row {place + 1}" for place in places]
        raise TableError(
            f"the target is missing or infinite for {len(places):,} of "
            f"{count(len(is_missing), 'sample')}: {quoted(names)}. Give its values, or leave "
            "these samples out with --unlabelled drop (unlabelled='drop')."
        )


def decide_task(y: NDArray[Any], task: Task | None = None) -> tuple[NDArray[Any], Task]:
    """Return the outcome and its task, which is inferred unless it is given.

    Text is classes. Numbers with a fraction are a quantity. Whole numbers are classes, unless
    they have more than 20 distinct values, and these are more than half as many as the samples
    or at least a quarter of them occur only once, because nobody can learn a class from that.

    Parameters
    ----------
    y : array of shape (n_samples,)
        As `parse_target` returns it.
    task : {"classification", "regression"} or None

    Returns
    -------
    y : array of shape (n_samples,)
        As float64 for a regression.
    task : {"classification", "regression"}

    Examples
    --------
    >>> decide_task(np.array([1, 2, 1]))
    (array([1, 2, 1]), 'classification')
    >>> decide_task(np.array([0.5, 2.0]))[1]
    'regression'
    """
    if task is None:
        counts = np.unique(y, return_counts=True)[1]
        is_rare = 2 * counts.size > y.size or 4 * np.sum(counts == 1) >= counts.size
        is_quantity = y.dtype.kind == "i" and counts.size > MAX_CLASSES and is_rare
        task = "regression" if y.dtype.kind == "f" or is_quantity else "classification"
    if task == "classification" and y.dtype.kind == "f":
        raise TableError(
            f"classification was given as the task, but the target has fractions such as "
            f"{y[np.argmax(y != np.round(y))]}. Use regression (--task regression, in Python "
            "task='regression'), or replace the numbers by classes."
        )
    if task == "regression":
        if y.dtype.kind == "U":
            texts = [entry for entry in np.unique(y).tolist() if LABELS.parse(entry) is None]
            raise TableError(
                f"regression was given as the task, but the target has text: {quoted(texts)}. Use "
                "classification (--task classification, in Python task='classification'), or "
                "correct these entries."
            )
        y = y.astype(np.float64)
    return y, task
