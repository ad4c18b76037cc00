"""Find one change of units that explains why the features of two cohorts differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array

from ._shift import Shift, Strata, compare_features

FEWEST_FEATURES = 4  # with fewer, one factor always fits about
LOGARITHMS: dict[str, Callable[[Array], Array]] = {
    "log2": np.log2,
    "log10": np.log10,
    "ln": np.log,
}
LARGE = 30.0  # logarithms of measured values are smaller


@dataclass(frozen=True, slots=True)
class _Change:
    """Both cohorts after a change of units, and the sentences that advise it."""

    first: Array
    second: Array
    advice: str


def advise_units(
    first: Array, second: Array, strata: Strata, shifts: Sequence[Shift]
) -> str | None:
    """Return what to do about the units of two cohorts, if one change makes them alike.

    Parameters
    ----------
    first, second : array of shape (n_samples, n_features)
    strata : Strata
    shifts : sequence of Shift
        From `compare_features`.

    Returns
    -------
    advice : str or None
        None unless at least half of four or more features are shifted, and a logarithm, a factor
        or an offset that is the same for all features leaves at most half of these.
    """
    n_shifted = sum(each.is_shifted for each in shifts)
    if len(shifts) < FEWEST_FEATURES or 2 * n_shifted < len(shifts):
        return None
    best, advice = n_shifted // 2, None
    names = [each.name for each in shifts]
    for change in _changes(first, second, strata):
        found = compare_features(change.first, change.second, strata, names)
        n_left = sum(each.is_shifted for each in found)
        if n_left < best or (n_left == best and advice is None):
            best, advice = n_left, change.advice
    return advice


def _changes(first: Array, second: Array, strata: Strata) -> Iterator[_Change]:
    """Yield the changes of units that are tried."""
    middles = [_middles(*each) for each in ((first, strata.first), (second, strata.second))]
    yield from _factors(first, second, middles)
    offset = float(np.median(middles[1] - middles[0]))
    yield _Change(
        first,
        second - offset,
        f"The features of the second cohort are all {'higher' if offset > 0 else 'lower'} by "
        f"about {abs(offset):.3g}. Find out which normalization only one of the cohorts had, and "
        "give it to both.",
    )
    for name, logarithm in LOGARITHMS.items():
        if second.max() <= LARGE < first.max():
            advice = _logarithm_advice("first", "second", name)
            yield _Change(logarithm(np.maximum(first, 0) + 1), second, advice)
        if first.max() <= LARGE < second.max():
            advice = _logarithm_advice("second", "first", name)
            yield _Change(first, logarithm(np.maximum(second, 0) + 1), advice)


def _middles(values: Array, rows: Sequence[Array]) -> Array:
    """Return the median of each feature, as the mean over the classes."""
    found: Array = np.mean([np.median(values[each], axis=0) for each in rows], axis=0)
    return found


def _factors(first: Array, second: Array, middles: Sequence[Array]) -> Iterator[_Change]:
    if np.all(middles[0] * middles[1] > 0):
        factor = float(np.exp(np.median(np.log(middles[1] / middles[0]))))
        yield _Change(
            first,
            second / factor,
            f"The values of the second cohort are all about {factor:.3g} times those of the "
            f"first. Divide them by {factor:.3g}, or find out which unit is wrong.",
        )


def _logarithm_advice(raw: str, logged: str, name: str) -> str:
    again = "select" if raw == "first" else "validate"
    return (
        f"The {logged} cohort seems to hold logarithms, the {raw} one plain values. Bring both to "
        f"one scale, such as {name}(value + 1) of the {raw} cohort with negative values as 0, and "
        f"{again} again."
    )
