"""Candidates for every number of features, their scores, and the rules to choose by."""

from ._candidates import Candidate, Judge, score_candidates
from ._inner import (
    ESTIMATOR_NAMES,
    mean_recall,
    resolve_estimator,
    resolve_scorer,
    resolve_splitter,
)
from ._nested import (
    Known,
    NestedScores,
    Ranker,
    is_clearly_better,
    score_nested,
    score_together,
)
from ._panel import Panel, Samples
from ._rules import RULES, choose, measure
from ._search import Grouping, Run, propose, search

__all__ = [
    "ESTIMATOR_NAMES",
    "RULES",
    "Candidate",
    "Grouping",
    "Judge",
    "Known",
    "NestedScores",
    "Panel",
    "Ranker",
    "Run",
    "Samples",
    "choose",
    "is_clearly_better",
    "mean_recall",
    "measure",
    "propose",
    "resolve_estimator",
    "resolve_scorer",
    "resolve_splitter",
    "score_candidates",
    "score_nested",
    "score_together",
    "search",
]
