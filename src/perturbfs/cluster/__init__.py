"""Clusterers: k-means without random numbers, fuzzy c-means, Ward; and points for clusters."""

from perturbfs._support.names import CLUSTERERS

from ._fuzzy import FuzzyCMeans
from ._own_number import has_own_number, partition_by_own_number
from ._partition import Partition, partition_points
from ._points import canonical_order, without_rounding_noise
from ._representatives import most_relevant, nearest_to_centers, split_to_exactly
from ._seeds import choose_seeds
from ._ward import cut_tree_at, ward_tree
from ._warm import WarmStartKMeans, warm_sweep

__all__ = [
    "CLUSTERERS",
    "FuzzyCMeans",
    "Partition",
    "WarmStartKMeans",
    "canonical_order",
    "choose_seeds",
    "cut_tree_at",
    "has_own_number",
    "most_relevant",
    "nearest_to_centers",
    "partition_by_own_number",
    "partition_points",
    "split_to_exactly",
    "ward_tree",
    "warm_sweep",
    "without_rounding_noise",
]
