"""Findings about samples: near-identical ones, batches, samples with hardly any value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array
from perturbfs.checks import describe_twins, standardize_within, twin_sets
from perturbfs.scoring import BatchCenterer

from ._batches import explained_share, find_break
from ._features import Features
from ._finding import SHOWN, Finding, count, listed

MOST_BATCHES, FEWEST_IN_BATCH, MOST_CANDIDATES = 10, 3, 20
LEAST_SHARE = 0.3
FEWEST_FEATURES = 20
MOSTLY_MISSING = 0.5


def check_samples(
    features: Features,
    sample_names: Sequence[str],
    groups: Array | None,
    batch: Array | None = None,
) -> Iterator[Finding]:
    """Yield what is suspicious about the samples of a table.

    Parameters
    ----------
    features : Features
    sample_names : sequence of str
    groups : array of shape (n_samples,) or None
        Near-identical samples of one group are no finding.
    batch : array of shape (n_samples,) or None
        Differences between known batches are no finding.

    Yields
    ------
    finding : Finding
    """
    sets = twin_sets(features.X, features.codes)
    if groups is not None:
        sets = [each for each in sets if len(np.unique(groups[each])) > 1]
    if sets:
        yield _twins(sets, sample_names, features.X.shape[0], has_groups=groups is not None)
    has_twins = bool(sets) or groups is not None
    yield from _batches(features, sample_names, batch, has_twins=has_twins)
    yield from _mostly_missing(features.X, sample_names)


def _twins(
    sets: list[Array], sample_names: Sequence[str], n_samples: int, *, has_groups: bool
) -> Finding:
    n_twins, names = sum(map(len, sets)), describe_twins(sets, sample_names)
    message = f"{n_twins:,} of {n_samples:,} samples are nearly identical to another sample"
    advice = (
        "If they come from the same patient or specimen, keep them together in all splits with "
        "--groups COLUMN. Otherwise the estimate is far too good. Remove samples that were "
        "entered twice."
    )
    if has_groups:
        message += " of another group"
        advice = "Check the groups: samples of one patient or specimen must have the same one."
    more = f"; and {count(len(sets) - SHOWN, 'more set')}" if len(sets) > SHOWN else ""
    return Finding("twins", f"{message}: {'; '.join(names)}{more}.", advice, names, "warning")


def _batches(
    features: Features, sample_names: Sequence[str], batch: Array | None, *, has_twins: bool
) -> Iterator[Finding]:
    rows, values = standardize_within(features.X, features.codes)
    if values.shape[1] < FEWEST_FEATURES:
        return
    if batch is not None:
        values = BatchCenterer().fit(values, batch[rows]).transform(values, batch[rows])
    by_name = set(features.kinds["batch"])
    for place, codes in _possible_batches(features, by_name):
        share = explained_share(values, codes[rows])
        if share >= LEAST_SHARE:
            yield features.finding("batch", [place], share=f"{100 * share:.0f}")
        elif place in by_name:
            yield features.finding("batch:name", [place])
    found = None if has_twins else find_break(values)
    if found is not None:
        n_first, share = found
        last, first = sample_names[rows[n_first - 1]], sample_names[rows[n_first]]
        yield Finding(
            "batch",
            f"The samples up to {last} and those from {first} on differ in "
            f"{100 * share:.0f} % of the features, whatever the outcome is. They look like two "
            "batches.",
            "Find out what changed there. Give it as a column to --batch, to select within "
            "batches, and to --groups if new samples will come from other batches.",
            (str(last), str(first)),
            "warning",
        )


def _possible_batches(features: Features, by_name: set[int]) -> Iterator[tuple[int, Array]]:
    """Yield features with a few whole numbers, if such features are rare, and their codes."""
    measures = features.measures
    spread = measures.highest - measures.lowest
    is_few = measures.is_whole & (measures.n_missing == 0) & (spread > 0) & (spread < 50)
    places = set(np.flatnonzero(is_few).tolist())
    if len(places) > MOST_CANDIDATES:
        places &= by_name
    for place in sorted(places):
        codes = np.unique(features.column(place), return_inverse=True)[1].reshape(-1)
        sizes = np.bincount(codes)
        if len(sizes) <= MOST_BATCHES and sizes.min() >= FEWEST_IN_BATCH:
            yield place, codes


def _mostly_missing(X: Any, sample_names: Sequence[str]) -> Iterator[Finding]:
    if scipy.sparse.issparse(X):
        return
    unknown = np.isnan(X).mean(axis=1)
    places = np.flatnonzero(unknown > MOSTLY_MISSING)
    if len(places):
        names = [str(sample_names[place]) for place in places.tolist()]
        yield Finding(
            "empty_samples",
            f"{count(len(places), 'sample lacks', 'samples lack')} more than half of the values: "
            f"{listed(names)}.",
            "Remove them from the file: filled values say nothing about a sample.",
            tuple(names[:SHOWN]),
            "warning",
        )
