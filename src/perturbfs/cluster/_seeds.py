"""First centers for k-means, found in blocks of points."""

from __future__ import annotations

import numpy as np

from ._points import FloatArray, IntArray, row_blocks


def choose_seeds(points: FloatArray, n_clusters: int, *, random_state: int) -> FloatArray:
    """Return some of the points as first centers, by greedy k-means++.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
    n_clusters : int
    random_state : int

    Returns
    -------
    centers : array of shape (n_clusters, n_dims)

    Notes
    -----
    `sklearn.cluster.KMeans` chooses the same centers with the same seed. But it holds a copy of
    the points meanwhile, and all distances to the candidates twice.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import choose_seeds
    >>> points = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> choose_seeds(points, 2, random_state=0)
    array([[10.],
           [ 1.]])
    """
    rng = np.random.RandomState(random_state)
    n_points, n_trials = len(points), 2 + int(np.log(n_clusters))
    mean = points.mean(axis=0)  # subtracted, so that a large common offset costs no digits
    rows = rng.choice(n_points, size=1, p=np.full(n_points, 1.0 / n_points))
    apart = np.full(n_points, np.inf)  # squared distance to the nearest center
    nearer = np.empty((n_trials, n_points))  # the same if each candidate were a center as well
    chosen: list[int] = []
    while True:
        totals = _compare(nearer[: len(rows)], points, mean, apart, rows)
        best = int(np.argmin(totals))
        chosen.append(rows[best])
        if len(chosen) == n_clusters:
            return points[chosen]
        apart[:] = nearer[best]
        drawn = rng.uniform(size=n_trials) * totals[best]
        rows = np.searchsorted(np.cumsum(apart), drawn).clip(max=n_points - 1)


def _compare(
    nearer: FloatArray, points: FloatArray, mean: FloatArray, apart: FloatArray, rows: IntArray
) -> FloatArray:
    """Fill in the squared distances to the nearest center, and return their totals."""
    candidates = points[rows] - mean
    norms = np.einsum("ij,ij->i", candidates, candidates)[:, None]
    totals = np.zeros(len(rows))
    for block in row_blocks(len(points), len(rows)):
        some = points[block] - mean
        near = np.matmul(candidates, some.T, out=nearer[:, block])
        near *= -2
        near += norms
        near += np.einsum("ij,ij->i", some, some)
        np.maximum(near, 0.0, out=near)
        np.minimum(near, apart[block], out=near)
        totals += near @ np.ones(near.shape[1])
    return totals
