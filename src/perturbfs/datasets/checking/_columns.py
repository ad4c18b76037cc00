"""Findings about single features: identifiers, dates, later knowledge, constants, gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from perturbfs.arrays import Array

from ._features import Features
from ._finding import Finding, count
from ._predictors import check_predictors, describe_telling, is_chance_small

FEWEST_ROWS = 10  # with fewer, whole numbers may increase by chance
LEAST_YEAR = 1900
MOST_CODES = 3  # features with whole numbers; with more, measurements may be whole numbers
LEAST_CONSTANT_SHARE = 0.1
USUAL_SHARE = 0.95
MANY_MISSING, MANY_MISSING_IN_FEATURE = 0.05, 0.3


def check_features(features: Features, *, has_groups: bool) -> Iterator[Finding]:
    """Yield what is suspicious about the features of a table.

    Parameters
    ----------
    features : Features
    has_groups : bool
        Whether the caller knows which samples belong together.

    Yields
    ------
    finding : Finding
    """
    kinds = features.kinds
    repeated, identifiers = _identifiers(features, kinds)
    later = kinds["later"]
    dates = np.setdiff1d(_dates(features, kinds["date"]), [*identifiers, *later]).tolist()
    telling = {place: how for place in identifiers if (how := describe_telling(features, place))}
    for place, how in telling.items():
        yield features.finding("identifier:telling", [place], how=how)
    others = [place for place in identifiers if place not in telling]
    found: dict[str, list[int]] = {"identifier": others, "date": dates, "later": later}
    if not has_groups:
        found["groups"] = repeated
    for kind, places in found.items():
        if len(places):
            yield features.finding(kind, places)
    is_open = np.ones(len(features.names), dtype=bool)
    is_open[[*repeated, *identifiers, *dates]] = False
    yield from check_predictors(features, is_open)
    yield from _constants(features)
    yield from _missing(features)


def _identifiers(features: Features, kinds: dict[str, list[int]]) -> tuple[list[int], list[int]]:
    """Return features that name patients repeatedly, and features that number the samples."""
    measures, n_samples = features.measures, features.X.shape[0]
    if n_samples < FEWEST_ROWS:
        return [], []
    is_complete = measures.is_whole & (measures.n_missing == 0)
    # Only these can be the numbers from 1 to n in any order.
    is_dense = is_complete & (measures.highest - measures.lowest == n_samples - 1)
    by_name = {place for kind in ("person", "identifier") for place in kinds[kind]}
    numbers = set(np.flatnonzero(is_complete & measures.is_ordered).tolist())
    repeated = []
    # Where few features are whole numbers, one that separates all classes may be a code.
    is_code = is_complete & measures.has_thresholds
    n_whole = int(measures.is_whole.sum())
    if n_whole > MOST_CODES or not is_chance_small(features, n_whole):
        is_code = np.zeros_like(is_code)
    candidates = {*np.flatnonzero(is_dense | is_code).tolist(), *by_name} - numbers
    for place in sorted(each for each in candidates if measures.is_whole[each]):
        n_values = len(np.unique(features.column(place)))
        if n_values == n_samples:
            numbers.add(place)
        elif place in by_name and n_values > 1:
            repeated.append(place)
    return repeated, sorted(numbers)


def _dates(features: Features, by_name: Sequence[int]) -> Array:
    """Return features that hold numbers such as 20240131, or have the name and size of a date."""
    measures = features.measures
    is_date = measures.is_date.copy()
    is_date[by_name] |= (measures.is_whole & (measures.lowest >= LEAST_YEAR))[by_name]
    return np.flatnonzero(is_date)


def _constants(features: Features) -> Iterator[Finding]:
    """Yield a finding if more than a tenth of the features vary in few samples or in none."""
    measures, n_features = features.measures, len(features.names)
    varies = measures.highest > measures.lowest
    never, nearly = (
        np.flatnonzero(~varies),
        np.flatnonzero(varies & (measures.usual_share >= USUAL_SHARE)),
    )
    if len(never) + len(nearly) <= LEAST_CONSTANT_SHARE * n_features:
        return
    parts = []
    if len(never):
        parts.append(f"{count(len(never), 'never varies', 'never vary')}")
    if len(nearly):
        parts.append(
            f"{count(len(nearly), 'has', 'have')} the same value in at least "
            f"{100 * USUAL_SHARE:.0f} % of the samples"
        )
    yield Finding(
        "constant",
        f"Of {count(n_features, 'feature')}, {' and '.join(parts)}.",
        "Features that never vary are not selected. Check whether values were cut off or filled "
        "before, and be careful with a feature that differs in a few samples only.",
        features.first_names([*never, *nearly]),
    )


def _missing(features: Features) -> Iterator[Finding]:
    """Yield a finding if more than a few values are missing."""
    n_missing, (n_samples, n_features) = features.measures.n_missing, features.X.shape
    share = n_missing.sum() / (n_samples * n_features)
    many = np.flatnonzero(n_missing > MANY_MISSING_IN_FEATURE * n_samples)
    if share <= MANY_MISSING and not len(many):
        return
    message = f"{100 * share:.1f} % of all values are missing."
    if len(many):
        many = many[np.argsort(-n_missing[many], kind="stable")]
        message += (
            f" {count(len(many), 'feature has', 'features have')} no value in more than "
            f"{100 * MANY_MISSING_IN_FEATURE:.0f} % of the samples: {features.quoted(many)}."
        )
    yield Finding(
        "missing",
        message,
        "--impute median or --impute knn fills them within each split. Leave out features with "
        "few values with --exclude.",
        features.first_names(many),
    )
