"""The two ways to rank that the robust selector chooses between."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.tree import ExtraTreeClassifier, ExtraTreeRegressor
from sklearn.utils import check_array

from perturbfs.arrays import Array, as_blocks

from ._path import follow_path, rotate_targets
from ._prepare import TIE, prepare_features, unit_targets

N_TREES = 100
SMALLEST_LEAF = 5  # trees that tell every sample apart also use features that only do that


@dataclass(frozen=True, slots=True)
class LinearRanker:
    """Features in the order of the robust path."""

    task: str
    noise: float
    width: float
    n_wanted: int

    @property
    def is_nonlinear(self) -> bool:
        """Whether trees rank."""
        return False

    def __call__(self, X: Array, y: Array, weights: Array, features: Array | None = None) -> Array:
        """Features, best first; `features` are those of X where they are prepared already."""
        if features is None:
            features = self.prepare(X, weights)
        targets = self.targets(y, weights)
        return follow_path(features, targets, self.n_wanted, noise=self.noise, xp=np).features

    def prepare(self, X: Array, weights: Array) -> Array:
        """The features as the path needs them, whatever the noise."""
        return prepare_features(as_blocks(X), weights, width=self.width)

    def targets(self, y: Array, weights: Array) -> Array:
        """The columns that are fitted."""
        return unit_targets(y, weights, task=self.task)


@dataclass(frozen=True, slots=True)
class ForestRanker:
    """Features by their importance in a forest of extremely randomized trees, fixed seed.

    After those that the trees use comes the robust path's order. Where `n_seen` is a number, the
    trees see no more than so many features, those at the smallest angle to the outcome.
    """

    linear: LinearRanker
    n_seen: int | None = None

    @property
    def is_nonlinear(self) -> bool:
        """Whether trees rank."""
        return True

    @property
    def noise(self) -> float:
        """Size of the perturbation for the coefficients."""
        return self.linear.noise

    def __call__(self, X: Array, y: Array, weights: Array, features: Array | None = None) -> Array:
        """Features, best first; none is a multiple of one before it."""
        kind = ExtraTreeRegressor if self.linear.task == "regression" else ExtraTreeClassifier
        tree = kind(min_samples_leaf=SMALLEST_LEAF, max_features="sqrt")
        if features is None:
            features = self.linear.prepare(X, weights)
        seen = self._seen(features, y, weights)
        table = X if len(seen) == X.shape[1] else X[:, seen]
        importance = forest_importance(tree, table, y, weights * len(y))
        used = seen[np.argsort(-importance, kind="stable")[: int(np.sum(importance > 0))]]
        rest = self.linear(X, y, weights, features)
        order = np.concatenate([used, rest[~np.isin(rest, used)]])
        return without_multiples(features, order, self.linear.n_wanted)

    def _seen(self, features: Array, y: Array, weights: Array) -> Array:
        if self.n_seen is None or self.n_seen >= len(features):
            return np.arange(len(features))
        targets = rotate_targets(self.linear.targets(y, weights), xp=np)
        lengths = np.linalg.vector_norm(features @ targets, axis=1)
        return np.sort(np.argsort(-lengths, kind="stable")[: self.n_seen])


def forest_importance(tree: Any, X: Array, y: Array, weights: Array) -> Array:
    """Importance of the features in a hundred copies of a tree.

    What scikit-learn's forest of such trees with the seed 0 says, without its making, checking
    and scheduling each tree, which takes longer than growing one of a hundred samples.
    """
    with np.errstate(over="ignore"):
        # Refuses values that are too large.
        X = check_array(X, accept_sparse="csc", dtype=np.float32)
    seeds = np.random.RandomState(0)  # as the forest does
    total = np.zeros(X.shape[1])
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for _ in range(N_TREES):
            grown = copy.copy(tree)
            grown.random_state = seeds.randint(np.iinfo(np.int32).max)
            grown.fit(X, y, sample_weight=weights, check_input=False)
            if grown.tree_.node_count > 1:
                total += grown.feature_importances_
    return total / max(float(total.sum()), np.finfo(float).tiny)


def without_multiples(features: Array, order: Array, n_wanted: int) -> Array:
    """The first features of an order that are no multiples of each other and not constant."""
    is_open = np.any(features != 0, axis=1)
    kept: list[int] = []
    for feature in order.tolist():
        if len(kept) == n_wanted:
            break
        if is_open[feature]:
            kept.append(feature)
            is_open &= np.abs(features @ features[feature]) < 1 - TIE
    return np.array(kept, dtype=np.int64)
