"""Refinements of the robust path that were tried later; none of them is used.

All start from the features and targets of the path as built: compressed by asinh at two
deviations, class columns of unit length, penalty 1 + k / 2 unless said otherwise.
"""

from __future__ import annotations

import numpy as np
from _variants import N_WANTED, compressed, path, prepared, unit
from sklearn.model_selection import StratifiedShuffleSplit


def inputs(X, y):
    return prepared(X, y, transform=lambda X: compressed(X, 2.0))


def linear(start=1.0, growth=0.5):
    return lambda k: start + growth * k


def quadratic(start, divisor):
    return lambda k: start + k * k / divisor


def with_penalty(penalty):
    """Return the path with any penalty that depends on the number of features."""

    def order(X, y, _split):
        F, Y = inputs(X, y)
        residual, chosen = Y, []
        for k in range(1, min(N_WANTED, F.shape[1]) + 1):
            value = np.linalg.norm(F.T @ residual, axis=1)
            value[chosen] = -1.0
            chosen.append(int(np.argmax(value)))
            residual = left_over(F[:, chosen], Y, penalty(k))
        return np.array(chosen)

    return order


def left_over(S, Y, penalty):
    return Y - S @ np.linalg.solve(S.T @ S + penalty * np.eye(S.shape[1]), S.T @ Y)


def gain(F, Y, chosen, penalty):
    """Return how much each further feature lowers the penalized error."""
    S = F[:, chosen]
    A = np.linalg.inv(S @ S.T + penalty * np.eye(len(F)))
    AF = A @ F
    return np.sum((AF.T @ Y) ** 2, axis=1) / (1 + np.einsum("ij,ij->j", F, AF))


def left_out(F, Y, chosen, penalty):
    """Score each further feature by the leave-one-out squared error; larger is better."""
    S = F[:, chosen]
    A = np.linalg.inv(S @ S.T + penalty * np.eye(len(F)))
    AF = A @ F
    lengths = 1 + np.einsum("ij,ij->j", F, AF)
    diagonal = np.diag(A)[:, None] - AF**2 / lengths
    errors = 0.0
    for column in Y.T:
        residual = (A @ column)[:, None] - AF * ((AF.T @ column) / lengths)
        errors = errors - np.sum((residual / diagonal) ** 2, axis=0)
    return errors


def greedy(value, penalty):
    """Choose the feature with the best value repeatedly."""

    def order(X, y, _split):
        F, Y = inputs(X, y)
        chosen = []
        for k in range(1, min(N_WANTED, F.shape[1]) + 1):
            values = value(F, Y, chosen, penalty(k))
            values[chosen] = -np.inf
            chosen.append(int(np.argmax(values)))
        return np.array(chosen)

    return order


def swapped(X, y, _split, sizes=(5, 10, 20, 40)):
    """Replace each of up to ten features by the best one given the others, three times."""
    F, Y = inputs(X, y)
    order = path(F, Y, penalty=1.0, growth=0.5)
    subsets = {size: list(order[:size]) for size in sizes}
    for size, chosen in subsets.items():
        for place in list(range(size)) * 3 if size <= 10 else []:
            rest = chosen[:place] + chosen[place + 1 :]
            values = gain(F, Y, rest, linear()(size))
            values[rest] = -np.inf
            chosen[place] = int(np.argmax(values))
    return subsets


def averaged(X, y, _split):
    """Return the mean over twenty subsamples of 80 %, each with its own residual."""
    splitter = StratifiedShuffleSplit(20, train_size=0.8, random_state=0)
    parts = [inputs(X[rows], y[rows]) for rows, _ in splitter.split(X, y)]
    residuals, chosen = [Y for _, Y in parts], []
    for k in range(1, min(N_WANTED, X.shape[1]) + 1):
        value = np.mean(
            [np.linalg.norm(F.T @ R, axis=1) for (F, _), R in zip(parts, residuals, strict=True)],
            axis=0,
        )
        value[chosen] = -1.0
        chosen.append(int(np.argmax(value)))
        residuals = [left_over(F[:, chosen], Y, linear()(k)) for F, Y in parts]
    return np.array(chosen)


def by_pairs(X, y, _split):
    """Return one target per pair of classes instead of one per class."""
    weights = np.full(len(y), 1 / len(y))
    means = [(y == label) / np.sum(y == label) for label in np.unique(y)]
    pairs = [one - other for i, one in enumerate(means) for other in means[:i]]
    F, Y = unit(compressed(X, 2.0), weights), unit(np.array(pairs).T, weights)
    return path(F, Y, penalty=1.0, growth=0.5)


REFINEMENTS = {
    "ridge gain": greedy(gain, linear()),
    "ridge gain, penalty 1 + k/4": greedy(gain, linear(growth=0.25)),
    "leave one out": greedy(left_out, linear()),
    "leave one out, penalty 1 + k/4": greedy(left_out, linear(growth=0.25)),
    "swaps": swapped,
    "pairs of classes": by_pairs,
    "mean over subsamples": averaged,
    "penalty 1 + kk/40": with_penalty(quadratic(1.0, 40)),
    "penalty 0.5 + kk/40": with_penalty(quadratic(0.5, 40)),
    "penalty 0.25 + kk/40": with_penalty(quadratic(0.25, 40)),
    "penalty 0.5 + kk/20": with_penalty(quadratic(0.5, 20)),
}
