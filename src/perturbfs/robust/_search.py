"""What the robust selector learns from splits of the samples it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer
from sklearn.multioutput import MultiOutputClassifier

from perturbfs.arrays import Array
from perturbfs.checks import samples_for_splits, strata
from perturbfs.scoring import (
    Panel,
    Samples,
    default_predictors,
    mean_recall,
    resolve_estimator,
    resolve_scorer,
    resolve_splitter,
)

from ._nested import Known, NestedScores, is_clearly_better, score_together
from ._path import rotate_targets
from ._path_plan import PathProblem
from ._prepare import Preparation
from ._rankers import ForestRanker, LinearRanker

FEWEST_FOR_FOREST = 100
OTHER_NOISES = (0.5, 2.0)  # times the usual
DECIDING_SIZE = 10  # one size suffices to tell whether trees see more
FEW_SPLITS = 3
FEW_SIZES = (5, 10, 20)  # enough to tell noises apart


@dataclass(slots=True)
class Search:
    """Compares noises, numbers of features, and the path with the forest, by inner splits."""

    settings: Any  # the selector
    linear: LinearRanker
    samples: Samples
    is_weighted: bool
    groups: Array | None
    n_seen: int | None = None  # features that the trees see; None for all
    _splits: list[tuple[Array, Array]] = field(default_factory=list)
    _known: list[Known] = field(default_factory=list)

    def over_sizes(self) -> tuple[Any, NestedScores]:
        """The ranker to use, and its scores at every number of features worth trying."""
        sizes = sizes_to_try(self.linear.n_wanted, self.settings.min_features or 1)
        noise = self._noise() if self.settings.noise == "auto" else self.linear.noise
        ranker = replace(self.linear, noise=noise)
        return self._against_forest(ranker, sizes, at=_nearest(sizes, DECIDING_SIZE))

    def at_size(self) -> Any:
        """The ranker to use where the number of features is given."""
        if self.settings.nonlinear == "auto" and self._are_many():
            size = min(DECIDING_SIZE, self.linear.n_wanted)
            del self.splits()[FEW_SPLITS:]
            return self._against_forest(self.linear, [size], at=size)[0]
        return self._forest(self.linear) if self.settings.nonlinear is True else self.linear

    def among(self, columns: Array, *, n_seen: int) -> Search:
        """The same search among some features, of which trees see no more than so many."""
        samples = replace(self.samples, X=columns)
        return replace(self, samples=samples, n_seen=n_seen)

    def problems(self) -> list[PathProblem]:
        """The paths that the search will follow, that of all samples first."""
        settings, is_auto = self.settings, self.settings.n_features_to_select == "auto"
        noises, n_wanted = [self.linear.noise], self.linear.n_wanted
        if is_auto and settings.noise == "auto":
            noises += [factor * self.linear.noise for factor in OTHER_NOISES]
        parts, n_inner = [], n_wanted
        if is_auto:
            parts = self.splits()
        elif settings.nonlinear == "auto" and self._are_many():
            parts, n_inner = self.splits()[:FEW_SPLITS], min(DECIDING_SIZE, n_wanted)
        everything = np.arange(len(self.samples.y))
        whole = replace(self._problem(everything, noises, n_wanted), is_explained=True)
        return [whole, *(self._problem(train, noises, n_inner) for train, _ in parts)]

    def _problem(self, rows: Array, noises: Sequence[float], n_wanted: int) -> PathProblem:
        rows = np.asarray(rows)
        rows = rows[self.samples.weights[rows] > 0]
        weights = self.samples.weights[rows] / self.samples.weights[rows].sum()
        return PathProblem(
            Preparation(weights, self.linear.width, rows),
            rotate_targets(self.linear.targets(self.samples.y[rows], weights), xp=np),
            tuple(noises),
            n_wanted,
        )

    def _forest(self, linear: LinearRanker) -> ForestRanker:
        return ForestRanker(linear, self.n_seen)

    def _against_forest(
        self, linear: LinearRanker, sizes: Sequence[int], *, at: int
    ) -> tuple[Any, NestedScores]:
        forest, nonlinear = self._forest(linear), self.settings.nonlinear
        ranker: Any = forest if nonlinear is True else linear
        if nonlinear == "auto" and self._are_many():
            # At the one size that decides; the winner's other sizes follow.
            ours, rival = (each.by_split(at) for each in self._scores([linear, forest], [at]))
            if is_clearly_better(rival, ours, test_share=self._test_share()):
                ranker = forest
        [scores] = self._scores([ranker], sizes)
        return ranker, scores

    def _noise(self) -> float:
        """The usual noise, unless half or twice as much is clearly better."""
        sizes = sorted({min(size, self.linear.n_wanted) for size in FEW_SIZES})
        others = [replace(self.linear, noise=each * self.linear.noise) for each in OTHER_NOISES]
        usual, *found = (
            each.scores.mean(axis=(1, 2)) for each in self._scores([self.linear, *others], sizes)
        )
        best, best_score = self.linear.noise, float(usual.mean())
        for ranker, scores in zip(others, found, strict=True):
            is_better = is_clearly_better(scores, usual, test_share=self._test_share())
            if is_better and scores.mean() > best_score:
                best, best_score = ranker.noise, float(scores.mean())
        return best

    def _scores(self, rankers: Sequence[Any], sizes: Sequence[int]) -> list[NestedScores]:
        splits = self.splits()
        self._known = self._known or [Known() for _ in splits]
        return score_together(
            rankers,
            self.samples,
            sizes=sizes,
            splits=splits,
            panel=self._panel(),
            known=self._known,
            prepare=self.linear.prepare,
            n_jobs=self.settings.n_jobs,
        )

    def splits(self) -> list[tuple[Array, Array]]:
        """The inner splits, made once."""
        if not self._splits:
            task = self.linear.task
            by = strata(self.samples.y, task=task)
            kind = "regression" if by is None else "classification"
            outcome = self.samples.y if by is None else by
            samples = samples_for_splits(self.samples.X)
            splitter = resolve_splitter(self.settings.cv, outcome, task=kind, seed=0)
            self._splits.extend(splitter.split(samples, outcome, self.groups))
        return self._splits

    def _are_many(self) -> bool:
        return int(np.sum(self.samples.weights > 0)) >= FEWEST_FOR_FOREST

    def _test_share(self) -> float:
        train, test = self.splits()[0]
        weights = self.samples.weights
        return float(weights[test].sum() / weights[train].sum())

    def _panel(self) -> Panel:
        task, estimator = self.linear.task, self.settings.estimator
        if estimator is None:
            predictors = self._default_panel()
        else:
            predictors = {"estimator": resolve_estimator(estimator, task=task, seed=0)}
        scoring = self.settings.scoring
        is_weighted = self.is_weighted and scoring is None and estimator is None
        # A scorer of the user's own may look at the features.
        is_usual = estimator is None and not callable(scoring)
        if scoring is None and task == "classification" and self.samples.y.ndim == 2:
            scoring = make_scorer(_mean_recall_of_outputs)
        return Panel(
            predictors,
            {
                name: resolve_scorer(scoring, predictor, task=task)
                for name, predictor in predictors.items()
            },
            is_weighted,
            is_usual,
        )

    def _default_panel(self) -> dict[str, Any]:
        predictors = default_predictors(self.linear.task)
        if self.is_weighted:
            # Neighbors take no weights, and trees count samples where they stop to split.
            linear = "ridge" if self.linear.task == "regression" else "svm"
            predictors = {linear: predictors[linear]}
        else:
            fewest = min(len(train) for train, _ in self.splits())
            predictors["3nn"][-1].set_params(n_neighbors=min(3, fewest))
        if self.linear.task == "classification" and self.samples.y.ndim == 2:
            # The SVM takes one output only, unless one is fitted to each.
            predictors["svm"] = MultiOutputClassifier(predictors["svm"])
        return predictors


def sizes_to_try(most: int, fewest: int = 1) -> list[int]:
    """Every number up to 10, then in steps of about a fifth."""
    sizes = [fewest]
    while sizes[-1] < most:
        step = 1 if sizes[-1] < 10 else max(2, sizes[-1] // 5)
        sizes.append(min(most, sizes[-1] + step))
    return sizes


def _nearest(sizes: Sequence[int], wanted: int) -> int:
    return min(sizes, key=lambda size: abs(size - wanted))


def _mean_recall_of_outputs(
    y_true: Array, y_pred: Array, sample_weight: Array | None = None
) -> float:
    outputs = zip(np.asarray(y_true).T, np.asarray(y_pred).T, strict=True)
    return float(np.mean([mean_recall(*output, sample_weight) for output in outputs]))
