"""How much the members of a group resemble the feature that stands for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array, Block, FeatureBlocks, namespace_of, to_host

from ._survey import Scaling


def order_groups(
    blocks: FeatureBlocks, scaling: Scaling, representatives: Array, group: Array
) -> dict[int, Array]:
    """Members of each group, the most similar to its representative first.

    Parameters
    ----------
    blocks : FeatureBlocks
    scaling : Scaling
    representatives : array of int of shape (n_groups,)
        Feature that stands for each group.
    group : array of int of shape (n_features,)
        Group of each feature, -1 for none.

    Returns
    -------
    groups : dict of int to array of int
        From each representative, in order, to the features it stands for: itself first, then
        by falling absolute cosine with it.
    """
    xp, where = blocks.xp, blocks.xp.asarray(representatives)
    columns = scaling.of_columns(blocks.take(where), where)
    cosines = np.zeros(len(group))
    of_group = xp.asarray(np.maximum(group, 0)[:, None])  # those of no group are not looked at
    for span, found in scaling.map(blocks, _Likeness(columns), of_group, scaling.norms):
        cosines[span] = to_host(found)
    groups = {}
    for position in np.argsort(representatives):
        feature = int(representatives[position])
        members = np.flatnonzero(group == position)
        is_other = members != feature
        groups[feature] = members[np.lexsort((members, -cosines[members], is_other))]
    return groups


@dataclass(frozen=True, slots=True)
class _Likeness:
    """Absolute cosine of each feature of a scaled block with the one that stands for it."""

    columns: Array

    def __call__(self, block: Block, group: Array, norms: Array) -> Array:
        xp = namespace_of(norms)
        likeness = xp.take_along_axis(xp.abs(block.project(self.columns)), group, axis=1)
        return likeness[:, 0] / xp.where(norms > 0, norms, 1.0)
