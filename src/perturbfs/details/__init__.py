"""What a page shows of a selection beyond the selection itself, in plain values."""

from ._chosen import describe_chosen
from ._curve import describe_curve
from ._describe import describe_details
from ._groups import describe_groups
from ._map import describe_map
from ._noise_study import describe_noise, is_quick
from ._samples import describe_samples

__all__ = [
    "describe_chosen",
    "describe_curve",
    "describe_details",
    "describe_groups",
    "describe_map",
    "describe_noise",
    "describe_samples",
    "is_quick",
]
