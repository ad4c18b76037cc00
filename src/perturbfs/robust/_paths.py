"""The paths among all features of a table in memory, followed among few of them.

The features nearest to the outcome are tried first. One product compares all others with every
step of the paths. If one would have been taken, it joins them and the paths are followed again.
"""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

from ._path import lengths_of
from ._problem import PathProblem, plan_paths
from ._rivals import find_rivals

N_NEAREST = 1000  # features that are tried first
PIECE = 2048  # features that are compared at a time, so that their scores stay in cache


def find_paths(rows: Array, problem: PathProblem) -> dict[float, Array]:
    """Return the features of the path of each noise, the same as among all features.

    Parameters
    ----------
    rows : array of shape (n_features, n_used)
        All features, prepared.
    problem : PathProblem

    Returns
    -------
    orders : dict of float to array of int
    """
    n_features = len(rows)
    if n_features <= N_NEAREST:
        return {noise: path.features for noise, path in problem.follow(rows).items()}
    lengths = lengths_of(rows @ problem.targets)
    tried = np.sort(np.argpartition(-lengths, N_NEAREST)[:N_NEAREST])
    paths = None
    while True:
        plans = plan_paths(rows[tried], tried, problem)
        if plans.paths == paths:
            break
        paths, is_known = plans.paths, np.zeros(n_features, dtype=bool)
        is_known[tried] = True
        rivals = []
        for start in range(0, n_features, PIECE):
            piece = slice(start, start + PIECE)
            found = find_rivals(
                rows[piece],
                is_known[piece],
                plans,
                max_correlation=problem.max_correlation,
                share=len(tried) / n_features,
                least_cosine=None,
                xp=np,
            )
            rivals.append(start + found)
        found = np.concatenate(rivals)
        if not len(found):
            break
        tried = np.union1d(tried, found)
    return dict(zip(problem.noises, (np.array(path) for path in plans.paths), strict=True))
