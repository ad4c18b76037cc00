"""The first step: scale the features, and code the outcome as the columns to fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from perturbfs.arrays import (
    Array,
    Block,
    BlockFunction,
    Combine,
    FeatureBlocks,
    Namespace,
    namespace_of,
)
from perturbfs.checks import outcome_columns

# Squares of larger or smaller numbers leave the range of float64, so such features are
# brought near 1 before their norm is taken.
SAFE_MAGNITUDES = (1e-140, 1e140)
SMALLEST_NORMAL = 2.3e-308


@dataclass(frozen=True, slots=True)
class Scaling:
    """Scale, shift and norm of each feature."""

    scale: Array  # 0 for a feature that is left out
    shift: Array | None  # subtracted before scaling; None if nothing is subtracted
    norms: Array  # 2-norm after scaling: 1 for scaling="unit"; 0 for a feature that is left out

    @property
    def informative(self) -> Array:
        """True for features that vary and take part in least squares."""
        return self.scale > 0

    def map(
        self,
        blocks: FeatureBlocks,
        function: BlockFunction,
        *arrays: Array | None,
        combine: Combine | None = None,
    ) -> Iterator[tuple[slice, Any]]:
        """Make one pass over the scaled features; see `FeatureBlocks.map`."""
        return blocks.map(_OnScaled(function), self.scale, self.shift, *arrays, combine=combine)

    def row_chunks(self, blocks: FeatureBlocks) -> Iterator[tuple[slice, Array]]:
        """Yield spans of samples, in order, and their scaled features."""
        start = 0
        for chunk in blocks.row_chunks():
            span = slice(start, start + chunk.shape[0])
            yield span, self.of_columns(chunk)
            start = span.stop

    def of_columns(self, columns: Array, features: Array | None = None) -> Array:
        """Return a dense array of some features, scaled; of all features by default."""
        shift, scale = 0.0 if self.shift is None else self.shift, self.scale
        if features is not None:
            xp = namespace_of(scale)
            chosen = xp.asarray(features)
            shift = shift if self.shift is None else xp.take(shift, chosen)
            scale = xp.take(scale, chosen)
        return (columns - shift) * scale


@dataclass(frozen=True, slots=True)
class _OnScaled:
    """A function of a block, called with the scaled block."""

    function: BlockFunction

    def __call__(self, block: Block, scale: Array, shift: Array | None, *parts: Any) -> Any:
        return self.function(block.scaled(scale, shift), *parts)


class BlockPartial(partial[Any]):
    """A `functools.partial` of a function of blocks.

    It has the attribute `function`, as other functions of blocks that call another one: the
    return annotation of that one says what the result is.
    """

    @property
    def function(self) -> Any:
        """The function without its fixed arguments."""
        return self.func


@dataclass(frozen=True, slots=True)
class Survey:
    """Scaling, extremes and products of all features, from one pass."""

    scaling: Scaling
    extremes: Array  # (n_features, 2): largest and smallest value after scaling
    gram: Array | None  # scaled features times their transpose, n_samples x n_samples
    joint: Array | None  # scaled features times extremes, n_samples x 2


def survey(blocks: FeatureBlocks, *, scaling: str = "unit", with_gram: bool = True) -> Survey:
    """Find the scale of each feature, and the products that least squares needs.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values.
    scaling : {"unit", "minmax"}
        Each feature to 2-norm 1 (section 2 of the paper), or into [0, 1] (its algorithm box).
    with_gram : bool
        Whether to compute `gram` and `joint`, which tall data do not need.

    Returns
    -------
    survey : Survey
        Zero and constant features have scale 0: as columns of zeros they change nothing.
    """
    look = BlockPartial(_survey_block, scaling=scaling, with_gram=with_gram)
    found: list[list[Array]] = []
    products: list[Array] = []
    for _, (features, more) in blocks.map(look, combine=_join_surveys):
        found.append(features)
        # Added at once: only one matrix is held, not one per block.
        products = add_up([products, more]) if products else more
    (scale, norms, extremes, *shift), _ = _join_surveys([(each, []) for each in found])
    gram, joint = products if with_gram else (None, None)
    return Survey(Scaling(scale, shift[0] if shift else None, norms), extremes, gram, joint)


def add_up(parts: Sequence[Sequence[Array]]) -> list[Array]:
    """Return the sum of the first arrays of all parts, of the second arrays, and so on."""
    return [sum(each[1:], start=each[0]) for each in zip(*parts, strict=True)]


def _join_surveys(parts: Sequence[tuple[Any, Any]]) -> tuple[list[Array], list[Array]]:
    """Return the survey of neighboring blocks from the surveys of each, in order."""
    features = [each for each, _ in parts]
    xp = namespace_of(features[0][0])
    joined = [xp.concat(each) for each in zip(*features, strict=True)]
    return joined, add_up([products for _, products in parts])


def _survey_block(
    block: Block, *, scaling: str, with_gram: bool
) -> tuple[list[Array], list[Array]]:
    """Return [scale, norms, extremes, shift if any] and [gram, joint] of one block."""
    smallest, largest = block.extremes()
    xp = namespace_of(smallest)
    if scaling == "minmax":
        scale, shift, origin = _to_unit_interval(smallest, largest, xp=xp), [smallest], smallest
        scaled = block.scaled(scale, smallest)
        norms = scaled.norms()
    else:
        scale, shift, origin = _to_unit_norm(block, smallest, largest, xp=xp), [], 0.0
        scaled = block.scaled(scale)
        norms = xp.astype(scale > 0, xp.float64)
    extremes = xp.stack([largest - origin, smallest - origin], axis=1) * scale[:, None]
    products = [scaled.gram(), scaled.times(extremes)] if with_gram else []
    return [scale, norms, extremes, *shift], products


def _to_unit_norm(block: Block, smallest: Array, largest: Array, *, xp: Namespace) -> Array:
    magnitude = xp.maximum(xp.abs(smallest), xp.abs(largest))
    varies = (largest > smallest) & (magnitude >= SMALLEST_NORMAL)
    low, high = SAFE_MAGNITUDES
    is_safe = ((magnitude > low) & (magnitude < high)) | ~varies
    if xp.all(is_safe):
        first, norms = 1.0, block.norms()
    else:
        first = xp.where(is_safe, 1.0, 1.0 / xp.where(is_safe, 1.0, magnitude))
        norms = block.scaled(first).norms()
    return xp.where(varies, first / xp.where(varies, norms, 1.0), 0.0)


def _to_unit_interval(smallest: Array, largest: Array, *, xp: Namespace) -> Array:
    # Half the range first: the difference of two huge values of opposite sign overflows.
    half = 0.5 * largest - 0.5 * smallest
    varies = half >= SMALLEST_NORMAL
    return xp.where(varies, 0.5 / xp.where(varies, half, 1.0), 0.0)


@dataclass(frozen=True, slots=True)
class Target:
    """The outcome as orthonormal columns, which least squares fits."""

    columns: Array  # (n_samples, n_columns), orthonormal
    scale: float  # coefficients of the outcome as given = scale * those of `columns`


def code_target(y: Array, *, coding: str = "codes", scaling: str = "unit") -> Target:
    """Turn an outcome into the columns that the features are compared with.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Numbers or class labels, more than one distinct value.
    coding : {"codes", "indicators"}
        ``"codes"`` takes numbers as they are, as the paper does, and numbers any other labels
        1, 2, ... in sorted order. ``"indicators"`` makes one column per class, so that the
        result does not depend on the numbering of the classes.
    scaling : {"unit", "minmax"}
        ``"minmax"`` maps codes to [0, 1] first, as in the paper's algorithm box.

    Returns
    -------
    target : Target
    """
    y = np.asarray(y)
    if coding == "indicators":
        # No sample is in two classes, so the columns are orthogonal; scaled, they are
        # orthonormal, and all lengths and angles depend on their span alone.
        columns = outcome_columns(y, task="classification")
        return Target(columns / np.linalg.vector_norm(columns, axis=0), 1.0)
    if np.issubdtype(y.dtype, np.number) or np.issubdtype(y.dtype, np.bool_):
        codes: Array = y.astype(np.float64)
    else:
        codes = 1.0 + np.unique(y, return_inverse=True)[1]
    if scaling == "minmax":
        codes = (codes - codes.min()) / (codes.max() - codes.min())
    largest = float(np.max(np.abs(codes)))  # keeps the squares of huge and tiny values in range
    norm = float(np.linalg.vector_norm(codes / largest))
    return Target((codes / largest / norm)[:, None], largest * norm)
