"""Importance of features in a forest of randomized trees that grows as far as it is needed."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array

from ._cores import grow_tree, single_precision

N_TREES = 100
SMALLEST_LEAF = 5  # trees that isolate every sample also use features that only do that


def table_for_trees(X: Array) -> Array:
    """Return finite features, dense or sparse, in the precision and the layout of trees."""
    if not scipy.sparse.issparse(X):
        return single_precision(X)
    columns = scipy.sparse.csc_matrix(X)
    columns.data = single_precision(columns.data)
    return columns


def take_for_trees(table: Array, rows: Array, features: Array | None = None) -> Array:
    """Return some samples, and all or some of the features, in the layout of trees."""
    if features is not None:
        table = table[:, features]
    if scipy.sparse.issparse(table):
        taken = scipy.sparse.csc_matrix(table[rows])
        taken.sort_indices()
        return taken
    return table.T.take(rows, axis=1).T


class GrowingForest:
    """A forest of extremely randomized trees.

    Parameters
    ----------
    n_features : int
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    weights : array of shape (n_samples,)
    task : {"classification", "regression"}

    Notes
    -----
    With `N_TREES` trees the importance equals that of scikit-learn's forest with seed 0.
    """

    def __init__(self, n_features: int, y: Array, weights: Array, *, task: str) -> None:
        outputs = y.reshape(len(y), -1)
        self._n_classes = None
        if task == "classification":
            coded = [np.unique(column, return_inverse=True) for column in outputs.T]
            self._n_classes = np.array([len(found) for found, _ in coded], dtype=np.intp)
            outputs = np.column_stack([codes for _, codes in coded])
        self._outcome = np.ascontiguousarray(outputs, dtype=np.float64)
        self._weights = np.ascontiguousarray(weights, dtype=np.float64)
        self._seeds = np.random.RandomState(0)
        self._total = np.zeros(n_features)
        self.n_trees = 0

    def grow(self, X: Array, n_trees: int) -> None:
        """Add trees until there are so many.

        Parameters
        ----------
        X : array or csc matrix of shape (n_samples, n_features)
            As `take_for_trees` returns it. It is not kept.
        n_trees : int
        """
        n_tried = max(1, int(np.sqrt(X.shape[1])))
        for _ in range(self.n_trees, n_trees):
            tree = grow_tree(
                X,
                self._outcome,
                self._n_classes,
                seed=self._seeds.randint(np.iinfo(np.int32).max),
                is_random=True,
                n_tried=n_tried,
                min_samples_leaf=SMALLEST_LEAF,
                weights=self._weights,
            )
            if tree.node_count > 1:
                self._total += tree.compute_feature_importances()
        self.n_trees = max(self.n_trees, n_trees)

    def importance(self) -> Array:
        """Return the importance of each feature: the sum is 1, or all are 0 if no tree splits."""
        importance: Array = self._total / max(float(self._total.sum()), np.finfo(float).tiny)
        return importance
