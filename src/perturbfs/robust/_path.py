"""The robust path: one feature after the other, by its angle to the residual of the outcome."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dposv

from perturbfs.arrays import Array, Namespace

from ._open import OpenFeatures
from ._prepare import TIE

# Growth of the penalty with each feature; chosen in benchmarks/method-search.md.
GROWTH = 1 / 2


@dataclass(frozen=True, slots=True)
class RobustPath:
    """Features in the order in which the path takes them.

    Attributes
    ----------
    features : array of int of shape (n_steps,)
        Nested: the first k are the choice of size k. Shorter than asked for if no other feature
        may be taken, see `OpenFeatures`.
    fits : tuple of arrays
        Coefficients of the features taken on the rotated targets, after each step.
    cosines : array of shape (n_steps,)
        Length of the projection of the feature on the residual when it was taken.
    n_apart : int
        Features taken within the limit of the correlation; the others came after all of these.
    """

    features: Array
    fits: tuple[Array, ...]
    cosines: Array
    n_apart: int


class Products:
    """Inner products of all features with some of them, each computed once.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
        Rows of unit length or zero.
    """

    def __init__(self, features: Array) -> None:
        self.features = features
        self.varies = features.any(axis=1)
        self._known: dict[int, Array] = {}

    def row(self, feature: int) -> Array:
        """Return the inner products of all features with one."""
        if feature not in self._known:
            self._known[feature] = self.features @ self.features[feature]
        return self._known[feature]


def follow_paths(
    features: Array,
    targets: Array,
    noises: Mapping[float, int],
    *,
    max_correlation: float = 1.0,
    n_least: int = 0,
) -> dict[float, RobustPath]:
    """Return one path per noise: features, each chosen by its angle to the residual.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
        Rows of unit length or zero, as `prepare_features` makes them.
    targets : array of shape (n_samples, n_targets)
        As `rotate_targets` returns them.
    noises : mapping of float to int
        Size of the perturbation relative to a feature, see Notes, and number of steps.
    max_correlation : float
    n_least : int
        As in `OpenFeatures`.

    Returns
    -------
    paths : dict of float to RobustPath

    Notes
    -----
    If every entry of the chosen features S is perturbed by independent noise of variance
    ``noise**2 / n_samples``, the expected squared error of coefficients B is
    ``|Y - S B|^2 + noise**2 |B|^2``, which ridge regression minimizes. If all noise has one
    direction, as a batch effect has, its weight grows with the number of features. The penalty
    after k features, ``noise**2 (1 + k / 2)``, is a compromise between the two.

    The product of a feature with the residual is its product with the targets minus those with
    the features taken, multiplied by their coefficients. So a step is one product of all features
    with the feature just taken, O(n_features n_samples), and paths share these products.
    """
    products = Products(features)
    aims = features @ targets
    return {
        noise: _follow(
            products,
            aims,
            n_wanted,
            noise=noise,
            left=OpenFeatures(products.varies, max_correlation, n_least),
        )
        for noise, n_wanted in noises.items()
    }


def _follow(
    products: Products, aims: Array, n_wanted: int, *, noise: float, left: OpenFeatures
) -> RobustPath:
    """Return one path, from the products of all features with the targets."""
    n_wanted = min(n_wanted, len(aims))
    chosen: list[int] = []
    cosines: list[float] = []
    fits: list[Array] = []
    likeness, residual = np.empty((n_wanted, len(aims))), aims
    while len(chosen) < n_wanted and left.any():
        lengths = np.where(left.mask, lengths_of(residual), -1.0)
        best = _pick(products.features, lengths)
        likeness[len(chosen)] = products.row(best)
        chosen.append(best)
        cosines.append(float(lengths[best]))
        known = likeness[: len(chosen)]
        left.take(best, known[-1])
        fits.append(_solve(known[:, chosen], aims[chosen], noise=noise))
        residual = aims - known.T @ fits[-1]
    found = np.array(chosen, dtype=np.int64)
    return RobustPath(found, tuple(fits), np.array(cosines), left.n_apart)


def lengths_of(products: Array) -> Array:
    """Return the length of each row."""
    if products.shape[1] == 1:
        return np.abs(products[:, 0])
    return np.sqrt(np.einsum("ij,ij->i", products, products))


def refit(taken: Array, targets: Array, *, noise: float) -> Array:
    """Return the coefficients that are best on average when the features taken are perturbed.

    Parameters
    ----------
    taken : array of shape (n_taken, n_samples)
    targets : array of shape (n_samples, n_targets)
    noise : float
        As in `follow_paths`.

    Returns
    -------
    coefficients : array of shape (n_taken, n_targets)
    """
    return _solve(taken @ taken.T, taken @ targets, noise=noise)


def _solve(gram: Array, aims: Array, *, noise: float) -> Array:
    n_taken = len(gram)
    penalty = noise**2 * (1 + GROWTH * n_taken)
    penalized = gram + penalty * np.eye(n_taken)
    # One call of LAPACK; np.linalg.solve takes three times as long for a few features.
    _, found, failure = dposv(penalized, aims)
    if failure:  # with almost no noise, rounding can make the matrix indefinite
        return np.linalg.solve(penalized, aims)
    solution: Array = found
    return solution


def rotate_targets(targets: Array) -> Array:
    """Return the targets rotated into as few columns as possible.

    The rotation preserves lengths and angles. The indicators of two classes, for example, become
    one column.
    """
    left, values, _ = np.linalg.svd(targets, full_matrices=False)
    n_kept = int(np.count_nonzero(values > TIE * values[0]))
    return left[:, :n_kept] * values[:n_kept]


def angles_to_span(products: Array, targets: Array, *, xp: Namespace) -> Array:
    """Return the angle between each feature and the span of the targets in degrees.

    Parameters
    ----------
    products : array of shape (n_features, n_targets)
        Inner products of features of unit length, or zero, with the targets.
    targets : array of shape (n_samples, n_targets)
        As `rotate_targets` returns them.
    xp : module

    Returns
    -------
    angles : array of shape (n_features,)
        Between 0 and 90; 90 for a feature of zeros.
    """
    lengths = xp.linalg.vector_norm(products / xp.linalg.vector_norm(targets, axis=0), axis=1)
    return xp.acos(xp.clip(lengths, None, 1.0)) * (180 / math.pi)


def _pick(features: Array, lengths: Array) -> int:
    """Return the best feature; ties go to the one with the largest values.

    Values are compared sample by sample, so the choice among ties depends on the order of the
    samples and not on that of the features. Of equal features the first is taken.
    """
    best = lengths.max()
    [tied] = np.nonzero(lengths >= best * (1 - TIE))
    if len(tied) == 1:
        return int(tied[0])

    def values(feature: int) -> list[float]:
        row = [round(value, 9) for value in features[feature].tolist()]
        sign = next((value for value in row if value), 1.0)
        return row if sign > 0 else [-value for value in row]

    return max(tied.tolist(), key=lambda each: (values(each), -each))
