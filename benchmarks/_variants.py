"""Variants of the robust path that were compared; most of them are not used.

They are written for comparison, not for speed. The variant that is used is in `perturbfs.robust`.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import norm, rankdata

N_WANTED = 40


def clipped(X, limit):
    """Clip features at a number of robust deviations from the median; None changes nothing."""
    center = np.median(X, axis=0)
    apart = X - center
    spread = 1.4826 * np.median(np.abs(apart), axis=0)
    spread = np.where(spread > 0, spread, X.std(axis=0))
    if limit is None:
        return apart
    return np.clip(apart, -limit * spread, limit * spread)


def clipped_within(X, y, limit):
    """Clip features at a number of robust deviations from the median of the sample's class."""
    labels, codes = np.unique(y, return_inverse=True)
    centers = np.stack([np.median(X[codes == c], axis=0) for c in range(len(labels))])
    apart = X - centers[codes]
    spread = 1.4826 * np.median(np.abs(apart), axis=0)
    spread = np.where(spread > 0, spread, apart.std(axis=0))
    return centers[codes] + np.clip(apart, -limit * spread, limit * spread)


def normal_scores(X):
    """Replace features by the normal quantiles of their ranks."""
    return norm.ppf(rankdata(X, axis=0) / (len(X) + 1))


def compressed(X, width=1.0):
    """Return the inverse hyperbolic sine of robust deviations, which compresses large values."""
    center = np.median(X, axis=0)
    spread = 1.4826 * np.median(np.abs(X - center), axis=0)
    spread = np.where(spread > 0, spread, np.maximum(X.std(axis=0), 1e-300))
    return np.arcsinh((X - center) / spread / width)


def squashed(X, limit):
    """Clip features smoothly, by the hyperbolic tangent."""
    center = np.median(X, axis=0)
    spread = 1.4826 * np.median(np.abs(X - center), axis=0)
    spread = np.where(spread > 0, spread, np.maximum(X.std(axis=0), 1e-300))
    return np.tanh((X - center) / spread / limit)


def sample_weights(y, balance):
    """Return weights with sum one: equal for classes if balance is 1, for samples if it is 0."""
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    weights = counts[codes] ** -float(balance)
    return weights / weights.sum()


def unit(columns, weights):
    """Center and scale the columns under the weights, and put the weights into the rows."""
    columns = columns - weights @ columns
    columns = columns * np.sqrt(weights)[:, None]
    norms = np.linalg.norm(columns, axis=0)
    return np.where(norms > 1e-10, columns / np.where(norms > 1e-10, norms, 1.0), 0.0)


def prepared(X, y, *, clip=1.5, within=None, transform=None, balance=0.0, are_unit=True):
    weights = sample_weights(y, balance)
    values = clipped(X, clip) if transform is None else transform(X)
    if within is not None:
        values = clipped_within(X, y, within)
    indicators = (y[:, None] == np.unique(y)).astype(float)
    targets = unit(indicators, weights)
    if not are_unit:
        targets = targets * np.sqrt(weights @ indicators * (1 - weights @ indicators))
    return unit(values, weights), targets


def path(F, Y, *, penalty=2.0, n_wanted=N_WANTED, score="norm", near=1.0, growth=0.0):
    """Return the forward path with a ridge refit, or one of its variants.

    `score` compares features by the norm or by the largest of their products with the columns of
    the residual. `near` chooses the most relevant of the features whose score is within that
    share of the best. `growth` is added to the penalty for each feature.
    """
    size = partial(np.linalg.norm, ord=None if score == "norm" else np.inf, axis=1)
    relevance = size(F.T @ Y)
    residual, chosen = Y, []
    alive = np.linalg.norm(F, axis=0) > 0
    for _ in range(min(n_wanted, int(alive.sum()))):
        value = np.where(alive, size(F.T @ residual), -1.0)
        is_near = value >= near * value.max()
        best = int(np.argmax(np.where(is_near, relevance if near < 1 else value, -1.0)))
        chosen.append(best)
        alive[best] = False
        S = F[:, chosen]
        ridge = (penalty + growth * len(chosen)) * np.eye(len(chosen))
        residual = Y - S @ np.linalg.solve(S.T @ S + ridge, S.T @ Y)
    return np.array(chosen)


def plain(*, clip=1.5, within=None, transform=None, balance=0.0, are_unit=True, **settings):
    def order(X, y, _split):
        inputs = prepared(
            X,
            y,
            clip=clip,
            within=within,
            transform=transform,
            balance=balance,
            are_unit=are_unit,
        )
        return path(*inputs, **settings)

    return order


def grid():
    for clip, penalty, balance in [
        (1.5, 2.0, 0.0),
        (1.5, 8.0, 0.0),
        (1.5, 8.0, 0.5),
        (1.5, 8.0, 1.0),
        (None, 2.0, 0.0),
        (None, 2.0, 1.0),
        (1.0, 2.0, 1.0),
        (1.5, 1.0, 1.0),
        (1.5, 2.0, 1.0),
        (1.5, 4.0, 1.0),
        (2.0, 2.0, 1.0),
        (2.5, 2.0, 1.0),
        (2.5, 2.0, 0.0),
        (2.0, 2.0, 0.0),
        (1.5, 4.0, 0.0),
        (1.5, 16.0, 0.0),
    ]:
        yield (
            f"clip {clip}, penalty {penalty:g}, balance {balance:g}",
            plain(clip=clip, penalty=penalty, balance=balance),
        )


def grid_within():
    for within, penalty, balance in [
        (1.5, 4.0, 0.5),
        (2.5, 4.0, 0.5),
        (2.5, 8.0, 0.5),
        (2.5, 8.0, 1.0),
    ]:
        yield (
            f"clip {within:g} in class, penalty {penalty:g}, balance {balance:g}",
            plain(within=within, penalty=penalty, balance=balance),
        )


def grid_compressed():
    for width, penalty, growth, balance in [
        (2.0, 1.0, 0.25, 0.0),
        (1.0, 1.0, 0.25, 0.0),
        (2.0, 1.0, 0.5, 0.0),
        (2.0, 2.0, 0.5, 0.0),
        (2.0, 2.0, 0.0, 0.0),
        (1.0, 2.0, 0.5, 0.0),
        (2.0, 1.0, 0.33, 0.0),
        (3.0, 1.0, 0.33, 0.0),
        (2.0, 1.0, 0.33, 0.5),
        (2.0, 1.5, 0.25, 0.0),
        (2.0, 1.0, 1.0, 0.0),
    ]:
        yield (
            f"asinh {width:g}, penalty {penalty:g} + {growth:g} k, balance {balance:g}",
            plain(
                transform=lambda X, width=width: compressed(X, width),
                penalty=penalty,
                growth=growth,
                balance=balance,
            ),
        )


VARIANTS = {
    **dict(grid_compressed()),
    **dict(grid_within()),
    "normal scores, penalty 8, balance 0.5": plain(
        transform=normal_scores, penalty=8.0, balance=0.5
    ),
    "no clip, penalty 8, balance 0.5": plain(clip=None, penalty=8.0, balance=0.5),
    **dict(grid()),
    "clip 1.5, penalty 8, raw indicators": plain(penalty=8.0, are_unit=False),
    "normal scores, penalty 8": plain(transform=normal_scores, penalty=8.0),
    "tanh 1.5, penalty 8": plain(transform=lambda X: squashed(X, 1.5), penalty=8.0),
    "clip 1.5, penalty 8, max": plain(score="max", penalty=8.0),
    "clip 1.5, penalty 2, near 0.95": plain(near=0.95),
}
