"""The robust path: one feature after the other, by its angle to the residual of the outcome."""

from __future__ import annotations

from dataclasses import dataclass

from perturbfs.arrays import Array, Namespace

from ._prepare import TIE

# Growth of the penalty with each feature; chosen in docs/method-search.md.
GROWTH = 1 / 2


@dataclass(frozen=True, slots=True)
class RobustPath:
    """Features in the order in which the path takes them.

    Attributes
    ----------
    features : array of int of shape (n_steps,)
        Nested: the first k are the choice of size k. Shorter than asked for if all other
        features are constant or multiples of those taken.
    coefficients : array of shape (n_steps, n_targets)
        Of the features taken, after the last step.
    cosines : array of shape (n_steps,)
        Length of the projection of the feature on the residual when it was taken.
    """

    features: Array
    coefficients: Array
    cosines: Array


def follow_path(
    features: Array, targets: Array, n_wanted: int, *, noise: float, xp: Namespace
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
    is_open = xp.any(features != 0, axis=1)
    chosen: list[int] = []
    cosines: list[float] = []
    products = rotated.T @ features.T
    while len(chosen) < n_wanted and bool(xp.any(is_open)):
        lengths = xp.where(is_open, xp.linalg.vector_norm(products, axis=0), -1.0)
        best = _pick(features, lengths, xp=xp)
        chosen.append(best)
        cosines.append(float(lengths[best]))
        # After a ridge fit, multiples of a chosen feature still correlate with the residual.
        is_open = is_open & (xp.abs(features @ features[best, :]) < 1 - TIE)
        taken = xp.take(features, xp.asarray(chosen), axis=0)
        residual = rotated - taken.T @ refit(taken, rotated, noise=noise, xp=xp)
        products = residual.T @ features.T
    found = xp.asarray(chosen, dtype=xp.int64)
    coefficients = refit(xp.take(features, found, axis=0), targets, noise=noise, xp=xp)
    return RobustPath(found, coefficients, xp.asarray(cosines, dtype=features.dtype))


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


def explain_features(
    features: Array, chosen: Array, *, least_cosine: float, xp: Namespace
) -> dict[int, list[int]]:
    """Return the group of each chosen feature: features near to it and to each other.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
        Rows of unit length or zero.
    chosen : array of int of shape (n_chosen,)
    least_cosine : float
        Smallest absolute cosine of two members of a group.
    xp : module

    Returns
    -------
    groups : dict of int to list of int
        The group of each chosen feature: itself first, then the others by decreasing absolute
        cosine with it. A feature is in the group of the nearest chosen feature, or in none.
    """
    likeness = xp.abs(features @ xp.take(features, chosen, axis=0).T)
    strength = xp.max(likeness, axis=1)
    [near] = xp.nonzero(strength >= least_cosine)
    near = xp.take(near, xp.argsort(-xp.take(strength, near), stable=True))
    nearest = xp.argmax(xp.take(likeness, near, axis=0), axis=1)
    groups = {int(feature): [int(feature)] for feature in chosen}
    representatives = list(groups)
    for position in range(near.shape[0]):
        feature = int(near[position])
        if feature not in groups:
            groups[representatives[int(nearest[position])]].append(feature)
    return {
        feature: _mutual(features, members, least_cosine, xp=xp)
        for feature, members in groups.items()
    }


def _mutual(features: Array, members: list[int], least: float, *, xp: Namespace) -> list[int]:
    """Return the members that are near to all members before them."""
    rows = xp.take(features, xp.asarray(members), axis=0)
    is_near = xp.ones(len(members), dtype=xp.bool)
    kept = []
    for position, member in enumerate(members):
        if bool(is_near[position]):
            kept.append(member)
            is_near = is_near & (xp.abs(rows @ rows[position, :]) >= least)
    return kept
