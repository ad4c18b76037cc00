"""Group the features by their characteristics; one feature represents each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.arrays import (
    Array,
    Block,
    FeatureBlocks,
    FeatureSource,
    namespace_of,
    to_host,
)
from perturbfs.cluster import (
    Partition,
    canonical_order,
    has_own_number,
    most_relevant,
    nearest_to_centers,
    partition_by_own_number,
    partition_points,
    split_to_exactly,
    without_rounding_noise,
)

from ._characteristics import Characteristics
from ._prepare import BlockPartial, Scaling, Target
from ._relevance import correlate_outcome, perturbation_signatures


@dataclass(frozen=True, slots=True)
class Grouping:
    """The points of one run that are clustered, and how a group's representative is found."""

    points: Array  # (n_kept, 3): characteristics of the features that are clustered
    kept: Array  # (n_kept,): which features these are
    relevance: Array | None  # (n_kept,): take the most relevant of a group, not the central one
    clusterer: Any
    seed: int

    def partitions(self, sizes: Sequence[int]) -> Iterator[Partition]:
        """Return a partition per number of clusters; none depends on the other numbers.

        A clusterer that finds the number itself gives one partition, whatever `sizes` are.
        """
        if has_own_number(self.clusterer):
            return iter(
                [partition_by_own_number(self.points, self.clusterer, random_state=self.seed)]
            )
        return partition_points(
            self.points, sizes, clusterer=self.clusterer, random_state=self.seed
        )

    def exact_partition(self, k: int) -> Partition:
        """Return a partition into exactly k groups; refuse if fewer features are distinct."""
        partition = next(self.partitions([k]), None)
        if partition is None:
            n_distinct = len(np.unique(self.points, axis=0))
            raise ValueError(
                f"n_features_to_select={k}, but only {n_distinct} features differ in their "
                f"characteristics, so no more than {n_distinct} groups can be formed. "
                f"Ask for at most {n_distinct}."
            )
        return split_to_exactly(self.points, partition, k)

    def represent(self, partition: Partition) -> Array:
        """Return the representative of each group, in the order of the groups."""
        if self.relevance is None:
            return self.kept[nearest_to_centers(self.points, partition)]
        return self.kept[most_relevant(self.relevance, self.points, partition)]


def group_features(
    blocks: FeatureBlocks,
    target: Target,
    characteristics: Sequence[Characteristics],
    kept: Array,
    seeds: Sequence[int],
    *,
    cluster_by: str,
    clusterer: Any,
    representative: str,
) -> list[Grouping]:
    """Return how each run groups the features.

    Parameters
    ----------
    blocks : FeatureBlocks
    target : Target
    characteristics : sequence of Characteristics
        One per run; NumPy arrays, except their scaling.
    kept : array of int
        Features that are clustered.
    seeds : sequence of int
        One per run.
    cluster_by : {"characteristics", "signatures"}
    clusterer : {"kmeans", "fuzzy", "warm", "ward"} or clusterer
        Any scikit-learn clusterer.
    representative : {"centroid", "relevance"}

    Returns
    -------
    groupings : list of Grouping
    """
    scaling, relevance = characteristics[0].scaling, None
    if representative == "relevance":
        correlation = correlate_outcome(blocks, scaling, target)[kept]
        relevance = without_rounding_noise(correlation[:, None])[:, 0]
    if cluster_by == "signatures":
        _check_wide(blocks.shape)
        signatures = perturbation_signatures(blocks, scaling)[kept]
        ordered = [_in_canonical_order(signatures)] * len(seeds)
    else:
        ordered = [_in_canonical_order(each.matrix[kept]) for each in characteristics]
    return [
        Grouping(
            points,
            kept[order],
            relevance if relevance is None else relevance[order],
            clusterer,
            seed,
        )
        for (points, order), seed in zip(ordered, seeds, strict=True)
    ]


def _in_canonical_order(points: Array) -> tuple[Array, Array]:
    """Return the points in the order in which they are clustered, and this order.

    So only one copy of them is held while they are clustered.
    """
    points = without_rounding_noise(points)
    order = canonical_order(points)
    return points[order], order


def _check_wide(shape: tuple[int, int]) -> None:
    n_samples, n_features = shape
    if n_features < n_samples:
        raise ValueError(
            f"cluster_by='signatures' needs at least as many features as samples, but X has "
            f"{n_samples} samples and {n_features} features: every feature is in a "
            "direction of its own. Use cluster_by='characteristics'."
        )


def members_of_groups(
    blocks: FeatureBlocks,
    scaling: Scaling,
    grouping: Grouping,
    partition: Partition,
    selected: FeatureSource,
) -> dict[int, Array]:
    """Return the features that each selected feature represents, as `order_groups` does."""
    group = np.full(blocks.shape[1], -1)
    is_grouped = partition.labels >= 0
    _, positions = np.unique(partition.labels[is_grouped], return_inverse=True)
    group[grouping.kept[is_grouped]] = positions
    return order_groups(blocks, scaling, grouping.represent(partition), group, selected)


def order_groups(
    blocks: FeatureBlocks,
    scaling: Scaling,
    representatives: Array,
    group: Array,
    source: FeatureSource | None = None,
) -> dict[int, Array]:
    """Return the members of each group, the most similar to its representative first.

    Parameters
    ----------
    blocks : FeatureBlocks
    scaling : Scaling
    representatives : array of int of shape (n_groups,)
        The feature that represents each group.
    group : array of int of shape (n_features,)
        Group of each feature, -1 for none.
    source : FeatureSource or None
        From where the representatives are taken if they were read before; None reads them.

    Returns
    -------
    groups : dict of int to array of int
        From each representative, in increasing order, to the features it represents: itself
        first, then by decreasing absolute cosine with it.
    """
    xp, where = blocks.xp, blocks.xp.asarray(representatives)
    columns = scaling.of_columns((source or blocks).take(representatives), where)
    cosines = np.zeros(len(group))
    group_or_any = xp.asarray(np.maximum(group, 0)[:, None])  # -1 is no index; not used below
    look = BlockPartial(_cosines_in_block, columns=columns)
    for span, found in scaling.map(blocks, look, group_or_any, scaling.norms):
        cosines[span] = to_host(found)
    groups = {}
    for position in np.argsort(representatives):
        feature = int(representatives[position])
        members = np.flatnonzero(group == position)
        is_other = members != feature
        groups[feature] = members[np.lexsort((members, -cosines[members], is_other))]
    return groups


def _cosines_in_block(block: Block, group: Array, norms: Array, *, columns: Array) -> Array:
    """Return the absolute cosine of each feature with the representative of its group."""
    xp = namespace_of(norms)
    products = xp.take_along_axis(xp.abs(block.project(columns)), group, axis=1)
    return products[:, 0] / xp.where(norms > 0, norms, 1.0)
