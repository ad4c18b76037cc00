"""The honest protocol: everything is learned from the training rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.model_selection import ShuffleSplit
from threadpoolctl import threadpool_limits

from perturbfs._support.names import Size
from perturbfs.arrays import Array
from perturbfs.evaluation import make_selector
from perturbfs.paper import PerturbationSelector
from perturbfs.scoring import (
    Judge,
    Trial,
    choose,
    mean_recall,
    resolve_estimator,
    resolve_scorer,
    score_candidates,
)

from ._published import random_candidates
from ._splits import TRAIN_SHARE, split_honestly


def honest_run(
    X: Array,
    y: Array,
    method: str,
    *,
    run: int,
    seed: int,
    n_features: Size = "auto",
    train_counts: Mapping[int, int] | None = None,
) -> tuple[Array, float]:
    """Return the features selected on the training rows and their accuracy on the test rows.

    Parameters
    ----------
    X, y : arrays
    method : str
        ``"pfs-CLUSTERER-INNER"``, ``"random-tree"``, ``"all"`` or a rival.
    run : int
        The first run has the smaller perturbation, as in the released program.
    seed : int
        For the split, which is the same for all methods, and for the method.
    n_features : int or "auto"
        For a rival that cannot choose the number.
    train_counts : mapping of label to int, optional
        Training samples of each class, where they are not 70 %.

    Returns
    -------
    features : array of int
        Selected features.
    accuracy : float
        Percent, mean recall of a decision tree on the test rows.
    """
    data = split_honestly(X, y, seed, train_counts)
    with threadpool_limits(limits=1):
        rows = data.X[data.train], data.y[data.train]
        features = select_features(*rows, method, run=run, seed=seed, n_features=n_features)
        tree = resolve_estimator("tree", task="classification", seed=seed)
        predicted = Trial(tree).predict(data.take(features))
    return features, 100 * mean_recall(data.y[data.test], predicted)


def select_features(
    X: Array, y: Array, method: str, *, run: int, seed: int, n_features: Size
) -> Array:
    """Return the features that a method selects on these rows; the parameters of `honest_run`."""
    if method == "all":
        return np.arange(X.shape[1])
    if method == "random-tree":
        return _random_subset(X, y, seed)
    if method.startswith("pfs-"):
        _, clusterer, inner = method.split("-")
        selector = PerturbationSelector(
            definition="released" if run == 0 else "released-late",
            clusterer=clusterer,
            estimator=inner,
            cv=_inner_split(seed),
            n_repeats=1,
            random_state=seed,
        )
    else:
        selector = make_selector(method, n_features, random_state=seed)
    return np.asarray(selector.fit(X, y).get_support(indices=True))


def _inner_split(seed: int) -> ShuffleSplit:
    """Return a split of the training rows: 70 % to train, 30 % to choose k."""
    return ShuffleSplit(1, train_size=TRAIN_SHARE, random_state=seed)


def _random_subset(X: Array, y: Array, seed: int) -> Array:
    """Return the random subset with the best score on the inner split."""
    estimator = resolve_estimator("tree", task="classification", seed=seed)
    scorer = resolve_scorer(None, estimator, task="classification")
    judge = Judge(estimator, scorer, y, list(_inner_split(seed).split(X)), {}, {})
    candidates = random_candidates(X, np.random.RandomState(seed))
    scored = score_candidates(candidates, np.arange(X.shape[1]), X, judge)
    return choose(scored, rule="accuracy").features
