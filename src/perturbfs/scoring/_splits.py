"""Splits into training and test samples: inner folds, and repeated random splits."""

from __future__ import annotations

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
from perturbfs.checks import strata

Splits = list[tuple[Array, Array]]
MIN_SAMPLES = 6  # 70 % of fewer samples are too few for three neighbors
_N_TRIES = 200
MAX_DEFAULT_SPLITS = 5


def make_splits(
    y: Array, *, groups: Array | None, task: str, n_splits: int, test_size: float, seed: int
) -> Splits:
    """Return the training and test samples of repeated random splits.

    Parameters
    ----------
    y : array of shape (n_samples,)
    groups : array of shape (n_samples,) or None
        All samples of a group are on the same side of a split.
    task : {"classification", "regression"}
        Every class has its share of the test samples, as far as the groups allow it, and at
        least one sample on each side.
    n_splits : int
    test_size : float
        Share of test samples; approximate with groups.
    seed : int

    Returns
    -------
    splits : list of (train, test)
        Positions of the samples.
    """
    _check_enough(y, task)
    if groups is not None:
        return _group_splits(y, groups, task, n_splits, test_size, seed)
    if task == "regression":
        return list(ShuffleSplit(n_splits, test_size=test_size, random_state=seed).split(y))
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


def _group_splits(
    y: Array, groups: Array, task: str, n_splits: int, test_size: float, seed: int
) -> Splits:
    """Return random splits that keep groups together.

    scikit-learn's GroupShuffleSplit ignores the classes and the sizes of the groups, and the
    test share of StratifiedGroupKFold depends on the number of folds. Here the groups are visited
    in random order, and a group goes to the test side if that brings the classes nearer to their
    test shares.
    """
    names, group = np.unique(groups, return_inverse=True)
    classes = np.zeros(len(y), dtype=int)
    if task == "classification":
        labels, classes = np.unique(y, return_inverse=True)
        _check_groups_of_classes(labels, classes, group)
    if len(names) < 2:
        raise ValueError(
            f"All samples belong to the group {names[0]!r}, but at least 2 groups are needed: one "
            "to train on and one to test. Check the column of the groups."
        )
    counts = np.zeros((len(names), classes.max() + 1))
    np.add.at(counts, (group, classes), 1)
    rng = check_random_state(seed)
    splits = []
    for _ in range(n_splits):
        is_test = _draw_groups(counts, test_size, rng)[group]
        splits.append((np.flatnonzero(~is_test), np.flatnonzero(is_test)))
    return splits


def _draw_groups(counts: Array, test_size: float, rng: Any) -> Array:
    """Return which groups to test on, with samples of every class on both sides."""
    total = counts.sum(axis=0)
    for _ in range(_N_TRIES):
        missing = np.full(len(total), test_size)
        is_test = np.zeros(len(counts), dtype=bool)
        for name in rng.permutation(len(counts)):
            left = missing - counts[name] / total
            if left @ left < missing @ missing:
                is_test[name], missing = True, left
        tested = counts[is_test].sum(axis=0)
        if np.all((tested > 0) & (tested < total)):
            return is_test
    raise ValueError(
        f"No split of the {len(counts)} groups was found that has samples of every class both to "
        "train on and to test. Leave small classes out with min_class_size (--min-class-size), "
        "or evaluate without groups if the samples are independent."
    )


def _check_groups_of_classes(labels: Array, classes: Array, group: Array) -> None:
    for code, label in enumerate(labels.tolist()):
        if len(np.unique(group[classes == code])) < 2:
            raise ValueError(
                f"All samples of class {label!r} belong to one group, but every class needs at "
                "least 2 groups: one to train on and one to test. Leave the class out with "
                "min_class_size (--min-class-size) or merge it with another."
            )


def inner_splits(X: Array, y: Array, groups: Array | None, *, task: str, cv: Any) -> Splits:
    """Return the training and test samples of the splits that `cv` describes.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Or an array with as many samples; the splitter of a user may use it.
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    groups : array of shape (n_samples,) or None
        For the splitter.
    task : {"classification", "regression"}
        Folds are stratified by class, or by the combination of classes.
    cv : int, splitter, iterable of splits or None
        As in `resolve_splitter`.

    Returns
    -------
    splits : list of (train, test)
    """
    by = strata(y, task=task)
    outcome = y if by is None else by
    kind = "regression" if by is None else "classification"
    return list(resolve_splitter(cv, outcome, task=kind, seed=0).split(X, outcome, groups))


def resolve_splitter(cv: Any, y: Array, *, task: str, seed: int) -> Any:
    """Return the splitter that `cv` describes; a number of folds means shuffled folds.

    Parameters
    ----------
    cv : int, splitter, iterable of splits or None
        None is five folds, or as many as the smallest class allows.
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
        Folds are stratified for classes.
    seed : int
        For the shuffling.

    Returns
    -------
    splitter : splitter
    """
    if cv is not None and not isinstance(cv, (int, np.integer)):
        return check_cv(cv)
    smallest, group = _smallest_group(y, task)
    n_splits = max(2, min(MAX_DEFAULT_SPLITS, smallest)) if cv is None else int(cv)
    if smallest < n_splits:
        raise ValueError(
            f"{group}, but {n_splits} folds need at least {n_splits}. Drop or merge the class, "
            "pass another cv, or ask for a number of features, which needs no folds. If y is a "
            "quantity, pass a regressor as estimator."
        )
    folds = StratifiedKFold if task == "classification" else KFold
    return folds(n_splits, shuffle=True, random_state=seed)


def _smallest_group(y: Array, task: str) -> tuple[int, str]:
    """Return the size of the smallest class, or of all samples, and a phrase that names it."""
    if task == "regression":
        return len(y), f"There are {len(y)} samples"
    labels, counts = np.unique(y, return_counts=True)
    smallest = int(np.argmin(counts))
    count = int(counts[smallest])
    label = labels[smallest].item()
    return count, f"Class {label!r} has {count} sample{'' if count == 1 else 's'}"


def leave_out_small(y: Array, min_class_size: int | None) -> tuple[Array, dict[Any, int]]:
    """Return the positions of the samples that stay, and the classes that are too small.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Class labels.
    min_class_size : int or None
        Classes with fewer samples are left out.

    Returns
    -------
    kept : array of int
    left_out : dict of class to int
        Their numbers of samples.
    """
    if min_class_size is None:
        return np.arange(len(y)), {}
    labels, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    is_small = counts < min_class_size
    if np.sum(~is_small) < 2:
        largest = sorted(counts.tolist(), reverse=True)[:2]
        raise ValueError(
            f"min_class_size={min_class_size} leaves {np.sum(~is_small)} classes, but at least 2 "
            f"are needed. The largest classes have {', '.join(map(str, largest))} "
            "samples: lower it."
        )
    small = zip(labels[is_small].tolist(), counts[is_small].tolist(), strict=True)
    return np.flatnonzero(~is_small[codes]), dict(small)


def _check_enough(y: Array, task: str) -> None:
    """Raise an error if the outcome has too few samples to split."""
    if len(y) < MIN_SAMPLES:
        raise ValueError(
            f"There are {len(y)} samples, but at least {MIN_SAMPLES} are needed to train on some "
            "and test on others."
        )
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        for label, count in zip(labels.tolist(), counts.tolist(), strict=True):
            if count < 2:
                raise ValueError(
                    f"Class {label!r} has 1 sample, but every class needs at least 2: one to "
                    "train on and one to test. Leave it out with min_class_size=2 "
                    "(--min-class-size 2), or merge it with another."
                )
