"""All details of a selection, for its page and figures."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone

from perturbfs._support.names import Task
from perturbfs._support.parallel import one_thread
from perturbfs._support.progress import Steps, following
from perturbfs.arrays import Array
from perturbfs.datasets import Table
from perturbfs.evaluation import Evaluation, noise_robustness

from ._chosen import describe_chosen, describe_groups, describe_samples, short
from ._copies import find_copies
from ._data import outcome_of, take_features
from ._map import describe_map
from ._predictions import describe_predictions
from ._select import SelectionResult
from ._survival import describe_survival
from ._volcano import describe_volcano
from ._wording import feature_labels

N_REPEATS = 5
# Methods that select a given number of features in a fraction of a second, if the table has
# at most MOST_VALUES values.
QUICK_METHODS = (
    "robust",
    "paper",
    "released",
    "released-late",
    "anova",
    "mrmr",
    "lasso",
    "random",
)
MOST_VALUES = 4_000_000
# Up to so many values, threads of BLAS that wait for each other cost more than they save: on a
# busy machine 12 seconds instead of 0.3.
MOST_ON_ONE_THREAD = 2**24


def describe_details(
    table: Table,
    result: SelectionResult,
    *,
    noise: bool | None = None,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Describe everything that the page shows in addition to the selection.

    Parameters
    ----------
    table : Table
        The `table` of the result.
    result : SelectionResult
        From `select_features`.
    noise : bool or None
        Whether to select and predict again with noise, which takes about thirty selections.
        None does so if it takes seconds.
    n_jobs : int or None
        Threads that select again with noise.

    Returns
    -------
    details : dict
        ``curve``, ``chosen``, ``samples``, ``map``, ``groups``, ``noise``, ``predictions``,
        ``survival`` and ``volcano``, in plain values, as described in
        https://perturbfs.github.io/perturbfs/summary-json.html. They hold the values of
        the selected features for some samples, but no names of samples.
    """
    task, y = outcome_of(table)
    selector, X, selection = result.selector, result.X, result.selection
    order = [feature.index for feature in selection.features]
    labels = feature_labels(table.feature_names, X.shape[1])
    groups = getattr(selector, "groups_", {})
    in_splits = [chosen for found in result.evaluation.selections.values() for chosen in found]
    seed = selection.random_state
    with_noise = is_quick(selection.method, X.shape) if noise is None else noise
    steps = Steps(3 + (N_REPEATS if with_noise else 0))
    volcano, rows = None, [dict.fromkeys(("effect", "p_value", "q_value"))] * len(order)
    if task == "classification":
        volcano, rows = describe_volcano(X, y, order)
    steps.done()
    chosen = describe_chosen(X, y, order, groups, in_splits, task=task)
    copies = [
        next((r for other, r in near if other < place), None)
        for place, near in enumerate(find_copies(take_features(X, order)))
    ]
    is_small = X.shape[0] * X.shape[1] <= MOST_ON_ONE_THREAD
    with one_thread() if is_small else nullcontext():
        described = describe_map(
            selector, X, y, order, labels, groups, task=task, random_state=seed
        )
    steps.done()
    found = None
    if with_noise:
        options = {"groups": result.groups, "random_state": seed, "n_jobs": n_jobs}
        with following(None):  # the steps are repeats, not those of each fit
            found = describe_noise(selector, X, y, task=task, on_repeat=steps.done, **options)
    details = {
        "curve": describe_curve(selector),
        "chosen": [
            {**each, **row, "copy_r": r} for each, row, r in zip(chosen, rows, copies, strict=True)
        ],
        "samples": describe_samples(X, y, order, task=task),
        "map": described,
        "groups": describe_groups(X, order, labels, groups),
        "noise": found,
        **_predictions(result.evaluation, y, task, table.target_name),
        "volcano": volcano,
    }
    steps.done()
    return details


def _predictions(
    evaluation: Evaluation, y: Array, task: Task, target_name: str | None
) -> dict[str, Any]:
    """Return what the predictions for test samples show, for classes and for a survival."""
    found = next(iter(evaluation.predictions.values()), [])
    classes = survival = None
    if task == "classification":
        classes = describe_predictions(found, y, test_share=evaluation.test_share)
    if task == "survival":
        # The name of a survival outcome is that of the time and that of the event.
        time_label = (target_name or "").rpartition(", ")[0] or "time"
        survival = describe_survival(found, y, time_label=time_label)
    return {"predictions": classes, "survival": survival}


def describe_curve(selector: Any) -> dict[str, Any] | None:
    """Return the inner score by number of features, or None if the number was given.

    Parameters
    ----------
    selector : fitted selector

    Returns
    -------
    curve : dict or None
        ``n_features``, ``score`` and ``standard_error`` (lists), ``chosen`` and ``best``
        (numbers of features), ``rule``, ``equal`` (numbers that count as equal to the best) and
        ``least`` (the least number that the rule takes, or None).

    Examples
    --------
    >>> from perturbfs import RobustSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> from perturbfs.results import describe_curve
    >>> data = make_wide_classification(40, 60, random_state=0)
    >>> curve = describe_curve(RobustSelector(max_features=4).fit(data.X, data.y))
    >>> curve["n_features"], curve["rule"]
    ([1, 2, 3, 4], 'one_se')
    >>> describe_curve(RobustSelector(3).fit(data.X, data.y)) is None
    True
    """
    candidates = [each for each in getattr(selector, "candidates_", ()) if np.isfinite(each.score)]
    if len(candidates) < 2:
        return None
    # Different k can give subsets of the same size, but the curve needs one point per size.
    best_of_size: dict[int, Any] = {}
    for each in sorted(candidates, key=lambda each: -each.score):
        best_of_size.setdefault(each.n_features, each)
    points = [best_of_size[size] for size in sorted(best_of_size)]
    best = max(points, key=lambda each: (each.score, -each.n_features))
    rule, size_rule = str(getattr(selector, "rule", "")), getattr(selector, "size_rule_", None)
    equal, least = [best.n_features], None
    if size_rule is not None:
        equal, least = list(size_rule.as_good), size_rule.least
    elif rule == "one_se":
        limit = best.score - best.standard_error
        equal = [each.n_features for each in points if each.score >= limit]
    return {
        "n_features": [each.n_features for each in points],
        "score": short([each.score for each in points]),
        "standard_error": short([each.standard_error for each in points]),
        "chosen": int(np.sum(selector.get_support())),
        "best": best.n_features,
        "rule": rule,
        "equal": equal,
        "least": least,
    }


def is_quick(method: str, shape: tuple[int, int]) -> bool:
    """Return whether the study of noise takes only seconds.

    This depends on the method and the size of the table only, so that results do not depend on
    the speed of the machine.
    """
    return method in QUICK_METHODS and shape[0] * shape[1] <= MOST_VALUES


def describe_noise(
    selector: Any,
    X: Array,
    y: Array,
    *,
    task: Task,
    groups: Array | None = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    on_repeat: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Select the same number of features and predict again, with 1, 5, 10 and 20 % of noise.

    Parameters
    ----------
    selector : fitted selector
        Its number of features, noise and kind of model are used again.
    X : array or sparse matrix of shape (n_samples, n_features)
        Without missing values.
    y : array of shape (n_samples,)
    task : {"classification", "regression", "survival"}
    groups : array of shape (n_samples,), optional
        All samples of a group are on the same side of a split.
    random_state : int or None
    n_jobs : int or None
        Threads.
    on_repeat : callable, optional
        Called when one of the repeats is done.

    Returns
    -------
    noise : dict
        ``rows`` (``level``, ``kept``, ``changed``, ``score``), ``n_repeats``, and ``note``: why
        there are no rows.
    """
    rows: list[dict[str, float]] = []
    note = ""
    if scipy.sparse.issparse(X):
        note = "The table is sparse, and noise would make it dense."
    else:
        again = _with_fitted_settings(selector)
        try:
            found = noise_robustness(
                again,
                X,
                y,
                task=task,
                groups=groups,
                n_repeats=N_REPEATS,
                random_state=random_state,
                n_jobs=n_jobs,
                on_repeat=on_repeat,
            )
            rows = [{k: round(value, 4) for k, value in asdict(row).items()} for row in found.rows]
        except ValueError as error:  # too few samples of a class, or too few features in a split
            note = str(error)
    return {"rows": rows, "n_repeats": N_REPEATS, "note": note}


def _with_fitted_settings(selector: Any) -> Any:
    """Return an unfitted copy with the number of features and the settings that fit found."""
    again = clone(selector).set_params(n_features_to_select=int(np.sum(selector.get_support())))
    known = again.get_params()
    for name, fitted in {"noise": "noise_", "nonlinear": "nonlinear_"}.items():
        if name in known and hasattr(selector, fitted):
            again.set_params(**{name: getattr(selector, fitted)})
    return again
