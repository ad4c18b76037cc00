"""Prepare features for the robust path: compress outliers, center, scale to unit length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array, Block, FeatureBlocks, Namespace, cache_pieces, namespace_of
from perturbfs.checks import outcome_columns

# Scores that agree to this share are ties, and features with a cosine this near to 1 are
# multiples. Later digits are rounding, which depends on the order of features and classes.
TIE = 1e-10
ROUNDING = 1e-13  # of values with a largest of 1
PIECE = 256
CONSISTENCY = 1.4826  # makes the median absolute deviation of normal values their deviation
# Values are compressed beyond this many robust deviations from the median: linear within,
# logarithmic beyond. Chosen in docs/method-search.md.
WIDTH = 2.0
# Values are cut at this many widths, so that they stay finite in any unit. A cut at ten widths
# costs four points on the data set lung, whose small classes lie that far out.
FARTHEST = 100.0


def prepare_features(blocks: FeatureBlocks, weights: Array, *, width: float = WIDTH) -> Array:
    """Return the features compressed, centered and of unit length, one row per feature.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values.
    weights : array of shape (n_samples,)
        Positive, sum 1.
    width : float
        Robust deviations from the median within which values stay as they are; infinity
        compresses nothing.

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
    n_samples, n_features = blocks.shape
    prepared = blocks.xp.empty((n_features, n_samples))
    for span, rows in blocks.map(Preparation(weights, width).moved_to(blocks.xp)):
        prepared[span, :] = rows
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
        """Return the prepared features, and their center and spread, (n_features, 2).

        The `moments` of an earlier call save sorting, which is most of the work. The result
        is the same.
        """
        xp, rows = namespace_of(self.weights), block.dense().T
        n_rows, done, found = rows.shape[0], [], []
        # Pieces that stay in cache during all steps.
        for piece in cache_pieces(n_rows, PIECE, xp=xp):
            known = None if moments is None else moments[piece, :]
            prepared, measured = self._prepare(rows[piece, :], known, xp=xp)
            done.append(prepared)
            found.append(measured)
        return xp.concat(done, axis=0), xp.concat(found, axis=0)

    def _prepare(self, rows: Array, known: Array | None, *, xp: Namespace) -> tuple[Array, Array]:
        if self.samples is not None:
            rows = xp.take(rows, self.samples, axis=1)
        # Reshaping twice makes each feature contiguous in memory, as the next steps need it.
        rows = xp.reshape(xp.reshape(rows, (-1,)), rows.shape)
        largest = xp.max(xp.abs(rows), axis=1, keepdims=True)
        # Dividing first keeps squares of huge and tiny values in range.
        rows = rows / xp.where(largest > 0, largest, 1.0)
        moments = self._moments(rows, xp=xp) if known is None else known
        apart, spread = rows - moments[:, :1], moments[:, 1:]
        if self.width < float("inf"):
            apart = apart * (1 / xp.where(spread > 0, self.width * spread, 1.0))
            apart = _asinh(xp.clip(apart, -FARTHEST, FARTHEST), xp=xp)
            # Rounding in a constant feature must not be scaled up.
            apart = apart * xp.astype(spread > ROUNDING, apart.dtype)
        return unit_rows(apart, self.weights, xp=xp), moments

    def _moments(self, rows: Array, *, xp: Namespace) -> Array:
        """Return the median, and the spread where values are compressed."""
        center = weighted_median(rows, self.weights, xp=xp)
        if self.width == float("inf"):
            return xp.concat([center, center], axis=1)
        apart = rows - center
        spread = CONSISTENCY * weighted_median(xp.abs(apart), self.weights, xp=xp)
        # A spread that is only rounding must not scale the feature up.
        is_sound = spread > ROUNDING
        if not bool(xp.all(is_sound)):
            deviation = xp.sqrt((apart**2) @ self.weights[:, None])
            spread = xp.where(is_sound, spread, deviation)
        return xp.concat([center, spread], axis=1)


def _asinh(values: Array, *, xp: Namespace) -> Array:
    """Return asinh with an absolute error of rounding, twice as fast as the library's."""
    sizes = xp.abs(values)
    return xp.sign(values) * xp.log(sizes + xp.sqrt(sizes * sizes + 1.0))


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
    task : {"classification", "regression"}

    Returns
    -------
    targets : array of shape (n_samples, n_targets)
        One column per quantity, or one per class of each output, so that a rare class counts as
        much as a frequent one. Entries are multiplied by the root of the weight. A column that
        does not vary is zero.
    """
    columns = outcome_columns(y, task=task)
    largest = np.abs(columns).max(axis=0)
    return unit_rows((columns / np.where(largest > 0, largest, 1.0)).T, weights, xp=np).T


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
    if bool(xp.all(weights == weights[0])):
        rows = xp.sort(rows, axis=1)
        low, high = (n_samples - 1) // 2, n_samples // 2
        return (rows[:, low : low + 1] + rows[:, high : high + 1]) / 2
    order = xp.argsort(rows, axis=1)
    rows = xp.take_along_axis(rows, order, axis=1)
    of_rank = xp.reshape(xp.take(weights, xp.reshape(order, (-1,))), order.shape)
    below = xp.cumulative_sum(of_rank, axis=1)
    low = xp.sum(xp.astype(below < 0.5 - TIE, xp.int64), axis=1, keepdims=True)
    high = xp.sum(xp.astype(below <= 0.5 + TIE, xp.int64), axis=1, keepdims=True)
    high = xp.where(high < n_samples, high, n_samples - 1)
    return (xp.take_along_axis(rows, low, axis=1) + xp.take_along_axis(rows, high, axis=1)) / 2
