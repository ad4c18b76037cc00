"""The robust path: one feature after the other, by its angle to the residual of the outcome."""

from __future__ import annotations

from dataclasses import dataclass

from perturbfs.arrays import Array, Namespace

from ._open import OpenFeatures
from ._prepare import TIE

# Growth of the penalty with each feature; chosen in docs/method-search.md.
GROWTH = 1 / 2


@dataclass(frozen=True, slots=True)
class RobustPath:
    """Features in the order in which the path takes them.

    Attributes
    ----------
    features : array of int of shape (n_steps,)
        Nested: the first k are the choice of size k. Shorter than asked for if no other feature
        may be taken, see `OpenFeatures`.
    coefficients : array of shape (n_steps, n_targets)
        Of the features taken, after the last step.
    cosines : array of shape (n_steps,)
        Length of the projection of the feature on the residual when it was taken.
    n_apart : int
        Features taken within the limit of the correlation; the others came after all of these.
    """

    features: Array
    coefficients: Array
    cosines: Array
    n_apart: int


def follow_path(
    features: Array,
    targets: Array,
    n_wanted: int,
    *,
    noise: float,
    max_correlation: float = 1.0,
    n_least: int = 0,
    xp: Namespace,
) -> RobustPath:
    """Return the features one after the other, each chosen by its angle to the residual.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
        Rows of unit length or zero, as `prepare_features` makes them.
    targets : array of shape (n_samples, n_targets)
        Centered, of unit length.
    n_wanted : int
        Steps to take.
    noise : float
        Size of the perturbation relative to a feature, see Notes.
    max_correlation : float
    n_least : int
        As in `OpenFeatures`.
    xp : module

    Returns
    -------
    path : RobustPath

    Notes
    -----
    If every entry of the chosen features S is perturbed by independent noise of variance
    ``noise**2 / n_samples``, the expected squared error of coefficients B is
    ``|Y - S B|^2 + noise**2 |B|^2``, which ridge regression minimizes. If all noise has one
    direction, as a batch effect has, its weight grows with the number of features. The penalty
    after k features, ``noise**2 (1 + k / 2)``, is a compromise between the two.

    A step is one product of all features with the residual and the feature just taken,
    O(n_features n_samples n_targets).
    """
    rotated = rotate_targets(targets, xp=xp)
    left = OpenFeatures(features, max_correlation, n_least, xp=xp)
    chosen: list[int] = []
    cosines: list[float] = []
    products = rotated.T @ features.T
    while len(chosen) < n_wanted and left.any():
        lengths = xp.where(left.mask(), xp.linalg.vector_norm(products, axis=0), -1.0)
        best = _pick(features, lengths, xp=xp)
        chosen.append(best)
        cosines.append(float(lengths[best]))
        left.take(best)
        taken = xp.take(features, xp.asarray(chosen), axis=0)
        residual = rotated - taken.T @ refit(taken, rotated, noise=noise, xp=xp)
        products = residual.T @ features.T
    found = xp.asarray(chosen, dtype=xp.int64)
    coefficients = refit(xp.take(features, found, axis=0), targets, noise=noise, xp=xp)
    cosines_found = xp.asarray(cosines, dtype=features.dtype)
    return RobustPath(found, coefficients, cosines_found, left.n_apart)


def refit(taken: Array, targets: Array, *, noise: float, xp: Namespace) -> Array:
    """Return the coefficients that are best on average when the features taken are perturbed.

    Parameters
    ----------
    taken : array of shape (n_taken, n_samples)
    targets : array of shape (n_samples, n_targets)
    noise : float
        As in `follow_path`.
    xp : module

    Returns
    -------
    coefficients : array of shape (n_taken, n_targets)
    """
    n_taken = taken.shape[0]
    penalty = noise**2 * (1 + GROWTH * n_taken)
    gram = taken @ taken.T + penalty * xp.eye(n_taken, dtype=taken.dtype)
    return xp.linalg.solve(gram, taken @ targets)


def rotate_targets(targets: Array, *, xp: Namespace) -> Array:
    """Return the targets rotated into as few columns as possible.

    The rotation preserves lengths and angles. The indicators of two classes, for example, become
    one column.
    """
    left, values, _ = xp.linalg.svd(targets, full_matrices=False)
    n_kept = int(xp.count_nonzero(values > TIE * values[0]))
    return left[:, :n_kept] * values[:n_kept]


def lengths_on_targets(features: Array, targets: Array, *, xp: Namespace) -> Array:
    """Return the length of the projection of each feature on the span of the targets."""
    basis = rotate_targets(targets, xp=xp)
    basis = basis / xp.linalg.vector_norm(basis, axis=0)
    return xp.linalg.vector_norm(features @ basis, axis=1)


def _pick(features: Array, lengths: Array, *, xp: Namespace) -> int:
    """Return the best feature; ties go to the one with the largest values.

    Values are compared sample by sample, so the choice among ties depends on the order of the
    samples and not on that of the features. Of equal features the first is taken.
    """
    best = float(xp.max(lengths))
    [tied] = xp.nonzero(lengths >= best * (1 - TIE))
    if tied.shape[0] == 1:
        return int(tied[0])

    def values(feature: int) -> list[float]:
        row = [round(float(value), 9) for value in features[feature, :]]
        sign = next((value for value in row if value), 1.0)
        return row if sign > 0 else [-value for value in row]

    return max((int(feature) for feature in tied), key=lambda each: (values(each), -each))
