"""Seeds of the runs, and their training and test rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from perturbfs.arrays import Array
from perturbfs.scoring import TrainTest

TRAIN_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Shuffled:
    """Rows in random order, the training rows first."""

    X: Array
    y: Array
    n_train: int

    @property
    def train(self) -> slice:
        """The training rows."""
        return slice(self.n_train)

    @property
    def test(self) -> slice:
        """The test rows."""
        return slice(self.n_train, None)

    def take(self, features: Array) -> TrainTest:
        """Return both sides of the split with some of the features."""
        columns = self.X[:, features]
        return TrainTest(
            columns[self.train], self.y[self.train], columns[self.test], self.y[self.test]
        )


def run_seeds(random_state: int, n_runs: int) -> list[int]:
    """Return one seed per run; the first seeds do not depend on the number of runs."""
    seeds = np.random.RandomState(random_state).randint(2**31 - 1, size=n_runs)
    return [int(seed) for seed in seeds]


def shuffle_rows(
    X: Array, y: Array, rng: np.random.RandomState, train_counts: Mapping[int, int] | None = None
) -> Shuffled:
    """Return the rows shuffled as in the released program, which does not stratify.

    Parameters
    ----------
    X, y : arrays
    rng : RandomState
    train_counts : mapping of label to int, optional
        Training samples of each class; by default 70 % of all rows.
    """
    order = rng.permutation(len(y))
    if train_counts is None:
        return Shuffled(X[order], y[order], math.floor(TRAIN_SHARE * len(y)))
    is_train = np.zeros(len(y), dtype=bool)
    for label, count in train_counts.items():
        is_train[order[y[order] == label][:count]] = True
    order = np.concatenate([order[is_train[order]], order[~is_train[order]]])
    return Shuffled(X[order], y[order], int(is_train.sum()))


def split_honestly(
    X: Array, y: Array, seed: int, train_counts: Mapping[int, int] | None = None
) -> Shuffled:
    """Return a split for the honest protocol: stratified, or with given class counts."""
    if train_counts is not None:
        return shuffle_rows(X, y, np.random.RandomState(seed), train_counts)
    splitter = StratifiedShuffleSplit(1, train_size=TRAIN_SHARE, random_state=seed)
    train, test = next(splitter.split(X, y))
    order = np.concatenate([train, test])
    return Shuffled(X[order], y[order], len(train))
