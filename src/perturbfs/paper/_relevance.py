"""What each feature has to do with the outcome, and which features perturbations move alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perturbfs.arrays import Array, Block, FeatureBlocks, namespace_of, to_host

from ._survey import Scaling
from ._target import Target

ROUNDING = 1e-13  # of unit features: what is left of a constant one when its mean is taken away
# Directions of a smaller singular value, relative to the largest, are lost in a perturbation of
# any size worth speaking of, and in the rounding of the Gram matrix.
SMALLEST_DIRECTION = 1e-6


def correlate_outcome(blocks: FeatureBlocks, scaling: Scaling, target: Target) -> Array:
    """Multiple correlation of each feature with the columns of the outcome, in one pass.

    Unlike the angle to the target it takes means away first. Of positive measurements nearly
    constant ones have the smallest angle to class columns, whatever the classes.

    Parameters
    ----------
    blocks : FeatureBlocks
    scaling : Scaling
    target : Target

    Returns
    -------
    correlation : NumPy array of shape (n_features,)
        0 to 1; 0 for a feature that does not vary.
    """
    xp = blocks.xp
    columns = xp.asarray(target.columns)
    left, values, _ = xp.linalg.svd(columns - xp.mean(columns, axis=0), full_matrices=False)
    basis = left[:, : int(xp.count_nonzero(values > ROUNDING))]
    found = scaling.map(blocks, _Correlation(basis))
    return to_host(xp.concat([correlations for _, correlations in found]))


@dataclass(frozen=True, slots=True)
class _Correlation:
    """Lengths of the features of a scaled block in a centered space, once they are centered."""

    basis: Array

    def __call__(self, block: Block) -> Array:
        values = block.dense()
        xp = namespace_of(values)
        values = values - xp.mean(values, axis=0)
        norms = xp.linalg.vector_norm(values, axis=0)
        lengths = xp.linalg.vector_norm(values.T @ self.basis, axis=1)
        varies = norms > ROUNDING
        return xp.where(varies, lengths / xp.where(varies, norms, 1.0), 0.0)


def perturbation_signatures(blocks: FeatureBlocks, scaling: Scaling) -> Array:
    """Where each feature lies in the row space, in two passes.

    To first order a perturbation E moves the coefficients X by ``(I - P) E'y - N^+ E X``, with P
    the projection onto the space of the rows and y the dual solution. As ``N^+ = P N^+``, this
    sees a feature by its row of P, and by the noise of the feature itself. Features of equal
    rows move alike under noise in all others, whatever that is.

    Parameters
    ----------
    blocks : FeatureBlocks
        At least as many features as samples; with fewer the rows span everything.
    scaling : Scaling

    Returns
    -------
    signatures : NumPy array of shape (n_features, n_samples)
        Rows of the projection in coordinates of the samples, of unit length: the distance of
        two of them is that of the unit rows of the projection itself. Zero for a feature
        that does not vary.
    """
    xp = blocks.xp
    gram = 0.0
    for _, part in scaling.map(blocks, _gram, combine=_sum):
        gram = gram + part
    squares, vectors = xp.linalg.eigh(gram)
    is_kept = squares > SMALLEST_DIRECTION**2 * xp.max(squares)
    roots = xp.where(is_kept, 1 / xp.sqrt(xp.where(is_kept, squares, 1.0)), 0.0)
    # Symmetric, so that neither signs nor the order of eigenvectors matter.
    found = scaling.map(blocks, _Signature((vectors * roots) @ vectors.T))
    return to_host(xp.concat([rows for _, rows in found]))


def _gram(block: Block) -> Array:
    return block.gram()


def _sum(parts: Sequence[Array]) -> Array:
    return sum(parts[1:], start=parts[0])


@dataclass(frozen=True, slots=True)
class _Signature:
    """Unit rows of a scaled block times a small matrix."""

    root: Array

    def __call__(self, block: Block) -> Array:
        rows = block.project(self.root)
        xp = namespace_of(rows)
        lengths = xp.linalg.vector_norm(rows, axis=1, keepdims=True)
        return rows / xp.where(lengths > 0, lengths, 1.0)
