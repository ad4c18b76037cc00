"""Keep the inner scores of every number of features, and the test scores, of the sets in use.

``python benchmarks/size_rule.py collect colon lymphoma`` fits the splits of these sets that are not kept yet
and ends after a few minutes (see MOST_SECONDS), so it may have to be called again. Any rule for the number of
features can then be judged without a fit: ``python benchmarks/size_rule.py rules`` prints the tables of
docs/method-search.md, and ``left-out`` those where each set in turn is left out of the choice of the rule.

The fresh sets take no part.
"""

from __future__ import annotations

import csv
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from _measure import RESULTS
from _protocol import N_SPLITS, NINE, TEST_SHARE, load, splits, test_score
from sklearn.model_selection import ShuffleSplit

from perturbfs import RobustSelector
from perturbfs.datasets import load_dataset
from perturbfs.scoring import default_predictors, mean_recall, r2

QUANTITIES = ("riboflavin", "gasoline")
SIZES = tuple(range(1, 41))
FEW = {"madelon": 5}  # splits of a set whose fits take long
MOST_SECONDS = 400  # of one call
INNER, TEST, PATHS = (RESULTS / f"size-{part}.csv" for part in ("inner", "test", "paths"))
UNIT = 1e5  # scores are kept as whole numbers


class Observed(RobustSelector):
    """The selector with every size scored up to `max_features`; keeps the scores."""

    def _plan(self, n_samples):
        plan = super()._plan(n_samples)
        return replace(plan, sizes=tuple(range(1, plan.n_wanted + 1)))

    def _choose_size(self, scores, n_wanted):
        self.scores_ = scores
        return super()._choose_size(scores, n_wanted)


def data_and_splits(name):
    """Return features, outcome, task and the outer splits."""
    if name in QUANTITIES:
        data = load_dataset(name, download=False)
        outer = ShuffleSplit(N_SPLITS, test_size=TEST_SHARE, random_state=0).split(data.X)
        return np.asarray(data.X, dtype=np.float64), data.y, "regression", list(outer)
    X, y = load(name)
    return X, y, "classification", splits(y)[: FEW.get(name, N_SPLITS)]


def observe(X, y, train, test, task):
    """Return the inner scores, the test scores and the paths of one outer split."""
    found = Observed(max_features=SIZES[-1], n_jobs=1).fit(X[train], y[train])
    usual = RobustSelector(n_jobs=1).fit(X[train], y[train])
    n_same = int(np.argmin(np.r_[found.path_[: len(usual.path_)] == usual.path_, False]))
    judge = r2 if task == "regression" else mean_recall
    by_size = []
    for size in SIZES:
        chosen = found.path_[:size]
        scores = [
            test_score(predictor, X[:, chosen], y, train, test, judge)
            for predictor in default_predictors(task).values()
        ]
        by_size.append(np.mean(scores))
    n_classes = 1 if task == "regression" else len(np.unique(y))
    known = [len(train), n_classes, len(usual.path_), n_same, int(usual.support_.sum())]
    return found.scores_.scores, by_size, [*known, *found.path_]


def collect(names):
    """Fit the splits that are not kept yet, and add them to the files."""
    start = time.perf_counter()
    kept = {(row[0], int(row[1])) for row in _read(TEST)}
    for name in names:
        X, y, task, outer = data_and_splits(name)
        for split, (train, test) in enumerate(outer):
            if (name, split) in kept:
                continue
            if time.perf_counter() - start > MOST_SECONDS:
                print("call again for the rest")
                return
            inner, by_size, path = observe(X, y, train, test, task)
            for fold, by_predictor in enumerate(inner):
                for scores in by_predictor:
                    _add(INNER, [name, split, fold, *_whole(scores)])
            _add(PATHS, [name, split, *path])
            _add(TEST, [name, split, *_whole(by_size)])
            print(name, split, f"{time.perf_counter() - start:.0f} s", flush=True)


def _whole(scores):
    return np.round(np.array(scores) * UNIT).astype(int).tolist()


def _read(path: Path):
    if not path.exists():
        return []
    with path.open() as file:
        return list(csv.reader(file))


def _add(path: Path, row):
    with path.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(row)


if __name__ == "__main__":
    part, *wanted = sys.argv[1:]
    if part == "collect":
        collect(wanted or (*NINE, *QUANTITIES))
