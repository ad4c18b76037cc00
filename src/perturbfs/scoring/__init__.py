"""Splits, predictors, scorers, and the one way to fit on some rows and score on others."""

from perturbfs._support.names import ESTIMATOR_NAMES

from ._candidates import (
    RULES,
    Candidate,
    Judge,
    choose,
    cv_results,
    distinct_candidates,
    measure,
    score_candidates,
    spread_scores,
)
from ._fit import fit_selector
from ._groups import Split, Splits, check_groups
from ._importance import N_TREES, GrowingForest, table_for_trees, take_for_trees
from ._panel import Panel, Samples, SplitPanel, fit_predictor, make_panel
from ._predictors import (
    default_predictors,
    dummy_predictor,
    named_predictors,
    resolve_estimator,
)
from ._products import by_products
from ._scorers import check_scorable, mean_recall, metric_name, r2, resolve_scorer
from ._splits import (
    check_enough,
    inner_splits,
    make_splits,
    resolve_splitter,
    resolve_splitters,
    samples_to_keep,
    split_all,
)
from ._stability import stability, stability_interval
from ._trial import TrainTest, Trial
from ._uncertainty import Estimate, corrected_error, corrected_interval, is_clearly_better

__all__ = [
    "ESTIMATOR_NAMES",
    "N_TREES",
    "RULES",
    "Candidate",
    "Estimate",
    "GrowingForest",
    "Judge",
    "Panel",
    "Samples",
    "Split",
    "SplitPanel",
    "Splits",
    "TrainTest",
    "Trial",
    "by_products",
    "check_enough",
    "check_groups",
    "check_scorable",
    "choose",
    "corrected_error",
    "corrected_interval",
    "cv_results",
    "default_predictors",
    "distinct_candidates",
    "dummy_predictor",
    "fit_predictor",
    "fit_selector",
    "inner_splits",
    "is_clearly_better",
    "make_panel",
    "make_splits",
    "mean_recall",
    "measure",
    "metric_name",
    "named_predictors",
    "r2",
    "resolve_estimator",
    "resolve_scorer",
    "resolve_splitter",
    "resolve_splitters",
    "samples_to_keep",
    "score_candidates",
    "split_all",
    "spread_scores",
    "stability",
    "stability_interval",
    "table_for_trees",
    "take_for_trees",
]
