"""Candidates: one subset of features per k, their scores, and the rules to choose one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from perturbfs._support.compat import check_method_params
from perturbfs.arrays import Array

from ._trial import TrainTest, Trial

RULES = ("accuracy", "measure", "one_se")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A subset of features and its score.

    Attributes
    ----------
    k : int
        Number of clusters asked for; empty clusters make the subset smaller.
    features : array of int
        Chosen features, increasing.
    score : float
        Mean over the splits; NaN where nothing was scored.
    deviation : float
        Standard deviation over the splits.
    standard_error : float
        Of the score: deviation over the root of the number of splits.
    scores : tuple of float
        One per split; empty where nothing was scored.
    """

    k: int
    features: Array
    score: float = math.nan
    deviation: float = math.nan
    standard_error: float = math.nan
    scores: tuple[float, ...] = ()

    @property
    def n_features(self) -> int:
        """Number of chosen features."""
        return len(self.features)

    def scored(self, scores: Array) -> Candidate:
        """Return the candidate with its scores on the splits summarized."""
        deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0
        return replace(
            self,
            score=float(np.mean(scores)),
            deviation=deviation,
            standard_error=deviation / math.sqrt(len(scores)),
            scores=tuple(np.asarray(scores, dtype=float).tolist()),
        )


@dataclass(frozen=True, slots=True)
class Judge:
    """The estimator, scorer and splits that score every candidate of a run."""

    estimator: Any
    scorer: Any
    y: Array
    splits: Sequence[tuple[Array, Array]]
    fit_params: dict[str, Any]
    score_params: dict[str, Any]

    def cut(self, columns: Array) -> list[TrainTest]:
        """Return both sides of each split, cut once for all candidates."""
        return [
            TrainTest(
                columns[train],
                self.y[train],
                columns[test],
                self.y[test],
                check_method_params(columns, self.fit_params, indices=train),
                check_method_params(columns, self.score_params, indices=test),
            )
            for train, test in self.splits
        ]


def score_candidates(
    candidates: Iterable[Candidate], known: Array, columns: Array, judge: Judge
) -> list[Candidate]:
    """Score candidates by cross-validation.

    Parameters
    ----------
    candidates : iterable of Candidate
    known : array of int of shape (n_columns,)
        The features that occur in the candidates, in increasing order.
    columns : array of shape (n_samples, n_columns)
        Their values.
    judge : Judge

    Returns
    -------
    candidates : list of Candidate
        With their scores.
    """
    candidates = list(candidates)
    splits, trial = judge.cut(columns), Trial(judge.estimator, judge.scorer)
    scored = []
    for candidate in distinct_candidates(candidates):
        places = np.searchsorted(known, candidate.features)
        scores = [trial.score(split.take(places)) for split in splits]
        scored.append(candidate.scored(np.asarray(scores)))
    return spread_scores(candidates, scored)


def cv_results(candidates: Sequence[Candidate]) -> dict[str, Array]:
    """Return the scores of candidates as `cv_results_` of scikit-learn's RFECV has them.

    Parameters
    ----------
    candidates : sequence of Candidate
        Scored on the same splits, or not at all.

    Returns
    -------
    results : dict of str to array of shape (n_candidates,)
        ``n_features``, ``mean_test_score``, ``std_test_score`` and ``split<number>_test_score``;
        empty if nothing was scored.
    """
    scored = [each for each in candidates if each.scores]
    if not scored:
        return {}
    scores = np.array([each.scores for each in scored])
    return {
        "n_features": np.array([each.n_features for each in scored]),
        "mean_test_score": scores.mean(axis=1),
        "std_test_score": scores.std(axis=1),
        **{f"split{place}_test_score": column for place, column in enumerate(scores.T)},
    }


def distinct_candidates(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the first candidate of each subset; different k can give the same subset."""
    first: dict[bytes, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.features.tobytes(), candidate)
    return list(first.values())


def spread_scores(candidates: Iterable[Candidate], scored: Iterable[Candidate]) -> list[Candidate]:
    """Return all candidates, each with the score of its subset."""
    known = {each.features.tobytes(): each for each in scored}
    return [replace(known[each.features.tobytes()], k=each.k) for each in candidates]


def measure(score: float, n_features: int) -> float:
    """Return the score in percent per feature, equation `measure` of the paper.

    A negative score, such as a negated error, is multiplied by the number of features instead, so
    that fewer features are still better.

    Examples
    --------
    >>> from perturbfs.scoring import measure
    >>> measure(0.9, 10)
    9.0
    """
    return 100 * score / n_features if score > 0 else 100 * score * n_features


def choose(candidates: Sequence[Candidate], *, rule: str) -> Candidate:
    """Return the best of several candidates by a rule.

    Parameters
    ----------
    candidates : sequence of Candidate
        Scored, at least one.
    rule : {"accuracy", "measure", "one_se"}
        The best score, and of equal ones the smallest subset; the best `measure`; or the
        smallest subset whose score is within one standard error of the best.

    Returns
    -------
    candidate : Candidate
    """
    best = max(candidates, key=lambda each: (each.score, -each.n_features))
    if rule == "accuracy":
        return best
    if rule == "measure":
        return max(
            candidates,
            key=lambda each: (measure(each.score, each.n_features), each.score, -each.n_features),
        )
    within = [each for each in candidates if each.score >= best.score - best.standard_error]
    return min(within, key=lambda each: (each.n_features, -each.score))
