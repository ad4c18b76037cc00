"""Scores of every size of an order of features, with a new order inside each split."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array
from perturbfs.scoring import Candidate, Panel, Samples, SplitPanel

# Maps training features, outcome and weights of sum 1 to features, best first. Hashable.
Ranker = Callable[..., Array]


@dataclass(frozen=True, slots=True)
class NestedScores:
    """Scores of one ranker on the inner splits.

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
        """Return the mean over the predictors, one score per split."""
        return np.mean(self.scores[:, :, self.sizes.index(size)], axis=1)

    def compare(self, size: int) -> tuple[Array, Array]:
        """Return by how much every size is worse than a given one, and the standard errors.

        The standard error is that of the difference over splits and predictors, because all
        sizes are scored on the same ones.
        """
        scores = self.scores.reshape(-1, len(self.sizes))
        apart = scores[:, [self.sizes.index(size)]] - scores
        deviation = apart.std(axis=0, ddof=1) if len(scores) > 1 else np.zeros(len(self.sizes))
        return apart.mean(axis=0), deviation / math.sqrt(len(scores))

    def sizes_within(self, n_found: int) -> tuple[int, ...]:
        """Return the sizes up to the length of an order, but the first one in any case."""
        return tuple(size for size in self.sizes if size <= n_found) or self.sizes[:1]

    def candidates(self, order: Array) -> tuple[Candidate, ...]:
        """Return one candidate per size, from the order found with all samples."""
        return tuple(
            Candidate(size, np.sort(order[:size])).scored(self.by_split(size))
            for size in self.sizes_within(len(order))
        )


@dataclass(slots=True)
class _Known:
    """The orders and scores of one split so far."""

    orders: dict[Ranker, Array] = field(default_factory=dict)
    scores: dict[bytes, list[float]] = field(default_factory=dict)  # by features, best first


class NestedScorer:
    """Rank inside every split and score all sizes on its test samples.

    Orders and scores of earlier calls are kept, so nothing is ranked or scored twice.

    Parameters
    ----------
    samples : Samples
    splits : sequence of (train, test)
    panel : Panel
    prepare : callable, optional
        Called with the training features and weights, once per split. The rankers get its result
        as their fourth argument.
    n_jobs : int or None
        Splits in parallel. The result does not depend on it.
    """

    def __init__(
        self,
        samples: Samples,
        splits: Sequence[tuple[Array, Array]],
        panel: Panel,
        *,
        prepare: Callable[[Array, Array], Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self._samples, self._splits, self._panel = samples, splits, panel
        self._prepare, self._n_jobs = prepare, n_jobs
        self._known = [_Known() for _ in splits]

    @property
    def test_share(self) -> float:
        """Weight of the test samples over that of the training samples, in the first split."""
        train, test = self._splits[0]
        weights = self._samples.weights
        return float(weights[test].sum() / weights[train].sum())

    def score(self, rankers: Sequence[Ranker], sizes: Sequence[int]) -> list[NestedScores]:
        """Return the scores of each ranker.

        If the order of a split is shorter than a size, the whole order is scored.
        """
        rankers, sizes = tuple(rankers), tuple(sizes)
        self._known = Parallel(n_jobs=self._n_jobs)(
            delayed(self._score_split)(split, known, rankers, sizes)
            for split, known in zip(self._splits, self._known, strict=True)
        )
        return [self._gather(rank, sizes) for rank in rankers]

    def _score_split(
        self,
        split: tuple[Array, Array],
        known: _Known,
        rankers: tuple[Ranker, ...],
        sizes: tuple[int, ...],
    ) -> _Known:
        """Return what is known of a split after all rankers and sizes are scored on it."""
        train, test = (self._samples.part(np.asarray(rows)) for rows in split)
        missing = [rank for rank in rankers if rank not in known.orders]
        orders = {**known.orders, **self._rank(missing, train)}
        scores = dict(known.scores)
        judges = SplitPanel(self._panel, train, test)
        # A few dozen samples: threads would cost more than they save.
        with threadpool_limits(limits=1):
            for order in (orders[rank] for rank in rankers):
                wanted = sorted({min(size, len(order)) for size in sizes})
                unknown = [size for size in wanted if order[:size].tobytes() not in scores]
                if unknown:
                    for size, found in zip(unknown, judges.scores(order, unknown), strict=True):
                        scores[order[:size].tobytes()] = found
        return _Known(orders, scores)

    def _rank(self, rankers: Sequence[Ranker], train: Samples) -> dict[Ranker, Array]:
        """Return the order of each ranker for the training samples."""
        if not rankers:
            return {}
        weights = train.weights / train.weights.sum()
        prepared = () if self._prepare is None else (self._prepare(train.X, weights),)
        orders = {rank: rank(train.X, train.y, weights, *prepared) for rank in rankers}
        if any(len(order) == 0 for order in orders.values()):
            raise ValueError(
                "In one of the inner splits no feature varies among the training samples. "
                "Pass a number as n_features_to_select, which needs no splits."
            )
        return orders

    def _gather(self, rank: Ranker, sizes: tuple[int, ...]) -> NestedScores:
        orders = [known.orders[rank] for known in self._known]
        scores = [
            [known.scores[order[:size].tobytes()] for size in sizes]
            for known, order in zip(self._known, orders, strict=True)
        ]
        return NestedScores(sizes, np.array(scores).transpose(0, 2, 1), orders)
