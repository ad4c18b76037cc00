"""The method written out slowly, straight from the paper: pseudo-inverses and loops."""

import math

import numpy as np


def unit(columns):
    return columns / np.linalg.norm(columns, axis=0)


def unit_interval(columns):
    return (columns - columns.min(axis=0)) / np.ptp(columns, axis=0)


def angle(a, b):
    """Degrees between two arrays seen as vectors, by the half-angle form."""
    a, b = np.ravel(a) / np.linalg.norm(a), np.ravel(b) / np.linalg.norm(b)
    return math.degrees(2 * math.atan2(np.linalg.norm(a - b), np.linalg.norm(a + b)))


def angle_to_columns(a, basis):
    """Degrees between a vector and the span of orthonormal columns."""
    inside = basis @ (basis.T @ a)
    return math.degrees(math.atan2(np.linalg.norm(a - inside), np.linalg.norm(inside)))


def coefficients(N, target):
    return np.linalg.pinv(N, rcond=max(N.shape) * 2.3e-16) @ target


def characteristics(N, E, target):
    """Sensitivity and both angles, one feature after the other."""
    X = coefficients(N, target)
    moves = coefficients(N + E, target) - X
    sensitivity = np.linalg.norm(moves.reshape(N.shape[1], -1), axis=1)
    without = []
    for j in range(N.shape[1]):
        rest = np.delete(N, j, axis=1) @ np.delete(X, j, axis=0)
        without.append(angle(rest, target))
    if target.ndim == 1:
        to_target = [angle(column, target) for column in N.T]
    else:
        to_target = [angle_to_columns(column, target) for column in N.T]
    return sensitivity, np.array(to_target), np.array(without)


def row_noise_matrix(N, u, lower_divisor=1e6, upper_divisor=1e5):
    low, high = N.min(axis=0) / lower_divisor, N.max(axis=0) / upper_divisor
    return low + np.outer(u, high - low)


def box_matrix(N, u, lower_divisor, upper_divisor):
    """(max(A) / c_u - min(A) / c_l) rand + min(A) of the algorithm box, entry by entry."""
    E = np.empty(N.shape)
    for i, j in np.ndindex(N.shape):
        width = N[:, j].max() / upper_divisor - N[:, j].min() / lower_divisor
        E[i, j] = width * u[i] + N[:, j].min()
    return E


def robust_path(features, targets, n_steps, *, noise, growth):
    """The robust path with a full ridge at every step; the coefficients of the last one."""
    chosen, residual = [], targets
    for step in range(1, n_steps + 1):
        sizes = [
            -1.0 if j in chosen else np.linalg.norm(feature @ residual)
            for j, feature in enumerate(features)
        ]
        chosen.append(int(np.argmax(sizes)))
        S = features[chosen].T
        penalty = noise**2 * (1 + growth * step)
        coefficients = np.linalg.solve(S.T @ S + penalty * np.eye(step), S.T @ targets)
        residual = targets - S @ coefficients
    return chosen, coefficients
