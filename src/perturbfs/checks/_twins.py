"""Find near-identical samples, such as replicates of one patient, and warn of them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components
from scipy.stats import poisson

from perturbfs.arrays import Array, is_blocks, to_dense
from perturbfs.exceptions import DataWarning

MOST_SAMPLES, MOST_FEATURES = 1000, 1000  # that are compared
FEWEST_SAMPLES, FEWEST_FEATURES = 12, 20  # with fewer, samples are close by chance
FEWEST_OF_CLASS = 4  # the mean of a smaller class is too close to its samples
MOST_ALIKE = 50  # samples in one set
# Distance to a twin as a share of the distance to the next sample that is none. With noise half
# as large as the differences between patients it is 0.45, and 0.57 with noise of 0.7.
LARGEST_CONTRAST = 0.7
LARGEST_P_VALUE = 1e-3
MOST_DIMENSIONS = 50.0
SHOWN = 10

# Whether a warning was given already; None outside of all blocks of `twins_once`.
_was_given: ContextVar[list[bool] | None] = ContextVar("_was_given", default=None)


def twin_sets(X: Any, classes: Array | None = None) -> list[Array]:
    """Return sets of samples that are much closer to each other than to all other samples.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        May hold NaN. The first 1000 samples are compared on at most 1000 features that are
        evenly spread. Features of a table on disk or on a device are not read.
    classes : array of shape (n_samples,) or None
        Samples are compared with the mean of their class, so that a class is not taken for a set
        of twins. Classes with fewer than four samples are left out.

    Returns
    -------
    sets : list of arrays of int
        Positions of the samples of each set, in order. Empty if fewer than 12 samples or 20
        varying features can be compared.

    Notes
    -----
    The contrast of a sample is the distance to the farthest member of its set divided by the
    distance to the nearest other sample; the set is that of 2 to 50 samples with the smallest
    contrast. In d dimensions, a sample without twins has a contrast below c with probability
    c^d. d is estimated from the growth of the number of neighbors with their distance. Samples
    are twins if c is at most 0.7 and so many of them are not expected by chance (Poisson, p
    below 0.001).
    """
    if is_blocks(X):
        return []
    rows, values = standardize_within(X, classes)
    if len(rows) < FEWEST_SAMPLES or values.shape[1] < FEWEST_FEATURES:
        return []
    distances = _distances(values)
    radius, contrast = _nearest_sets(distances)
    is_twin = _unlikely(contrast, _dimensions(distances))
    reach = np.where(is_twin, radius, -1.0)
    is_near = distances <= np.minimum(reach[:, None], reach[None, :])
    n_sets, labels = connected_components(scipy.sparse.csr_array(is_near), directed=False)
    members = np.argsort(labels, kind="stable")
    counts = np.bincount(labels, minlength=n_sets)
    sets = np.split(rows[members], np.cumsum(counts)[:-1])
    return sorted((each for each in sets if len(each) > 1), key=lambda each: int(each[0]))


def standardize_within(X: Any, classes: Array | None) -> tuple[Array, Array]:
    """Return the samples that can be compared, and features standardized within the classes.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    classes : array of shape (n_samples,) or None
        Classes with fewer than four samples are left out.

    Returns
    -------
    rows : array of int of shape (n_rows,)
        At most the first 1000 samples.
    values : array of shape (n_rows, n_varying_features)
        At most 1000 features that are evenly spread, clipped to three standard deviations.
    """
    n_features = X.shape[1]
    rows = np.arange(min(X.shape[0], MOST_SAMPLES))
    some = np.linspace(0, n_features - 1, min(n_features, MOST_FEATURES)).astype(int)
    values = np.asarray(to_dense(X[: len(rows)][:, some]), dtype=np.float64)
    groups = [rows]
    if classes is not None:
        codes = np.unique(classes[: len(rows)], return_inverse=True)[1].reshape(-1)
        rows = np.flatnonzero(np.bincount(codes)[codes] >= FEWEST_OF_CLASS)
        groups = [np.flatnonzero(codes[rows] == code) for code in np.unique(codes[rows])]
        values = values[rows]
    if not len(rows):
        return rows, values
    values = _scaled(values, [np.arange(len(rows))])
    return rows, np.clip(_scaled(values, groups), -3.0, 3.0)


def _scaled(values: Array, groups: Sequence[Array]) -> Array:
    """Return features with mean 0 in each group and root mean square 1; only those that vary."""
    known = np.isfinite(values)
    centered = np.where(known, values, 0.0)
    largest = np.abs(centered).max(axis=0)
    centered /= np.where(largest > 0, largest, 1.0)  # squares of huge values would overflow
    for group in groups:
        counts = np.maximum(known[group].sum(axis=0), 1)
        centered[group] -= centered[group].sum(axis=0) / counts
    centered[~known] = 0.0  # an unknown value is as the mean
    scale = np.sqrt(np.mean(centered**2, axis=0))
    # Centering a constant feature leaves rounding errors, which are no differences.
    varies = scale > 1e-9
    return centered[:, varies] / scale[varies]


def _distances(values: Array) -> Array:
    """Return the distances of all pairs of rows; infinity on the diagonal."""
    products = values @ values.T
    lengths = np.diagonal(products)
    squares = lengths[:, None] + lengths - 2 * products
    # Rounding leaves a small number where two rows are equal.
    squares[squares < 1e-12 * lengths.max()] = 0.0
    distances = np.sqrt(squares)
    np.fill_diagonal(distances, np.inf)
    return distances


def _nearest_sets(distances: Array) -> tuple[Array, Array]:
    """Return the radius and the contrast of the set of each sample that stands out most."""
    n_most = min(MOST_ALIKE, len(distances) // 4)
    nearest = np.sort(distances, axis=1)[:, : n_most + 1]
    within, beyond = nearest[:, :-1], nearest[:, 1:]
    ratios = np.where(beyond > 0, within / np.where(beyond > 0, beyond, 1.0), 1.0)
    best = np.argmin(ratios, axis=1)
    samples = np.arange(len(distances))
    return within[samples, best], ratios[samples, best]


def _dimensions(distances: Array) -> float:
    """Return how many dimensions samples vary in, by the growth of their neighbors' number."""
    n_few, n_many = len(distances) // 4, len(distances) // 2
    ordered = np.sort(distances, axis=1)
    few, many = ordered[:, n_few], ordered[:, n_many]
    growth = math.log((n_many + 1) / (n_few + 1))
    spread = float(np.median(np.log(many / np.maximum(few, 1e-300))))
    return min(growth / spread, MOST_DIMENSIONS) if spread > 0 else MOST_DIMENSIONS


def _unlikely(contrast: Array, n_dimensions: float) -> Array:
    """Return which samples have a smaller contrast than so many samples have by chance."""
    ordered = np.sort(contrast)
    counts = np.arange(1, len(ordered) + 1)
    # Twins come in pairs at least, so half of the samples are independent.
    expected = len(ordered) * ordered**n_dimensions / 2
    p_values = poisson.sf(counts // 2 - 1, expected)
    is_found = (ordered <= LARGEST_CONTRAST) & (counts > 1) & (p_values <= LARGEST_P_VALUE)
    limit = ordered[np.flatnonzero(is_found)[-1]] if is_found.any() else -1.0
    return contrast <= limit


def describe_twins(sets: Sequence[Array], names: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the samples of the first ten sets as text, such as "S1 and S2".

    Parameters
    ----------
    sets : sequence of arrays of int
    names : sequence of str or None
        Names of the samples. None gives their positions, from 0.
    """
    described = []
    for each in sets[:SHOWN]:
        labels = [str(row) if names is None else str(names[row]) for row in each.tolist()]
        if len(labels) > 4:
            labels = [*labels[:3], f"{len(labels) - 3} more"]
        described.append(f"{', '.join(labels[:-1])} and {labels[-1]}")
    return tuple(described)


@contextmanager
def twins_once(*, was_given: bool = False) -> Iterator[None]:
    """Warn of near-identical samples at most once inside the block; also a decorator.

    Parameters
    ----------
    was_given : bool, default=False
        Whether the warning was given before, so that none is given.
    """
    # A block inside another one knows what the other one knows.
    token = _was_given.set([True] if was_given or _was_given.get() else [])
    try:
        yield
    finally:
        _was_given.reset(token)


def warn_of_twins(X: Any, y: Array, *, task: str, groups: Any, cv: Any, stacklevel: int) -> None:
    """Warn when samples are near-identical and splits may separate them.

    Parameters
    ----------
    X : array, sparse matrix or blocks of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    groups : array or None
        With groups there is no warning.
    cv : int, splitter, iterable or None
        There is no warning with a splitter or an iterable, which may keep the samples together.
    stacklevel : int
    """
    given = _was_given.get()
    if groups is not None or given or not isinstance(cv, (int, type(None))):
        return
    sets = twin_sets(X, y if task == "classification" and y.ndim == 1 else None)
    if given is not None:
        given.append(True)  # later blocks need not look again
    if sets:
        n_twins = sum(map(len, sets))
        warnings.warn(
            f"{n_twins} of {X.shape[0]} samples are nearly identical to another sample: rows "
            f"{'; '.join(describe_twins(sets))}{' …' if len(sets) > SHOWN else ''}. If they "
            "come from the same patient or specimen, scores are far too good unless no split "
            "separates them. Pass groups=, with one value per patient.",
            DataWarning,
            stacklevel=stacklevel,
        )
