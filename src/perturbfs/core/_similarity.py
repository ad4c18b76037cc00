"""How much the members of a group resemble the feature that stands for them."""

from __future__ import annotations

import numpy as np

from perturbfs.backends import Array, FeatureBlocks

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
    columns = scaling.of_columns(blocks.take(representatives), representatives)
    cosines = np.zeros(len(group))
    for block in blocks:
        likeness = np.abs(scaling.of_block(block).project(columns))
        members = group[block.span]
        picked = likeness[np.arange(len(members)), members]
        cosines[block.span] = picked / np.where(
            scaling.norms[block.span] > 0, scaling.norms[block.span], 1
        )
    groups = {}
    for position in np.argsort(representatives):
        feature = int(representatives[position])
        members = np.flatnonzero(group == position)
        is_other = members != feature
        groups[feature] = members[np.lexsort((members, -cosines[members], is_other))]
    return groups
