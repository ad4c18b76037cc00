"""The first pass over the features: their scale, their extremes and their Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass

from perturbfs.backends import Array, Block, FeatureBlocks, Namespace

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

    def of_block(self, block: Block) -> Block:
        """A block of features, scaled."""
        shift = None if self.shift is None else self.shift[block.span]
        return block.scaled(self.scale[block.span], shift)

    def of_columns(self, columns: Array, features: Array | None = None) -> Array:
        """A dense array of some features (all by default), scaled."""
        chosen = slice(None) if features is None else features
        shift = 0.0 if self.shift is None else self.shift[chosen]
        return (columns - shift) * self.scale[chosen]


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
    xp = blocks.xp
    scales, shifts, norms, extremes = [], [], [], []
    gram, joint = 0.0, 0.0
    for block in blocks:
        smallest, largest = block.extremes()
        if scaling == "minmax":
            scale, shift = _to_unit_interval(smallest, largest, xp=xp), smallest
            scaled = block.scaled(scale, shift)
            norms.append(scaled.norms())
        else:
            scale, shift = _to_unit_norm(block, smallest, largest, xp=xp), 0.0
            scaled = block.scaled(scale)
            norms.append(xp.astype(scale > 0, xp.float64))
        scales.append(scale)
        shifts.append(shift)
        extremes.append(xp.stack([largest - shift, smallest - shift], axis=1) * scale[:, None])
        if with_gram:
            gram = gram + scaled.gram()
            joint = joint + scaled.times(extremes[-1])
    return Survey(
        scaling=Scaling(
            scale=xp.concat(scales),
            shift=xp.concat(shifts) if scaling == "minmax" else None,
            norms=xp.concat(norms),
        ),
        extremes=xp.concat(extremes),
        gram=gram if with_gram else None,
        joint=joint if with_gram else None,
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
