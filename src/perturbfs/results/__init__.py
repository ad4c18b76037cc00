"""Results: selections, the details and the summary of a selection, and their files."""

from ._batch import describe_batch_alone
from ._chosen import describe_chosen, describe_groups, describe_samples
from ._cohort import Cohort, first_cohort
from ._copies import find_copies
from ._data import (
    chosen_columns,
    describe_batches,
    describe_data,
    describe_group_sizes,
    fingerprint,
    keep_batch,
    make_imputer,
    outcome_of,
    take_features,
    understand_data,
    versions,
)
from ._describe_validation import describe_validation
from ._details import describe_curve, describe_details, describe_noise, is_quick
from ._documents import (
    EVALUATION_VERSION,
    SummaryError,
    load_evaluation,
    load_summary,
    load_validation,
    save_summary,
)
from ._holds import verdict_on_cohort
from ._map import describe_map
from ._match import Matches, match_features
from ._predictions import describe_predictions
from ._schema import DocumentError
from ._select import SelectionResult, default_splits, select_features
from ._selection import (
    SelectedFeature,
    Selection,
    SelectionError,
    describe_features,
    load_selection,
)
from ._shift import Shift, Strata, comparable_samples, compare_features
from ._summary import feature_row, summarize
from ._survival import describe_survival, kaplan_meier
from ._taken import Taken, take_selected
from ._validate import validate_selection
from ._validation import CohortScores, SecondCohort, Validation
from ._verdict import REFERENCES, describe_planned, is_better, is_significant, verdict_sentence
from ._volcano import describe_volcano
from ._wording import (
    clip_interval,
    count_of,
    data_lines,
    feature_labels,
    is_share,
    label_of,
    metric_label,
    two_digits,
    with_sign,
)

__all__ = [
    "EVALUATION_VERSION",
    "REFERENCES",
    "Cohort",
    "CohortScores",
    "DocumentError",
    "Matches",
    "SecondCohort",
    "SelectedFeature",
    "Selection",
    "SelectionError",
    "SelectionResult",
    "Shift",
    "Strata",
    "SummaryError",
    "Taken",
    "Validation",
    "chosen_columns",
    "clip_interval",
    "comparable_samples",
    "compare_features",
    "count_of",
    "data_lines",
    "default_splits",
    "describe_batch_alone",
    "describe_batches",
    "describe_chosen",
    "describe_curve",
    "describe_data",
    "describe_details",
    "describe_features",
    "describe_group_sizes",
    "describe_groups",
    "describe_map",
    "describe_noise",
    "describe_planned",
    "describe_predictions",
    "describe_samples",
    "describe_survival",
    "describe_validation",
    "describe_volcano",
    "feature_labels",
    "feature_row",
    "find_copies",
    "fingerprint",
    "first_cohort",
    "is_better",
    "is_quick",
    "is_share",
    "is_significant",
    "kaplan_meier",
    "keep_batch",
    "label_of",
    "load_evaluation",
    "load_selection",
    "load_summary",
    "load_validation",
    "make_imputer",
    "match_features",
    "metric_label",
    "outcome_of",
    "save_summary",
    "select_features",
    "summarize",
    "take_features",
    "take_selected",
    "two_digits",
    "understand_data",
    "validate_selection",
    "verdict_on_cohort",
    "verdict_sentence",
    "versions",
    "with_sign",
]
