"""What is kept of a selection: the features, the details behind them, and their files."""

from ._selection import (
    SelectedFeature,
    Selection,
    SelectionError,
    describe_features,
    label_of,
    load_selection,
)
from ._workflow import (
    Outcome,
    chosen_columns,
    describe_data,
    explain_outcome,
    fingerprint,
    make_imputer,
    outcome_of,
    select_features,
    versions,
)
from .details._chosen import describe_chosen
from .details._curve import describe_curve
from .details._describe import describe_details
from .details._groups import describe_groups
from .details._map import describe_map
from .details._noise_study import describe_noise, is_quick
from .details._samples import describe_samples

__all__ = [
    "Outcome",
    "SelectedFeature",
    "Selection",
    "SelectionError",
    "chosen_columns",
    "describe_chosen",
    "describe_curve",
    "describe_data",
    "describe_details",
    "describe_features",
    "describe_groups",
    "describe_map",
    "describe_noise",
    "describe_samples",
    "explain_outcome",
    "fingerprint",
    "is_quick",
    "label_of",
    "load_selection",
    "make_imputer",
    "outcome_of",
    "select_features",
    "versions",
]
