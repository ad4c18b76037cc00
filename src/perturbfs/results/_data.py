"""The data that features are selected from: outcome, missing values, description, fingerprint."""

from __future__ import annotations

import hashlib
import platform
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.impute import KNNImputer, SimpleImputer

from perturbfs._support.names import Task
from perturbfs.arrays import (
    Array,
    Block,
    as_blocks,
    fingerprint_files,
    is_blocks,
    to_dense,
)
from perturbfs.datasets import Table, take_samples
from perturbfs.scoring import check_batch, check_groups, samples_to_keep

from ._selection import Selection

MOST_DROPPED = 10  # names that are kept for one reason


def outcome_of(table: Table) -> tuple[Task, Array]:
    """Return the task and the outcome of a table; an error if it has no outcome."""
    if table.y is None or table.task is None:
        raise ValueError(
            "The table has no outcome, so features cannot be selected. Name its outcome as target."
        )
    return table.task, table.y


def make_imputer(kind: str | None) -> Any:
    """Return an imputer that fills missing values, or None.

    Parameters
    ----------
    kind : {"median", "knn"} or None

    Returns
    -------
    imputer : transformer or None
        Features without any known value are kept as zeros. Without them, the other features
        would change their position.
    """
    if kind is None:
        return None
    if kind == "median":
        return SimpleImputer(strategy="median", keep_empty_features=True)
    if kind == "knn":
        return KNNImputer(keep_empty_features=True)
    raise ValueError(f"The imputer {kind!r} is not known. Use one of median, knn.")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that influence a result."""
    packages = ("numpy", "scipy", "scikit-learn")
    return {
        "perturbfs": version("perturbfs"),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def keep_samples(
    table: Table, groups: Array | None, min_class_size: int | None
) -> tuple[Table, Array | None]:
    """Return a table and its groups without the samples of small classes.

    Parameters
    ----------
    table : Table
        With an outcome.
    groups : array of shape (n_samples,) or None
    min_class_size : int or None
        Classes with fewer samples are left out, and listed in ``dropped``.

    Returns
    -------
    table : Table
    groups : array of shape (n_kept,) or None
    """
    task, y = outcome_of(table)
    groups = None if groups is None else check_groups(groups, len(y))
    kept, left_out = samples_to_keep(y, min_class_size, task=task)
    if not left_out:
        return table, groups
    assert min_class_size is not None
    dropped = tuple(
        (
            f"class {label}",
            f"{count} sample{'' if count == 1 else 's'}, fewer than {min_class_size}",
        )
        for label, count in left_out.items()
    )
    smaller = replace(take_samples(table, kept), dropped=table.dropped + dropped)
    return smaller, None if groups is None else groups[kept]


def keep_batch(table: Table, batch: Any, min_class_size: int | None) -> Array | None:
    """Return the batches without the samples of small classes, checked; None without batches."""
    if batch is None:
        return None
    task, y = outcome_of(table)
    kept, _ = samples_to_keep(y, min_class_size, task=task)
    return check_batch(check_groups(batch, len(y), "batch")[kept], y[kept], task=task)


def describe_group_sizes(groups: Array | None, name: str | None) -> dict[str, Any] | None:
    """Return the name of the groups and their number, or None without groups."""
    if groups is None:
        return None
    return {"name": name or "groups", "n_groups": len(np.unique(groups))}


def describe_batches(batch: Array | None, name: str | None) -> dict[str, Any] | None:
    """Return the name of the batches and their number, or None without batches."""
    if batch is None:
        return None
    return {"name": name or "batch", "n_batches": len(np.unique(batch))}


def describe_data(
    table: Table,
    impute: str | None = None,
    *,
    findings: Sequence[dict[str, Any]] = (),
    groups: dict[str, Any] | None = None,
    batch: dict[str, Any] | None = None,
    source_name: str | None = None,
) -> dict[str, Any]:
    """Describe a table, in plain values.

    Parameters
    ----------
    table : Table
        With an outcome.
    impute : str or None
        How missing values are filled.
    findings : sequence of dict
        What a check of the data found, each finding as plain values.
    groups : dict or None
        ``name`` and ``n_groups`` of the groups of samples.
    batch : dict or None
        ``name`` and ``n_batches`` of the batches that features are centered within.
    source_name : str or None
        Name of the file; by default the one that the table was read from.

    Returns
    -------
    data : dict
        The fields that https://perturbfs.github.io/perturbfs/selection-json.html describes.
    """
    return {
        **understand_data(table, impute, groups=groups, batch=batch),
        "n_constant": sum(count for _, count in as_blocks(table.X).map(_count_constant)),
        "findings": [{**each, "names": list(each["names"])} for each in findings],
        "source_name": source_name or Path(table.source).name or None,
        "fingerprint": fingerprint(table),
    }


def understand_data(
    table: Table,
    impute: str | None = None,
    *,
    groups: dict[str, Any] | None = None,
    batch: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the fields of `describe_data` that need no further pass over the table."""
    n_samples, n_features = table.X.shape
    classes = None
    task, y = outcome_of(table)
    n_events = int(np.sum(y["event"])) if task == "survival" else None
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        classes = {str(label): int(count) for label, count in zip(labels, counts, strict=True)}
    return {
        "n_samples": int(n_samples),
        "n_features": int(n_features),
        "task": task,
        "target": table.target_name,
        "classes": classes,
        "n_events": n_events,
        "n_missing": int(table.n_missing),
        "impute": impute,
        "dropped": shorten_dropped(table.dropped),
        "notes": list(table.notes),
        "groups": groups,
        "batch": batch,
        **describe_origins(table),
    }


def describe_origins(table: Table, selected: Sequence[int] | None = None) -> dict[str, Any]:
    """Return ``origins``: the joined tables with their numbers of features; empty for one table.

    Parameters
    ----------
    table : Table
    selected : sequence of int, optional
        Positions of the selected features, to count them too.

    Examples
    --------
    >>> import numpy as np
    >>> origins = np.array(["genes", "genes", "methylation"], dtype=object)
    >>> describe_origins(Table(X=np.eye(3), origins=origins), [2])["origins"][1]
    {'name': 'methylation', 'n_features': 1, 'n_selected': 1}
    """
    if table.origins is None:
        return {}
    n_features = Counter(map(str, table.origins))
    rows: list[dict[str, Any]] = [
        {"name": name, "n_features": count} for name, count in n_features.items()
    ]
    if selected is not None:
        n_selected = Counter(str(table.origins[index]) for index in selected)
        rows = [{**row, "n_selected": n_selected[row["name"]]} for row in rows]
    return {"origins": rows}


def shorten_dropped(dropped: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return what was left out and why; of more than ten for the same reason, ten and a count.

    Examples
    --------
    >>> shorten_dropped([("age", "names of the samples"), *[("g", "text")] * 5_000])[-1]
    ['4,990 more', 'text']
    """
    names_for: dict[str, list[str]] = {}
    for name, reason in dropped:
        names_for.setdefault(reason, []).append(name)
    short = []
    for reason, names in names_for.items():
        short += [[name, reason] for name in names[:MOST_DROPPED]]
        if len(names) > MOST_DROPPED:
            short.append([f"{len(names) - MOST_DROPPED:,} more", reason])
    return short


def _count_constant(block: Block) -> int:
    """Count the features with the same value in all samples where it is known."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN", RuntimeWarning)
        values = block.dense()
        return int(np.sum(~(np.nanmax(values, axis=0) > np.nanmin(values, axis=0))))


def fingerprint(table: Table) -> str:
    """Return the SHA-256 of the values, the outcome and the names.

    The file format does not change it. For a table that stays on disk, the names, sizes and
    times of its files are used instead of the values.
    """
    digest = hashlib.sha256()
    X = table.X
    if is_blocks(X):  # reading all values would take another pass
        digest.update(fingerprint_files(table.source).encode())
    else:
        for part in (X.data, X.indices, X.indptr) if scipy.sparse.issparse(X) else (X,):
            digest.update(np.ascontiguousarray(part).tobytes())
    for part in (table.y, table.feature_names):
        if part is not None:
            digest.update("\x00".join(map(str, np.asarray(part).tolist())).encode())
    return digest.hexdigest()


def chosen_columns(table: Table, selection: Selection) -> Array:
    """Return the values of the selected features, sorted by rank."""
    return take_features(table.X, [feature.index for feature in selection.features])


def take_features(X: Array, features: Sequence[int]) -> Array:
    """Return some features as a dense array, whether the table is in memory or on disk."""
    if is_blocks(X):
        return X.take(np.asarray(features))
    return to_dense(X[:, list(features)])
