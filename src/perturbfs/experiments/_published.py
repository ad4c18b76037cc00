"""The protocol behind the published tables, as the released program runs it. It leaks.

Characteristics come from all rows, the test rows included, and the number of features is the
one that does best on the very 30 % of the rows whose accuracy is then reported. Nothing here
says how well features predict; it is only for comparison with the paper's numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from perturbfs.backends import Array, as_blocks
from perturbfs.choose import Candidate, Grouping, measure, propose, resolve_estimator
from perturbfs.cluster import without_rounding_noise
from perturbfs.core import characterize_runs, code_target

TRAIN_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class PublishedRun:
    """What one run of the released program reports."""

    features: Array
    accuracy: float  # percent, on the rows that chose the features

    @property
    def n_features(self) -> int:
        """Number of chosen features."""
        return len(self.features)


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """What the paper's tables show of several runs."""

    runs: tuple[PublishedRun, ...]

    @property
    def mean_accuracy(self) -> float:
        """The subscript of the accuracy tables."""
        return float(np.mean([run.accuracy for run in self.runs]))

    @property
    def mean_n_features(self) -> float:
        """The subscript of the table of numbers of features."""
        return float(np.mean([run.n_features for run in self.runs]))

    @property
    def optimal(self) -> PublishedRun:
        """The run with the best accuracy per feature."""
        return max(self.runs, key=lambda run: measure(run.accuracy / 100, run.n_features))


def run_published(
    X: Array,
    y: Array,
    *,
    inner: str = "tree",
    clusterer: Any = "kmeans",
    subsets: str = "method",
    n_runs: int = 10,
    random_state: int = 0,
) -> PublishedResult:
    """Run the released program's protocol.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
        Class codes as the paper has them.
    inner : {"tree", "svm", "knn"}
        Inner classifier; the outer one is always the tree.
    clusterer : {"kmeans", "fuzzy"} or clusterer
    subsets : {"method", "random"}
        The method's candidates, or random subsets of the same sizes, to see what the
        protocol alone achieves.
    n_runs : int, default=10
    random_state : int, default=0

    Returns
    -------
    result : PublishedResult
        Accuracies that choosing on the test rows has made too good.

    Notes
    -----
    From the second run on the program divides the lower bound of its perturbation by the last
    number of clusters, because a loop reuses the variable.
    """
    runs = []
    for run, seed in enumerate(
        np.random.RandomState(random_state).randint(2**31 - 1, size=n_runs)
    ):
        rng = np.random.RandomState(seed)
        order = rng.permutation(len(y))
        rows, labels = X[order], y[order]
        if subsets == "random":
            candidates = _random_candidates(rows, rng)
        else:
            definition = "released" if run == 0 else "released-late"
            candidates = _candidates(rows, labels, definition, clusterer, rng)
        runs.append(_choose_on_test_rows(rows, labels, candidates, inner, int(seed)))
    return PublishedResult(tuple(runs))


def released_accuracy(y_true: Array, y_pred: Array, n_classes: int) -> float:
    """Accuracy in percent as the program computes it, equation `accuracy` of the paper.

    The recalls are summed over the classes that occur in the test rows and divided by the
    number of all classes. A class that is predicted but does not occur makes it NaN, as
    MATLAB's 0 / 0 does, and such a candidate is never taken.
    """
    if not np.all(np.isin(y_pred, y_true)):
        return math.nan
    classes = np.unique(y_true)
    recalls = [float(np.mean(y_pred[y_true == label] == label)) for label in classes]
    return 100 * math.fsum(recalls) / n_classes


def _candidates(
    X: Array, y: Array, definition: str, clusterer: Any, rng: np.random.RandomState
) -> Iterator[Candidate]:
    [found] = characterize_runs(
        as_blocks(X), code_target(y), definition=definition, random_state=rng
    )
    points = without_rounding_noise(found.matrix)
    grouping = Grouping(
        points, np.arange(X.shape[1]), None, clusterer, int(rng.randint(2**31 - 1))
    )
    yield from propose(grouping, range(2, found.rank + 1))


def _random_candidates(X: Array, rng: np.random.RandomState) -> Iterator[Candidate]:
    for k in range(2, int(np.linalg.matrix_rank(X)) + 1):
        yield Candidate(k, rng.choice(X.shape[1], size=k, replace=False))


def _choose_on_test_rows(
    X: Array, y: Array, candidates: Iterator[Candidate], inner: str, seed: int
) -> PublishedRun:
    n_train, n_classes = math.floor(TRAIN_SHARE * len(y)), len(np.unique(y))
    train, test = slice(n_train), slice(n_train, None)

    def accuracy(name: str, features: Array) -> float:
        model = resolve_estimator(name, task="classification", seed=seed)
        model.fit(X[train][:, features], y[train])
        return released_accuracy(y[test], model.predict(X[test][:, features]), n_classes)

    best = PublishedRun(np.array([], dtype=int), 0.0)
    with threadpool_limits(limits=1):
        for candidate in candidates:
            # The program compares the inner accuracy with the outer one of the best so far.
            if accuracy(inner, candidate.features) > best.accuracy:
                outer = accuracy("tree", candidate.features)
                best = PublishedRun(candidate.features, 0.0 if math.isnan(outer) else outer)
    return best
