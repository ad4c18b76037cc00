"""Findings about features: copies of the outcome, identifiers, dates, constants, missing values."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata, spearmanr

from perturbfs.arrays import Array, to_dense

from ._finding import SHOWN, Finding, count, listed
from ._measure import Measures, chance_to_tell
from ._names import kinds_of_names

FEWEST_ROWS = 10  # with fewer, whole numbers may increase by chance
EXPECTED_BY_CHANCE = 0.01
MOST_PERFECT = 3  # if more features predict perfectly, the outcome is easy to predict
N_COMPARED = 50  # features that the best of the others is searched among
SAME_ORDER = 0.99  # rank correlation
STRONG_OTHERS = 0.98  # AUC or rank correlation of features with which a perfect one is no wonder
LEAST_CONSTANT_SHARE = 0.1
USUAL_SHARE = 0.95
MANY_MISSING, MANY_MISSING_IN_FEATURE = 0.05, 0.3


@dataclass(frozen=True, slots=True)
class Features:
    """Features with their names and measures, and the outcome that they are compared with."""

    X: Any
    names: Sequence[str]
    measures: Measures
    codes: Array | None  # classes from 0
    quantity: Array | None

    def column(self, place: int) -> Array:
        """Return the values of one feature."""
        return np.asarray(to_dense(self.X[:, [place]]), dtype=np.float64).ravel()

    def named(self, places: Sequence[int] | Array) -> list[str]:
        """Return the names of some features, in quotes."""
        return [repr(str(self.names[place])) for place in places]

    def finding(
        self,
        kind: str,
        places: Sequence[int] | Array,
        texts: tuple[str, str, str],
        *,
        is_warning: bool = True,
    ) -> Finding:
        """Return a finding about some features.

        Parameters
        ----------
        kind : str
        places : sequence of int
        texts : tuple of str
            What one feature is or does, what several are or do, and the advice; ``{exclude}`` in
            it stands for the option that leaves the first feature out.
        is_warning : bool
        """
        one, several, advice = texts
        first = shlex.quote(str(self.names[places[0]]))
        option = f"--exclude {first}" if len(places) == 1 else "--exclude, once for each"
        says = one if len(places) == 1 else several
        return Finding(
            kind,
            f"{listed(self.named(places))} {says}",
            advice.format(exclude=option),
            tuple(str(self.names[place]) for place in places[:SHOWN]),
            "warning" if is_warning else "note",
        )


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
    kinds = kinds_of_names(features.names)
    repeated, identifiers = _identifiers(features, kinds)
    if len(repeated) and not has_groups:
        yield features.finding(
            "groups",
            repeated,
            (
                "has the same value in several samples and seems to tell which belong together.",
                "have the same value in several samples and seem to tell which belong together.",
                "If samples come from the same patient, keep them together in all splits with "
                f"--groups {shlex.quote(str(features.names[repeated[0]]))}. The column is then "
                "not used as a feature.",
            ),
        )
    if len(identifiers):
        yield features.finding(
            "identifier",
            identifiers,
            (
                "looks like an identifier: it numbers the samples and does not describe them.",
                "look like identifiers: they number the samples and do not describe them.",
                "Leave it out with {exclude}. If the samples are sorted by the outcome, it "
                "predicts the outcome perfectly.",
            ),
        )
    dates = _dates(features, kinds["date"])
    if len(dates):
        yield features.finding(
            "date",
            dates,
            (
                "looks like a date.",
                "look like dates.",
                "Leave it out with {exclude}, unless time itself is to predict the outcome.",
            ),
        )
    if kinds["later"]:
        yield features.finding(
            "later",
            kinds["later"],
            (
                "is, by its name, known only after the outcome or together with it.",
                "are, by their names, known only after the outcome or together with it.",
                "Leave it out with {exclude} unless it is known when the prediction is needed.",
            ),
        )
    others = np.ones(len(features.names), dtype=bool)
    others[[*repeated, *identifiers, *dates]] = False
    yield from _perfect_predictors(features, others)
    yield from _constants(features)
    yield from _missing(features)


def _identifiers(features: Features, kinds: dict[str, list[int]]) -> tuple[list[int], list[int]]:
    """Return features that name patients repeatedly, and features that number the samples."""
    measures, n_samples = features.measures, features.X.shape[0]
    is_complete = measures.is_whole & (measures.n_missing == 0)
    # Only numbers without gaps are searched for repetitions.
    is_dense = is_complete & (measures.highest - measures.lowest == n_samples - 1)
    candidates = {*kinds["person"], *kinds["identifier"], *np.flatnonzero(is_dense).tolist()}
    numbers = set(np.flatnonzero(is_complete & measures.is_ordered).tolist())
    numbers = numbers if n_samples >= FEWEST_ROWS else set()
    repeated = []
    for place in sorted(candidates - numbers):
        if not measures.is_whole[place]:
            continue
        n_values = len(np.unique(features.column(place)))
        if n_values == n_samples and (not is_dense[place] or n_samples >= FEWEST_ROWS):
            numbers.add(place)
        elif place in kinds["person"] and 1 < n_values < n_samples:
            repeated.append(place)
    return repeated, sorted(numbers)


def _dates(features: Features, by_name: Sequence[int]) -> Array:
    measures = features.measures
    is_date = measures.is_date.copy()
    # A date is a whole number in a table of numbers: 20240131, a year, or the days of Excel.
    for place in by_name:
        is_date[place] |= bool(measures.is_whole[place] and measures.lowest[place] >= 1900)
    return np.flatnonzero(is_date)


def _perfect_predictors(features: Features, others: Array) -> Iterator[Finding]:
    """Yield copies of the outcome, and features with which one threshold is never wrong."""
    measures = features.measures
    copies = np.flatnonzero(measures.has_copies & others)
    if features.codes is not None:
        copies = np.array([each for each in copies if not _is_by_chance(features, each)], int)
    if len(copies):
        yield features.finding(
            "outcome_copy",
            copies,
            (
                "is a copy of the outcome: it has one value in each class."
                if features.quantity is None
                else "is a copy of the outcome: it is proportional to it.",
                "are copies of the outcome.",
                "Leave it out with {exclude}. Otherwise it is selected, and the estimate is "
                "perfect and worthless.",
            ),
        )
    by_class = np.flatnonzero(measures.is_known_by_class & others)
    by_class = np.array([each for each in by_class if not _is_by_chance(features, each)], int)
    if len(by_class):
        yield features.finding(
            "missing_by_class",
            by_class,
            (
                "has values in some classes only, and none in the others.",
                "have values in some classes only, and none in the others.",
                "Leave it out with {exclude}: once its missing values are filled, it gives the "
                "class away.",
            ),
        )
    others = others.copy()
    others[[*copies, *by_class]] = False
    yield from _best_alone(features, others)


def _is_by_chance(features: Features, place: int) -> bool:
    """Return whether a feature with so few values may be constant in the classes by chance."""
    values = features.column(place)
    codes = np.unique(np.isnan(values) if np.isnan(values).any() else values, return_inverse=True)
    return chance_to_tell(codes[1].reshape(-1), len(features.names)) > EXPECTED_BY_CHANCE


def _best_alone(features: Features, others: Array) -> Iterator[Finding]:
    """Yield a finding if one to three features predict perfectly and the others far less well."""
    outcome = features.quantity if features.codes is None else features.codes
    if outcome is None:
        return
    n_features = len(features.names)
    codes = np.unique(outcome, return_inverse=True)[1].reshape(-1)
    n_orders = None if features.quantity is None else 2
    if chance_to_tell(codes, n_features, n_orders=n_orders) > EXPECTED_BY_CHANCE:
        return
    is_perfect = features.measures.has_thresholds & others
    relevance = np.where(others, features.measures.relevance, -1.0)
    compared = np.argsort(-relevance, kind="stable")[:N_COMPARED]
    compared = compared[others[compared] & ~is_perfect[compared]]
    reached = [_alone(features.column(place), codes) for place in compared.tolist()]
    if features.quantity is not None:
        same = [
            place for place, value in zip(compared, reached, strict=True) if value >= SAME_ORDER
        ]
        is_perfect[same] = True
        reached = [value for value in reached if value < SAME_ORDER]
    places = np.flatnonzero(is_perfect)
    n_strong = sum(value >= STRONG_OTHERS for value in reached)
    if not 0 < len(places) <= MOST_PERFECT or n_strong >= MOST_PERFECT:
        return
    what = "predicts the outcome perfectly"
    rest = ""
    if reached and np.isfinite(max(reached)):
        unit = "a rank correlation" if features.quantity is not None else "an AUC"
        rest = f" The best of the other features reaches {unit} of {max(reached):.2f}."
    yield features.finding(
        "perfect_predictor",
        places,
        (
            f"alone {what}.{rest}",
            f"each alone {what.replace('predicts', 'predict')}.{rest}",
            "Check that it is known before the outcome and not derived from it. If in doubt, "
            "leave it out with {exclude}.",
        ),
    )


def _alone(values: Array, codes: Array) -> float:
    """Return how well the order of one feature predicts: AUC, rank correlation, or NaN."""
    known = ~np.isnan(values)
    values, codes = values[known], codes[known]
    n_classes = len(np.unique(codes))
    if n_classes < 2 or len(np.unique(values)) < 2:
        return 0.0
    if n_classes == 2:
        first = codes == codes.min()
        n_first, n_second = int(first.sum()), int((~first).sum())
        ranks = rankdata(values)[first].sum() - n_first * (n_first + 1) / 2
        auc = ranks / (n_first * n_second)
        return float(max(auc, 1 - auc))
    return float(abs(spearmanr(values, codes).statistic))


def _constants(features: Features) -> Iterator[Finding]:
    measures, n_features = features.measures, len(features.names)
    never = np.flatnonzero(~(measures.highest > measures.lowest))
    nearly = np.flatnonzero(
        (measures.usual_share >= USUAL_SHARE) & (measures.highest > measures.lowest)
    )
    if len(never) + len(nearly) <= LEAST_CONSTANT_SHARE * n_features:
        return
    parts = []
    if len(never):
        parts.append(f"{count(len(never), 'feature')} of {n_features:,} never vary")
    if len(nearly):
        parts.append(
            f"{count(len(nearly), 'feature')} of {n_features:,} have the same value in at least "
            f"{100 * USUAL_SHARE:.0f} % of the samples"
        )
    yield Finding(
        "constant",
        f"{', and '.join(parts)}.",
        "Features that never vary are not selected. Check whether values were cut off or filled "
        "before, and do not trust a feature that differs in a few samples only.",
        tuple(str(features.names[place]) for place in [*never, *nearly][:SHOWN]),
    )


def _missing(features: Features) -> Iterator[Finding]:
    """Yield a finding if more than a few values are missing."""
    n_missing, (n_samples, n_features) = features.measures.n_missing, features.X.shape
    share = n_missing.sum() / (n_samples * n_features)
    many = np.flatnonzero(n_missing > MANY_MISSING_IN_FEATURE * n_samples)
    if share <= MANY_MISSING and not len(many):
        return
    message = f"{100 * share:.1f} % of the values are missing."
    if len(many):
        worst = many[np.argsort(-n_missing[many], kind="stable")]
        many = worst
        message += (
            f" {count(len(many), 'feature lacks', 'features lack')} more than "
            f"{100 * MANY_MISSING_IN_FEATURE:.0f} % of the values: {listed(features.named(many))}."
        )
    yield Finding(
        "missing",
        message,
        "--impute median or --impute knn fills them within each split. Leave out features with "
        "few values by --exclude.",
        tuple(str(features.names[place]) for place in many[:SHOWN]),
    )
