"""The first pass over the features: their scale, their extremes and their Gram matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from perturbfs.arrays import (
    Array,
    Block,
    BlockFunction,
    Combine,
    FeatureBlocks,
    Namespace,
    namespace_of,
)

# Squares of larger or smaller numbers leave the range of float64, so such features are
# brought near 1 before their norm is taken.
SAFE_MAGNITUDES = (1e-140, 1e140)
SMALLEST_NORMAL = 2.3e-308


@dataclass(frozen=True, slots=True)
class Scaling:
    """How each feature is brought to a common scale; one entry per feature."""

    scale: Array  # 0 for a feature that is left out
    shift: Array | None  # subtracted before scaling; None where nothing is
    norms: Array  # 2-norm after scaling: 1, or 0 for a feature that is left out

    @property
    def informative(self) -> Array:
        """Which features vary and take part in least squares."""
        return self.scale > 0

    def map(
        self,
        blocks: FeatureBlocks,
        function: BlockFunction,
        *arrays: Array | None,
        combine: Combine | None = None,
    ) -> Iterator[tuple[slice, Any]]:
        """One pass over the scaled features; see `FeatureBlocks.map`."""
        return blocks.map(_OnScaled(function), self.scale, self.shift, *arrays, combine=combine)

    def of_columns(self, columns: Array, features: Array | None = None) -> Array:
        """A dense array of some features (all by default), scaled."""
        shift, scale = 0.0 if self.shift is None else self.shift, self.scale
        if features is not None:
            xp = namespace_of(scale)
            chosen = xp.asarray(features)
            shift = shift if self.shift is None else xp.take(shift, chosen)
            scale = xp.take(scale, chosen)
        return (columns - shift) * scale


@dataclass(frozen=True, slots=True)
class _OnScaled:
    """What is done with a block, done with the scaled block."""

    function: BlockFunction

    def __call__(self, block: Block, scale: Array, shift: Array | None, *parts: Any) -> Any:
        return self.function(block.scaled(scale, shift), *parts)


@dataclass(frozen=True, slots=True)
class Survey:
    """What one pass tells of the features."""

    scaling: Scaling
    extremes: Array  # (n_features, 2): largest and smallest value after scaling
    gram: Array | None  # scaled features times their transpose, n_samples x n_samples
    joint: Array | None  # scaled features times extremes, n_samples x 2


def survey(blocks: FeatureBlocks, *, scaling: str = "unit", with_gram: bool = True) -> Survey:
    """Find how to scale each feature, and the products least squares needs.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values.
    scaling : {"unit", "minmax"}
        Each feature to 2-norm 1 (section 2 of the paper), or into [0, 1] (its algorithm box).
    with_gram : bool
        Whether to form the Gram matrix and its companion; not wanted for tall data.

    Returns
    -------
    survey : Survey
        Zero and constant features have scale 0: as columns of zeros they change nothing.
    """
    found, gram, joint = [], None, None
    for _, part in blocks.map(_SurveyBlock(scaling, with_gram), combine=join_surveys):
        # The sums at once: one matrix is held rather than one a block.
        gram, joint = _total([gram, part.gram]), _total([joint, part.joint])
        found.append(replace(part, gram=None, joint=None))
    return replace(join_surveys(found), gram=gram, joint=joint)


def join_surveys(parts: Sequence[Survey]) -> Survey:
    """The survey of neighboring blocks from those of each, in order."""
    scalings = [part.scaling for part in parts]
    xp = namespace_of(scalings[0].scale)
    shifts = [each.shift for each in scalings]
    return Survey(
        scaling=Scaling(
            scale=xp.concat([each.scale for each in scalings]),
            shift=None if shifts[0] is None else xp.concat(shifts),
            norms=xp.concat([each.norms for each in scalings]),
        ),
        extremes=xp.concat([part.extremes for part in parts]),
        gram=_total([part.gram for part in parts]),
        joint=_total([part.joint for part in parts]),
    )


def _total(parts: Sequence[Array | None]) -> Array | None:
    """The sum of what is there."""
    known = [part for part in parts if part is not None]
    return sum(known[1:], start=known[0]) if known else None


@dataclass(frozen=True, slots=True)
class _SurveyBlock:
    """The survey of one block."""

    scaling: str
    with_gram: bool

    def __call__(self, block: Block) -> Survey:
        smallest, largest = block.extremes()
        xp = namespace_of(smallest)
        shift = None
        if self.scaling == "minmax":
            scale, shift = _to_unit_interval(smallest, largest, xp=xp), smallest
            scaled = block.scaled(scale, shift)
            norms = scaled.norms()
        else:
            scale = _to_unit_norm(block, smallest, largest, xp=xp)
            scaled = block.scaled(scale)
            norms = xp.astype(scale > 0, xp.float64)
        origin = 0.0 if shift is None else shift
        extremes = xp.stack([largest - origin, smallest - origin], axis=1) * scale[:, None]
        return Survey(
            scaling=Scaling(scale=scale, shift=shift, norms=norms),
            extremes=extremes,
            gram=scaled.gram() if self.with_gram else None,
            joint=scaled.times(extremes) if self.with_gram else None,
        )


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
