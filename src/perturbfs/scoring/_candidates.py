"""Candidates: one subset of features for each k, and how well each predicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from perturbfs._support.compat import check_method_params
from perturbfs.arrays import Array

from ._trial import Trial


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
    """

    k: int
    features: Array
    score: float = math.nan
    deviation: float = math.nan
    standard_error: float = math.nan

    @property
    def n_features(self) -> int:
        """Number of chosen features."""
        return len(self.features)


@dataclass(frozen=True, slots=True)
class Judge:
    """All that is needed to score a subset of features: the same for every candidate of a run."""

    estimator: Any
    scorer: Any
    y: Array
    splits: Sequence[tuple[Array, Array]]
    fit_params: dict[str, Any]
    score_params: dict[str, Any]

    def cut(self, columns: Array) -> list[Part]:
        """What every candidate needs of each split, cut once for all of them."""
        return [
            Part(
                train=columns[train],
                test=columns[test],
                y_train=self.y[train],
                y_test=self.y[test],
                fit_params=check_method_params(columns, self.fit_params, indices=train),
                score_params=check_method_params(columns, self.score_params, indices=test),
            )
            for train, test in self.splits
        ]


@dataclass(frozen=True, slots=True)
class Part:
    """A split of the rows, with the columns of all features that occur."""

    train: Array
    test: Array
    y_train: Array
    y_test: Array
    fit_params: dict[str, Any]
    score_params: dict[str, Any]


def _score(trial: Trial, part: Part, places: Array) -> Any:
    # `take` keeps samples in rows in memory; indexing does not, and neighbors then are slow.
    return trial.score(
        part.train.take(places, axis=1),
        part.y_train,
        part.test.take(places, axis=1),
        part.y_test,
        part.fit_params,
        part.score_params,
    )


def score_candidates(
    candidates: Iterable[Candidate], known: Array, columns: Array, judge: Judge
) -> list[Candidate]:
    """Score candidates by cross-validation.

    Parameters
    ----------
    candidates : iterable of Candidate
    known : array of int of shape (n_columns,)
        The features that occur in the candidates, increasing.
    columns : array of shape (n_samples, n_columns)
        Their values.
    judge : Judge

    Returns
    -------
    candidates : list of Candidate
        With their scores.
    """
    candidates = list(candidates)
    parts, trial = judge.cut(columns), Trial(judge.estimator, judge.scorer)
    scored = []
    for candidate in distinct_candidates(candidates):
        places = np.searchsorted(known, candidate.features)
        scores = np.asarray([_score(trial, part, places) for part in parts], dtype=np.float64)
        scored.append(_with_scores(candidate, scores))
    return spread_scores(candidates, scored)


def distinct_candidates(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The first candidate of each subset; different k can lead to the same one."""
    first: dict[bytes, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.features.tobytes(), candidate)
    return list(first.values())


def spread_scores(candidates: Iterable[Candidate], scored: Iterable[Candidate]) -> list[Candidate]:
    """All candidates, each with the score of its subset."""
    known = {each.features.tobytes(): each for each in scored}
    return [replace(known[each.features.tobytes()], k=each.k) for each in candidates]


def _with_scores(candidate: Candidate, scores: Array) -> Candidate:
    if not np.all(np.isfinite(scores)):
        raise ValueError(
            f"scoring returned {scores.tolist()} for the candidate with k={candidate.k}, but "
            "every score must be a finite number. Choose another scoring or cv."
        )
    deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0
    return replace(
        candidate,
        score=float(np.mean(scores)),
        deviation=deviation,
        standard_error=deviation / math.sqrt(len(scores)),
    )
