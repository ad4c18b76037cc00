"""Scores of every size of an order of features, with a new order inside each split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from perturbfs._support.parallel import one_thread
from perturbfs.arrays import Array
from perturbfs.scoring import Candidate, Panel, Samples, Split, SplitPanel, Splits

Known = dict[bytes, list[float]]  # scores of features, best first


@dataclass(frozen=True, slots=True)
class NestedScores:
    """Scores of one way to rank on the inner splits.

    Attributes
    ----------
    sizes : tuple of int
    scores : array of shape (n_splits, n_predictors, n_sizes)
    orders : sequence of arrays of int
        Features in each split, best first.
    """

    sizes: tuple[int, ...]
    scores: Array
    orders: Sequence[Array]

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


class NestedScorer:
    """Score all sizes of the orders found in the training samples on the test samples.

    Scores of earlier calls are kept, so nothing is scored twice.

    Parameters
    ----------
    samples : Samples
    splits : list of (train, test)
    panel : Panel
    task : {"classification", "regression", "survival"}
    n_jobs : int or None
        Splits in parallel. The result does not depend on it.
    """

    def __init__(
        self,
        samples: Samples,
        splits: Splits,
        panel: Panel,
        *,
        task: str,
        n_jobs: int | None = None,
    ) -> None:
        self._samples, self._splits, self._panel = samples, splits, panel
        self._task, self._n_jobs = task, n_jobs
        self._known: list[Known] = [{} for _ in splits]

    @property
    def test_share(self) -> float:
        """Weight of the test samples over that of the training samples, in the first split."""
        train, test = self._splits[0]
        weights = self._samples.weights
        return float(weights[test].sum() / weights[train].sum())

    def score(self, orders: Sequence[Array], sizes: Sequence[int]) -> NestedScores:
        """Return the scores of the first features of each order.

        Parameters
        ----------
        orders : sequence of arrays of int
            Features in each split, best first. With fewer orders than splits, only the first
            splits are scored.
        sizes : sequence of int
            If the order of a split is shorter than a size, the whole order is scored.
        """
        calls = (
            delayed(self._score_split)(split, known, order, sizes)
            for split, known, order in zip(self._splits, self._known, orders, strict=False)
        )
        with one_thread():  # for a few dozen samples, threads of BLAS cost more than they save
            found = Parallel(n_jobs=self._n_jobs, require="sharedmem")(calls)
        scores = []
        for known, new, order in zip(self._known, found, orders, strict=False):
            known |= new
            scores.append([known[order[:size].tobytes()] for size in sizes])
        return NestedScores(tuple(sizes), np.array(scores).transpose(0, 2, 1), orders)

    def _score_split(
        self, split: Split, known: Known, order: Array, sizes: Sequence[int]
    ) -> Known:
        """Return the scores that are not known yet."""
        wanted = sorted({min(size, len(order)) for size in sizes})
        unknown = [size for size in wanted if order[:size].tobytes() not in known]
        if not unknown:
            return {}
        judges = SplitPanel(self._panel, self._samples, split, task=self._task)
        scores = judges.scores(order, unknown)
        return {order[:size].tobytes(): found for size, found in zip(unknown, scores, strict=True)}
