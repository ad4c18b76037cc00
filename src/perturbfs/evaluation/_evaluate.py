"""`evaluate`: compare selectors on samples that they were not fitted to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from joblib import delayed
from sklearn.base import clone
from sklearn.utils import check_array, check_consistent_length, check_random_state, column_or_1d

from perturbfs._support.parallel import run_calls
from perturbfs.arrays import (
    Array,
    SampleBlocks,
    is_backed,
    is_blocks,
    is_survival,
    open_backed,
)
from perturbfs.checks import (
    as_survival,
    infer_task,
    refuse_mistakes,
    samples_for_splits,
    warn_of_twins,
)
from perturbfs.scoring import (
    Splits,
    by_products,
    check_groups,
    check_scorable,
    default_predictors,
    dummy_predictor,
    make_splits,
    metric_name,
    resolve_scorer,
    samples_to_keep,
)

from ._batch import Batches
from ._contest import Asked, Contest, Round
from ._results import ALL_FEATURES, BATCH, GUESSING, RANDOM, Evaluation


def evaluate(
    selectors: Mapping[str, Any],
    X: Array,
    y: Array,
    *,
    n_features: Sequence[int | Literal["auto"]] = (5, 10, 20, 40),
    task: Literal["auto", "classification", "regression", "survival"] = "auto",
    groups: Array | None = None,
    batch: Array | None = None,
    predictors: Mapping[str, Any] | None = None,
    scoring: Any = None,
    min_class_size: int | None = None,
    imputer: Any = None,
    n_splits: int = 10,
    test_size: float = 0.3,
    random_state: Any = None,
    n_jobs: int | None = None,
    prefer: str = "processes",
    keep_predictions: bool = False,
    all_features: bool = True,
    on_split: Callable[[], None] | None = None,
    first: Callable[[], None] | None = None,
) -> Evaluation:
    """Score selectors on repeated splits, each fitted to the training rows alone.

    All methods see the same splits. Guessing, random features (as many as each method selects)
    and all features are scored for comparison.

    Parameters
    ----------
    selectors : mapping of str to selector
        Each with a parameter `n_features_to_select`.
    X : array, frame, sparse matrix or ColumnStore of shape (n_samples, n_features)
        May hold NaN if there is an imputer. For a table on disk, no predictor is trained on
        all features.
    y : array of shape (n_samples,)
        For a survival, as `RobustSelector.fit` takes it.
    n_features : sequence of int or "auto"
        Numbers of features to ask for; ``"auto"`` leaves the selector unchanged. If a method
        cannot select that many, its `ValueError` is kept as a `Refusal` and the other methods
        continue.
    task : {"auto", "classification", "regression", "survival"}, default="auto"
        ``"auto"`` infers it: a structured array is a survival, fractions are a quantity,
        everything else is classes. Splits are stratified for classes and events. For a
        regression, whole numbers are a quantity. Methods that take no survival outcomes refuse.
    groups : array of shape (n_samples,), optional
        For example patients: all samples of a group are on the same side of a split. Groups are
        drawn at random so that each class has about its share of test samples. A group with most
        of the samples is always in the training part. Selectors whose `fit` has a parameter
        `groups` get those of the training samples. Without groups, a `DataWarning` names
        samples that are nearly identical.
    batch : array of shape (n_samples,), optional
        For example the plate or the site of each sample. Features are centered within batches
        with the means of the training samples of each split, see `BatchCenterer`. Test samples
        of a batch without training samples are centered with the mean of all training samples.
        The batch alone is scored too, see `Evaluation.batch_alone`.
    predictors : mapping of str to estimator, optional
        A tree, a linear and a neighbor method by default; for a survival a Cox model with a
        ridge penalty.
    scoring : str, callable or None
        A name that scikit-learn knows, such as ``"roc_auc"``, or a scorer. By default the mean
        recall of the classes, which is balanced accuracy, R^2, or Harrell's concordance.
    min_class_size : int, optional
        Classes with fewer samples are left out and listed in `left_out`. By default none is left
        out, and a class with one sample is an error.
    imputer : transformer, optional
        Fitted to the training rows of each split.
    n_splits : int, default=10
    test_size : float, default=0.3
        Share of the samples that is held out.
    random_state : int, RandomState instance or None
        For the splits. Selectors with a `random_state` get a different one in every split.
        With the same one, a random choice would look stable.
    n_jobs : int or None
        Splits in parallel. The scores do not depend on it.
    prefer : {"processes", "threads"}, default="processes"
        What does splits in parallel. Threads start at once and share the table, which suits
        selectors that spend most of their time in compiled code.
    keep_predictions : bool, default=False
        Whether to keep the predictions of the first predictor for the test samples.
    all_features : bool, default=True
        Whether to train the predictors on all features too, for comparison. A sparse matrix is
        made dense for this.
    on_split : callable, optional
        Called when a split is done.
    first : callable, optional
        Other work, which is done before the splits, or in a thread beside the first of them.

    Returns
    -------
    evaluation : Evaluation

    Raises
    ------
    ValueError
        If the input is wrong, or no method could select as asked in all splits.

    Examples
    --------
    >>> from perturbfs import PerturbationSelector, evaluate
    >>> from perturbfs.baselines import MRMRSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(60, 200, random_state=0)
    >>> found = evaluate(
    ...     {"paper": PerturbationSelector(), "mrmr": MRMRSelector()},
    ...     data.X, data.y, n_features=[5], n_splits=4, random_state=0,
    ... )
    >>> found.estimate("guessing", "all").mean
    0.5
    >>> found.estimate("mrmr", 5).mean > 0.6
    True
    >>> found.compare(5, references=[]).pairs[0].first
    'mrmr'

    The task is inferred. Here the outcome is a quantity, so the score is R^2:

    >>> from perturbfs.datasets import make_wide_regression
    >>> data = make_wide_regression(60, 200, random_state=0)
    >>> evaluate(
    ...     {"mrmr": MRMRSelector()}, data.X, data.y, n_features=[5], n_splits=3, random_state=0
    ... ).metric
    'r2'
    """
    X, y, groups = _checked(X, y, groups, task)
    batch = None if batch is None else check_groups(batch, len(y), "batch")
    task = infer_task(y, task=task)
    kept, left_out = samples_to_keep(y, min_class_size, task=task)
    if left_out:
        X = SampleBlocks(X, kept) if is_blocks(X) else X[kept]
        y, groups = y[kept], None if groups is None else groups[kept]
        batch = None if batch is None else batch[kept]
    batches = None if batch is None else Batches.of(batch, X, y, task=task, scoring=scoring)
    warn_of_twins(X, y, task=task, groups=groups, cv=None, stacklevel=3)
    predictors = default_predictors(task) if predictors is None else dict(predictors)
    metric = metric_name(scoring, task=task)
    judged = {**predictors, "dummy": dummy_predictor(task)}
    scorers = {name: resolve_scorer(scoring, each, task=task) for name, each in judged.items()}
    if scoring is not None:
        numbers = [int(size) for size in n_features if size != "auto"]
        n_tried = max(1, min([*numbers, X.shape[1], 40]))
        check_scorable(scorers, predictors, y, metric=metric, n_features=n_tried)
    rng = check_random_state(random_state)
    splits = make_splits(
        y,
        groups=groups,
        task=task,
        n_splits=n_splits,
        test_size=test_size,
        seed=rng.randint(2**31 - 1),
    )
    asked = _everything_asked(selectors, n_features)
    seed = int(rng.randint(2**31 - 1))
    most = max(len(train) for train, _ in splits)
    predictors = {name: by_products(each, most) for name, each in predictors.items()}
    contest = Contest(
        asked,
        predictors,
        scorers,
        imputer,
        task,
        seed,
        groups,
        keep_predictions,
        batches,
        all_features,
    )
    rounds = []
    options = {"n_jobs": n_jobs, "threads": prefer == "threads"}
    for each in _play_all(contest, X, y, splits, first=first, **options):
        rounds.append(each)
        if on_split is not None:
            on_split()
    found = Evaluation(
        scores=tuple(score for each in rounds for score in each.scores),
        selections={
            key: [each.chosen[key] for each in rounds if key in each.chosen]
            for key in ((name, size) for name, size, _ in asked)
        },
        metric=metric,
        test_share=float(np.mean([len(test) / len(train) for train, test in splits])),
        n_features_in=X.shape[1],
        refusals=tuple(refusal for each in rounds for refusal in each.refusals),
        left_out=left_out,
        random={
            (split, size): scores
            for split, each in enumerate(rounds)
            for size, scores in each.random.items()
        },
        predictions={
            (name, size): [each.predictions[name, size] for each in rounds]
            for name, size, _ in asked
            if all((name, size) in each.predictions for each in rounds)
        },
        n_tested=sum(len(test) for _, test in splits),
        n_unknown_batch=0 if batches is None else sum(batches.n_unknown(*each) for each in splits),
    )
    _check_any_finished(found)
    return found


def _checked(X: Any, y: Any, groups: Any, task: str) -> tuple[Array, Array, Array | None]:
    refuse_mistakes(X, None if is_survival(y) else y)
    X = open_backed(X) if is_backed(X) else X
    if not is_blocks(X):
        X = check_array(
            X, accept_sparse=["csr"], dtype=[np.float64, np.float32], ensure_all_finite=False
        )
    y = as_survival(y) if is_survival(y) or task == "survival" else column_or_1d(y)
    check_consistent_length(samples_for_splits(X), y)
    return X, y, None if groups is None else check_groups(groups, len(y))


def _play_all(
    contest: Contest,
    X: Array,
    y: Array,
    splits: Splits,
    *,
    first: Callable[[], None] | None,
    **options: Any,
) -> Iterator[Round]:
    """Yield the results of all splits, in order, with the options of `run_calls`."""
    if is_blocks(X):  # blocks are read in this process, or on the workers of a cluster
        if first is not None:
            first()
        return (contest.play(X, y, number, *split) for number, split in enumerate(splits))
    # joblib sends a large array only once if it is an argument of its own.
    calls = (delayed(contest.play)(X, y, number, *split) for number, split in enumerate(splits))
    return run_calls(calls, first=first, **options)


def _everything_asked(selectors: Mapping[str, Any], n_features: Sequence[int | str]) -> Asked:
    """Return name, size and selector of everything to fit in each split."""
    if not selectors or not len(n_features):
        raise ValueError(
            f"{len(selectors)} selectors and {len(n_features)} numbers of features were given, "
            "but at least one of each is needed. Add some."
        )
    taken = [name for name in (ALL_FEATURES, GUESSING, RANDOM, BATCH) if name in selectors]
    if taken:
        raise ValueError(
            f"A selector is named {taken[0]!r}, but the names {ALL_FEATURES!r}, {GUESSING!r}, "
            f"{RANDOM!r} and {BATCH!r} are reserved for the references. Rename it."
        )
    return [
        (name, size, _asked_for(selector, size))
        for name, selector in selectors.items()
        for size in dict.fromkeys(n_features)
    ]


def _asked_for(selector: Any, size: int | str) -> Any:
    selector = clone(selector)
    return selector if size == "auto" else selector.set_params(n_features_to_select=size)


def _check_any_finished(found: Evaluation) -> None:
    if all(found.refusal(*key) is not None for key in found.selections):
        refusal = found.refusals[0]
        raise ValueError(
            "No method could select as asked in all splits. The first refusal came from "
            f"{refusal.method!r} with {refusal.requested!r} features: {refusal.reason}"
        )
