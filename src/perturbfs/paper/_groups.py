"""How the paper's method groups features, by what and with which one standing for a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturbfs.arrays import Array, FeatureBlocks
from perturbfs.cluster import Partition, without_rounding_noise

from ._characteristics import Characteristics
from ._relevance import correlate_outcome, perturbation_signatures
from ._screen import screen_features
from ._search import Grouping
from ._similarity import order_groups
from ._target import Target


def group_features(
    settings: Any,
    blocks: FeatureBlocks,
    target: Target,
    characteristics: Sequence[Characteristics],
    seeds: Sequence[int],
) -> list[Grouping]:
    """How each run groups the features.

    Parameters
    ----------
    settings : PerturbationSelector
        For what to screen and cluster by, the clusterer and the representative.
    blocks : FeatureBlocks
    target : Target
    characteristics : sequence of Characteristics
        One a run; on the host but for their scaling.
    seeds : sequence of int
        One a run.

    Returns
    -------
    groupings : list of Grouping
    """
    scaling = characteristics[0].scaling
    kept = np.flatnonzero(screen_features(characteristics[0], settings.screen))
    relevance = None
    if settings.representative == "relevance":
        correlation = correlate_outcome(blocks, scaling, target)[kept]
        relevance = without_rounding_noise(correlation[:, None])[:, 0]
    if settings.cluster_by == "signatures":
        _check_wide(blocks.shape)
        signatures = without_rounding_noise(perturbation_signatures(blocks, scaling)[kept])
        points = [signatures] * len(seeds)
    else:
        points = [without_rounding_noise(each.matrix[kept]) for each in characteristics]
    return [
        Grouping(each, kept, relevance, settings.clusterer, seed)
        for each, seed in zip(points, seeds, strict=True)
    ]


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
    characteristics: Characteristics,
    grouping: Grouping,
    partition: Partition,
) -> dict[int, Array]:
    """What each selected feature stands for."""
    labels = np.unique(partition.labels[partition.labels >= 0])
    group = np.full(blocks.shape[1], -1)
    is_grouped = partition.labels >= 0
    group[grouping.kept[is_grouped]] = np.searchsorted(labels, partition.labels[is_grouped])
    return order_groups(blocks, characteristics.scaling, grouping.represent(partition), group)
