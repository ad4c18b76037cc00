"""The data that features are selected from: outcome, missing values, description, fingerprint."""

from __future__ import annotations

import hashlib
import platform
import warnings
from importlib.metadata import version
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.impute import KNNImputer, SimpleImputer

from perturbfs.arrays import Array, Block, as_blocks, fingerprint_files, is_blocks, to_dense
from perturbfs.datasets import Table

from ._selection import Selection


def outcome_of(table: Table) -> tuple[str, Array]:
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


def describe_data(table: Table, impute: str | None = None) -> dict[str, Any]:
    """Describe a table, in plain values.

    Parameters
    ----------
    table : Table
        With an outcome.
    impute : str or None
        How missing values are filled.

    Returns
    -------
    data : dict
        The fields that ``docs/selection-json.md`` describes.
    """
    return {
        **understand_data(table, impute),
        "n_constant": sum(count for _, count in as_blocks(table.X).map(_count_constant)),
        "fingerprint": fingerprint(table),
    }


def understand_data(table: Table, impute: str | None = None) -> dict[str, Any]:
    """Return the fields of `describe_data` that need no further pass over the table."""
    n_samples, n_features = table.X.shape
    classes = None
    task, y = outcome_of(table)
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        classes = {str(label): int(count) for label, count in zip(labels, counts, strict=True)}
    return {
        "n_samples": int(n_samples),
        "n_features": int(n_features),
        "task": task,
        "target": table.target_name,
        "classes": classes,
        "n_missing": int(table.n_missing),
        "impute": impute,
        "dropped": [list(pair) for pair in table.dropped],
    }


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
    features = [feature.index for feature in selection.features]
    if is_blocks(table.X):
        return table.X.take(np.asarray(features))
    return to_dense(table.X[:, features])
