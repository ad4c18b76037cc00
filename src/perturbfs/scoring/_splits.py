"""Splits into training and test samples: inner folds, and repeated random splits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.utils import check_random_state

from perturbfs.arrays import Array
from perturbfs.checks import outcome_to_split, strata

from ._groups import Splits, check_enough_groups, check_groups, group_folds, random_group_splits

MIN_SAMPLES = 6  # 70 % of fewer samples are too few for three neighbors
MAX_DEFAULT_SPLITS = 5
MOST_NAMED = 10  # classes that an error names


def make_splits(
    y: Array, *, groups: Array | None, task: str, n_splits: int, test_size: float, seed: int
) -> Splits:
    """Return the training and test samples of repeated random splits.

    Parameters
    ----------
    y : array of shape (n_samples,)
    groups : array of shape (n_samples,) or None
        All samples of a group are on the same side of a split.
    task : {"classification", "regression", "survival"}
        Every class, and the event of a survival, has its share of the test samples, as far as the
        groups allow it, and at least one sample on each side.
    n_splits : int
    test_size : float
        Share of test samples; approximate with groups.
    seed : int

    Returns
    -------
    splits : list of (train, test)
        Positions of the samples.
    """
    check_enough(y, groups, task=task)
    y, task = outcome_to_split(y, task=task)
    if groups is not None:
        return random_group_splits(
            y, groups, task=task, n_splits=n_splits, test_size=test_size, seed=seed
        )
    if task == "regression":
        return list(ShuffleSplit(n_splits, test_size=test_size, random_state=seed).split(y))
    n_samples, n_classes = len(y), len(np.unique(y))
    n_test = math.ceil(test_size * n_samples)
    if not n_classes <= n_test <= n_samples - n_classes:  # a sample of each class on each side
        test_size = min(max(n_test, n_classes), n_samples - n_classes)
    splitter = StratifiedShuffleSplit(n_splits, test_size=test_size, random_state=seed)
    rng = check_random_state(seed)
    return [
        _with_every_class(y, train, test, rng)
        for train, test in splitter.split(np.zeros(len(y)), y)
    ]


def _with_every_class(y: Array, train: Array, test: Array, rng: Any) -> tuple[Array, Array]:
    """Return the split with one sample moved for each class that is missing on a side.

    Rounding can leave a small class without test samples, so that it is not scored.
    """
    for label in np.unique(y):
        if not np.any(y[test] == label):
            moved = rng.choice(np.flatnonzero(y[train] == label))
            train, test = np.delete(train, moved), np.append(test, train[moved])
        elif not np.any(y[train] == label):
            moved = rng.choice(np.flatnonzero(y[test] == label))
            train, test = np.append(train, test[moved]), np.delete(test, moved)
    return train, test


def inner_splits(X: Array, y: Array, groups: Any, *, task: str, cv: Any) -> Splits:
    """Return the training and test samples of the splits that `cv` describes.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Or an array with as many samples; the splitter of a user may use it.
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    groups : array of shape (n_samples,) or None
        Folds keep groups together; the splitter of a user gets them.
    task : {"classification", "regression", "survival"}
        Folds are stratified by class, by the combination of classes, or by the event.
    cv : int, splitter, iterable of splits or None
        As in `resolve_splitter`.

    Returns
    -------
    splits : list of (train, test)
    """
    y, task = outcome_to_split(y, task=task)
    by = strata(y, task=task)
    kind = "regression" if by is None else "classification"
    # Errors name classes, but a combination of classes has no name.
    outcome = y if by is None or y.ndim == 1 else by
    groups = None if groups is None else check_groups(groups, len(y))
    splitter = resolve_splitter(cv, outcome, task=kind, seed=0, groups=groups)
    return split_all(splitter, X, outcome, groups=groups)


def split_all(splitter: Any, X: Array, y: Array, **params: Any) -> Splits:
    """Return all splits of a splitter; refuse it if nothing can be learned from one of them.

    Parameters
    ----------
    splitter : splitter
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    **params
        For the splitter, such as groups.

    Returns
    -------
    splits : list of (train, test)
    """
    splits = list(splitter.split(X, y, **params))
    if not splits:
        raise ValueError(
            "There are no inner splits. A generator gives its splits only once: pass a list of "
            "them, or a splitter."
        )
    for number, (train, _) in enumerate(splits, start=1):
        known = y[train]
        if np.all(known == known[:1]):
            raise ValueError(
                f"In inner split {number} all training samples have the same outcome, so nothing "
                "can be learned from them. Shuffle or stratify them, as StratifiedKFold does."
            )
    return splits


def resolve_splitters(
    cv: Any, y: Array, *, task: str, seeds: Sequence[int], groups: Array | None = None
) -> list[Any]:
    """Return a splitter for each run, as `resolve_splitter` does; given splits are used by all.

    Parameters
    ----------
    cv, y, task, groups
        As in `resolve_splitter`.
    seeds : sequence of int
        For the shuffling in each run.

    Returns
    -------
    splitters : list of splitter
    """
    if cv is not None and not isinstance(cv, (int, np.integer)):
        cv = check_cv(cv)  # a generator gives its splits only once
    return [resolve_splitter(cv, y, task=task, seed=seed, groups=groups) for seed in seeds]


def resolve_splitter(
    cv: Any, y: Array, *, task: str, seed: int, groups: Array | None = None
) -> Any:
    """Return the splitter that `cv` describes; a number of folds means shuffled folds.

    Parameters
    ----------
    cv : int, splitter, iterable of splits or None
        None is five folds, or as many as the smallest class has samples or groups.
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
        Folds are stratified for classes.
    seed : int
        For the shuffling.
    groups : array of shape (n_samples,) or None
        All samples of a group are in the same fold.

    Returns
    -------
    splitter : splitter
    """
    if cv is not None and not isinstance(cv, (int, np.integer)):
        return check_cv(cv)
    smallest, phrase = _smallest_class(y, task, groups)
    n_splits = max(2, min(MAX_DEFAULT_SPLITS, smallest)) if cv is None else int(cv)
    if smallest < n_splits:
        is_class = task == "classification"
        change = (
            "Leave the class out or merge it with another" if is_class else "Pass a smaller cv"
        )
        quantity = " If y is a quantity, pass a regressor as estimator."
        raise ValueError(
            f"{phrase}, but {n_splits} folds need at least {n_splits}. {change}, or pass a number "
            "as n_features_to_select, which needs no folds."
            f"{quantity if is_class and y.dtype.kind in 'iuf' else ''}"
        )
    if groups is not None:
        return check_cv(group_folds(y, groups, task=task, n_splits=n_splits, seed=seed))
    folds = StratifiedKFold if task == "classification" else KFold
    return folds(n_splits, shuffle=True, random_state=seed)


def _smallest_class(y: Array, task: str, groups: Array | None) -> tuple[int, str]:
    """Return the size of the smallest class, or of all samples, and a phrase that says it.

    Sizes are numbers of samples, or of groups if there are any.
    """
    units = np.arange(len(y)) if groups is None else groups
    of_class = np.zeros(len(y)) if task == "regression" else y
    labels = np.unique(of_class)
    counts = [len(np.unique(units[of_class == label])) for label in labels]
    smallest = int(np.argmin(counts))
    count = counts[smallest]
    n_units = f"{count} {'sample' if groups is None else 'group'}{'' if count == 1 else 's'}"
    if task == "regression":
        return count, f"There {'is' if count == 1 else 'are'} {n_units}"
    has = "has" if groups is None else "is in"
    return count, f"Class {labels.tolist()[smallest]!r} {has} {n_units}"


def samples_to_keep(
    y: Array, min_class_size: int | None, *, task: str
) -> tuple[Array, dict[Any, int]]:
    """Return the positions of the samples that stay, and the classes that are too small.

    Parameters
    ----------
    y : array of shape (n_samples,)
    min_class_size : int or None
        Classes with fewer samples are left out.
    task : {"classification", "regression", "survival"}
        A minimum is an error without classes.

    Returns
    -------
    kept : array of int
    left_out : dict of class to int
        Their numbers of samples.
    """
    if min_class_size is None:
        return np.arange(len(y)), {}
    if task != "classification":
        what = "quantity" if task == "regression" else "survival"
        raise ValueError(
            f"min_class_size={min_class_size} was given, but the outcome is a {what}, which "
            "has no classes. Leave min_class_size out."
        )
    labels, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    is_small = counts < min_class_size
    n_left = int(np.sum(~is_small))
    if n_left < 2:
        largest = sorted(counts.tolist(), reverse=True)[:2]
        raise ValueError(
            f"min_class_size={min_class_size} leaves {n_left or 'no'} "
            f"class{'' if n_left == 1 else 'es'}, but at least 2 are needed. The largest classes "
            f"have {' and '.join(map(str, largest))} samples. Lower min_class_size."
        )
    small = zip(labels[is_small].tolist(), counts[is_small].tolist(), strict=True)
    return np.flatnonzero(~is_small[codes]), dict(small)


def check_enough(y: Array, groups: Array | None = None, *, task: str) -> None:
    """Raise an error if the samples or groups are too few to train on some and test on others.

    Parameters
    ----------
    y : array of shape (n_samples,)
    groups : array of shape (n_samples,) or None
    task : {"classification", "regression", "survival"}
    """
    y, task = outcome_to_split(y, task=task)
    if len(y) < MIN_SAMPLES:
        raise ValueError(
            f"There are {len(y)} samples, but at least {MIN_SAMPLES} are needed to train on some "
            "and test on others."
        )
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        single = labels[counts == 1].tolist()
        if single:
            raise ValueError(_describe_single(single, len(labels)))
    if groups is not None:
        check_enough_groups(y, groups, task=task)


def _describe_single(single: list[Any], n_classes: int) -> str:
    """Return an error about classes with one sample."""
    named = ", ".join(map(repr, single[:MOST_NAMED]))
    more = f" and {len(single) - MOST_NAMED} more" if len(single) > MOST_NAMED else ""
    which = f"Class {named} has" if len(single) == 1 else f"{len(single)} classes have"
    names = "" if len(single) == 1 else f" ({named}{more})"
    it = "it" if len(single) == 1 else "them"
    # With many numbers as classes, the likely mistake is another one.
    is_number = not isinstance(single[0], str) and n_classes > MOST_NAMED
    advice = (
        "If the outcome is a quantity, pass task='regression'. Otherwise leave"
        if is_number
        else "Leave"
    )
    return (
        f"{which} 1 sample{names}, but every class needs at least 2: one to train on and one to "
        f"test. {advice} {it} out with min_class_size=2, or merge {it} with another class."
    )
