"""Data and readings that the tests of several rivals share."""

import numpy as np


def make_curved_data(task="classification", seed=0, n_samples=48, n_features=30):
    """Return features and an outcome that depends on features 3, 7 and 11, partly by curves."""
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(n_samples, n_features))
    signal = X[:, 3] + X[:, 7] ** 2 - np.abs(X[:, 11]) + 0.2 * rng.normal(size=n_samples)
    if task == "regression":
        return X, signal
    return X, np.digitize(signal, np.quantile(signal, [1 / 3, 2 / 3]))


def order_of(selector):
    """Return the selected features, the best one first."""
    return np.argsort(selector.ranking_, kind="stable")[: selector.support_.sum()].tolist()
