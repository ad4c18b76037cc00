"""Checks of the input of `fit` and `transform`, and the outcome as columns."""

from sklearn.utils import check_random_state

from ._contradictions import warn_of_contradictions
from ._describe import absolute_correlations, describe_directions, find_near_copies
from ._input import check_arrays, check_fit_input, check_option, check_weights, samples_for_splits
from ._mistakes import refuse_mistakes
from ._notebook import NotebookMixin, choice_order, choice_scores
from ._number import NUMBER, resolve_number
from ._outcome import (
    MANY_CLASSES,
    SURVIVAL_TASKS,
    TASKS,
    SurvivalTaskOption,
    TaskOption,
    check_coding,
    infer_task,
    outcome_columns,
    outcome_to_split,
    shown_columns,
    strata,
    warn_of_many_classes,
)
from ._selected import SelectedFeaturesMixin
from ._shared import shared_samples
from ._survival import as_quantity, as_survival, martingale_residuals
from ._transform import BlockSelectorMixin
from ._twins import describe_twins, standardize_within, twin_sets, twins_once, warn_of_twins

__all__ = [
    "MANY_CLASSES",
    "NUMBER",
    "SURVIVAL_TASKS",
    "TASKS",
    "BlockSelectorMixin",
    "NotebookMixin",
    "SelectedFeaturesMixin",
    "SurvivalTaskOption",
    "TaskOption",
    "absolute_correlations",
    "as_quantity",
    "as_survival",
    "check_arrays",
    "check_coding",
    "check_fit_input",
    "check_option",
    "check_random_state",
    "check_weights",
    "choice_order",
    "choice_scores",
    "describe_directions",
    "describe_twins",
    "find_near_copies",
    "infer_task",
    "martingale_residuals",
    "outcome_columns",
    "outcome_to_split",
    "refuse_mistakes",
    "resolve_number",
    "samples_for_splits",
    "shared_samples",
    "shown_columns",
    "standardize_within",
    "strata",
    "twin_sets",
    "twins_once",
    "warn_of_contradictions",
    "warn_of_many_classes",
    "warn_of_twins",
]
