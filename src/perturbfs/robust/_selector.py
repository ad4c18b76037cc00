"""RobustSelector: select features by least squares under perturbation."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags

from perturbfs._support.compat import HasMethods, Interval, StrOptions, fit_context
from perturbfs._support.progress import Steps
from perturbfs.arrays import Array, to_dense
from perturbfs.checks import (
    NUMBER,
    SURVIVAL_TASKS,
    BlockSelectorMixin,
    NotebookMixin,
    SelectedFeaturesMixin,
    SurvivalTaskOption,
    check_fit_input,
    check_weights,
    describe_directions,
    find_near_copies,
    infer_task,
    resolve_number,
    samples_for_splits,
    shown_columns,
    warn_of_many_classes,
    warn_of_twins,
)
from perturbfs.scoring import (
    ESTIMATOR_NAMES,
    RULES,
    Panel,
    Samples,
    Splits,
    choose,
    cv_results,
    fit_predictor,
    inner_splits,
    make_panel,
    stability,
)

from ._groups import explain_features
from ._nested import NestedScores
from ._path import angles_to_span, refit, rotate_targets
from ._prepare import WIDTH
from ._problem import PathSettings
from ._search import OTHER_NOISES, Search, SearchPlan, sizes_to_try
from ._size import choose_size
from ._table import PASS_STEPS, SearchTable, in_memory_if_small, is_large, make_table

NOISE = 1.0
MOST_FEATURES = 40
SAMPLES_PER_FEATURE = 3  # at least, where the number of features is chosen
USUAL_FEWEST = 8  # by benchmarks/method-search.md
MAX_CORRELATION = 0.95  # by benchmarks/method-search.md
LEAST_COSINE = 0.8  # an angle of 37 degrees
FEWEST_FOR_FOREST = 100  # samples; with fewer the comparison with the path is mostly chance


class RobustSelector(NotebookMixin, SelectedFeaturesMixin, BlockSelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select features one by one, each by its angle to the residual of the outcome.

    The chosen features are refitted to the outcome by ridge regression, whose coefficients are
    best on average when every entry of the data is perturbed. The feature with the smallest angle
    to the residual is chosen next. The path is nested, so it is computed once for every k.
    It uses no random numbers, and it depends neither on the order of the features nor on the
    numbering of the classes.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default="auto"
        An integer selects exactly that many, a fraction that share of all features. With
        ``"auto"`` or None the number is chosen on inner splits. The path is computed again
        inside each of them.
    task : {"auto", "classification", "regression", "survival"}, default="auto"
        Whether the outcome is classes, quantities, or times of which some are censored.
        ``"auto"`` takes a structured array as survival, fractions as quantities and all else as
        classes, unless `estimator` is a regressor. Many whole numbers with few samples each give
        a `DataWarning`.
    noise : "auto" or float, default="auto"
        Size of the perturbation relative to the features. With 1, a perturbation is as large as
        the scaled feature. ``"auto"`` is 1. If the number of features is chosen too, 0.5 and 2
        are compared with it, and used if they are clearly better on the inner splits.
    clip : float or None, default=2.0
        Number of robust standard deviations from the median beyond which values are compressed
        to the logarithm of their distance, so that outliers do not decide. None compresses
        nothing.
    nonlinear : {"auto"} or bool, default="auto"
        Whether to rank the features by their importance in a forest of randomized trees instead.
        With ``"auto"``, the forest is used if it predicts better on the inner splits by more than
        one standard error. Smaller forests are compared first, and the whole forest is grown only
        if these lead. It is not tried for fewer than 100 samples, which are too few to decide,
        and there is none for a survival. In a large table (see Notes) the trees see at most the
        2000 features at the smallest angle to the outcome; with very many samples fewer, but at
        least 200.
    estimator : None, {"tree", "svm", "knn"} or estimator, default=None
        The predictor that is scored on the inner splits. By default the scores of a decision
        tree, a linear model and three nearest neighbors are averaged. The linear model is ridge
        regression or, for classes, a support vector machine; from 300 training samples on, linear
        discriminant analysis, which is faster. For a survival it is the Cox model with a ridge
        penalty alone; models of scikit-survival may be passed.
    scoring : str, callable or None, default=None
        By default the mean recall of the classes, R^2 for quantities, and Harrell's concordance
        for a survival.
    cv : int, splitter, iterable or None, default=None
        The inner splits. None is five shuffled folds, stratified for classes and events, or as
        many as the smallest class has samples or, in `fit` with groups, groups.
    rule : {"accuracy", "measure", "one_se"}, default="one_se"
        How the number is chosen: the best score, the best score per feature, or the smallest
        number that is worse than the best by at most one standard error of the difference.
        `size_rule_` keeps which numbers these are.
    min_features : int or None, default=None
        Smallest number to try. None is 1. However, ``rule="one_se"`` then takes fewer than eight
        features (or than a quarter of all features, if that is less) only if every number from
        eight on is worse than the best by a standard error or more, or exactly as good. With few
        samples one standard error can hide a loss of several points.
    max_features : int or None, default=None
        Largest number to try. None is 40, or a third of the samples, or all features, whichever
        is least.
    max_correlation : float or None, default=0.95
        A feature is not selected if its absolute correlation with an earlier selected one is this
        large or larger; None only keeps out multiples. Correlations are those of the features
        after outliers are compressed. If ``n_features_to_select`` (or `min_features`) asks for
        more features than the limit allows, the path goes on without the limit, so that exactly
        as many are selected as asked for; `copy_of_` tells which of them are near copies.
    n_jobs : int or None, default=None
        Inner splits in parallel. The result does not depend on it.
    refit : bool, default=False
        Whether to fit the predictor to the selected features of all samples, as `estimator_`.
    verbose : int, default=0
        1 prints what is decided, step by step.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of choice. All features that the path does not reach have the same last rank.
    path_ : array of int
        Features in the order of choice, up to the largest number tried.
    n_features_ : int
        Number of selected features.
    coef_ : array of shape (n_targets, n_features_in_)
        Coefficients of the scaled selected features under the perturbation, 0 for all others.
        There is one row per quantity, or per class of each output; for two classes only that of
        the second one.
    angle_to_target_ : array of shape (n_features_in_,)
        Angle between each scaled feature and the outcome in degrees; 90 for a constant feature.
    groups_ : dict of int to array of int
        The features that each selected feature stands for: itself first, then features that
        have an absolute cosine of at least 0.8 with it and with each other.
    copy_of_ : dict of int to int
        From each selected feature that is a near copy of an earlier selected one to that one:
        their absolute correlation is 0.9 or more, after outliers are compressed.
    direction_ : dict of int to str
        In which class each selected feature is high, or whether it rises with the quantity or
        the risk; empty for several outputs.
    candidates_ : tuple of Candidate
        Subset and score for every number tried; empty if nothing was scored.
    cv_results_ : dict of str to array
        The scores of the candidates, as `RFECV` of scikit-learn has them; empty if nothing was
        scored.
    size_rule_ : SizeRule or None
        Which numbers count as equal to the best, and the smallest number allowed. Its method
        `explain` says it in two sentences. None if the number was given, or for another `rule`.
    stability_ : float
        Agreement beyond chance of the subsets of the inner splits, as
        `perturbfs.evaluation.stability` measures it; NaN if the number of features was given.
    noise_ : float
        Size of the perturbation used.
    nonlinear_ : bool
        Whether the features are ranked by the forest.
    estimator_ : estimator
        Defined with ``refit=True``: `estimator`, or by default a support vector machine, ridge
        regression or Cox model with a scaler, fitted to what `transform` returns.
    task_ : {"classification", "regression", "survival"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Defined if X has feature names.

    Notes
    -----
    The defaults of `clip`, of the penalty's growth and of the usual fewest features were tuned
    on nine data sets, see ``benchmarks/method-search.md``. The score of the chosen candidate is
    the best of many, so it is too high. For an honest score, put the selector into a Pipeline and
    cross-validate the pipeline.

    Constant features are never selected. Of features that are multiples of each other, only the
    first is selected. Classes are weighted equally, however rare they are.

    For a survival the path follows the martingale residuals of the Cox model without features:
    whether a sample had the event, minus the cumulative hazard until its time.

    Features that would take more than 512 MB once prepared (16 MB if X is sparse), and tables
    on disk that exceed their limit, are prepared block by block; only one block of a sparse
    matrix is made dense at a time. The features of all groups are held in memory. The same
    features are selected as in memory.

    Everywhere the path is computed among the features at the smallest angle to the outcome. Then
    all other features are compared with each step of the path, in one matrix product. If one
    would have been chosen, it is added and the path is recomputed.

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
        "n_features_to_select": NUMBER,
        "task": [StrOptions(set(SURVIVAL_TASKS))],
        "noise": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
        "clip": [None, Interval(Real, 0, None, closed="neither")],
        "nonlinear": [StrOptions({"auto"}), "boolean"],
        "estimator": [None, StrOptions(set(ESTIMATOR_NAMES)), HasMethods(["fit", "predict"])],
        "scoring": [None, str, callable],
        "cv": ["cv_object"],
        "rule": [StrOptions(set(RULES))],
        "min_features": [None, Interval(Integral, 1, None, closed="left")],
        "max_features": [None, Interval(Integral, 1, None, closed="left")],
        "max_correlation": [None, Interval(Real, 0, 1, closed="right")],
        "n_jobs": [None, Integral],
        "refit": ["boolean"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = "auto",
        *,
        task: SurvivalTaskOption = "auto",
        noise: float | Literal["auto"] = "auto",
        clip: float | None = WIDTH,
        nonlinear: bool | Literal["auto"] = "auto",
        estimator: Any = None,
        scoring: Any = None,
        cv: Any = None,
        rule: Literal["accuracy", "measure", "one_se"] = "one_se",
        min_features: int | None = None,
        max_features: int | None = None,
        max_correlation: float | None = MAX_CORRELATION,
        n_jobs: int | None = None,
        refit: bool = False,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.task = task
        self.noise = noise
        self.clip = clip
        self.nonlinear = nonlinear
        self.estimator = estimator
        self.scoring = scoring
        self.cv = cv
        self.rule = rule
        self.min_features = min_features
        self.max_features = max_features
        self.max_correlation = max_correlation
        self.n_jobs = n_jobs
        self.refit = refit
        self.verbose = verbose

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Select features.

        Parameters
        ----------
        X : array, frame, scipy.sparse matrix, dask array or ColumnStore of shape \
                (n_samples, n_features)
            A table on disk is the `X` of `perturbfs.datasets.open_table`. A dask array must be
            chunked by features; its chunks are processed by the workers that hold them.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Class labels, label indicators, or quantities. For a survival, a structured array with
            the fields event and time, as scikit-survival has it; with ``task="survival"`` also
            two columns in any order, of which the event holds only 0 (censored) and 1.
        sample_weight : array of shape (n_samples,), optional
            How often each sample counts. With weights that differ, only the linear model is
            scored on the inner splits, because neighbors take no weights, and the rules that
            depend on the number of samples use (sum of weights)^2 / (sum of squared weights).
        groups : array of shape (n_samples,), optional
            For example patients. All samples of a group are on the same side of an inner split;
            a splitter given as `cv` gets the groups.

        Returns
        -------
        self : object
        """
        X, y = check_fit_input(self, X, y, multi_output=True, task=self.task)
        samples = Samples(in_memory_if_small(X), y, check_weights(sample_weight, X.shape[0]))
        has_weight = samples.weights > 0
        self.task_ = infer_task(
            y[has_weight], task=self.task, estimator=self.estimator, multi_output=True
        )
        if self.task == "auto":
            warn_of_many_classes(y, task=self.task_, stacklevel=4)
        number = resolve_number(self.n_features_to_select, self.n_features_in_)
        if number is None:
            warn_of_twins(X, y, task=self.task_, groups=groups, cv=self.cv, stacklevel=4)
        plan = self._plan(number, samples.n_effective)
        splits = self._splits(plan, samples, groups)
        n_steps = len(splits) + (2 * PASS_STEPS if is_large(samples.X) else 0) + 4
        steps = Steps(n_steps, name=type(self).__name__ if self.verbose else None)
        table = make_table(samples, plan, splits, least_cosine=LEAST_COSINE, steps=steps)
        panel = self._panel(samples, splits)
        search = Search(
            plan,
            table.samples,
            splits,
            panel,
            n_seen=table.n_seen,
            n_jobs=self.n_jobs,
            steps=steps,
        )
        self.noise_ = search.choose_noise()
        steps.done(result=f"noise {self.noise_:g}")
        self.nonlinear_ = search.prefers_forest(self.noise_)
        steps.done(result="forest" if self.nonlinear_ else "path")
        scores = search.scores(self.noise_, nonlinear=self.nonlinear_)
        steps.done(result="" if scores is None else f"{len(splits)} inner splits scored")
        path, prepared = search.final_order(self.noise_, nonlinear=self.nonlinear_)
        self.path_ = table.features[path]
        self.candidates_ = () if scores is None else scores.candidates(self.path_)
        self.cv_results_ = cv_results(self.candidates_)
        n_taken = self._choose_size(scores, plan.n_wanted)
        self.stability_ = math.nan
        if scores is not None:
            chosen = [order[:n_taken] for order in scores.orders]
            self.stability_ = stability(chosen, self.n_features_in_)
        self._keep_choice(prepared, path[:n_taken], table, plan.settings)
        if self.refit:
            in_place = np.argsort(self.path_[:n_taken])  # as `transform` returns them
            self.estimator_ = fit_predictor(panel, table.samples, path[in_place])
        steps.done(result=f"{n_taken} of {self.n_features_in_} features")
        return self

    def _plan(self, number: int | None, n_samples: int) -> SearchPlan:
        """Return what is decided on the inner splits."""
        is_auto, n_wanted = number is None, self._n_wanted(number, n_samples)
        noise = NOISE if self.noise == "auto" else float(self.noise)
        width = math.inf if self.clip is None else float(self.clip)
        others = OTHER_NOISES if is_auto and self.noise == "auto" else ()
        if self.task_ == "survival" and self.nonlinear is True:
            raise ValueError(
                "nonlinear=True was given, but y is a survival outcome, for which there is no "
                "forest. Pass nonlinear='auto' or False."
            )
        compares_forest = (
            self.nonlinear == "auto"
            and n_samples >= FEWEST_FOR_FOREST
            and self.task_ != "survival"
        )
        settings = PathSettings(
            self.task_,
            width,
            max_correlation=self.max_correlation or 1.0,
            n_least=(self.min_features or 1) if is_auto else n_wanted,
        )
        return SearchPlan(
            settings,
            n_wanted,
            noises=(noise, *(factor * noise for factor in others)),
            sizes=tuple(sizes_to_try(n_wanted, self.min_features or 1)) if is_auto else (),
            nonlinear=None if compares_forest else self.nonlinear is True,
        )

    def _splits(self, plan: SearchPlan, samples: Samples, groups: Any) -> Splits:
        if plan.n_splits == 0:
            return []
        X = samples_for_splits(samples.X)
        found = inner_splits(X, samples.y, groups, task=self.task_, cv=self.cv)
        return found[: plan.n_splits]

    def _panel(self, samples: Samples, splits: Splits) -> Panel:
        return make_panel(
            samples.y,
            task=self.task_,
            estimator=self.estimator,
            scoring=self.scoring,
            is_weighted=samples.is_weighted,
            n_train=min((len(train) for train, _ in splits), default=1),
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags

    def _n_wanted(self, number: int | None, n_samples: int) -> int:
        """Return the length of the path."""
        n_features = self.n_features_in_
        if number is None:
            usual_most = min(MOST_FEATURES, n_samples // SAMPLES_PER_FEATURE)
            most: int = self.max_features or max(usual_most, self.min_features or 1)
            most = min(most, n_features)
            if (self.min_features or 1) > most:
                raise ValueError(
                    f"min_features={self.min_features}, but at most {most} of the {n_features} "
                    f"features of X can be selected (max_features={self.max_features}). "
                    "Ask for fewer."
                )
            return most
        if number > n_features:
            raise ValueError(
                f"n_features_to_select={number}, but X has {n_features} features. "
                f"Ask for at most {n_features}."
            )
        return number

    def _choose_size(self, scores: NestedScores | None, n_wanted: int) -> int:
        """Return how many features of the path to take, by the scores if there are any."""
        n_found, self.size_rule_ = len(self.path_), None
        if scores is None:
            if n_found < n_wanted:
                raise ValueError(
                    f"n_features_to_select={n_wanted}, but only {n_found} features of X vary and "
                    f"are not multiples of each other. Ask for at most {n_found}."
                )
            return n_wanted
        if self.rule == "one_se":
            usual = self.min_features or min(USUAL_FEWEST, self.n_features_in_ // 4)
            self.size_rule_ = choose_size(scores, usual=usual, n_found=n_found)
            return self.size_rule_.n_features
        return min(choose(self.candidates_, rule=self.rule).k, n_found)

    def _keep_choice(
        self, prepared: Array, chosen: Array, table: SearchTable, settings: PathSettings
    ) -> None:
        """Set the attributes that describe the features chosen."""
        n_features, which, samples = self.n_features_in_, table.features, table.samples
        rows = samples.used(np.arange(len(samples.y)))
        targets = settings.targets(samples, rows)
        self.support_ = np.zeros(n_features, dtype=bool)
        self.support_[which[chosen]] = True
        self.n_features_ = len(chosen)
        self.ranking_ = np.full(n_features, len(self.path_) + 1)
        self.ranking_[self.path_] = np.arange(1, len(self.path_) + 1)
        shown = shown_columns(samples.y[rows], task=self.task_)
        self.coef_ = np.zeros((len(shown), n_features))
        coefficients = refit(prepared[chosen], targets, noise=self.noise_)
        self.coef_[:, which[chosen]] = coefficients[:, shown].T
        self.angle_to_target_ = table.angles
        if table.angles is None:
            rotated = rotate_targets(targets)
            self.angle_to_target_ = angles_to_span(prepared @ rotated, rotated, xp=np)
        groups = explain_features(prepared, chosen, least_cosine=LEAST_COSINE, xp=np)
        self.groups_ = {int(which[each]): which[members] for each, members in groups.items()}
        likeness = np.abs(prepared[chosen] @ prepared[chosen].T)
        self.copy_of_ = find_near_copies(likeness, which[chosen])
        self.direction_ = {}
        if samples.y.ndim == 1:
            columns = to_dense(samples.X[:, chosen])[rows]
            y, weights = samples.y[rows], samples.shares(rows)
            found = describe_directions(columns, y, weights, task=self.task_)
            self.direction_ = dict(zip(which[chosen].tolist(), found, strict=True))
