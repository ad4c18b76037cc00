"""Choose on inner splits: the noise, the path or the forest, and score every size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from joblib import delayed

from perturbfs._support.parallel import run_in_threads
from perturbfs._support.progress import Steps
from perturbfs.arrays import Array, as_blocks
from perturbfs.scoring import (
    N_TREES,
    Panel,
    Samples,
    Splits,
    is_clearly_better,
    table_for_trees,
)

from ._forest import ForestRanker
from ._nested import NestedScorer, NestedScores
from ._path import lengths_of
from ._paths import find_paths
from ._prepare import prepare_features
from ._problem import PathProblem, PathSettings

OTHER_NOISES = (0.5, 2.0)  # as multiples of the usual one
DECIDING_SIZE = 10  # one size suffices to compare path and forest
FEW_SPLITS = 3  # suffice to compare them if the number of features is given, or nothing is near
FEW_SIZES = (5, 10, 20)  # suffice to compare noises
# Trees per split, and by how many standard errors the forest must then lead to go on. The last
# comparison is in all splits. Of 36 made-up tables with nonlinear outcomes in which whole forests
# lead, these stages find 33; they grow whole forests in 6 of 16 tables of noise.
STAGES = ((10, -1.0), (20, 0.0), (50, 0.0), (N_TREES, 1.0))
# With so many standard errors the forest has won, if nothing but this decision needs its trees.
# Not with fewer trees: the decision changed in one of 90 made-up tables.
FAR_AHEAD, FEWEST_TREES = 5.0, 20


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """Choices that are made on the inner splits.

    Attributes
    ----------
    settings : PathSettings
    n_wanted : int
        Length of the path.
    noises : tuple of float
        Noises to compare, the usual one first.
    sizes : tuple of int
        Numbers of features to score; empty if the number is given.
    nonlinear : bool or None
        Whether the forest ranks; None compares it with the path.
    """

    settings: PathSettings
    n_wanted: int
    noises: tuple[float, ...]
    sizes: tuple[int, ...]
    nonlinear: bool | None

    @property
    def n_splits(self) -> int | None:
        """How many inner splits are needed; None for all of them."""
        if self.sizes:
            return None
        return FEW_SPLITS if self.nonlinear is None else 0

    @property
    def n_inner(self) -> int:
        """The length of the path in the inner splits."""
        return self.n_wanted if self.sizes else self.deciding_size

    @property
    def few_sizes(self) -> tuple[int, ...]:
        """The numbers of features at which noises are compared."""
        return tuple(sorted({min(size, self.n_wanted) for size in FEW_SIZES}))

    @property
    def deciding_size(self) -> int:
        """The number of features at which path and forest are compared."""
        sizes = self.sizes or (min(DECIDING_SIZE, self.n_wanted),)
        return min(sizes, key=lambda size: abs(size - DECIDING_SIZE))


def sizes_to_try(most: int, fewest: int = 1) -> list[int]:
    """Return every number up to 10, then numbers in steps of about a fifth."""
    sizes = [fewest]
    while sizes[-1] < most:
        step = 1 if sizes[-1] < 10 else max(2, sizes[-1] // 5)
        sizes.append(min(most, sizes[-1] + step))
    return sizes


class Search:
    """The paths and forests of the inner splits, and the choices made by their scores.

    Parameters
    ----------
    plan : SearchPlan
    samples : Samples
        In memory.
    splits : list of (train, test)
    panel : Panel
    n_seen : int or None
        Features that the trees may see, those at the smallest angle to the outcome; None for
        all.
    n_jobs : int or None
    steps : Steps
        Told of every sample of rows that is followed.
    """

    def __init__(
        self,
        plan: SearchPlan,
        samples: Samples,
        splits: Splits,
        panel: Panel,
        *,
        n_seen: int | None,
        n_jobs: int | None,
        steps: Steps,
    ) -> None:
        self._plan, self._samples, self._n_jobs = plan, samples, n_jobs
        self._rows = [np.asarray(train) for train, _ in splits]
        self._scorer = NestedScorer(samples, splits, panel, task=plan.settings.task, n_jobs=n_jobs)
        self._n_seen, self._everyone = n_seen, np.arange(len(samples.y))
        usual, *others = plan.noises
        few = plan.few_sizes[-1]
        problem = plan.settings.problem(samples, self._everyone, {usual: plan.n_wanted})
        whole = delayed(follow)(samples, problem, n_seen, keeps_prepared=True)
        inner = self._to_follow({usual: plan.n_inner} | dict.fromkeys(others, few))
        self._whole, *self._followed = self._each([whole, *inner], steps)
        if not len(self._whole.orders[usual]):
            raise ValueError(
                "No feature of X varies, so none can be selected. Check how X was made."
            )
        if not all(len(found.orders[usual]) for found in self._followed):
            raise ValueError(
                "In one of the inner splits no feature varies among the training samples. "
                "Pass a number as n_features_to_select, which needs no splits."
            )
        self._forests: list[ForestRanker] = []

    def choose_noise(self) -> float:
        """Return the usual noise, unless another one is clearly better."""
        usual, *others = self._plan.noises
        best, best_score = usual, -np.inf
        for noise in others:
            for n_splits in (FEW_SPLITS, len(self._rows)):
                ours, theirs = (self._by_split(each, n_splits) for each in (usual, noise))
                if theirs.mean() <= ours.mean():
                    break  # it will not become clearly better
            is_better = is_clearly_better(theirs, ours, test_share=self._scorer.test_share)
            if is_better and theirs.mean() > max(ours.mean(), best_score):
                best, best_score = noise, float(theirs.mean())
        if best != usual:  # its paths were followed for a few steps only
            self._followed = self._each(self._to_follow({best: self._plan.n_inner}))
        return best

    def prefers_forest(self, noise: float) -> bool:
        """Return whether the forest predicts better than the path by over a standard error.

        A few trees in a few splits come first. With more trees the forest must be further ahead.
        So whole forests are grown in all splits only if they are likely to win. If the number of
        features is given, they are not grown where fewer trees have won already.
        """
        if self._plan.nonlinear is not None:
            return self._plan.nonlinear
        for n_trees, n_errors in STAGES:
            is_ahead = self._forest_leads(noise, n_trees)
            if not is_ahead(n_errors):
                return False
            if not self._plan.sizes and n_trees >= FEWEST_TREES and is_ahead(FAR_AHEAD):
                return True
        return True

    def _forest_leads(self, noise: float, n_trees: int) -> Callable[[float], bool]:
        """Return whether forests of so many trees lead, as a function of the errors asked for."""
        n_splits = len(self._rows) if n_trees == N_TREES else FEW_SPLITS
        size = self._plan.deciding_size
        paths = [found.orders[noise] for found in self._followed[:n_splits]]
        forests = self._forest_orders(noise, n_trees, size, n_splits)
        ours, theirs = (
            self._scorer.score(each, [size]).by_split(size) for each in (paths, forests)
        )
        share = self._scorer.test_share
        return lambda n_errors: is_clearly_better(
            theirs, ours, test_share=share, n_errors=n_errors
        )

    def scores(self, noise: float, *, nonlinear: bool) -> NestedScores | None:
        """Return the scores of all sizes, or None if the number of features is given."""
        plan = self._plan
        if not plan.sizes:
            return None
        if nonlinear:
            orders = self._forest_orders(noise, N_TREES, plan.n_wanted, len(self._rows))
        else:
            orders = [found.orders[noise] for found in self._followed]
        return self._scorer.score(orders, plan.sizes)

    def final_order(self, noise: float, *, nonlinear: bool) -> tuple[Array, Array]:
        """Return the order found with all samples, and the prepared features."""
        settings, samples, n_wanted = self._plan.settings, self._samples, self._plan.n_wanted
        rows, whole = self._everyone, self._whole
        if noise not in whole.orders:
            problem = settings.problem(samples, rows, {noise: n_wanted})
            whole = replace(whole, orders=find_paths(whole.prepared, problem))
        path = whole.orders[noise]
        if nonlinear:
            path = self._forest(rows, path, whole.seen).rank(N_TREES, n_wanted)
        return path, whole.prepared

    def _by_split(self, noise: float, n_splits: int) -> Array:
        """Return the mean score of a noise at a few sizes, for the first splits."""
        orders = [found.orders[noise] for found in self._followed[:n_splits]]
        return self._scorer.score(orders, self._plan.few_sizes).scores.mean(axis=(1, 2))

    def _forest_orders(
        self, noise: float, n_trees: int, n_wanted: int, n_splits: int
    ) -> list[Array]:
        """Return the features ranked by the forests of the first splits, which grow as needed."""
        for split in range(len(self._forests), n_splits):
            rows, found = self._rows[split], self._followed[split]
            path = found.orders[noise]
            self._forests.append(self._forest(rows, path, found.seen))
        return self._each(
            delayed(forest.rank)(n_trees, n_wanted) for forest in self._forests[:n_splits]
        )

    @cached_property
    def _table(self) -> Array:
        """All features as trees need them."""
        return table_for_trees(self._samples.X)

    def _forest(self, rows: Array, path: Array, seen: Array | None) -> ForestRanker:
        return ForestRanker(self._samples, self._table, rows, self._plan.settings, path, seen)

    def _to_follow(self, noises: Mapping[float, int]) -> list[Any]:
        """Return the calls that follow the paths of the inner splits."""
        settings, samples = self._plan.settings, self._samples
        return [
            delayed(follow)(samples, settings.problem(samples, rows, noises), self._n_seen)
            for rows in self._rows
        ]

    def _each(self, calls: Iterable[Any], steps: Steps | None = None) -> list[Any]:
        """Return the results of calls, and count them as steps."""
        found = []
        for each in run_in_threads(calls, n_jobs=self._n_jobs):
            found.append(each)
            if steps is not None:
                steps.done()
        return found


@dataclass(frozen=True, slots=True)
class Followed:
    """The paths on some samples.

    Attributes
    ----------
    orders : dict of float to array of int
        Features of the path of each noise.
    prepared : array of shape (n_features, n_used) or None
        The prepared features, if they are kept.
    seen : array of int or None
        Features that the trees may see; None for all.
    """

    orders: dict[float, Array]
    prepared: Array | None
    seen: Array | None


def follow(
    samples: Samples, problem: PathProblem, n_seen: int | None, *, keeps_prepared: bool = False
) -> Followed:
    """Prepare the features of some samples and return the paths among them.

    Parameters
    ----------
    samples : Samples
        In memory.
    problem : PathProblem
    n_seen : int or None
        Features that the trees may see, nearest to the outcome first; None for all.
    keeps_prepared : bool
    """
    preparation = problem.preparation
    prepared = prepare_features(
        as_blocks(samples.X),
        preparation.weights,
        width=preparation.width,
        samples=preparation.samples,
    )
    seen = None
    if n_seen is not None and n_seen < len(prepared):
        lengths = lengths_of(prepared @ problem.targets)
        seen = np.sort(np.argsort(-lengths, kind="stable")[:n_seen])
    orders = find_paths(prepared, problem)
    return Followed(orders, prepared if keeps_prepared else None, seen)
