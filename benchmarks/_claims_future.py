"""What the paper names as future work, measured.

Every function returns rows of (data, quantity, value).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from _claims_theory import ALL, Row
from _data import catalogue_sets
from sklearn.base import clone
from sklearn.cluster import HDBSCAN, AffinityPropagation, MeanShift
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedShuffleSplit

from perturbfs import PerturbationSelector, characterize, evaluate
from perturbfs.baselines import RandomSelector
from perturbfs.paper import StagedSelector
from perturbfs.paper._limit import effective_rank
from perturbfs.scoring import choose, default_predictors

N_BOUND_SPLITS, N_RUNS = 5, 3
N_STAGE_SPLITS = 10
GENES = ("colon", "leukemia", "lung")
SIZES = (10, 40)
OWN_NUMBER = ("lsvt", "colon")
SEARCHED = tuple(name for name in ALL if name != "madelon")


def _with_larger_classes(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Leave out classes of fewer than six samples, which inner splits cannot divide."""
    labels, counts = np.unique(y, return_counts=True)
    kept = np.isin(y, labels[counts >= 6])
    return X[kept], y[kept]


def bound() -> Iterator[Row]:
    """Honest accuracy if k goes up to the rank, the effective rank, or half of the samples.

    One search to the rank serves all bounds, because no candidate depends on other k. The means
    are over the choices of three runs, which vary less than the best run.
    """
    found: dict[str, list[np.ndarray]] = {}
    for name, X, y in catalogue_sets(SEARCHED):
        rows: dict[str, list[tuple[float, float, float]]] = {}
        X, y = _with_larger_classes(X, y)
        splits = StratifiedShuffleSplit(N_BOUND_SPLITS, test_size=0.3, random_state=0)
        for seed, (train, test) in enumerate(splits.split(X, y)):
            for kind, row in _bounds_of_split(X, y, train, test, seed):
                rows.setdefault(kind, []).append(row)
        for kind, values in rows.items():
            found.setdefault(kind, []).append(np.mean(values, axis=0))
            yield from _bound_rows(name, kind, found[kind][-1])
    for kind, means in found.items():
        yield from _bound_rows("mean", kind, np.mean(means, axis=0))


def _bound_rows(name: str, kind: str, means: np.ndarray) -> Iterator[Row]:
    for quantity, value in zip(("largest k", "features", "accuracy"), means, strict=True):
        yield name, f"{quantity}, {kind}", float(value)


def _bounds_of_split(
    X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray, seed: int
) -> Iterator[tuple[str, tuple[float, float, float]]]:
    selector = PerturbationSelector(n_repeats=N_RUNS, random_state=seed).fit(X[train], y[train])
    values = characterize(X[train], y[train], random_state=0).singular_values
    rank = selector.rank_
    limits = {
        "rank": rank,
        "effective rank": min(rank, effective_rank(values[:rank])),
        "half of the samples": len(train) // 2,
    }
    known: dict[bytes, float] = {}
    for kind, limit in limits.items():
        chosen = [
            choose([each for each in run.candidates if each.k <= limit], rule="accuracy").features
            for run in selector.runs_
        ]
        for each in chosen:
            if each.tobytes() not in known:
                known[each.tobytes()] = _accuracy(X[:, each], y, train, test)
        accuracy = 100 * np.mean([known[each.tobytes()] for each in chosen])
        yield kind, (limit, float(np.mean([len(each) for each in chosen])), float(accuracy))


def _accuracy(X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    scores = [
        balanced_accuracy_score(y[test], clone(each).fit(X[train], y[train]).predict(X[test]))
        for each in default_predictors("classification").values()
    ]
    return float(np.mean(scores))


def own_number() -> Iterator[Row]:
    """Honest accuracy of clusterers that find the number of groups, against k-means and chance.

    Random features get as many features as the clusterer found, and so does k-means, but not more
    than there are samples.
    """
    clusterers = {
        "affinity propagation": AffinityPropagation(damping=0.9, max_iter=1000, random_state=0),
        "mean shift": MeanShift(bin_seeding=True),
        "HDBSCAN": HDBSCAN(copy=True),
    }
    for name, X, y in catalogue_sets(OWN_NUMBER):
        found: dict[str, list[float]] = {}
        splits = StratifiedShuffleSplit(N_BOUND_SPLITS, test_size=0.3, random_state=0)
        for seed, (train, test) in enumerate(splits.split(X, y)):
            for kind, clusterer in clusterers.items():
                chosen = _chosen(X[train], y[train], clusterer, "auto", seed)
                n_features = len(chosen)
                kmeans = _chosen(X[train], y[train], "kmeans", min(n_features, len(train)), seed)
                rng = np.random.default_rng(seed)
                others = {
                    kind: chosen,
                    f"k-means beside {kind}": kmeans,
                    f"random features beside {kind}": rng.choice(
                        X.shape[1], n_features, replace=False
                    ),
                }
                found.setdefault(f"features, {kind}", []).append(n_features)
                for label, features in others.items():
                    accuracy = 100 * _accuracy(X[:, features], y, train, test)
                    found.setdefault(f"accuracy, {label}", []).append(accuracy)
        for quantity, values in found.items():
            yield name, quantity, float(np.mean(values))


def _chosen(
    X: np.ndarray, y: np.ndarray, clusterer: object, n_features: int | str, seed: int
) -> np.ndarray:
    selector = PerturbationSelector(
        n_features, clusterer=clusterer, n_repeats=1, random_state=seed
    ).fit(X, y)
    return np.asarray(selector.get_support(indices=True))


def stages() -> Iterator[Row]:
    """Honest accuracy of the paper's method in one stage and in two, and of random features."""
    selectors = {
        "one stage": PerturbationSelector(n_repeats=1, random_state=0),
        "two stages": StagedSelector(random_state=0),
        "two stages, by relevance": StagedSelector(
            selector=PerturbationSelector(representative="relevance"), random_state=0
        ),
        "one stage, by relevance": PerturbationSelector(
            n_repeats=1, representative="relevance", random_state=0
        ),
        "random": RandomSelector(),
    }
    scores: dict[str, list[float]] = {}
    for name, X, y in catalogue_sets(GENES):
        X, y = _with_larger_classes(X, y)
        y = np.unique(y, return_inverse=True)[1] + 1
        found = evaluate(
            selectors, X, y, n_features=SIZES, n_splits=N_STAGE_SPLITS, random_state=0
        )
        for kind in selectors:
            mean = 100 * np.mean([found.estimate(kind, size).mean for size in SIZES])
            scores.setdefault(kind, []).append(float(mean))
            yield name, f"accuracy, mean of both sizes, {kind}", scores[kind][-1]
    for kind, values in scores.items():
        yield "mean", f"accuracy, mean of both sizes, {kind}", float(np.mean(values))
