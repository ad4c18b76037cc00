"""Splits, predictors, scorers, and the one way to fit on some rows and score on others."""

from ._candidates import Candidate, Judge, distinct_candidates, score_candidates, spread_scores
from ._inner import (
    ESTIMATOR_NAMES,
    mean_recall,
    resolve_estimator,
    resolve_scorer,
    resolve_splitter,
)
from ._panel import Panel, Samples
from ._predictors import default_predictors, dummy_predictor, named_predictors
from ._rules import RULES, choose, measure
from ._scorers import check_scorable, resolve_scoring
from ._splits import Splits, leave_out_small, make_splits
from ._stability import stability, stability_interval
from ._uncertainty import Estimate, corrected_interval

__all__ = [
    "ESTIMATOR_NAMES",
    "RULES",
    "Candidate",
    "Estimate",
    "Judge",
    "Panel",
    "Samples",
    "Splits",
    "check_scorable",
    "choose",
    "corrected_interval",
    "default_predictors",
    "distinct_candidates",
    "dummy_predictor",
    "leave_out_small",
    "make_splits",
    "mean_recall",
    "measure",
    "named_predictors",
    "resolve_estimator",
    "resolve_scorer",
    "resolve_scoring",
    "resolve_splitter",
    "score_candidates",
    "spread_scores",
    "stability",
    "stability_interval",
]
