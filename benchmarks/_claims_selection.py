"""Claims of the paper on what is selected, measured.

Every function returns rows of (data, quantity, value).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from _claims_theory import ALL, WIDE, Row
from _data import QUANTITIES, SETS, catalogue_sets
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin

from perturbfs import PerturbationSelector, RobustSelector, characterize, evaluate
from perturbfs.baselines import RandomSelector
from perturbfs.cluster import without_rounding_noise
from perturbfs.datasets import list_datasets
from perturbfs.evaluation import noise_robustness
from perturbfs.paper import Grouping, propose, screen_features

SIZES = (5, 10, 20, 40)
N_FEATURES = 20
N_SPLITS = 20


def numbering() -> Iterator[Row]:
    """Other numbers for the same classes: what stays of the characteristics and the selection."""
    for name, X, y in catalogue_sets(ALL):
        labels, codes = np.unique(y, return_inverse=True)
        rng = np.random.default_rng(0)
        rows: dict[str, list[float]] = {}
        for _ in range(10 if len(labels) > 2 else 1):
            order = (
                np.arange(len(labels))[::-1] if len(labels) == 2 else rng.permutation(len(labels))
            )
            for quantity, value in _renumbered(X, codes + 1, order[codes] + 1):
                rows.setdefault(quantity, []).append(value)
        for quantity, values in rows.items():
            yield name, quantity, float(np.mean(values))


def _renumbered(X: np.ndarray, y: np.ndarray, other: np.ndarray) -> Iterator[tuple[str, float]]:
    first, second = (characterize(X, each, random_state=0) for each in (y, other))
    for what in ("sensitivity", "angle_to_target", "angle_without"):
        pair = getattr(first, what), getattr(second, what)
        yield f"correlation of the {what.replace('_', ' ')}", float(np.corrcoef(*pair)[0, 1])
    shift = second.angle_to_target - first.angle_to_target
    yield (
        "standard deviation of the shift of the angles to the target, degrees",
        float(shift.std()),
    )
    for coding in ("codes", "indicators"):
        chosen = [_select(X, each, target_coding=coding) for each in (y, other)]
        yield f"overlap of 20 features, {coding}", _overlap(*chosen)


def _select(
    X: np.ndarray,
    y: np.ndarray,
    seed: int = 0,
    n_features: int | str = N_FEATURES,
    **options: object,
) -> set[int]:
    options = {"n_repeats": 1, **options}
    selector = PerturbationSelector(n_features, random_state=seed, **options)
    return set(selector.fit(X, y).get_support(indices=True).tolist())


def _overlap(first: set[int], second: set[int]) -> float:
    """Return the features in both over the features in either."""
    return len(first & second) / len(first | second)


def sensitivity_counts() -> Iterator[Row]:
    """Subsets of the paper's characteristics with a smaller and a larger sensitivity."""
    for name, X, y in catalogue_sets(ALL):
        found, again = (characterize(X, y, random_state=seed).matrix for seed in (0, 1))
        smaller, larger, order = found.copy(), found.copy(), found.copy()
        smaller[:, 0] /= 1000
        larger[:, 0] *= 1000
        order[:, 0] = np.argsort(np.argsort(found[:, 0])) * 1e-9
        expected = _subsets(found)
        for what, matrix in (
            ("divided by 1000", smaller),
            ("multiplied by 1000", larger),
            ("of another perturbation", again),
            ("replaced by its order, tiny", order),
        ):
            changed = sum(a != b for a, b in zip(expected, _subsets(matrix), strict=True))
            yield name, f"subsets of {len(SIZES)} that change, sensitivity {what}", changed
        deviations = found.std(axis=0)
        yield (
            name,
            "deviation of the sensitivity over that of the angles",
            float(deviations[0] / np.hypot(*deviations[1:])),
        )


def _subsets(matrix: np.ndarray) -> list[list[int]]:
    points = without_rounding_noise(matrix)
    grouping = Grouping(points, np.arange(len(points)), None, "kmeans", 0)
    return [candidate.features.tolist() for candidate in propose(grouping, SIZES)]


def equal_sensitivities() -> Iterator[Row]:
    """How much the sensitivities of the features differ under the noise of the text."""
    for name, X, y in catalogue_sets(ALL):
        expected = characterize(X, y, perturbation="expected").sensitivity
        yield (
            name,
            "deviation over mean, independent noise",
            float(expected.std() / expected.mean()),
        )


def repeats() -> Iterator[Row]:
    """Overlap of what five seeds select: 20 features, and an automatic number of at most 30."""
    warm = {"clusterer": "warm"}
    settings: dict[str, tuple[int | str, dict[str, object]]] = {
        "20 features, k-means": (N_FEATURES, {}),
        "20 features, warm k-means": (N_FEATURES, warm),
        "20 features, warm k-means, expected sensitivity": (
            N_FEATURES,
            {**warm, "perturbation": "expected"},
        ),
        "automatic number, one run": ("auto", {"max_features": 30}),
        "automatic number, best of ten runs": ("auto", {"max_features": 30, "n_repeats": 10}),
    }
    for name, X, y in catalogue_sets(WIDE):
        for setting, (n_features, options) in settings.items():
            chosen = [_select(X, y, seed, n_features, **options) for seed in range(5)]
            value = np.mean([_overlap(a, b) for a, b in combinations(chosen, 2)])
            yield name, f"overlap of the features of two seeds, {setting}", float(value)
            if n_features == "auto":
                yield name, f"features, {setting}", float(np.mean([len(each) for each in chosen]))


def noise() -> Iterator[Row]:
    """Share of 20 features that are kept under noise of 1 %, on every set on disk."""
    tasks = {entry.title: entry.task for entry in list_datasets()}
    selectors = {
        "paper": PerturbationSelector(N_FEATURES, random_state=0),
        "paper, warm k-means": PerturbationSelector(N_FEATURES, clusterer="warm", random_state=0),
        "released": PerturbationSelector(N_FEATURES, definition="released", random_state=0),
        "robust": RobustSelector(N_FEATURES),
    }
    for name, X, y in catalogue_sets(SETS):
        for method, selector in selectors.items():
            found = noise_robustness(
                selector, X, y, levels=[0.01], task=tasks[name], n_repeats=5, random_state=0
            )
            yield name, f"features kept, {method}", found.rows[1].kept


class ByCharacteristic(SelectorMixin, BaseEstimator):
    """Select the features with the largest values of a function of the characteristics."""

    def __init__(self, kind: str = "angle", n_features_to_select: int = 10) -> None:
        self.kind = kind
        self.n_features_to_select = n_features_to_select

    def fit(self, X: np.ndarray, y: np.ndarray) -> ByCharacteristic:
        found = characterize(X, y, random_state=0)
        values = {
            "smallest angle to the target": -found.angle_to_target,
            "angle to the target farthest from 90": np.abs(90 - found.angle_to_target),
            "correlation with the outcome": _correlations(X, y),
            "largest angle without": found.angle_without,
            "largest coefficient": np.abs(found.coefficients.ravel()),
            "largest sensitivity": found.sensitivity,
        }[self.kind]
        self.n_features_in_ = X.shape[1]
        self.order_ = np.argsort(-values, kind="stable")
        return self

    def _get_support_mask(self) -> np.ndarray:
        return np.isin(np.arange(self.n_features_in_), self.order_[: self.n_features_to_select])


def _correlations(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the absolute correlations: the cosines of centered features and outcome."""
    centered, target = X - X.mean(axis=0), y - y.mean()
    norms = np.linalg.norm(centered, axis=0)
    return np.abs(target @ centered) / np.where(norms > 0, norms, 1.0)


def relevance() -> Iterator[Row]:
    """Honest accuracy of ten features chosen by one characteristic; the README's predictors."""
    kinds = (
        "smallest angle to the target",
        "angle to the target farthest from 90",
        "correlation with the outcome",
        "largest angle without",
        "largest coefficient",
        "largest sensitivity",
    )
    selectors = {kind: ByCharacteristic(kind) for kind in kinds} | {"random": RandomSelector()}
    scores: dict[str, list[float]] = {kind: [] for kind in selectors}
    for name, X, y in catalogue_sets([each for each in ALL if each != "madelon"]):
        labels, counts = np.unique(y, return_counts=True)
        kept = np.isin(y, labels[counts >= 3])
        codes = np.unique(y[kept], return_inverse=True)[1] + 1
        found = evaluate(
            selectors, X[kept], codes, n_features=[10], n_splits=N_SPLITS, random_state=0
        )
        for kind in selectors:
            scores[kind].append(100 * found.estimate(kind, 10).mean)
            yield name, f"accuracy, ten features, {kind}", scores[kind][-1]
    for kind, values in scores.items():
        yield "mean", f"accuracy, ten features, {kind}", float(np.mean(values))


def regression() -> Iterator[Row]:
    """Honest R^2 of 20 features for quantities, mean of the default predictors."""
    selectors = {
        "paper": PerturbationSelector(n_repeats=1, random_state=0),
        "random": RandomSelector(),
        "robust": RobustSelector(),
    }
    for name, X, y in catalogue_sets([each for each in QUANTITIES if each in SETS]):
        found = evaluate(
            selectors, X, y, task="regression", n_features=[N_FEATURES], random_state=0
        )
        for method in selectors:
            yield name, f"R^2, 20 features, {method}", found.estimate(method, N_FEATURES).mean


def screened() -> Iterator[Row]:
    """Share of the features that `screen="auto"` keeps."""
    for name, X, y in catalogue_sets(SETS):
        kept = screen_features(characterize(X, y, random_state=0), "auto")
        yield name, "share kept", float(np.mean(kept))
