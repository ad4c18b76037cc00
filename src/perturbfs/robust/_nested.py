"""Score every size of a nested order of features, the order found anew inside each split."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array
from perturbfs.scoring import Candidate, Panel, Samples

# From training features, outcome and weights to features, best first.
Ranker = Callable[..., Array]


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


@dataclass(slots=True)
class Known:
    """What one split has told so far, so that nothing is ranked or scored twice."""

    orders: dict[Ranker, Array] = field(default_factory=dict)
    scores: dict[bytes, list[float]] = field(default_factory=dict)  # by features, best first


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
    known = [Known() for _ in splits]
    [found] = score_together(
        [rank], samples, sizes=sizes, splits=splits, panel=panel, known=known, n_jobs=n_jobs
    )
    return found


def score_together(
    ranks: Sequence[Ranker],
    samples: Samples,
    *,
    sizes: Sequence[int],
    splits: Sequence[tuple[Array, Array]],
    panel: Panel,
    known: list[Known],
    prepare: Callable[[Array, Array], Any] | None = None,
    n_jobs: int | None = None,
) -> list[NestedScores]:
    """What `score_nested` finds, for several rankers that share their work.

    Parameters
    ----------
    ranks : sequence of callable
        Hashable.
    samples, sizes, splits, panel, n_jobs
        As for `score_nested`.
    known : list of Known
        One a split: what earlier calls with the same samples, splits and panel found. Grows.
    prepare : callable, optional
        From training features and weights to what the rankers need of them, done once a split;
        they get it as their fourth argument.

    Returns
    -------
    scores : list of NestedScores
        One a ranker.
    """
    ranks, sizes = tuple(ranks), tuple(sizes)
    known[:] = Parallel(n_jobs=n_jobs)(
        delayed(_score_split)(ranks, samples, sizes, split, panel, already, prepare)
        for split, already in zip(splits, known, strict=True)
    )
    return [_gather(rank, sizes, known) for rank in ranks]


def _gather(rank: Ranker, sizes: tuple[int, ...], known: list[Known]) -> NestedScores:
    orders = [each.orders[rank] for each in known]
    # A slice ends where the order does.
    scores = [
        [each.scores[order[:size].tobytes()] for size in sizes]
        for each, order in zip(known, orders, strict=True)
    ]
    return NestedScores(sizes, np.array(scores).transpose(0, 2, 1), orders)


def _score_split(
    ranks: tuple[Ranker, ...],
    samples: Samples,
    sizes: tuple[int, ...],
    split: tuple[Array, Array],
    panel: Panel,
    known: Known,
    prepare: Callable[[Array, Array], Any] | None,
) -> Known:
    train, test = (samples.part(np.asarray(rows)) for rows in split)
    if not known.orders.keys() >= set(ranks):
        _rank_split(ranks, train, known, prepare)
    judges = panel.on_split(train, test)
    # Neighbors among a few dozen samples: threads would cost more than they do.
    with threadpool_limits(limits=1):
        for rank in ranks:
            order = known.orders[rank]
            wanted = sorted({min(size, len(order)) for size in sizes})
            missing = [size for size in wanted if order[:size].tobytes() not in known.scores]
            if missing:
                for size, scores in zip(missing, judges.scores(order, missing), strict=True):
                    known.scores[order[:size].tobytes()] = scores
    return known


def _rank_split(
    ranks: tuple[Ranker, ...],
    train: Samples,
    known: Known,
    prepare: Callable[[Array, Array], Any] | None,
) -> None:
    weights = train.weights / train.weights.sum()
    prepared = () if prepare is None else (prepare(train.X, weights),)
    for rank in ranks:
        if rank not in known.orders:
            known.orders[rank] = order = rank(train.X, train.y, weights, *prepared)
            if len(order) == 0:
                raise ValueError(
                    "In one of the inner splits no feature varies among the training samples. "
                    "Pass another cv, or ask for a number of features, which needs no splits."
                )


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
