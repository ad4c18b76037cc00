"""Paths to follow in a large table, and the result of following them among some features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from perturbfs.arrays import Array, Block, Namespace

from ._path import follow_path, refit
from ._prepare import Preparation


@dataclass(frozen=True, slots=True)
class PathProblem:
    """Paths to follow on some of the samples or all.

    Attributes
    ----------
    preparation : Preparation
        The samples and their weights.
    targets : array of shape (n_used, n_targets)
        As `rotate_targets` makes them.
    noises : tuple of float
        One path is followed per noise.
    n_wanted : int
        Steps of each path.
    max_correlation : float
    n_least : int
        As in `OpenFeatures`.
    is_explained : bool
        Whether features that resemble those of the path are kept too.
    """

    preparation: Preparation
    targets: Array
    noises: tuple[float, ...]
    n_wanted: int
    max_correlation: float = 1.0
    n_least: int = 0
    is_explained: bool = False

    def moved_to(self, xp: Namespace) -> PathProblem:
        """Return the problem with arrays of another namespace."""
        targets, preparation = xp.asarray(self.targets), self.preparation.moved_to(xp)
        return replace(self, preparation=preparation, targets=targets)


@dataclass(frozen=True, slots=True)
class Pool:
    """Some features and their values, on the host."""

    features: Array
    columns: Array

    def joined(self, others: Sequence[Pool]) -> Pool:
        """Return these features and those of others, in increasing order."""
        features = np.concatenate([self.features, *(each.features for each in others)])
        columns = np.concatenate([self.columns, *(each.columns for each in others)], axis=1)
        order = np.argsort(features)
        return Pool(features[order], columns[:, order])

    def only(self, features: Array) -> Pool:
        """Return the features of this pool that are among the given ones."""
        is_meant = np.isin(self.features, features)
        return Pool(self.features[is_meant], self.columns[:, is_meant])

    def plan(self, problems: Sequence[PathProblem]) -> list[list[Plan]]:
        """Return the path among these features for each problem and noise."""
        block = Block(self.columns, slice(0, len(self.features)), xp=np)
        plans = []
        for problem in problems:
            rows = problem.preparation(block)
            plans.append([_plan(self.features, rows, problem, each) for each in problem.noises])
        return plans


@dataclass(frozen=True, slots=True)
class Plan:
    """A path, and the scores that any other feature must beat at each step."""

    path: tuple[int, ...]
    vectors: Array  # (n_used, n_targets + n_steps): targets and the features of the path
    steps: Array  # (n_targets + n_steps, n_checks * n_targets): maps products to residuals
    best: Array  # (n_checks,): score of the feature taken; 0 where none was left
    goes_on: Array  # (n_checks,): whether no feature within the limit was left, but more are taken

    def moved_to(self, xp: Namespace) -> Plan:
        """Return the plan with arrays of another namespace."""
        arrays = (self.vectors, self.steps, self.best, self.goes_on)
        return Plan(self.path, *(xp.asarray(each) for each in arrays))


def _plan(features: Array, rows: Array, problem: PathProblem, noise: float) -> Plan:
    rotated = problem.targets
    path = follow_path(
        rows,
        rotated,
        problem.n_wanted,
        noise=noise,
        max_correlation=problem.max_correlation,
        n_least=problem.n_least,
        xp=np,
    )
    taken, n_targets, n_taken = rows[path.features], rotated.shape[1], len(path.features)
    n_checks = min(n_taken + 1, problem.n_wanted)
    steps = np.zeros((n_targets + n_taken, n_checks, n_targets))
    steps[:n_targets] = np.eye(n_targets)[:, None, :]
    for step in range(1, n_checks):
        steps[n_targets : n_targets + step, step] = -refit(
            taken[:step], rotated, noise=noise, xp=np
        )
    best = np.zeros(n_checks)
    best[:n_taken] = path.cosines
    places = np.arange(n_checks)
    return Plan(
        tuple(features[path.features].tolist()),
        np.concatenate([rotated, taken.T], axis=1),
        steps.reshape(n_targets + n_taken, -1),
        best,
        (places >= path.n_apart) & (places < problem.n_least),
    )
