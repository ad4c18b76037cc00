"""Paths to follow, the features they are followed among, and what other features must beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from perturbfs.arrays import Array, Block, Namespace
from perturbfs.scoring import Samples

from ._path import RobustPath, follow_paths, rotate_targets
from ._prepare import WIDTH, Preparation, unit_targets


@dataclass(frozen=True, slots=True)
class PathProblem:
    """Paths to follow on some of the samples or all.

    Attributes
    ----------
    preparation : Preparation
        The samples and their weights.
    targets : array of shape (n_used, n_targets)
        As `rotate_targets` makes them.
    noises : mapping of float to int
        One path is followed per noise, with so many steps.
    max_correlation : float
    n_least : int
        As in `OpenFeatures`.
    is_explained : bool
        Whether features that resemble those of the path are kept too.
    """

    preparation: Preparation
    targets: Array
    noises: Mapping[float, int]
    max_correlation: float = 1.0
    n_least: int = 0
    is_explained: bool = False

    def moved_to(self, xp: Namespace) -> PathProblem:
        """Return the problem with arrays of another namespace."""
        targets, preparation = xp.asarray(self.targets), self.preparation.moved_to(xp)
        return replace(self, preparation=preparation, targets=targets)

    def follow(self, rows: Array) -> dict[float, RobustPath]:
        """Return the paths among prepared features on the host."""
        return follow_paths(
            rows,
            self.targets,
            self.noises,
            max_correlation=self.max_correlation,
            n_least=self.n_least,
        )


@dataclass(frozen=True, slots=True)
class PathSettings:
    """How paths are followed, whatever the samples.

    Attributes
    ----------
    task : {"classification", "regression", "survival"}
    width : float
        As in `prepare_features`.
    max_correlation : float
    n_least : int
        As in `OpenFeatures`.
    """

    task: str
    width: float = WIDTH
    max_correlation: float = 1.0
    n_least: int = 0

    def problem(self, samples: Samples, rows: Array, noises: Mapping[float, int]) -> PathProblem:
        """Return the paths to follow on those of the rows that have a positive weight."""
        rows = np.sort(samples.used(rows))
        weights = samples.shares(rows)
        is_all = len(rows) == len(samples.y)
        return PathProblem(
            Preparation(weights, self.width, None if is_all else rows),
            rotate_targets(self.targets(samples, rows)),
            noises,
            max_correlation=self.max_correlation,
            n_least=self.n_least,
        )

    def targets(self, samples: Samples, rows: Array) -> Array:
        """Return the columns that least squares fits."""
        return unit_targets(samples.y[rows], samples.shares(rows), task=self.task)


@dataclass(frozen=True, slots=True)
class Plan:
    """A path, and the scores that any other feature must beat at each step."""

    path: tuple[int, ...]
    columns: Array  # (n_targets + n_steps,): positions of targets and path in `Plans.vectors`
    steps: Array  # (n_targets + n_steps, n_targets * n_checks): maps products to residuals
    best: Array  # (n_checks,): score of the feature taken; 0 where none was left
    goes_on: Array  # (n_checks,): whether no feature within the limit was left, but more are taken

    def moved_to(self, xp: Namespace) -> Plan:
        """Return the plan with arrays of another namespace."""
        arrays = (self.columns, self.steps, self.best, self.goes_on)
        return Plan(self.path, *(xp.asarray(each) for each in arrays))


@dataclass(frozen=True, slots=True)
class Plans:
    """The plans of a problem, one per noise, and the vectors to multiply features with."""

    vectors: Array  # (n_used, n_targets + n_taken): targets and the features of all paths
    plans: tuple[Plan, ...]

    @property
    def paths(self) -> list[tuple[int, ...]]:
        """The features of each path."""
        return [plan.path for plan in self.plans]

    def moved_to(self, xp: Namespace) -> Plans:
        """Return the plans with arrays of another namespace."""
        return Plans(xp.asarray(self.vectors), tuple(plan.moved_to(xp) for plan in self.plans))


def plan_paths(rows: Array, features: Array, problem: PathProblem) -> Plans:
    """Follow the paths among some features and return what all others must beat.

    Parameters
    ----------
    rows : array of shape (n_some, n_used)
        Prepared.
    features : array of int of shape (n_some,)
        Their positions among all features.
    problem : PathProblem
    """
    found = problem.follow(rows)
    taken = np.unique(np.concatenate([path.features for path in found.values()]))
    plans = [
        _plan(path, features, taken, problem, n_wanted)
        for path, n_wanted in zip(found.values(), problem.noises.values(), strict=True)
    ]
    return Plans(np.concatenate([problem.targets, rows[taken].T], axis=1), tuple(plans))


def _plan(
    path: RobustPath, features: Array, taken: Array, problem: PathProblem, n_wanted: int
) -> Plan:
    n_targets, n_taken = problem.targets.shape[1], len(path.features)
    n_checks = min(n_taken + 1, n_wanted)
    steps = np.zeros((n_targets + n_taken, n_targets, n_checks))
    steps[:n_targets] = np.eye(n_targets)[:, :, None]
    for step in range(1, n_checks):
        steps[n_targets : n_targets + step, :, step] = -path.fits[step - 1]
    best, places = np.zeros(n_checks), np.arange(n_checks)
    best[: min(n_taken, n_checks)] = path.cosines[:n_checks]
    own = n_targets + np.searchsorted(taken, path.features)
    return Plan(
        tuple(features[path.features].tolist()),
        np.concatenate([np.arange(n_targets), own]),
        steps.reshape(n_targets + n_taken, -1),
        best,
        (places >= path.n_apart) & (places < problem.n_least),
    )


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

    def plan(self, problems: Sequence[PathProblem]) -> list[Plans]:
        """Return the plans of each problem among these features."""
        block = Block(self.columns, slice(0, len(self.features)), xp=np)
        return [plan_paths(each.preparation(block), self.features, each) for each in problems]
