"""The compiled cores of scikit-learn's trees and support vector machine, without its checks.

A fit to a few dozen samples takes microseconds, and scikit-learn's checks before it take several
times as long. A search fits hundreds of models to columns of one table. Here the table is
checked once, by the caller, and the cores are called directly. The results are those of
`DecisionTreeClassifier`, `ExtraTreeClassifier`, their regressors and `SVC`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs._support.compat import (
    CRITERIA_CLF,
    CRITERIA_REG,
    DENSE_SPLITTERS,
    SPARSE_SPLITTERS,
    DepthFirstTreeBuilder,
    Tree,
    libsvm,
)
from perturbfs.arrays import Array

DEEPEST = 2**31 - 1


def single_precision(X: Array) -> Array:
    """Return a dense array in the precision and the layout of trees, feature by feature.

    Raises
    ------
    ValueError
        If a value is too large for it.
    """
    with np.errstate(over="ignore"):
        single = np.asfortranarray(X, dtype=np.float32)
    if not np.isfinite(single).all():
        raise ValueError(
            f"X has values up to {np.abs(X).max():g}, which is too large for the decision trees: "
            "they take at most 3.4e38. Divide the features by a constant."
        )
    return single


def grow_tree(
    X: Array,
    outcome: Array,
    n_classes: Array | None,
    *,
    seed: int,
    is_random: bool = False,
    n_tried: int | None = None,
    min_samples_split: int = 2,
    min_samples_leaf: int = 1,
    weights: Array | None = None,
) -> Any:
    """Return a tree as scikit-learn grows it.

    Parameters
    ----------
    X : array or csc matrix of shape (n_samples, n_features)
        Single precision, finite.
    outcome : array of float64 of shape (n_samples, n_outputs)
        Quantities, or the codes of classes from 0.
    n_classes : array of int of shape (n_outputs,) or None
        None for quantities.
    seed : int
    is_random : bool
        Whether thresholds are drawn at random, as in extremely randomized trees.
    n_tried : int or None
        Features tried at each node; None for all.
    min_samples_split, min_samples_leaf : int
    weights : array of float64 of shape (n_samples,) or None

    Returns
    -------
    tree : sklearn.tree._tree.Tree
        `predict` gives the shares of the classes or the quantity.
    """
    (n_samples, n_features), n_outputs = X.shape, outcome.shape[1]
    if n_classes is None:
        criterion = CRITERIA_REG["squared_error"](n_outputs, n_samples)
        sizes = np.ones(n_outputs, dtype=np.intp)
    else:
        criterion, sizes = CRITERIA_CLF["gini"](n_outputs, n_classes), n_classes
    splitters = SPARSE_SPLITTERS if scipy.sparse.issparse(X) else DENSE_SPLITTERS
    splitter = splitters["random" if is_random else "best"](
        criterion,
        n_tried or n_features,
        min_samples_leaf,
        0.0,
        _FirstDraw(seed),
        None,
    )
    fewest = max(min_samples_split, 2 * min_samples_leaf)
    builder = DepthFirstTreeBuilder(splitter, fewest, min_samples_leaf, 0.0, DEEPEST, 0.0)
    tree = Tree(n_features, sizes, n_outputs)
    builder.build(tree, X, outcome, weights, None)
    return tree


class _FirstDraw:
    """The first draw of `RandomState(seed)`; a splitter draws once, to seed its own generator.

    Making a RandomState takes longer than growing a small tree.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def randint(self, low: int, high: int) -> int:
        """Return the draw."""
        return _first_draw(self._seed, low, high)


@lru_cache(maxsize=1024)
def _first_draw(seed: int, low: int, high: int) -> int:
    return int(np.random.RandomState(seed).randint(low, high))


def fit_svm(products: Array, codes: Array, n_classes: int) -> Callable[[Array], Array]:
    """Fit the support vector machine `SVC(kernel="linear")`, one against one.

    Parameters
    ----------
    products : array of shape (n_train, n_train)
        Inner products of the training samples, contiguous.
    codes : array of float64 of shape (n_train,)
        Classes from 0.
    n_classes : int
        At least 2.

    Returns
    -------
    predict : callable
        Maps inner products of shape (n_test, n_train) to codes.
    """
    libsvm.set_verbosity_wrap(0)
    model = libsvm.fit(
        products, codes, kernel="precomputed", C=1.0, class_weight=np.ones(n_classes)
    )[:7]

    def predict(others: Array) -> Array:
        found: Array = libsvm.predict(others, *model, kernel="precomputed")
        return found

    return predict
