"""Other values to group features by: their relevance, and how perturbations move them."""

from __future__ import annotations

from perturbfs.arrays import Array, Block, FeatureBlocks, namespace_of, to_host

from ._prepare import BlockPartial, Scaling, Target

ROUNDING = 1e-13  # what rounding leaves of a unit feature that is constant, minus its mean
# Directions of a smaller singular value, relative to the largest, are lost in a perturbation of
# any useful size, and in the rounding of the Gram matrix.
SMALLEST_DIRECTION = 1e-6


def correlate_outcome(blocks: FeatureBlocks, scaling: Scaling, target: Target) -> Array:
    """Return the multiple correlation of each feature with the columns of the outcome.

    Unlike the angle to the target, it subtracts means first. Among positive features the nearly
    constant ones have the smallest angle to class columns, for any classes.

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
    found = scaling.map(blocks, BlockPartial(_correlate_block, basis=basis))
    return to_host(xp.concat([correlations for _, correlations in found]))


def _correlate_block(block: Block, *, basis: Array) -> Array:
    values = block.dense()
    xp = namespace_of(values)
    values = values - xp.mean(values, axis=0)
    norms = xp.linalg.vector_norm(values, axis=0)
    lengths = xp.linalg.vector_norm(values.T @ basis, axis=1)
    varies = norms > ROUNDING
    return xp.where(varies, lengths / xp.where(varies, norms, 1.0), 0.0)


def perturbation_signatures(blocks: FeatureBlocks, scaling: Scaling) -> Array:
    """Return the row of each feature in the projection onto the row space, in two passes.

    To first order a perturbation E moves the coefficients X by ``(I - P) E'y - N^+ E X``, with P
    the projection onto the row space and y the dual solution. As ``N^+ = P N^+``, this depends
    on a feature only through its row of P, and through the noise of the feature itself. Features
    of equal rows move alike under any noise in the other features.

    Parameters
    ----------
    blocks : FeatureBlocks
        At least as many features as samples; with fewer the row space is the whole space.
    scaling : Scaling

    Returns
    -------
    signatures : NumPy array of shape (n_features, n_samples)
        Rows of the projection in coordinates of the samples, of unit length: the distance of
        two of them is the distance of the unit rows of the projection itself. Zero for a feature
        that does not vary.
    """
    xp = blocks.xp
    gram = 0.0
    for _, part in scaling.map(blocks, _gram, combine=sum):
        gram = gram + part
    squares, vectors = xp.linalg.eigh(gram)
    is_kept = squares > SMALLEST_DIRECTION**2 * xp.max(squares)
    roots = xp.where(is_kept, 1 / xp.sqrt(xp.where(is_kept, squares, 1.0)), 0.0)
    # The root is symmetric, so neither signs nor the order of eigenvectors matter.
    found = scaling.map(blocks, BlockPartial(_unit_rows, root=(vectors * roots) @ vectors.T))
    return to_host(xp.concat([rows for _, rows in found]))


def _gram(block: Block) -> Array:
    return block.gram()


def _unit_rows(block: Block, *, root: Array) -> Array:
    rows = block.project(root)
    xp = namespace_of(rows)
    lengths = xp.linalg.vector_norm(rows, axis=1, keepdims=True)
    return rows / xp.where(lengths > 0, lengths, 1.0)
