"""From characteristics to candidates: cluster for each k, take one feature a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array, FeatureSource
from perturbfs.cluster import (
    Partition,
    most_relevant,
    nearest_to_centers,
    partition_points,
    split_to_exactly,
)
from perturbfs.scoring import (
    Candidate,
    Judge,
    choose,
    distinct_candidates,
    score_candidates,
    spread_scores,
)

BATCH = 16  # candidates a task: long enough that handing it out costs little


@dataclass(frozen=True, slots=True)
class Grouping:
    """How features are grouped and which one stands for a group."""

    points: Array  # (n_kept, 3): characteristics of the features that are clustered
    kept: Array  # (n_kept,): which features these are
    relevance: Array | None  # (n_kept,): take the most relevant of a group, not the central one
    clusterer: Any
    seed: int

    def partitions(self, sizes: Sequence[int]) -> Iterator[Partition]:
        """Partition for each number of clusters; the same whatever other sizes are asked for."""
        yield from partition_points(
            self.points, sizes, clusterer=self.clusterer, random_state=self.seed
        )

    def exact_partition(self, k: int) -> Partition:
        """Partition into exactly k groups; an error if there are fewer distinct features."""
        partition = next(self.partitions([k]), None)
        if partition is None:
            n_distinct = len(np.unique(self.points, axis=0))
            raise ValueError(
                f"n_features_to_select={k}, but only {n_distinct} features differ in their "
                f"characteristics, so no more than {n_distinct} groups can be formed. "
                f"Ask for at most {n_distinct}."
            )
        return split_to_exactly(self.points, partition, k)

    def represent(self, partition: Partition) -> Array:
        """The feature that stands for each group, in the order of the groups."""
        if self.relevance is None:
            return self.kept[nearest_to_centers(self.points, partition)]
        return self.kept[most_relevant(self.relevance, self.points, partition)]


def propose(grouping: Grouping, sizes: Sequence[int]) -> list[Candidate]:
    """A candidate for each number of clusters, not scored yet."""
    # One thread: sums of several threads round differently from time to time, and points in
    # three dimensions are too little work to share.
    with threadpool_limits(limits=1):
        return [
            Candidate(partition.n_clusters, np.sort(grouping.represent(partition)))
            for partition in grouping.partitions(sizes)
        ]


@dataclass(frozen=True, slots=True)
class Run:
    """One of the repeats of the method.

    Attributes
    ----------
    chosen : Candidate
        What the rule took.
    candidates : tuple of Candidate
        What it had to choose from, by growing k.
    """

    chosen: Candidate
    candidates: tuple[Candidate, ...]


def search(
    groupings: Sequence[Grouping],
    judges: Sequence[Judge],
    sizes: Sequence[int],
    *,
    gather: Callable[[Array], FeatureSource],
    take: Callable[[FeatureSource, Array], Array],
    rule: str,
    n_jobs: int | None,
) -> Iterator[Run]:
    """Propose and score candidates for every run, in parallel.

    Parameters
    ----------
    groupings, judges : sequences of Grouping and of Judge
        One of each a run.
    sizes : sequence of int
        Numbers of clusters to try, growing.
    gather : callable
        From all features that are needed to what they are taken from.
    take : callable
        From that and an array of features to their values, as the inner estimator gets them.
    rule : {"accuracy", "measure", "one_se"}
    n_jobs : int or None
        As in joblib. The result does not depend on it.

    Yields
    ------
    run : Run
        In order, as soon as it is complete.
    """
    proposals = Parallel(n_jobs=n_jobs)(delayed(propose)(each, sizes) for each in groupings)
    batches = [_batches(distinct_candidates(candidates)) for candidates in proposals]
    source = gather(_occurring([candidate for each in proposals for candidate in each]))
    scored = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(score_candidates)(batch, known := _occurring(batch), take(source, known), judge)
        for run, judge in zip(batches, judges, strict=True)
        for batch in run
    )
    for proposed, run in zip(proposals, batches, strict=True):
        known = [candidate for _ in run for candidate in next(scored)]
        candidates = spread_scores(proposed, known)
        yield Run(choose(candidates, rule=rule), tuple(candidates))


def _batches(candidates: list[Candidate]) -> list[list[Candidate]]:
    return [candidates[start : start + BATCH] for start in range(0, len(candidates), BATCH)]


def _occurring(candidates: list[Candidate]) -> Array:
    return np.unique(np.concatenate([candidate.features for candidate in candidates]))
