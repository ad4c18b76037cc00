"""PerturbationSelector, the paper's method as a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.utils import Bunch, Tags, check_random_state
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping, process_routing

from perturbfs._support.compat import (
    FIT_STACKLEVEL,
    CallbackSupportMixin,
    HasMethods,
    Interval,
    StrOptions,
    fit_context,
    routing_enabled,
    with_callbacks,
)
from perturbfs._support.progress import report_runs
from perturbfs.arrays import Array, FeatureBlocks, FeatureSource, as_blocks, to_host
from perturbfs.checks import (
    NUMBER,
    TASKS,
    BlockSelectorMixin,
    NotebookMixin,
    SelectedFeaturesMixin,
    TaskOption,
    absolute_correlations,
    check_coding,
    check_fit_input,
    choice_order,
    describe_directions,
    find_near_copies,
    infer_task,
    resolve_number,
    samples_for_splits,
    warn_of_contradictions,
    warn_of_many_classes,
    warn_of_twins,
)
from perturbfs.cluster import CLUSTERERS
from perturbfs.scoring import (
    ESTIMATOR_NAMES,
    RULES,
    Judge,
    check_groups,
    cv_results,
    resolve_estimator,
    resolve_scorer,
    resolve_splitters,
    stability,
)

from ._characteristics import OPTIONS, Characteristics, on_host
from ._characterize import characterize_runs
from ._choose import Run, best_of_runs, make_judges, run_for, search
from ._group import Grouping, group_features, members_of_groups
from ._limit import check_number, limit_groups
from ._perturb_rank2 import UPPER_DIVISOR
from ._prepare import Target, code_target
from ._screen import screen_features

MAX_SEED = np.iinfo(np.int32).max


class PerturbationSelector(
    CallbackSupportMixin,  # type: ignore[misc]
    NotebookMixin,
    SelectedFeaturesMixin,
    BlockSelectorMixin,
    BaseEstimator,  # type: ignore[misc]
):
    """Perturbation-based feature selection (PFS) of Rahimipour Anaraki and Usefi.

    Every feature gets three characteristics: how far its least-squares coefficient moves when
    the data are perturbed a little, its angle to the outcome, and the angle between the outcome
    and the fit without it. Features are clustered by these, one feature of each cluster is
    selected, and the number of clusters is chosen by cross-validation inside the data given to
    `fit`.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default="auto"
        An integer k clusters once and selects exactly k features; nothing is scored. A fraction
        is a share of all features. With ``"auto"`` or None every k from 2 to the rank of X is
        tried.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the outcome is classes or a quantity. ``"auto"`` takes fractions as a quantity and
        all else as classes, unless `estimator` is a regressor. Many whole numbers with few
        samples each give a `DataWarning`.
    definition : {"paper", "released", "released-late"}, default="paper"
        Characteristics as in the paper's text, or as in the authors' program: in its first
        run, or in its later ones with their larger perturbation.
    perturbation : {"rank2", "box", "iid", "expected"}, default="rank2"
        One random number per sample, as released or as in the algorithm box (for
        ``scaling="minmax"``); independent noise, as in the paper's text; or the expected effect
        of that noise, with no random numbers.
    strength, lower_divisor, upper_divisor : float, default=3.0, None and 1e5
        Size of the perturbation: s, c_l and c_u of the paper, as in `characterize`.
    target_coding : {"codes", "indicators"}, default="codes"
        The outcome as one column of numbers, as in the paper, or as one column per class, so
        that the result does not depend on the numbering of the classes.
    scaling : {"unit", "minmax"}, default="unit"
        Features to 2-norm 1, or features and codes into [0, 1] as in the algorithm box.
    screen : None, "auto" or float, default=None
        Leave out irrelevant features before clustering: those whose coefficient is smaller than
        the root mean square of all (``"auto"``), or all except the given share with the largest
        coefficients. None leaves out nothing, as the paper's algorithm and its program do; the
        paper only mentions the possibility.
    cluster_by : {"characteristics", "signatures"}, default="characteristics"
        Cluster the three characteristics, as in the paper, or the rows of the projection onto
        the space of the samples, so that features whose coefficients move alike under every
        small perturbation get into one group. The latter needs at least as many features as
        samples.
    clusterer : {"kmeans", "fuzzy", "warm", "ward"} or clusterer, default="kmeans"
        k-means and fuzzy c-means as in the paper; ``"warm"`` is a k-means without random
        numbers that starts each k from the clusters of k - 1; ``"ward"`` cuts Ward's hierarchy;
        or any scikit-learn clusterer. If it has no `n_clusters`, or that is None (`DBSCAN`,
        `HDBSCAN`, `MeanShift`, `AffinityPropagation`), its own number of clusters is taken.
        Features that it calls noise (label -1) are neither selected nor stood for.
    representative : {"centroid", "relevance"}, default="centroid"
        Take the feature nearest to the center of its cluster, or the one with the largest
        correlation with the outcome.
    estimator : None, {"tree", "svm", "knn"} or estimator, default=None
        Scores the candidates: a decision tree (default), a linear SVM or the nearest neighbor,
        with the settings of the released program, or any estimator. It gets features scaled
        to root mean square 1 (within [0, 1] for ``scaling="minmax"``), so the unit of a feature
        does not matter.
    scoring : str, callable or None, default=None
        By default the mean over the classes of their recall, and R^2 for quantities.
    cv : int, splitter, iterable or None, default=None
        How candidates are scored. None is five shuffled folds, stratified for classes; fewer if
        the smallest class has fewer samples or, in `fit` with groups, fewer groups.
    rule : {"accuracy", "measure", "one_se"}, default="accuracy"
        The candidate to choose in each run: the one with the best score, with the best score
        per feature, or with the fewest features within one standard error of the best score.
    max_features : int, "effective" or None, default=None
        Largest number of clusters to try; the rank of X by default. ``"effective"`` is the
        effective rank, by the entropy of the singular values, a smaller bound.
    n_repeats : int, default=10
        Number of runs, each with a new perturbation, clustering and folds. The result of the
        run with the best score per feature is selected, as in the paper.
    n_jobs : int or None, default=None
        Processes to use. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
    refit : bool, default=False
        Whether to fit the predictor to the selected features of all samples, as `estimator_`.
    verbose : int, default=0
        1 prints one line per run. scikit-learn's callbacks work too, from version 1.9 on.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
        Which features are selected.
    ranking_ : array of int of shape (n_features_in_,)
        Selected features first, then the others, both by the angle to the outcome.
    groups_ : dict of int to array of int
        From each selected feature to the features of its cluster, which it represents: itself
        first, then by decreasing absolute cosine with it.
    copy_of_ : dict of int to int
        From each selected feature that is a near copy of one selected before it (absolute
        correlation of at least 0.9) to that one.
    direction_ : dict of int to str
        In which class each selected feature is high, or whether it rises with the quantity.
    n_features_ : int
        Number of selected features.
    candidates_ : tuple of Candidate
        Subset, score and deviation for every k, of the run that was selected.
    cv_results_ : dict of str to array
        The scores of `candidates_`, as `RFECV` of scikit-learn has them; empty if nothing was
        scored.
    runs_ : tuple of Run
        The chosen candidate and all candidates of each run.
    average_score_, average_n_features_ : float
        Means over the runs.
    optimal_score_, optimal_n_features_ : float and int
        Of the run that was selected.
    stability_ : float
        Agreement beyond chance of the subsets of the runs, as `perturbfs.evaluation.stability`
        measures it: 1 equal, 0 as random subsets, NaN for one run.
    rank_ : int
        Numeric rank of the scaled features.
    coef_ : array of shape (n_targets, n_features_in_)
        Least-squares coefficients of the scaled features: one row, or with
        ``target_coding="indicators"`` and more than two classes one per class. Of two classes,
        the row is that of the second one.
    sensitivity_, angle_to_target_, angle_without_ : arrays of shape (n_features_in_,)
        The characteristics in the run that was selected; angles in degrees.
    task_ : {"classification", "regression"}
        Whether the outcome was taken as classes or as a quantity.
    estimator_ : estimator
        Defined with ``refit=True``: `estimator`, fitted to what `transform` returns, which is not
        scaled.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    The score of the selected candidate is the best of many, so it is too optimistic. For an
    unbiased estimate put the selector into a Pipeline and cross-validate the pipeline.

    Zero and constant features are never selected. Of features that are positive multiples of
    each other at most one is selected, the first. The released definitions are an exception:
    their running mean gives such features different characteristics.

    References
    ----------
    J. Rahimipour Anaraki and H. Usefi, A feature selection based on perturbation theory,
    Expert Systems with Applications 127 (2019).

    Examples
    --------
    >>> from perturbfs import PerturbationSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=300, random_state=0)
    >>> selector = PerturbationSelector(n_features_to_select=8, random_state=0)
    >>> selector.fit_transform(data.X, data.y).shape
    (80, 8)
    >>> len(selector.groups_), int(sum(len(group) for group in selector.groups_.values()))
    (8, 300)
    """

    # The groups are for the splitter, so there is nothing to request of the selector itself.
    __metadata_request__fit: ClassVar[dict[str, str]] = {"groups": UNUSED}
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{name: [StrOptions(set(allowed))] for name, allowed in OPTIONS.items()},
        "n_features_to_select": NUMBER,
        "task": [StrOptions(set(TASKS))],
        "strength": [Interval(Real, 0, None, closed="left")],
        "lower_divisor": [None, Interval(Real, 1, None, closed="left")],
        "upper_divisor": [Interval(Real, 1, None, closed="left")],
        "screen": [None, StrOptions({"auto"}), Interval(Real, 0, 1, closed="right")],
        "cluster_by": [StrOptions({"characteristics", "signatures"})],
        "clusterer": [StrOptions(set(CLUSTERERS)), HasMethods(["fit", "get_params"])],
        "representative": [StrOptions({"centroid", "relevance"})],
        "estimator": [None, StrOptions(set(ESTIMATOR_NAMES)), HasMethods(["fit", "predict"])],
        "scoring": [None, str, callable],
        "cv": ["cv_object"],
        "rule": [StrOptions(set(RULES))],
        "max_features": [
            None,
            StrOptions({"effective"}),
            Interval(Integral, 1, None, closed="left"),
        ],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [None, Integral],
        "random_state": ["random_state"],
        "refit": ["boolean"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = "auto",
        *,
        task: TaskOption = "auto",
        definition: Literal["paper", "released", "released-late"] = "paper",
        perturbation: Literal["rank2", "box", "iid", "expected"] = "rank2",
        strength: float = 3.0,
        lower_divisor: float | None = None,
        upper_divisor: float = UPPER_DIVISOR,
        target_coding: Literal["codes", "indicators"] = "codes",
        scaling: Literal["unit", "minmax"] = "unit",
        screen: float | Literal["auto"] | None = None,
        cluster_by: Literal["characteristics", "signatures"] = "characteristics",
        clusterer: Any = "kmeans",
        representative: Literal["centroid", "relevance"] = "centroid",
        estimator: Any = None,
        scoring: Any = None,
        cv: Any = None,
        rule: Literal["accuracy", "measure", "one_se"] = "accuracy",
        max_features: int | Literal["effective"] | None = None,
        n_repeats: int = 10,
        n_jobs: int | None = None,
        random_state: Any = None,
        refit: bool = False,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.task = task
        self.definition = definition
        self.perturbation = perturbation
        self.strength = strength
        self.lower_divisor = lower_divisor
        self.upper_divisor = upper_divisor
        self.target_coding = target_coding
        self.scaling = scaling
        self.screen = screen
        self.cluster_by = cluster_by
        self.clusterer = clusterer
        self.representative = representative
        self.estimator = estimator
        self.scoring = scoring
        self.cv = cv
        self.rule = rule
        self.max_features = max_features
        self.n_repeats = n_repeats
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.refit = refit
        self.verbose = verbose

    @with_callbacks
    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, *, groups: Any = None, **params: Any) -> Self:
        """Select features.

        Parameters
        ----------
        X : array, frame, scipy.sparse matrix, dask array or ColumnStore of shape \
                (n_samples, n_features)
            For a table on disk, pass the `X` of `perturbfs.datasets.open_table`. A dask array
            must be chunked by features; each chunk is processed by the worker that holds it.
        y : array of shape (n_samples,)
            Class labels or a quantity.
        groups : array of shape (n_samples,), optional
            For example patients. All samples of a group are on the same side of an inner split;
            a splitter given as `cv` gets the groups.
        **params : dict
            For the inner estimator's `fit`, so they need ``n_features_to_select="auto"`` or
            ``refit=True``. With metadata routing enabled, each parameter goes where it was
            requested.

        Returns
        -------
        self : object
        """
        X, y = check_fit_input(self, X, y)
        self.task_ = infer_task(y, task=self.task, estimator=self.estimator)
        if self.task == "auto":
            warn_of_many_classes(y, task=self.task_, stacklevel=FIT_STACKLEVEL)
        check_coding(self.task_, self.target_coding)
        number = resolve_number(self.n_features_to_select, self.n_features_in_)
        check_number(number, self.max_features, self.clusterer)
        random_state, is_auto = check_random_state(self.random_state), number is None
        if not is_auto and not self.refit:
            self._refuse_params(params)
        seeds = random_state.randint(MAX_SEED, size=self.n_repeats if is_auto else 1).tolist()

        blocks = as_blocks(X)
        target = code_target(y, coding=self.target_coding, scaling=self.scaling)
        characteristics = self._characterize(blocks, target, len(seeds), random_state)
        warn_of_contradictions(X, y, stacklevel=FIT_STACKLEVEL)
        if is_auto:
            warn_of_twins(
                X, y, task=self.task_, groups=groups, cv=self.cv, stacklevel=FIT_STACKLEVEL
            )
        kept = np.flatnonzero(screen_features(characteristics[0], self.screen))
        groupings = self._group(blocks, target, characteristics, kept, seeds)
        scaling = characteristics[0].scaling
        name = "max_features" if is_auto else "n_features_to_select"
        limit = limit_groups(
            self.max_features if is_auto else number,
            name,
            singular_values=characteristics[0].singular_values,
            rank=characteristics[0].rank,
            n_kept=len(groupings[0].kept),
            screen=self.screen,
        )
        if is_auto:
            runs = search(
                groupings,
                self._judges(X, y, seeds, groups, params),
                range(min(2, limit), limit + 1),
                blocks=blocks,
                scaling=scaling,
                rule=self.rule,
                to_root_mean_square=self.scaling == "unit",
                n_jobs=self.n_jobs,
            )
        else:
            partition = groupings[0].exact_partition(limit)
            runs = iter([run_for(groupings[0], partition)])

        best = self._keep_runs(report_runs(self, runs, len(seeds), verbose=self.verbose))
        self._keep_characteristics(characteristics[best])
        if is_auto:
            [partition] = groupings[best].partitions([self.runs_[best].chosen.k])
        selected = blocks.gather(np.flatnonzero(self.support_))
        self.groups_ = members_of_groups(blocks, scaling, groupings[best], partition, selected)
        self._describe_selected(selected, y)
        if self.refit:
            routed = self._route(groups, params)
            predictor = resolve_estimator(self.estimator, task=self.task_, seed=seeds[0])
            columns = to_host(selected.take(np.flatnonzero(self.support_)))
            self.estimator_ = predictor.fit(columns, y, **routed.estimator.fit)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return where the extra parameters of `fit` can go: inner estimator, splitter, scorer.

        Returns
        -------
        router : MetadataRouter
        """
        estimator = resolve_estimator(self.estimator, task="classification", seed=0)
        scorer = resolve_scorer(self.scoring, estimator, task="classification")
        has_split = hasattr(self.cv, "split")  # an iterator of splits must not be used up here
        splitter = self.cv if has_split else StratifiedGroupKFold()
        to_fit, to_split, to_score = (
            MethodMapping().add(caller="fit", callee=callee)
            for callee in ("fit", "split", "score")
        )
        return (
            MetadataRouter(owner=self)
            .add(estimator=estimator, method_mapping=to_fit)
            .add(splitter=splitter, method_mapping=to_split)
            .add(scorer=scorer, method_mapping=to_score)
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _characterize(
        self, blocks: FeatureBlocks, target: Target, n_runs: int, random_state: Any
    ) -> list[Characteristics]:
        """Return the characteristics of each run, as the parameters say."""
        names = ("definition", "perturbation", "scaling")
        sizes = ("strength", "lower_divisor", "upper_divisor")
        given = {name: getattr(self, name) for name in (*names, *sizes)}
        found = characterize_runs(
            blocks, target, n_runs=n_runs, random_state=random_state, **given
        )
        return on_host(found)

    def _group(
        self,
        blocks: FeatureBlocks,
        target: Target,
        characteristics: list[Characteristics],
        kept: Array,
        seeds: list[int],
    ) -> list[Grouping]:
        """Return how each run groups the features that are kept, as the parameters say."""
        names = ("cluster_by", "clusterer", "representative")
        given = {name: getattr(self, name) for name in names}
        return group_features(blocks, target, characteristics, kept, seeds, **given)

    def _judges(
        self, X: Array, y: Array, seeds: list[int], groups: Any, params: dict[str, Any]
    ) -> list[Judge]:
        estimator = resolve_estimator(self.estimator, task=self.task_, seed=seeds[0])
        scorer = resolve_scorer(self.scoring, estimator, task=self.task_)
        routed = self._route(groups, params)
        groups = None if groups is None else check_groups(groups, len(y))
        splitters = resolve_splitters(self.cv, y, task=self.task_, seeds=seeds, groups=groups)
        return make_judges(estimator, scorer, y, samples_for_splits(X), splitters, routed)

    def _refuse_params(self, params: dict[str, Any]) -> None:
        """Raise an error for parameters of an inner estimator that is not fitted."""
        if params:
            raise ValueError(
                f"fit got {', '.join(sorted(params))}, but with n_features_to_select="
                f"{self.n_features_to_select} no inner estimator is fitted, so nothing would use "
                "it. Leave it out, or pass n_features_to_select='auto' or refit=True."
            )

    def _route(self, groups: Any, params: dict[str, Any]) -> Bunch:
        known = {} if groups is None else {"groups": groups}
        if routing_enabled():
            return process_routing(self, "fit", **known, **params)
        return Bunch(
            estimator=Bunch(fit=params), splitter=Bunch(split=known), scorer=Bunch(score={})
        )

    def _keep_runs(self, runs: Iterable[Run]) -> int:
        """Set what the runs decide, and return the number of the best run."""
        self.runs_ = tuple(runs)
        chosen = [run.chosen for run in self.runs_]
        best = best_of_runs(chosen)
        self.candidates_ = self.runs_[best].candidates
        self.cv_results_ = cv_results(self.candidates_)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[chosen[best].features] = True
        self.n_features_ = chosen[best].n_features
        self.average_score_ = float(np.mean([each.score for each in chosen]))
        self.average_n_features_ = float(np.mean([each.n_features for each in chosen]))
        self.optimal_score_ = chosen[best].score
        self.optimal_n_features_ = chosen[best].n_features
        self.stability_ = stability([each.features for each in chosen], self.n_features_in_)
        return best

    def _keep_characteristics(self, characteristics: Characteristics) -> None:
        self.rank_ = characteristics.rank
        by_class = np.atleast_2d(characteristics.coefficients.T)
        # Of two classes, the second is the positive one, as in scikit-learn.
        self.coef_ = by_class[1:] if len(by_class) == 2 else by_class
        self.sensitivity_ = characteristics.sensitivity
        self.angle_to_target_ = characteristics.angle_to_target
        self.angle_without_ = characteristics.angle_without
        relevance = np.abs(90.0 - self.angle_to_target_)
        order = np.lexsort((np.arange(self.n_features_in_), -relevance, ~self.support_))
        self.ranking_ = np.argsort(order) + 1

    def _describe_selected(self, selected: FeatureSource, y: Array) -> None:
        order = np.array(choice_order(self))
        columns = to_host(selected.take(order)).astype(np.float64, copy=False)
        self.copy_of_ = find_near_copies(absolute_correlations(columns), order)
        found = describe_directions(columns, y, np.ones(len(y)), task=self.task_)
        self.direction_ = dict(zip(order.tolist(), found, strict=True))
