"""Splits, predictors, scorers, and the one way to fit on some rows and score on others."""

from perturbfs._support.names import ESTIMATOR_NAMES

from ._batch_alone import batch_predictor
from ._batches import BatchCenterer, check_batch, check_centerable, outcome_within, why_useless
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
from ._concordance import concordance
from ._cox import RidgeCox, fit_cox
from ._fit import fit_selector
from ._fixed import (
    auc_interval,
    balanced_accuracy_interval,
    correlation_interval,
    exact_share,
    permutation_p_value,
    r2_interval,
)
from ._groups import Split, Splits, check_groups
from ._importance import N_TREES, GrowingForest, table_for_trees, take_for_trees
from ._panel import Panel, Samples, SplitPanel, fit_predictor, make_panel
from ._predictors import (
    LINEAR,
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
    "LINEAR",
    "N_TREES",
    "RULES",
    "BatchCenterer",
    "Candidate",
    "Estimate",
    "GrowingForest",
    "Judge",
    "Panel",
    "RidgeCox",
    "Samples",
    "Split",
    "SplitPanel",
    "Splits",
    "TrainTest",
    "Trial",
    "auc_interval",
    "balanced_accuracy_interval",
    "batch_predictor",
    "by_products",
    "check_batch",
    "check_centerable",
    "check_enough",
    "check_groups",
    "check_scorable",
    "choose",
    "concordance",
    "corrected_error",
    "corrected_interval",
    "correlation_interval",
    "cv_results",
    "default_predictors",
    "distinct_candidates",
    "dummy_predictor",
    "exact_share",
    "fit_cox",
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
    "outcome_within",
    "permutation_p_value",
    "r2",
    "r2_interval",
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
    "why_useless",
]
