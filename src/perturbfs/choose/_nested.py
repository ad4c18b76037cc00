"""Score every size of a nested order of features, the order found anew inside each split."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from perturbfs.backends import Array

from ._candidates import Candidate
from ._trial import Trial

# From training features, outcome and weights to features, best first.
Ranker = Callable[[Array, Array, Array], Array]


@dataclass(frozen=True, slots=True)
class NestedScores:
    """What the inner splits tell of one way to rank.

    Attributes
    ----------
    sizes : tuple of int
    scores : array of shape (n_splits, n_predictors, n_sizes)
    orders : list of arrays of int
        Features in each split, best first.
    """

    sizes: tuple[int, ...]
    scores: Array
    orders: list[Array]

    def by_split(self, size: int) -> Array:
        """Mean over the predictors, one score a split."""
        return np.mean(self.scores[:, :, self.sizes.index(size)], axis=1)

    def fewest_within_one_error(self, *, usual: int = 1) -> int:
        """The smallest size that is worse than the best by no more than one standard error.

        Of the difference, over splits and predictors: sizes are judged by the same ones, whose
        ups and downs cancel. A size below the usual one is taken only where the usual one and
        all above are worse than the best by a standard error or more.
        """
        scores = self.scores.reshape(-1, len(self.sizes))
        behind = scores[:, [int(np.argmax(scores.mean(axis=0)))]] - scores
        deviation = behind.std(axis=0, ddof=1) if len(scores) > 1 else np.zeros(len(self.sizes))
        errors, means = deviation / math.sqrt(len(scores)), behind.mean(axis=0)
        smallest = self.sizes[int(np.flatnonzero(means <= errors + 1e-12)[0])]
        usual = min(usual, self.sizes[-1])
        others = np.array(self.sizes) >= usual
        if np.all(means[others] >= errors[others] - 1e-12):
            return smallest
        return max(smallest, usual)

    def candidates(self, order: Array) -> tuple[Candidate, ...]:
        """A candidate for each size, of the order found with all samples."""
        n_splits = len(self.scores)
        found = []
        for size in self.sizes:
            scores = self.by_split(size)
            deviation = float(np.std(scores, ddof=1)) if n_splits > 1 else 0.0
            found.append(
                Candidate(
                    size,
                    np.sort(order[:size]),
                    float(np.mean(scores)),
                    deviation,
                    deviation / math.sqrt(n_splits),
                )
            )
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Samples:
    """Features, outcome and weights, all of them or those of one side of a split."""

    X: Array
    y: Array
    weights: Array  # a sample of weight 2 counts like two samples, one of weight 0 not at all

    def part(self, rows: Array) -> Samples:
        """Those of these samples that have a weight."""
        rows = rows[self.weights[rows] > 0]
        return Samples(self.X[rows], self.y[rows], self.weights[rows])

    def take(self, features: Array) -> Array:
        """The named features as a dense array."""
        columns = self.X[:, features]
        return columns.toarray() if scipy.sparse.issparse(columns) else columns


@dataclass(frozen=True, slots=True)
class Panel:
    """Predictors that judge together, and how each is scored."""

    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]
    is_weighted: bool = False  # whether predictors, pipelines then, and scorers get the weights

    def trials(self) -> dict[str, Trial]:
        """What fits and scores each predictor, for one split."""
        return {
            name: Trial(predictor, self.scorers[name])
            for name, predictor in self.predictors.items()
        }

    def scores(
        self, trials: Mapping[str, Trial], train: Samples, test: Samples, features: Array
    ) -> list[float]:
        """Score of each predictor, fitted to the training samples and these features."""
        X_train, X_test = train.take(features), test.take(features)
        weights = {"sample_weight": test.weights} if self.is_weighted else {}
        scores = []
        for name, trial in trials.items():
            predictor = self.predictors[name]
            params = fit_weights(predictor, train.weights) if self.is_weighted else {}
            score = float(trial.score(X_train, train.y, X_test, test.y, params, weights))
            if not math.isfinite(score):
                raise ValueError(
                    f"scoring returned {score} for {len(features)} features, but every score "
                    "must be a finite number. Choose another scoring or cv."
                )
            scores.append(score)
        return scores


def fit_weights(predictor: Any, weights: Array) -> dict[str, Array]:
    """How to hand the weights to all steps of a pipeline, or of one for each output."""
    steps = getattr(predictor, "estimator", predictor).steps
    return {f"{name}__sample_weight": weights for name, _ in steps}


def score_nested(
    rank: Ranker,
    samples: Samples,
    *,
    sizes: Sequence[int],
    splits: Sequence[tuple[Array, Array]],
    panel: Panel,
    n_jobs: int | None = None,
) -> NestedScores:
    """Rank inside every split and score all sizes on its test samples.

    Parameters
    ----------
    rank : callable
        From training features, outcome and weights of sum 1 to features, best first.
    samples : Samples
    sizes : sequence of int
    splits : sequence of (train, test)
    panel : Panel
    n_jobs : int or None
        Splits in parallel. The result does not depend on it.

    Returns
    -------
    scores : NestedScores
        Where a split's order is shorter than a size, all of it is scored.
    """
    found = Parallel(n_jobs=n_jobs)(
        delayed(_score_split)(rank, samples, tuple(sizes), split, panel) for split in splits
    )
    return NestedScores(
        tuple(sizes),
        np.array([scores for scores, _ in found]).transpose(0, 2, 1),
        [order for _, order in found],
    )


def _score_split(
    rank: Ranker,
    samples: Samples,
    sizes: tuple[int, ...],
    split: tuple[Array, Array],
    panel: Panel,
) -> tuple[list[list[float]], Array]:
    train, test = (samples.part(np.asarray(rows)) for rows in split)
    order = rank(train.X, train.y, train.weights / train.weights.sum())
    if len(order) == 0:
        raise ValueError(
            "In one of the inner splits no feature varies among the training samples. Pass "
            "another cv, or ask for a number of features, which needs no splits."
        )
    known: dict[int, list[float]] = {}
    trials = panel.trials()
    # Neighbors among a few dozen samples: threads would cost more than they do.
    with threadpool_limits(limits=1):
        for n_used in dict.fromkeys(min(size, len(order)) for size in sizes):
            known[n_used] = panel.scores(trials, train, test, order[:n_used])
    return [known[min(size, len(order))] for size in sizes], order


def is_clearly_better(rival: Array, ours: Array, *, test_share: float) -> bool:
    """Whether a rival is better by more than one standard error of the difference.

    Parameters
    ----------
    rival, ours : arrays of shape (n_splits,)
        Scores on the same splits.
    test_share : float
        Test samples over training samples. The splits share samples, so the variance of the mean
        is corrected as Nadeau and Bengio do.
    """
    apart = np.asarray(rival) - np.asarray(ours)
    if len(apart) < 2:
        return False
    error = math.sqrt(float(np.var(apart, ddof=1)) * (1 / len(apart) + test_share))
    return float(apart.mean()) > error
