"""Measure every feature of a table, block by block; arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy.special import gammaln

from perturbfs.arrays import Array, Block, as_blocks

FIRST_DATE, LAST_DATE = 19000101, 21001231
FEW_ROWS, N_SPREAD_ROWS = 8, 21


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of each feature; every array has one entry per column of X."""

    n_missing: Array
    lowest: Array  # NaN without a known value
    highest: Array
    usual_share: Array  # share of the known values that equal the usual one, if it is frequent
    is_whole: Array  # only whole numbers
    is_ordered: Array  # every value is larger, or every one is smaller, than that before it
    is_date: Array  # only numbers such as 20240131
    has_copies: Array  # one value in each class, or a copy of the quantity
    has_thresholds: Array  # thresholds separate all classes, or the order is that of the quantity
    is_known_by_class: Array  # known in all samples of some classes and in none of the others
    relevance: Array  # share of variance between classes, or correlation with the ranks of y


def measure_features(X: Any, codes: Array | None, quantity: Array | None) -> Measures:
    """Return what is known of each feature.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        May hold NaN. A sparse matrix is made dense block by block.
    codes : array of int of shape (n_samples,) or None
        Classes from 0.
    quantity : array of float of shape (n_samples,) or None

    Returns
    -------
    measures : Measures
    """
    with np.errstate(over="ignore", invalid="ignore"):  # huge values have no relevance
        parts = [_measure_block(block, codes, quantity) for block in as_blocks(X)]
    return Measures(
        **{
            field.name: np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(Measures)
        }
    )


def _measure_block(block: Block, codes: Array | None, quantity: Array | None) -> Measures:
    values = block.dense()
    n_samples, n_features = values.shape
    unknown = np.isnan(values)
    n_missing = unknown.sum(axis=0)
    lowest, highest = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    is_whole = _hold_in_all_rows(_are_whole, values) & (n_missing < n_samples)
    none = np.zeros(n_features, dtype=bool)
    has_copies = has_thresholds = is_known_by_class = none
    relevance = np.zeros(n_features)
    if codes is not None:
        has_copies, has_thresholds = _tell_classes(values, codes)
        relevance = _share_between(values, codes)
        if n_missing.any():
            is_known_by_class, _ = _tell_classes(unknown.astype(float), codes)
    if quantity is not None:
        has_copies, has_thresholds = _tell_quantity(values, quantity)
        relevance = _correlation_with_ranks(values, quantity)
    return Measures(
        n_missing,
        lowest,
        highest,
        _usual_share(values, n_missing),
        is_whole,
        _hold_in_all_rows(_rise, values) | _hold_in_all_rows(_fall, values),
        _are_dates(values, is_whole & (lowest >= FIRST_DATE) & (highest <= LAST_DATE)),
        has_copies,
        has_thresholds,
        is_known_by_class,
        relevance,
    )


def _hold_in_all_rows(condition: Callable[[Array], Array], values: Array) -> Array:
    """Return for which features a condition holds; most are ruled out by a few rows."""
    holds = condition(values[:FEW_ROWS])
    if len(values) > FEW_ROWS:
        holds[holds] = condition(values[:, holds])
    return holds


def _are_whole(values: Array) -> Array:
    return np.all((values == np.rint(values)) | np.isnan(values), axis=0)


def _rise(values: Array) -> Array:
    return np.all(values[1:] > values[:-1], axis=0)


def _fall(values: Array) -> Array:
    return np.all(values[1:] < values[:-1], axis=0)


def _usual_share(values: Array, n_missing: Array) -> Array:
    """Return the share of the known values that equal the median of a few evenly spread rows."""
    n_samples = len(values)
    rows = np.linspace(0, n_samples - 1, min(n_samples, N_SPREAD_ROWS)).astype(int)
    ordered = np.sort(values[rows], axis=0)  # NaN last
    n_known = np.sum(~np.isnan(ordered), axis=0)
    median = np.take_along_axis(ordered, (np.maximum(n_known - 1, 0) // 2)[None, :], axis=0)
    return np.sum(values == median, axis=0) / np.maximum(n_samples - n_missing, 1)


def _are_dates(values: Array, is_possible: Array) -> Array:
    is_date = is_possible.copy()
    some = values[:, is_possible]
    month, day = some // 100 % 100, some % 100
    is_valid = (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    is_date[is_possible] = np.all(is_valid | np.isnan(some), axis=0)
    return is_date


def _tell_classes(values: Array, codes: Array) -> tuple[Array, Array]:
    """Return which features have one value in each class, and which separate all classes.

    A feature that separates all classes has values in intervals that do not overlap.
    """
    order = np.argsort(codes, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    # A few samples of the two largest classes rule out nearly all features.
    largest = sorted(rows, key=len)[-2:]
    is_copy, is_separate = _compare_classes(values, [each[:FEW_ROWS] for each in largest])
    is_constant = np.all([_is_constant(values[each[:FEW_ROWS]]) for each in largest], axis=0)
    places = np.flatnonzero(is_separate | is_constant)
    found = _compare_classes(values[:, places], rows)
    is_copy, is_separate = np.zeros_like(is_copy), np.zeros_like(is_copy)
    is_copy[places], is_separate[places] = found
    return is_copy, is_separate


def _compare_classes(values: Array, rows: list[Array]) -> tuple[Array, Array]:
    low = np.stack([np.fmin.reduce(values[each], axis=0) for each in rows])
    high = np.stack([np.fmax.reduce(values[each], axis=0) for each in rows])
    is_copy = np.all(low == high, axis=0) & np.any(low[1:] != low[:1], axis=0)
    is_copy &= ~np.isnan(values).any(axis=0)
    order = np.argsort(low, axis=0)
    low, high = (np.take_along_axis(each, order, axis=0) for each in (low, high))
    return is_copy, np.all(high[:-1] < low[1:], axis=0)


def _is_constant(values: Array) -> Array:
    return np.all(values == values[:1], axis=0)


def _tell_quantity(values: Array, quantity: Array) -> tuple[Array, Array]:
    """Return which features are a multiple of the quantity, and which have its order."""
    order = np.argsort(quantity, kind="stable")
    steps = np.diff(values[order], axis=0)
    grows = np.diff(quantity[order])[:, None] > 0
    # Samples with the same quantity may have any order.
    rises = np.all((steps >= 0) | ~grows, axis=0) & np.any(steps > 0, axis=0)
    falls = np.all((steps <= 0) | ~grows, axis=0) & np.any(steps < 0, axis=0)
    centered = quantity - quantity.mean()
    return _correlations(values, centered) > 1 - 1e-6, rises | falls


def _share_between(values: Array, codes: Array) -> Array:
    """Return the share of the variance that is between classes; 0 where a value is missing."""
    members = np.eye(int(codes.max()) + 1)[codes]
    deviations = values - values.mean(axis=0)
    means = (members.T @ deviations) / members.sum(axis=0)[:, None]
    total = np.einsum("ij,ij->j", deviations, deviations)
    between = members.sum(axis=0) @ means**2
    return _divided(between, total)


def _correlation_with_ranks(values: Array, quantity: Array) -> Array:
    _, ranks = np.unique(quantity, return_inverse=True)
    return _correlations(values, ranks.reshape(-1) - ranks.mean())


def _correlations(values: Array, centered: Array) -> Array:
    """Return absolute correlations with a centered quantity; 0 where a value is missing."""
    deviations = values - values.mean(axis=0)
    lengths = np.sqrt(np.einsum("ij,ij->j", deviations, deviations)) * np.linalg.norm(centered)
    return _divided(np.abs(centered @ deviations), lengths)


def _divided(part: Array, whole: Array) -> Array:
    """Return shares; 0 where the whole is zero or unknown."""
    is_known = (whole > 0) & np.isfinite(whole)
    return np.where(is_known, part, 0.0) / np.where(is_known, whole, 1.0)


def chance_to_tell(codes: Array, n_features: int, *, n_orders: int | None = None) -> float:
    """Return how many of the features separate all classes by chance, at most.

    Parameters
    ----------
    codes : array of int of shape (n_samples,)
        Classes, or sets of classes that a feature does not distinguish.
    n_features : int
    n_orders : int or None
        Orders of the classes that count; all of them by default.

    Returns
    -------
    expected : float
    """
    sizes = np.bincount(codes)
    sizes = sizes[sizes > 0]
    orders = gammaln(len(sizes) + 1) if n_orders is None else np.log(n_orders)
    log_chance = orders + gammaln(sizes + 1).sum() - gammaln(sizes.sum() + 1)
    return float(np.exp(min(log_chance + np.log(max(n_features, 1)), 700.0)))
