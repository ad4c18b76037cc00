"""RobustSelector: least squares under perturbation that survives an honest test."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags

from perturbfs._support.compat import HasMethods, Interval, StrOptions, fit_context
from perturbfs.arrays import Array
from perturbfs.checks import (
    BlockSelectorMixin,
    NotebookMixin,
    check_fit_input,
    check_weights,
    infer_task,
    samples_for_splits,
)
from perturbfs.scoring import (
    ESTIMATOR_NAMES,
    RULES,
    Candidate,
    Samples,
    Splits,
    choose,
    inner_splits,
    make_panel,
    stability,
)

from ._nested import NestedScorer, NestedScores
from ._path import explain_features, lengths_on_targets, refit
from ._prepare import WIDTH
from ._rankers import ForestRanker, PathRanker
from ._search import SearchPlan, noises_to_compare, search, sizes_to_try
from ._table import SearchTable, in_memory_if_small, make_table

NOISE = 1.0
MOST_FEATURES = 40
USUAL_FEWEST = 8  # by docs/method-search.md
LEAST_COSINE = 0.8  # an angle of 37 degrees
FEWEST_FOR_FOREST = 100  # samples; fewer cannot tell path and forest apart


class RobustSelector(NotebookMixin, BlockSelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select features one by one, each by its angle to what the chosen ones leave unexplained.

    The chosen features are refitted to the outcome with the coefficients that are best on
    average when every entry of the data is perturbed (ridge regression), and the feature with the
    smallest angle to the residual comes next. The path is nested, so one pass serves every k.
    There are no random numbers in it, and it depends neither on the order of the features nor
    on the numbering of the classes.

    Parameters
    ----------
    n_features_to_select : int or "auto", default="auto"
        An integer selects exactly that many. With ``"auto"`` the number is chosen by inner
        splits, inside each of which the path is found anew.
    noise : "auto" or float, default="auto"
        Size of the perturbation that the choice is to withstand, relative to the features: with
        1 every scaled feature is as much noise as signal. ``"auto"`` is 1, unless the number of
        features is chosen too and the inner splits clearly prefer half or twice as much.
    clip : float or None, default=2.0
        Values farther from the median than so many robust standard deviations count by the
        logarithm of their distance, so that outliers do not decide. None changes nothing.
    nonlinear : {"auto"} or bool, default="auto"
        Whether to rank by the importance in a forest of randomized trees instead. With
        ``"auto"`` where that predicts better on the inner splits by more than one standard
        error. It is not tried for fewer than 100 samples, too few to tell. In a large table
        (see Notes) the trees see no more than the 2000 features at the smallest angle to the
        outcome, 200 at least where there are very many samples.
    estimator : None, {"tree", "svm", "knn"} or estimator, default=None
        Judges on the inner splits. By default a decision tree, a linear model and three nearest
        neighbors together.
    scoring : str, callable or None, default=None
        By default the mean over the classes of their recall, and R^2 for quantities.
    cv : int, splitter, iterable or None, default=None
        The inner splits. None is five shuffled folds, stratified for classes, or as many as the
        smallest class has samples.
    rule : {"accuracy", "measure", "one_se"}, default="one_se"
        Which number to take: the best score, the best score per feature, or the fewest features
        that are worse than the best by no more than one standard error of the difference.
    min_features : int or None, default=None
        Smallest number to try. None is 1, but ``rule="one_se"`` takes fewer than eight, or than
        a quarter of the features, only where all larger numbers are worse than the best by one
        standard error: with few samples that error hides a loss of several points.
    max_features : int or None, default=None
        Largest number to try, 40 by default; all features where there are fewer.
    n_jobs : int or None, default=None
        Inner splits in parallel. The result does not depend on it.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of choice; features that the path does not reach share the last place.
    path_ : array of int
        Features in the order of choice, up to the largest number tried.
    coef_ : array of shape (n_features_in_, n_targets)
        Coefficients of the selected features, scaled, under the perturbation; one column a class
        (of each output) or quantity.
    angle_to_target_ : array of shape (n_features_in_,)
        Degrees between each feature, scaled, and the outcome; 90 for a constant one.
    groups_ : dict of int to array of int
        From each selected feature to those it stands for: itself first, then features with an
        absolute cosine of at least 0.8 with it and with each other.
    candidates_ : tuple of Candidate
        Subset and score for every number tried; empty where nothing was scored.
    stability_ : float
        Agreement beyond chance of the subsets of the inner splits; NaN where there were none.
    noise_ : float
        Size of the perturbation used.
    nonlinear_ : bool
        Whether the features are ranked by the forest.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    The defaults of `clip`, of the penalty's growth and of the usual fewest features were tuned
    on nine data sets, see ``docs/method-search.md``. The score of the chosen candidate is the
    best of many and too good; put the selector into a Pipeline and cross-validate that.

    Constant features are never selected, and of features that are multiples of each other the
    first. Every class has the same say, however rare it is.

    Features that would take more than 512 MB once prepared (16 MB where X is sparse), and tables
    on disk that exceed their limit, are prepared block by block. A first pass keeps the
    features at the smallest angle to the outcome, the path is followed among these, and a
    second one holds all others against each of its steps; where one belongs into the path, it is
    followed again. The features selected are the same. Only one block of a sparse matrix is
    filled in at a time. The features that explain those of the path are held in memory.

    With m samples, n features, k of them chosen and q classes, time is O(m n k q).

    Examples
    --------
    >>> from perturbfs import RobustSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=300, random_state=0)
    >>> selector = RobustSelector(5).fit(data.X, data.y)
    >>> int((data.groups[selector.path_] >= 0).sum())
    5
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
        "noise": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
        "clip": [None, Interval(Real, 0, None, closed="neither")],
        "nonlinear": [StrOptions({"auto"}), "boolean"],
        "estimator": [None, StrOptions(set(ESTIMATOR_NAMES)), HasMethods(["fit", "predict"])],
        "scoring": [None, str, callable],
        "cv": ["cv_object"],
        "rule": [StrOptions(set(RULES))],
        "min_features": [None, Interval(Integral, 1, None, closed="left")],
        "max_features": [None, Interval(Integral, 1, None, closed="left")],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        n_features_to_select: int | str = "auto",
        *,
        noise: float | str = "auto",
        clip: float | None = WIDTH,
        nonlinear: bool | str = "auto",
        estimator: Any = None,
        scoring: Any = None,
        cv: Any = None,
        rule: str = "one_se",
        min_features: int | None = None,
        max_features: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.noise = noise
        self.clip = clip
        self.nonlinear = nonlinear
        self.estimator = estimator
        self.scoring = scoring
        self.cv = cv
        self.rule = rule
        self.min_features = min_features
        self.max_features = max_features
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=False)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Select features.

        Parameters
        ----------
        X : array, frame, scipy.sparse matrix, dask array or ColumnStore of shape \
                (n_samples, n_features)
            A table on disk is the `X` of `perturbfs.datasets.open_table`. A dask array is
            chunked by features; it is worked on where its chunks are.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Class labels, label indicators, or quantities.
        sample_weight : array of shape (n_samples,), optional
            How often each sample counts. On the inner splits the linear model alone judges
            then, since neighbors take no weights.
        groups : array of shape (n_samples,), optional
            For the splitter.

        Returns
        -------
        self : object
        """
        X, y = check_fit_input(self, X, y, multi_output=True)
        samples = Samples(in_memory_if_small(X), y, check_weights(sample_weight, X.shape[0]))
        has_weight = samples.weights > 0
        self.task_ = infer_task(y[has_weight], estimator=self.estimator, multi_output=True)

        plan = self._plan(n_samples=int(has_weight.sum()))
        splits = self._splits(plan, samples, groups)
        table = make_table(samples, plan, splits, least_cosine=LEAST_COSINE)
        used = table.samples.part(np.arange(len(y)))
        weights = used.weights / used.weights.sum()
        prepared = plan.ranker.prepare(used.X, weights)
        self._check_variation(prepared)

        scorer = self._scorer(plan, table.samples, splits, is_weighted=sample_weight is not None)
        ranker, scores = search(plan, scorer, n_seen=table.n_seen)
        path = ranker(used.X, used.y, weights, prepared)
        self._keep_search(ranker, table.features[path], scores)
        chosen = path[: self._choose_size(scores, plan.ranker.n_wanted)]
        self._keep_choice(prepared, plan.ranker.targets(used.y, weights), chosen, table)
        return self

    def _plan(self, n_samples: int) -> SearchPlan:
        """Return what the inner splits have to decide."""
        is_auto, n_wanted = self.n_features_to_select == "auto", self._n_wanted()
        noise = NOISE if self.noise == "auto" else float(self.noise)
        width = math.inf if self.clip is None else float(self.clip)
        compares_noises = is_auto and self.noise == "auto"
        compares_forest = self.nonlinear == "auto" and n_samples >= FEWEST_FOR_FOREST
        return SearchPlan(
            PathRanker(self.task_, noise, width, n_wanted),
            noises=noises_to_compare(noise) if compares_noises else (noise,),
            sizes=tuple(sizes_to_try(n_wanted, self.min_features or 1)) if is_auto else (),
            nonlinear=None if compares_forest else self.nonlinear is True,
        )

    def _splits(self, plan: SearchPlan, samples: Samples, groups: Any) -> Splits:
        if plan.n_splits == 0:
            return []
        X = samples_for_splits(samples.X)
        found = inner_splits(X, samples.y, groups, task=self.task_, cv=self.cv)
        return found[: plan.n_splits]

    def _scorer(
        self, plan: SearchPlan, samples: Samples, splits: Splits, *, is_weighted: bool
    ) -> NestedScorer:
        panel = make_panel(
            samples.y,
            task=self.task_,
            estimator=self.estimator,
            scoring=self.scoring,
            is_weighted=is_weighted,
            n_train=min((len(train) for train, _ in splits), default=1),
        )
        prepare, n_jobs = plan.ranker.prepare, self.n_jobs
        return NestedScorer(samples, splits, panel, prepare=prepare, n_jobs=n_jobs)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags

    def _n_wanted(self) -> int:
        """Return the length of the path."""
        wanted, n_features = self.n_features_to_select, self.n_features_in_
        if wanted == "auto":
            most: int = self.max_features or max(MOST_FEATURES, self.min_features or 1)
            most = min(most, n_features)
            if (self.min_features or 1) > most:
                raise ValueError(
                    f"min_features={self.min_features}, but at most {most} of the {n_features} "
                    f"features of X can be selected (max_features={self.max_features}). "
                    "Ask for fewer."
                )
            return most
        if int(wanted) > n_features:
            raise ValueError(
                f"n_features_to_select={wanted}, but X has {n_features} features. "
                f"Ask for at most {n_features}."
            )
        return int(wanted)

    def _check_variation(self, features: Array) -> None:
        if not np.any(features):
            raise ValueError(
                f"None of the {self.n_features_in_} features of X varies: there is nothing to "
                "select from. Check how X was made."
            )

    def _keep_search(
        self, ranker: PathRanker | ForestRanker, path: Array, scores: NestedScores | None
    ) -> None:
        self.nonlinear_ = isinstance(ranker, ForestRanker)
        self.noise_ = (ranker.linear if isinstance(ranker, ForestRanker) else ranker).noise
        self.path_ = path
        self.candidates_: tuple[Candidate, ...] = ()
        if scores is not None:
            self.candidates_ = scores.candidates(path)

    def _choose_size(self, scores: NestedScores | None, n_wanted: int) -> int:
        """Return how many features of the path to take, by the scores where there are any."""
        n_found, n_features = len(self.path_), self.n_features_in_
        self.stability_ = math.nan
        if scores is not None:
            usual = min(USUAL_FEWEST, n_features // 4)
            wanted = (
                scores.fewest_within_one_error(usual=self.min_features or usual)
                if self.rule == "one_se"
                else choose(self.candidates_, rule=self.rule).k
            )
            n_taken: int = min(wanted, n_found)
            self.stability_ = stability([each[:n_taken] for each in scores.orders], n_features)
            return n_taken
        if n_found < n_wanted:
            raise ValueError(
                f"n_features_to_select={n_wanted}, but only {n_found} features of X vary and are "
                f"not multiples of each other. Ask for at most {n_found}."
            )
        return n_wanted

    def _keep_choice(
        self, prepared: Array, targets: Array, chosen: Array, table: SearchTable
    ) -> None:
        n_features, which = self.n_features_in_, table.features
        self.support_ = np.zeros(n_features, dtype=bool)
        self.support_[which[chosen]] = True
        self.ranking_ = np.full(n_features, len(self.path_) + 1)
        self.ranking_[self.path_] = np.arange(1, len(self.path_) + 1)
        self.coef_ = np.zeros((n_features, targets.shape[1]))
        self.coef_[which[chosen]] = refit(prepared[chosen], targets, noise=self.noise_, xp=np)
        lengths = table.lengths
        if lengths is None:
            lengths = lengths_on_targets(prepared, targets, xp=np)
        self.angle_to_target_ = np.degrees(np.arccos(np.minimum(lengths, 1.0)))
        groups = explain_features(prepared, chosen, least_cosine=LEAST_COSINE, xp=np)
        self.groups_ = {int(which[each]): which[members] for each, members in groups.items()}
