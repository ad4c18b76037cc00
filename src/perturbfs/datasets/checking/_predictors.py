"""Findings about features that give the outcome away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import mannwhitneyu, rankdata, spearmanr

from perturbfs.arrays import Array

from ._features import Features
from ._finding import Finding
from ._measure import chance_to_tell

EXPECTED_BY_CHANCE = 0.01  # features that predict perfectly
MOST_PERFECT = 3  # if more features predict perfectly, the outcome is easy to predict
N_COMPARED = 50  # features that the best of the others is searched among
SAME_ORDER = 0.99  # rank correlation with a quantity that is as good as equal
CLEARLY_LESS = 0.9  # AUC that no other feature may exceed beside one that is nearly perfect
TELLING = 0.9  # AUC or rank correlation of an identifier that predicts the outcome
STRONG = 0.98  # AUC or rank correlation; next to three such features a perfect one is no surprise


def check_predictors(features: Features, others: Array) -> Iterator[Finding]:
    """Yield copies of the outcome, and features that alone predict it perfectly.

    Parameters
    ----------
    features : Features
    others : array of bool of shape (n_features,)
        Features that are not known to be identifiers or dates.

    Yields
    ------
    finding : Finding
    """
    measures, is_open = features.measures, others.copy()
    copies = _sure(features, measures.has_copies & is_open)
    is_open[copies] = False
    if len(copies):
        how = "proportional to it" if features.codes is None else "one value in each class"
        yield features.finding("outcome_copy", copies, how=how)
    by_class = _sure(features, measures.is_known_by_class & is_open)
    is_open[by_class] = False
    if len(by_class):
        yield features.finding("missing_by_class", by_class)
    if features.codes is not None or features.quantity is not None:
        yield from _best_alone(features, is_open)


def _sure(features: Features, is_found: Array) -> Array:
    """Return the features that are not the same within the classes by chance."""
    places = np.flatnonzero(is_found)
    if features.codes is None:
        return places
    expected = np.array([_expected(features, place) for place in places.tolist()])
    return places[expected <= EXPECTED_BY_CHANCE] if len(places) else places


def _expected(features: Features, place: int) -> float:
    values = features.column(place)
    known = ~np.isnan(values)
    groups = values if known.all() else known
    codes = np.unique(groups, return_inverse=True)[1].reshape(-1)
    return chance_to_tell(codes, len(features.names))


def _best_alone(features: Features, others: Array) -> Iterator[Finding]:
    """Yield a finding if one to three features predict perfectly, and others far less well."""
    is_quantity = features.codes is None
    codes = features.codes
    if codes is None:
        assert features.quantity is not None
        codes = np.unique(features.quantity, return_inverse=True)[1].reshape(-1)
    n_orders = 2 if is_quantity else None
    if chance_to_tell(codes, len(features.names), n_orders=n_orders) > EXPECTED_BY_CHANCE:
        return
    is_perfect = features.measures.has_thresholds & others
    relevance = np.where(others & ~is_perfect, features.measures.relevance, -1.0)
    compared = np.argsort(-relevance, kind="stable")[:N_COMPARED]
    has_order = is_quantity or codes.max() == 1  # several classes have none
    compared = compared[relevance[compared] >= 0] if has_order else compared[:0]
    reached = np.array([_alone(features.column(place), codes) for place in compared.tolist()])
    if is_quantity:
        is_perfect[compared[reached >= SAME_ORDER]] = True
        reached = reached[reached < SAME_ORDER]
    places = np.flatnonzero(is_perfect)
    if not len(places) and not is_quantity:
        yield from _nearly_perfect(features, codes, compared, reached)
    if not 0 < len(places) <= MOST_PERFECT or np.sum(reached >= STRONG) >= MOST_PERFECT:
        return
    yield features.finding(
        "perfect_predictor", places, rest=_rest(reached, is_quantity=is_quantity)
    )


def _rest(reached: Array, *, is_quantity: bool) -> str:
    """Return a sentence about the best of the other features."""
    if not len(reached):
        return ""
    unit = "a rank correlation" if is_quantity else "an AUC"
    return f" The best of the others reaches {unit} of {reached.max():.2f}."


def _nearly_perfect(
    features: Features, codes: Array, compared: Array, reached: Array
) -> Iterator[Finding]:
    """Yield a finding if one to three features nearly separate two classes, others far less."""
    is_near = reached >= STRONG
    rest = reached[~is_near]
    if not 0 < is_near.sum() <= MOST_PERFECT or (len(rest) and rest.max() > CLEARLY_LESS):
        return
    places = [
        place
        for place in compared[is_near].tolist()
        if _chance(features.column(place), codes) * len(features.names) <= EXPECTED_BY_CHANCE
    ]
    if places:
        values = {"rest": _rest(rest, is_quantity=False), "auc": f"{reached[is_near].max():.2f}"}
        yield features.finding("perfect_predictor:nearly", places, **values)


def _chance(values: Array, codes: Array) -> float:
    """Return the p-value of the rank-sum test between two classes."""
    known = ~np.isnan(values)
    return float(mannwhitneyu(*(values[known & (codes == code)] for code in (0, 1))).pvalue)


def is_chance_small(features: Features, n_features: int) -> bool:
    """Return whether hardly any of so many features would separate the classes by chance."""
    codes = features.codes
    return codes is not None and chance_to_tell(codes, n_features) <= EXPECTED_BY_CHANCE


def describe_telling(features: Features, place: int) -> str:
    """Return how well an identifier predicts the outcome, or nothing if it does not."""
    codes, quantity = features.codes, features.quantity
    if codes is not None and codes.max() > 1:
        return "separates all classes" if features.measures.has_thresholds[place] else ""
    values = features.column(place)
    if codes is not None:
        reached, unit = _alone(values, codes), "an AUC"
    elif quantity is not None:
        reached, unit = float(abs(spearmanr(values, quantity).statistic)), "a rank correlation"
    else:
        return ""
    if reached < TELLING:
        return ""
    return f"predicts the outcome with {unit} of {reached:.2f}"


def _alone(values: Array, codes: Array) -> float:
    """Return the AUC of one feature for two classes, or its rank correlation with a quantity."""
    known = ~np.isnan(values)
    values, codes = values[known], codes[known]
    if len(np.unique(codes)) < 2 or len(np.unique(values)) < 2:
        return 0.0
    if codes.max() > 1:
        return float(abs(spearmanr(values, codes).statistic))
    n_second = int(codes.sum())
    n_first = len(codes) - n_second
    auc = (rankdata(values)[codes == 0].sum() - n_first * (n_first + 1) / 2) / (n_first * n_second)
    return float(max(auc, 1 - auc))
