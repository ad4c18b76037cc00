"""Splits that keep groups of samples together, such as the samples of a patient."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold
from sklearn.utils import check_random_state

from perturbfs.arrays import Array

Split = tuple[Array, Array]  # rows to train on, rows to test
Splits = list[Split]
_N_TRIES = 200


def check_groups(groups: Any, n_samples: int, what: str = "group") -> Array:
    """Return the groups, or batches, as an array of one name or number per sample.

    An error if one is missing. `what` is "group" or "batch".
    """
    groups = np.asarray(groups)
    if groups.shape == (n_samples, 1):
        groups = groups[:, 0]
    if groups.shape != (n_samples,):
        name = "groups" if what == "group" else what
        raise ValueError(
            f"{name} has the shape {groups.shape}, but there are {n_samples} samples. "
            f"Pass one {what} per sample."
        )
    n_missing = sum(map(_is_missing, groups.tolist()))
    if n_missing:
        raise ValueError(
            f"The {what} of {n_missing} of {n_samples} samples is missing. Pass one {what} per "
            f"sample; a sample that belongs to no other is a {what} of its own."
        )
    # Objects of several types cannot be sorted.
    return groups.astype(str) if groups.dtype.kind == "O" else groups


def _is_missing(group: Any) -> bool:
    return not isinstance(group, str) and str(group) in ("None", "nan", "NaT", "<NA>")


def random_group_splits(
    y: Array, groups: Array, *, task: str, n_splits: int, test_size: float, seed: int
) -> Splits:
    """Return random splits that keep groups together.

    scikit-learn's GroupShuffleSplit ignores the classes and the sizes of the groups, and the
    test share of StratifiedGroupKFold depends on the number of folds. Here the groups are visited
    in random order, and a group goes to the test side if that brings the classes nearer to their
    test shares.

    Parameters
    ----------
    y : array of shape (n_samples,)
    groups : array of shape (n_samples,)
    task : {"classification", "regression"}
    n_splits : int
    test_size : float
    seed : int

    Returns
    -------
    splits : list of (train, test)
    """
    names, group = np.unique(groups, return_inverse=True)
    classes = np.zeros(len(y), dtype=int)
    if task == "classification":
        classes = np.unique(y, return_inverse=True)[1]
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
    raise _no_split(len(counts))


def group_folds(y: Array, groups: Array, *, task: str, n_splits: int, seed: int) -> Splits:
    """Return shuffled folds that keep groups together, stratified for classes.

    Parameters
    ----------
    y : array of shape (n_samples,)
    groups : array of shape (n_samples,)
        At least `n_splits` of them, and for classes at least `n_splits` with each class.
    task : {"classification", "regression"}
    n_splits : int
    seed : int

    Returns
    -------
    splits : list of (train, test)
        Every class is among the training samples of every split.
    """
    rng = check_random_state(seed)
    kind = StratifiedGroupKFold if task == "classification" else GroupKFold
    for _ in range(_N_TRIES):
        folds = kind(n_splits, shuffle=True, random_state=rng.randint(2**31 - 1))
        found: Splits = list(folds.split(np.zeros(len(y)), y, groups))
        if task == "regression" or _train_on_every_class(y, found):
            return found
    raise _no_split(len(np.unique(groups)))


def _train_on_every_class(y: Array, splits: Splits) -> bool:
    n_classes = len(np.unique(y))
    return all(len(np.unique(y[train])) == n_classes for train, _ in splits)


def _no_split(n_groups: int) -> ValueError:
    return ValueError(
        f"No split of the {n_groups} groups was found that has samples of every class both to "
        "train on and to test. Leave small classes out with min_class_size, or leave the groups "
        "out if the samples are independent."
    )


def check_enough_groups(y: Array, groups: Array, *, task: str) -> None:
    """Raise an error if there are too few groups, of all samples or of a class, to split."""
    names = np.unique(groups)
    if task == "classification":
        for label in np.unique(y).tolist():
            if len(np.unique(groups[y == label])) < 2:
                raise ValueError(
                    f"All samples of class {label!r} belong to one group, but every class needs "
                    "at least 2 groups: one to train on and one to test. Leave the class out "
                    "with min_class_size, or merge it with another."
                )
    if len(names) < 2:
        raise ValueError(
            f"All samples belong to the group {names.tolist()[0]!r}, but at least 2 groups are "
            "needed: one to train on and one to test. Check the column of the groups."
        )
