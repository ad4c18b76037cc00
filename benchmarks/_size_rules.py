"""Rules for the number of features, judged by kept scores without a fit.

The criterion was set before any of these rules was scored: on the sets that choose, take the rule
with the fewest features among those whose mean test score is at most TOLERANCE points below that
of the best rule. A change is made only if rules chosen in this way beat the present one on the
mean of the sets left out, and lose more than a point on none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from sklearn.isotonic import isotonic_regression

from perturbfs.robust._search import sizes_to_try

TOLERANCE = 0.3  # points of accuracy that one rule may lose for fewer features
MOST = 40
TIE = 2e-5  # kept scores are rounded to 1e-5
N_INNER = 5  # folds; the test samples of each are a quarter of its training samples
NOWHERE = 1e6  # more errors than any number is worse by
CAPS = {"a quarter": 1 / 4, "a third": 1 / 3, "half": 1 / 2, "no limit": np.inf}
FLOORS = (1, 8, 10, 12, 16)
CHOICES = (
    "best",
    "1 error",
    "half an error",
    "2 errors",
    "1 error of the splits",
    "1 corrected error",
    "1 point",
    "2 points",
    "best of smooth",
    "1 error of smooth",
    "1 point of rising",
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one outer split.

    Attributes
    ----------
    n_train : int
    n_classes : int
    inner : array of shape (n_splits, n_predictors, MOST)
    test : array of shape (MOST,)
    taken : int
        The number that `RobustSelector()` takes.
    """

    n_train: int
    n_classes: int
    inner: np.ndarray
    test: np.ndarray
    taken: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A largest number, a smallest one and a choice between them.

    Attributes
    ----------
    cap : str
        Of CAPS: the largest number as a share of the samples.
    floor : int
    choice : str
        Of CHOICES.
    unless : float or None
        Fewer than the floor are taken where each number from it on is worse than the best by so
        many standard errors, or better in no single score; with None never.
    per_class : int
        The floor and the cap are at least this times the number of classes.
    """

    cap: str
    floor: int
    choice: str
    unless: float | None = None
    per_class: int = 0

    def __str__(self) -> str:
        lost = "better nowhere" if self.unless == NOWHERE else f"worse by {self.unless}"
        floor = f"{self.floor}{f' unless {lost}' if self.unless else ''}"
        more = f", {self.per_class} per class" if self.per_class else ""
        return f"{self.choice}; from {floor}; {self.cap}{more}"

    def size(self, kept: Kept) -> int:
        """Return the number of features of one outer split."""
        least = self.per_class * kept.n_classes
        most = max(int(min(MOST, kept.n_train * CAPS[self.cap])), least)
        sizes = np.array(sizes_to_try(most))
        inner = kept.inner[:, :, sizes - 1]
        usual = min(max(self.floor, least), most)
        found, apart, errors = smallest_as_good(inner, sizes, self.choice)
        if self.unless is not None:
            hurts = apart.mean(axis=0) >= self.unless * errors - TIE
            hurts |= np.all(apart >= -TIE, axis=0)
            usual = 1 if np.all(hurts[sizes >= usual]) else usual
        return max(int(sizes[found]), usual)


PRESENT = Rule("a third", 8, "1 error", unless=1)
FEW_RULES = tuple(Rule("a third", 8, "1 error", unless=n) for n in (1, 1.5, 2, NOWHERE, None))


def all_rules() -> Iterator[Rule]:
    """Return the rules that compete."""
    for cap, floor, choice in product(CAPS, FLOORS, CHOICES):
        yield Rule(cap, floor, choice)
    for cap, floor, unless, per_class in product(CAPS, FLOORS[1:], (1, 2), (0, 2)):
        yield Rule(cap, floor, "1 error", unless=unless, per_class=per_class)
    for cap, floor, choice in product(CAPS, FLOORS[1:], ("best", "1 error", "1 point")):
        yield Rule(cap, floor, choice, per_class=2)


def smallest_as_good(
    inner: np.ndarray, sizes: np.ndarray, choice: str
) -> tuple[int, np.ndarray, np.ndarray]:
    """Return the position of the smallest size that a choice counts as good as the best.

    Also return by how much each size is worse in each score, and the standard errors of the means.
    """
    if choice.endswith("smooth"):
        inner = inner @ _neighbors(tuple(sizes.tolist()))
    if choice.endswith(("splits", "corrected error")):
        inner = inner.mean(axis=1, keepdims=True)
    scores = inner.reshape(-1, len(sizes))
    means = scores.mean(axis=0)
    if choice.endswith("rising"):
        means = isotonic_regression(means)
    apart = scores[:, [int(np.argmax(means >= means.max() - TIE))]] - scores
    share = 1 / (N_INNER - 1) if choice.endswith("corrected error") else 0.0
    errors = apart.std(axis=0, ddof=1) * np.sqrt(1 / len(apart) + share)
    amount, unit, *_ = f"{choice} of".split()
    if amount == "best":
        allowed = np.zeros(len(sizes))
    elif unit.startswith("point"):
        allowed = np.full(len(sizes), float(amount) / 100)
    else:
        allowed = errors * {"half": 0.5, "1": 1.0, "2": 2.0}[amount]
    return int(np.argmax(means.max() - means <= allowed + TIE)), apart, errors


@lru_cache
def _neighbors(sizes: tuple[int, ...]) -> np.ndarray:
    """Return the weights of a mean over sizes that differ by at most a quarter."""
    near = np.abs(np.subtract.outer(np.log(sizes), np.log(sizes))) <= np.log(1.25) + 1e-9
    return near / near.sum(axis=0)


@dataclass(frozen=True, slots=True)
class Judged:
    """How a rule does on each set: mean score, number of features, deviation of the number."""

    rule: Rule
    score: np.ndarray
    n_features: np.ndarray
    spread: np.ndarray


def judge(rule: Rule, sets: dict[str, list[Kept]]) -> Judged:
    """Return how a rule does on each set."""
    scores, numbers, spreads = [], [], []
    for splits in sets.values():
        sizes = np.array([rule.size(kept) for kept in splits])
        found = [kept.test[size - 1] for kept, size in zip(splits, sizes, strict=True)]
        scores.append(100 * np.mean(found))
        numbers.append(sizes.mean())
        spreads.append(sizes.std(ddof=1))
    return Judged(rule, np.array(scores), np.array(numbers), np.array(spreads))


def preferred(judged: list[Judged], chooses: np.ndarray) -> Judged:
    """Return the rule that the criterion takes on some of the sets."""
    scores = np.array([each.score[chooses].mean() for each in judged])
    good = [
        each
        for each, score in zip(judged, scores, strict=True)
        if score >= scores.max() - TOLERANCE
    ]
    return min(good, key=lambda each: float(each.n_features[chooses].mean()))
