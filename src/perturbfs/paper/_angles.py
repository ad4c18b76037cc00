"""Angles between features, target and fit, from inner products alone."""

from __future__ import annotations

import math

from perturbfs.arrays import Array, Block, Namespace

DEGREES = 180.0 / math.pi
# Below about eight degrees 1 - cos^2 has lost two digits, and all of them near zero.
NEARLY_PARALLEL = 0.99


def cosines_and_sines(
    block: Block, norms: Array, basis: Array, products: Array, *, xp: Namespace
) -> tuple[Array, Array]:
    """Return the length of each unit feature inside and outside the span of a basis.

    Parameters
    ----------
    block : Block
        Scaled features.
    norms : array of shape (n_features,)
        Their 2-norms.
    basis : array of shape (n_rows, n_columns)
        Orthonormal columns.
    products : array of shape (n_features, n_columns)
        The transposed block times the basis.

    Returns
    -------
    cosines : array of shape (n_features, n_columns)
        Coordinates in the basis; 0 for a zero feature.
    sines : array of shape (n_features,)
        Length of the part outside the span; 1 for a zero feature.
    """
    lengths = xp.where(norms > 0, norms, 1.0)
    cosines = products / lengths[:, None]
    squares = xp.sum(cosines**2, axis=1)
    sines = xp.sqrt(xp.clip(1.0 - squares, 0.0, None))
    near = squares > NEARLY_PARALLEL**2
    if xp.any(near):
        chosen = xp.nonzero(near)[0]
        units = xp.take(block.dense(), chosen, axis=1) / xp.take(lengths, chosen)
        rest = xp.linalg.vector_norm(units - basis @ xp.take(cosines, chosen, axis=0).T, axis=0)
        sines[near] = rest
    return cosines, sines


def angle_to_span(cosines: Array, sines: Array, *, xp: Namespace) -> Array:
    """Return the angle between each feature and the target, in degrees.

    Up to 180 for a single target column, where the sign counts; up to 90 for several.
    """
    along = cosines[:, 0] if cosines.shape[1] == 1 else xp.linalg.vector_norm(cosines, axis=1)
    return xp.atan2(sines, along) * DEGREES


def angle_without_feature(
    parts: Array,
    inner: Array,
    sines: Array,
    *,
    fitted_norm: float,
    residual_norm: float,
    xp: Namespace,
) -> Array:
    """Return the angle between the target and the fit that lacks one feature, in degrees.

    Parameters
    ----------
    parts : array of shape (n_features, n_columns)
        Coefficients times feature norms.
    inner : array of shape (n_features, n_columns)
        Inner products of unit features with the fitted target.
    sines : array of shape (n_features,)
        Sine of the angle between feature and fitted target, for a single column.
    fitted_norm, residual_norm : float
        Norms of the fitted target and of the residual.

    Returns
    -------
    angles : array of shape (n_features,)
        Between 0 and 180; 90 where nothing is left of the fit.

    Notes
    -----
    With P the fitted target, the fit without feature j is P - n_j x_j'. Its part along P has
    the length ``along``, the rest, orthogonal to P, the length ``across``. The residual is
    orthogonal to both.
    """
    if fitted_norm == 0:
        return xp.full(parts.shape[0], 90.0)
    share = xp.sum(parts * inner, axis=1) / fitted_norm
    sizes = xp.linalg.vector_norm(parts, axis=1)
    if parts.shape[1] == 1:
        across = sizes * sines
    else:
        across = xp.sqrt(xp.clip(sizes**2 - share**2, 0.0, None))
    along = fitted_norm - share
    total = math.hypot(fitted_norm, residual_norm)
    off = xp.hypot(across, along * (residual_norm / total))
    angles = xp.atan2(off, along * (fitted_norm / total)) * DEGREES
    is_gone = xp.hypot(across, along) <= 1e-13 * (fitted_norm + sizes)
    return xp.where(is_gone, 90.0, angles)
