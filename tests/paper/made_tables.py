"""Random tables of every shape and kind that the numerics treat differently."""

import numpy as np

SHAPES = {"wide": (20, 60), "tall": (60, 20), "square": (25, 25)}
KINDS = ("full", "dependent features", "repeated sample", "ill-conditioned")


def make_table(shape, kind="full", *, spread=1e-4):
    """Return features, three classes as numbers, and one random number per sample.

    Ill-conditioned features differ from the first one by `spread`.
    """
    rng = np.random.default_rng(0)
    n_samples, n_features = shape
    X = rng.standard_normal((n_samples, n_features))
    if kind == "dependent features":
        X[:, 3] = X[:, 1] - 2 * X[:, 2]
    elif kind == "repeated sample":
        X[1] = X[0]
    elif kind == "ill-conditioned":
        X[:, 1:] = X[:, :1] + spread * X[:, 1:]
    y = rng.integers(1, 4, n_samples)
    if kind == "repeated sample":
        y[1] = y[0]
    return X, y.astype(float), rng.uniform(size=n_samples)
