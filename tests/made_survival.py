"""Made-up survival outcomes: features of which the first few change the hazard."""

import numpy as np

from perturbfs.arrays import survival_outcome


def make_survival(n_samples=120, n_features=60, n_useful=4, *, ties=False, seed=0):
    """Standard normal features; exponential times whose log hazard is the sum of a few of them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features))
    hazard = np.exp(X[:, :n_useful].sum(axis=1))
    time, end = rng.exponential(1 / hazard), rng.exponential(2.0, n_samples)
    event, observed = time <= end, np.minimum(time, end)
    if ties:
        observed = np.ceil(observed * 4) / 4
    return X, survival_outcome(event, observed)
