"""Propose one candidate per number of groups, score all, and choose one in each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from perturbfs._support.parallel import run_calls
from perturbfs.arrays import Array, FeatureBlocks, FeatureSource, to_host
from perturbfs.scoring import (
    Candidate,
    Judge,
    choose,
    distinct_candidates,
    score_candidates,
    spread_scores,
)

from ._group import Grouping
from ._prepare import Scaling

BATCH = 16  # candidates per task: long enough that handing it out costs little


@dataclass(frozen=True, slots=True)
class Run:
    """One of the repeats of the method.

    Attributes
    ----------
    chosen : Candidate
        The candidate that the rule chose.
    candidates : tuple of Candidate
        All candidates, by increasing k.
    """

    chosen: Candidate
    candidates: tuple[Candidate, ...]


def propose(grouping: Grouping, sizes: Sequence[int]) -> list[Candidate]:
    """Return one candidate per number of clusters, not scored yet."""
    # One thread: the sums of several threads may round differently in each call, and points in
    # three dimensions are too little work to share.
    with threadpool_limits(limits=1):
        return [
            Candidate(partition.n_clusters, np.sort(grouping.represent(partition)))
            for partition in grouping.partitions(sizes)
        ]


def search(
    groupings: Sequence[Grouping],
    judges: Sequence[Judge],
    sizes: Sequence[int],
    *,
    blocks: FeatureBlocks,
    scaling: Scaling,
    rule: str,
    to_root_mean_square: bool,
    n_jobs: int | None,
) -> Iterator[Run]:
    """Propose and score candidates for every run, in parallel.

    Parameters
    ----------
    groupings, judges : sequences of Grouping and of Judge
        One of each per run.
    sizes : sequence of int
        Numbers of clusters to try, increasing.
    blocks : FeatureBlocks
    scaling : Scaling
    rule : {"accuracy", "measure", "one_se"}
    to_root_mean_square : bool
        Whether features are scaled from norm 1 to root mean square 1: an SVM with C=1 hardly
        sees columns of norm 1.
    n_jobs : int or None
        As in joblib. The result does not depend on it.

    Yields
    ------
    run : Run
        In order, as soon as it is complete.
    """
    proposals = Parallel(n_jobs=n_jobs)(delayed(propose)(each, sizes) for each in groupings)
    batches = [_batches(distinct_candidates(candidates)) for candidates in proposals]
    source = blocks.gather(_occurring([candidate for each in proposals for candidate in each]))
    factor = np.sqrt(blocks.shape[0]) if to_root_mean_square else 1.0
    calls = (
        delayed(score_candidates)(
            batch, known := _occurring(batch), factor * _take(source, scaling, known), judge
        )
        for run, judge in zip(batches, judges, strict=True)
        for batch in run
    )
    scored = run_calls(calls, n_jobs=n_jobs)
    for proposed, run in zip(proposals, batches, strict=True):
        known = [candidate for _ in run for candidate in next(scored)]
        candidates = spread_scores(proposed, known)
        yield Run(choose(candidates, rule=rule), tuple(candidates))


def _take(source: FeatureSource, scaling: Scaling, features: Array) -> Array:
    return to_host(scaling.of_columns(source.take(features), features))


def _batches(candidates: list[Candidate]) -> list[list[Candidate]]:
    return [candidates[start : start + BATCH] for start in range(0, len(candidates), BATCH)]


def _occurring(candidates: list[Candidate]) -> Array:
    return np.unique(np.concatenate([candidate.features for candidate in candidates]))
