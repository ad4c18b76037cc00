"""Prepare features for the robust path: compress outliers, center, scale to unit length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from perturbfs.arrays import (
    Array,
    Block,
    FeatureBlocks,
    Namespace,
    cache_pieces,
    namespace_of,
    runs_triton,
)
from perturbfs.checks import outcome_columns

# Scores that agree to this share are ties, and features with a cosine this near to 1 are
# multiples. Later digits are rounding, which depends on the order of features and classes.
TIE = 1e-10
ROUNDING = 1e-13  # of values with a largest of 1
PIECE = 256
CONSISTENCY = 1.4826  # makes the median absolute deviation of normal values their deviation
# Values are compressed beyond this many robust deviations from the median: linear within,
# logarithmic beyond. Chosen in benchmarks/method-search.md.
WIDTH = 2.0
# Values are cut at this many widths, so that they stay finite in any unit. A cut at ten widths
# costs four points on the data set lung, whose small classes lie that far out.
FARTHEST = 100.0
HUGEST = 1e100  # features with larger values, or smaller than its inverse, are scaled first


def prepare_features(
    blocks: FeatureBlocks,
    weights: Array,
    *,
    width: float = WIDTH,
    samples: Array | None = None,
) -> Array:
    """Return the features compressed, centered and of unit length, one row per feature.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values, processed in this thread.
    weights : array of shape (n_used,)
        Positive, sum 1.
    width : float
        Robust deviations from the median within which values stay as they are; infinity
        compresses nothing.
    samples : array of int of shape (n_used,) or None
        Which samples are used, increasing; None for all.

    Returns
    -------
    features : array of shape (n_features, n_samples)
        Entries are multiplied by the root of the weight, so plain inner products are weighted
        ones. A constant feature is zero.

    Notes
    -----
    ``asinh((x - median) / (width * deviation))``, with the median absolute deviation, or the
    standard deviation if more than half of the values are equal. Beyond the width, values grow
    with the logarithm of their distance, up to a hundred widths. A feature that is high only in a
    small class keeps most of its contrast; a hard limit would remove it.
    """
    preparation = Preparation(weights, width, samples).moved_to(blocks.xp)
    prepared = blocks.xp.empty((blocks.shape[1], weights.shape[0]))
    for block in blocks:
        for piece, rows, _ in preparation.pieces(block):
            first = block.span.start
            prepared[first + piece.start : first + piece.stop, :] = rows
    return prepared


@dataclass(frozen=True, slots=True)
class Preparation:
    """Prepare the features of a block, for some of the samples or all.

    Attributes
    ----------
    weights : array of shape (n_used,)
        Positive, sum 1.
    width : float
        As in `prepare_features`.
    samples : array of int of shape (n_used,) or None
        Which samples are used, increasing; None for all.
    """

    weights: Array
    width: float
    samples: Array | None = None

    def moved_to(self, xp: Namespace) -> Preparation:
        """Return the preparation with arrays of another namespace."""
        samples = None if self.samples is None else xp.asarray(self.samples)
        return Preparation(xp.asarray(self.weights), self.width, samples)

    def __call__(self, block: Block) -> Array:
        """Return the prepared features of a block, one row per feature."""
        return self.with_moments(block)[0]

    def with_moments(self, block: Block, moments: Array | None = None) -> tuple[Array, Array]:
        """Return the prepared features, and three numbers of each, (n_features, 3).

        These are divisor, center and factor, as in `_measure`. The `moments` of an earlier call
        save sorting, which is most of the work. The result is the same.
        """
        xp = namespace_of(self.weights)
        if runs_triton(xp):
            prepared = self._by_kernels(block.dense(), moments, xp=xp)
            if prepared is not None:
                return prepared
        _, done, found = zip(*self.pieces(block, moments), strict=True)
        return xp.concat(done, axis=0), xp.concat(found, axis=0)

    def _by_kernels(
        self, values: Array, moments: Array | None, *, xp: Namespace
    ) -> tuple[Array, Array] | None:
        """Return what `with_moments` does, on a CUDA device; None if the kernels cannot do it.

        They know no weighted median and no feature in an extreme unit.
        """
        kernels = import_module("._prepare_cuda", __package__)
        if len(self.weights) > kernels.MOST_SAMPLES:
            return None
        given = (values, self.weights, self.samples)
        limits = {"width": self.width, "rounding": ROUNDING}
        if moments is None:
            if not bool(xp.all(self.weights == self.weights[0])):
                return None
            moments = kernels.measure(*given, consistency=CONSISTENCY, hugest=HUGEST, **limits)
        if bool(xp.any(moments[:, 0] != 1)):
            return None
        return kernels.apply(*given, moments, farthest=FARTHEST, **limits), moments

    def pieces(
        self, block: Block, moments: Array | None = None
    ) -> Iterator[tuple[slice, Array, Array]]:
        """Yield pieces of a block that stay in cache during all steps, with their moments."""
        xp, rows = namespace_of(self.weights), block.dense().T
        for piece in cache_pieces(rows.shape[0], PIECE, xp=xp):
            part = rows[piece, :]
            if self.samples is not None:
                part = xp.take(part, self.samples, axis=1)
            # Reshaping twice makes each feature contiguous in memory, as the next steps need it.
            part = xp.reshape(xp.reshape(part, (-1,)), part.shape)
            known = self._measure(part, xp=xp) if moments is None else moments[piece, :]
            yield piece, self._apply(part, known, xp=xp), known

    def _apply(self, rows: Array, moments: Array, *, xp: Namespace) -> Array:
        divisor, center, factor = (moments[:, each : each + 1] for each in range(3))
        if bool(xp.any(divisor != 1)):
            rows = rows / divisor
        apart = rows - center
        if self.width < float("inf"):
            apart *= factor
            apart = xp.asinh(xp.clip(apart, -FARTHEST, FARTHEST))
        return unit_rows(apart, self.weights, xp=xp)

    def _measure(self, rows: Array, *, xp: Namespace) -> Array:
        """Return divisor, center and factor of each row, which `_apply` uses in this order.

        The divisor keeps squares of huge and tiny values in range. The factor is 1 over the width
        in units of the data. It is 0 if a feature varies by rounding only, which must not be
        scaled up.
        """
        largest = xp.max(xp.abs(rows), axis=1, keepdims=True)
        is_usual = ((largest < HUGEST) & (largest > 1 / HUGEST)) | (largest == 0)
        divisor = xp.where(is_usual, 1.0, largest)
        if not bool(xp.all(is_usual)):
            rows, largest = rows / divisor, largest / divisor
        center, spread = median_and_deviation(rows, self.weights, xp=xp)
        spread = CONSISTENCY * spread
        is_sound = spread > ROUNDING * largest
        if self.width < float("inf") and not bool(xp.all(is_sound)):
            deviation = xp.sqrt((rows - center) ** 2 @ self.weights[:, None])
            spread = xp.where(is_sound, spread, deviation)
            is_sound = spread > ROUNDING * largest
        factor = xp.where(is_sound, 1 / (self.width * xp.where(is_sound, spread, 1.0)), 0.0)
        return xp.concat([divisor, center, factor], axis=1)


def unit_rows(rows: Array, weights: Array, *, xp: Namespace) -> Array:
    """Return rows centered and of unit length under the weights; constant rows are zero.

    Parameters
    ----------
    rows : array of shape (n_rows, n_samples)
        Values small enough to be squared.
    weights : array of shape (n_samples,)
        Positive, sum 1.
    xp : module

    Returns
    -------
    rows : array of shape (n_rows, n_samples)
        Entries are multiplied by the root of the weight.
    """
    largest = xp.max(xp.abs(rows), axis=1, keepdims=True)
    rows = (rows - rows @ weights[:, None]) * xp.sqrt(weights)
    lengths = xp.linalg.vector_norm(rows, axis=1, keepdims=True)
    varies = lengths > ROUNDING * largest
    return rows * xp.where(varies, 1 / xp.where(varies, lengths, 1.0), 0.0)


def unit_targets(y: Array, weights: Array, *, task: str) -> Array:
    """Return the outcome as centered columns of unit length.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    weights : array of shape (n_samples,)
        Positive, sum 1.
    task : {"classification", "regression", "survival"}

    Returns
    -------
    targets : array of shape (n_samples, n_targets)
        One column per quantity, one of martingale residuals for a survival, or one per class of
        each output, so that a rare class counts as much as a frequent one. Entries are multiplied
        by the root of the weight. A column that does not vary is zero.
    """
    columns = outcome_columns(y, task=task, weights=weights)
    largest = np.abs(columns).max(axis=0)
    return unit_rows((columns / np.where(largest > 0, largest, 1.0)).T, weights, xp=np).T


def median_and_deviation(rows: Array, weights: Array, *, xp: Namespace) -> tuple[Array, Array]:
    """Return the median of each row and the median absolute deviation from it.

    Parameters
    ----------
    rows : array of shape (n_rows, n_samples)
    weights : array of shape (n_samples,)
        Positive, sum 1. A sample of weight 2 counts like two samples.
    xp : module

    Returns
    -------
    median, deviation : arrays of shape (n_rows, 1)
        Means of the two middle values where the weights allow both.
    """
    if bool(xp.all(weights == weights[0])):
        return _equal_medians(xp.sort(rows, axis=1), xp=xp)
    center = weighted_median(rows, weights, xp=xp)
    return center, weighted_median(xp.abs(rows - center), weights, xp=xp)


def _equal_medians(rows: Array, *, xp: Namespace) -> tuple[Array, Array]:
    """Return median and deviation of sorted rows, without sorting the deviations.

    The k values nearest to the median are neighbors in a sorted row, so the k-th smallest
    deviation is the smallest, over all runs of k neighbors, of the larger deviation of its ends.
    """
    n_samples = rows.shape[1]
    low, high = (n_samples - 1) // 2, n_samples // 2
    center = (rows[:, low : low + 1] + rows[:, high : high + 1]) / 2
    below, above = center - rows[:, : n_samples - low], rows[:, low:] - center
    deviation = xp.min(xp.maximum(below, above), axis=1, keepdims=True)
    if high > low:
        below, above = below[:, : n_samples - high], above[:, high - low :]
        deviation += xp.min(xp.maximum(below, above), axis=1, keepdims=True)
        deviation /= 2
    return center, deviation


def weighted_median(rows: Array, weights: Array, *, xp: Namespace) -> Array:
    """Return the median of each row; a sample of weight 2 counts like two samples.

    Parameters
    ----------
    rows : array of shape (n_rows, n_samples)
    weights : array of shape (n_samples,)
        Positive, sum 1.
    xp : module

    Returns
    -------
    median : array of shape (n_rows, 1)
        Mean of the two middle values where the weights allow both.
    """
    n_samples = rows.shape[1]
    order = xp.argsort(rows, axis=1)
    rows = xp.take_along_axis(rows, order, axis=1)
    of_rank = xp.reshape(xp.take(weights, xp.reshape(order, (-1,))), order.shape)
    below = xp.cumulative_sum(of_rank, axis=1)
    low = xp.sum(xp.astype(below < 0.5 - TIE, xp.int64), axis=1, keepdims=True)
    high = xp.sum(xp.astype(below <= 0.5 + TIE, xp.int64), axis=1, keepdims=True)
    high = xp.where(high < n_samples, high, n_samples - 1)
    return (xp.take_along_axis(rows, low, axis=1) + xp.take_along_axis(rows, high, axis=1)) / 2
