"""The honest protocol: all methods get the same splits and select on the training rows only.

Results of a (method, data set, split) are kept in a folder, so that nothing is computed twice.
"""

from __future__ import annotations

import csv
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit

from perturbfs.datasets import load_dataset
from perturbfs.scoring import default_predictors, mean_recall, stability

SIZES = (5, 10, 20, 40)
SIX = ("colon", "glioma", "leukemia", "lymphoma", "allaml", "lsvt")
EIGHT = (*SIX, "lung", "prostate_singh")
NINE = (*EIGHT, "madelon")
N_SPLITS = 20
TEST_SHARE = 0.3
SMALLEST_CLASS = 3
HEADER = ("split", "size", "n_features", "tree", "svm", "3nn", "seconds", "features")
CACHE = Path(os.environ.get("PERTURBFS_CACHE", Path(tempfile.gettempdir()) / "x_robust"))

Order = Callable[[np.ndarray, np.ndarray, int], np.ndarray]


def load(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return features and classes, without the classes that are too small to be split."""
    data = load_dataset(name, download=False)
    labels, counts = np.unique(data.y, return_counts=True)
    is_kept = np.isin(data.y, labels[counts >= SMALLEST_CLASS])
    return np.asarray(data.X, dtype=np.float64)[is_kept], data.y[is_kept]


def splits(y: np.ndarray, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return repeated stratified splits, 70 % for training and 30 % for testing."""
    splitter = StratifiedShuffleSplit(N_SPLITS, test_size=TEST_SHARE, random_state=seed)
    return list(splitter.split(np.zeros(len(y)), y))


def results(
    method: str,
    order: Order | None,
    name: str,
    sizes: tuple[int | str, ...] = SIZES,
    n_splits: int = N_SPLITS,
) -> list[dict[str, str]]:
    """Return the rows of one method on one data set, from the cache if they are there.

    `order` takes the training features, the training classes and the number of the split. It
    returns either the features, best first, or a subset for each size.
    """
    path = CACHE / method / f"{name}.csv"
    if path.exists():
        with path.open() as file:
            return list(csv.DictReader(file))
    if order is None:
        return []
    X, y = load(name)
    rows = [
        row
        for split, (train, test) in enumerate(splits(y)[:n_splits])
        for row in _split_rows(order, X, y, train, test, split, sizes)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, HEADER)
        writer.writeheader()
        writer.writerows(rows)
    with path.open() as file:
        return list(csv.DictReader(file))


def _split_rows(order, X, y, train, test, split, sizes):
    start = time.perf_counter()
    found = order(X[train], y[train], split)
    seconds = time.perf_counter() - start
    scored = {}
    for size in sizes:
        if isinstance(found, dict):
            chosen = np.asarray(found[size], dtype=int)
        else:
            chosen = np.asarray(found, dtype=int)[:size]
        key = chosen.tobytes()
        if key not in scored:
            scored[key] = {
                label: score_on_test(predictor, X[:, chosen], y, train, test)
                for label, predictor in default_predictors("classification").items()
            }
        yield {
            "split": split,
            "size": size,
            "n_features": len(chosen),
            **{label: f"{score:.6f}" for label, score in scored[key].items()},
            "seconds": f"{seconds:.4f}",
            "features": " ".join(map(str, chosen)),
        }


def score_on_test(predictor, X, y, train, test, judge=mean_recall):
    model = clone(predictor).fit(X[train], y[train])
    return judge(y[test], model.predict(X[test]))


def by_split(rows: list[dict[str, str]], size: int | str) -> np.ndarray:
    """Return the mean score of the predictors in percent for each split."""
    return np.array(
        [
            100 * np.mean([float(row[label]) for label in ("tree", "svm", "3nn")])
            for row in rows
            if row["size"] == str(size)
        ]
    )


def agreement(rows: list[dict[str, str]], n_features: int, size: int | str = 20) -> float:
    """Return Nogueira's stability of the subsets over the splits."""
    chosen = [
        np.array(row["features"].split(), dtype=int) for row in rows if row["size"] == str(size)
    ]
    return stability(chosen, n_features)
