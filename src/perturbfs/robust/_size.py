"""Choose the number of features from the scores of every number, and say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ._nested import NestedScores

ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class SizeRule:
    """How the number of features was chosen.

    Attributes
    ----------
    n_features : int
        The number that was chosen.
    best : int
        The number with the best score; the smallest if several have it.
    as_good : tuple of int
        The numbers that count as equal to the best: their score is at most one standard error of
        the difference lower.
    least : int
        The smallest number that was allowed.
    most : int
        The largest number that was tried.
    """

    n_features: int
    best: int
    as_good: tuple[int, ...]
    least: int
    most: int

    def explain(self) -> str:
        """Return two sentences that explain the number.

        Examples
        --------
        >>> from perturbfs.robust import SizeRule
        >>> SizeRule(n_features=8, best=10, as_good=(5, 8, 10), least=8, most=20).explain()
        'The score is best with 10 features, and 5 and 8 are as good to within one standard error.
        The smallest of these numbers is 5, but at least 8 are taken, because one standard error
        can hide a real loss.'
        """
        others = [size for size in self.as_good if size != self.best]
        first = f"The score is best with {_count(self.best)}, and "
        if not others:
            first += "no other number is as good to within one standard error."
        else:
            first += f"{_listed(others)} {_are(len(others))} as good to within one standard error."
        smallest = self.as_good[0]
        if self.n_features > smallest:
            return (
                f"{first} The smallest of these numbers is {smallest}, but at least {self.least} "
                "are taken, because one standard error can hide a real loss."
            )
        if not others:
            return f"{first} So {_count(self.n_features)} {_are(self.n_features)} taken."
        return f"{first} The smallest of these numbers, {smallest}, is taken."


def choose_size(scores: NestedScores, *, usual: int, n_found: int) -> SizeRule:
    """Return the smallest number of features that is as good as the best, at least the usual one.

    Parameters
    ----------
    scores : NestedScores
    usual : int
        Fewer features are taken only where every number from this one on is worse than the best
        by a standard error or more, or exactly as good.
    n_found : int
        Features on the path of all samples; larger numbers are not considered.

    Returns
    -------
    rule : SizeRule

    Notes
    -----
    The standard error is that of the difference over splits and predictors, because all numbers
    are scored on the same ones.
    """
    sizes = scores.sizes_within(n_found)
    means = scores.scores.mean(axis=(0, 1))[: len(sizes)]
    best = sizes[int(np.argmax(means))]
    behind, errors = (each[: len(sizes)] for each in scores.compare(best))
    as_good = tuple(np.array(sizes)[behind <= errors + ROUNDING].tolist())
    usual = min(usual, sizes[-1])
    from_usual = np.array(sizes) >= usual
    no_gain = bool(np.all(behind[from_usual] >= errors[from_usual] - ROUNDING))
    least = sizes[0] if no_gain else max(usual, sizes[0])
    chosen = min(max(as_good[0], least), n_found)
    return SizeRule(chosen, best, as_good, least, sizes[-1])


def _count(n_features: int) -> str:
    return f"{n_features} feature{'' if n_features == 1 else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last
