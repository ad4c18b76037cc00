"""The groups of the chosen features: the features that each of them stands for."""

from __future__ import annotations

from perturbfs.arrays import Array, Namespace


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
