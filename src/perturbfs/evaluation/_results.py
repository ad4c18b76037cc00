"""The results of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from perturbfs.arrays import Array
from perturbfs.scoring import Estimate, corrected_interval, stability_interval

from ._compare import Comparison, Difference, compare_methods, compare_paired

ALL_FEATURES, GUESSING, RANDOM = "all features", "guessing", "random features"
BATCH = "the batch alone"
_WITHHELD = Estimate(math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Score:
    """One method, one size, one predictor, one split."""

    method: str
    requested: int | str  # number of features asked for, "auto" or "all"
    n_features: int  # number of features used
    predictor: str
    split: int
    score: float
    seconds: float  # time to select


@dataclass(frozen=True, slots=True)
class Refusal:
    """A method that could not select as asked in one split, with its error message."""

    method: str
    requested: int | str
    split: int
    reason: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """The predictions for the test samples of one split."""

    test: Array  # positions of the test samples
    predicted: Array
    decision: Array | None  # values that a threshold turns into predictions


@dataclass(frozen=True, slots=True)
class Planned:
    """A comparison that was planned before any result was seen."""

    against: str  # "guessing", "random" or "all_features"
    reference: Estimate  # score of what the method is compared with
    difference: Difference  # method minus reference


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of several methods on the same splits.

    Attributes
    ----------
    scores : tuple of Score
    selections : dict of (method, requested) to list of arrays
        Features chosen in each split.
    metric : str
        The score: ``"balanced_accuracy"``, ``"r2"`` or the scoring asked for. Larger is better.
    test_share : float
        Test samples over training samples, on average.
    n_features_in : int
    refusals : tuple of Refusal
        Splits in which a method could not select as asked. Such a method gets no estimate,
        because a mean over the other splits would be one over the easy splits.
    left_out : dict of class to int
        Classes that were too small to take part, and their numbers of samples.
    random : dict of (split, number of features) to dict of predictor to float
        Scores of as many random features as a method selected in the split.
    predictions : dict of (method, requested) to list of Prediction
        Predictions in each split by the first predictor; empty unless they were asked for.
    n_tested : int
        Test samples, over all splits.
    n_unknown_batch : int
        Those whose batch had no training sample; 0 without batches.
    """

    scores: tuple[Score, ...]
    selections: dict[tuple[str, int | str], list[Array]]
    metric: str
    test_share: float
    n_features_in: int
    refusals: tuple[Refusal, ...] = ()
    left_out: dict[Any, int] = field(default_factory=dict)
    random: dict[tuple[int, int], dict[str, float]] = field(default_factory=dict)
    predictions: dict[tuple[str, int | str], list[Prediction]] = field(default_factory=dict)
    n_tested: int = 0
    n_unknown_batch: int = 0

    @property
    def methods(self) -> list[str]:
        """Names of the methods that were compared."""
        return list(dict.fromkeys(method for method, _ in self.selections))

    @property
    def sizes(self) -> list[int | str]:
        """Numbers of features that were asked for."""
        return list(dict.fromkeys(requested for _, requested in self.selections))

    def estimate(
        self, method: str, requested: int | str, predictor: str | None = None
    ) -> Estimate:
        """Return the mean score over splits, and over predictors unless one is named.

        NaN where the method refused in a split.
        """
        scores = self._by_split(method, requested, predictor)
        if scores is None:
            return _WITHHELD
        return corrected_interval(scores, test_share=self.test_share)

    def stability(self, method: str, requested: int | str) -> float:
        """Return the agreement beyond chance of the features chosen in the splits."""
        return self.stability_interval(method, requested).mean

    def stability_interval(self, method: str, requested: int | str) -> Estimate:
        """Return the stability with its interval, or NaN if the method refused in a split."""
        if self.refusal(method, requested) is not None:
            return _WITHHELD
        return stability_interval(self.selections[method, requested], self.n_features_in)

    def refusal(self, method: str, requested: int | str) -> Refusal | None:
        """Return the first refusal of a method and size, or None."""
        mine = (r for r in self.refusals if (r.method, r.requested) == (method, requested))
        return next(mine, None)

    def compare(
        self,
        requested: int | str | None = None,
        *,
        predictor: str | None = None,
        references: Sequence[str] = (ALL_FEATURES,),
        level: float = 0.95,
    ) -> Comparison:
        """Test all pairs of methods on the same splits.

        Parameters
        ----------
        requested : int, "auto" or None
            The size to compare at. None takes each split's mean over all numbers of features
            that were asked for and that any method could give, ``"auto"`` aside.
        predictor : str, optional
            The mean over all predictors by default.
        references : sequence of {"all features", "guessing"}
            Compared together with the methods. Each one adds pairs, which makes every test more
            cautious, so guessing takes part only on request. All features are left out if they
            were not scored.
        level : float, default=0.95
            One minus the probability of any false difference.

        Returns
        -------
        comparison : Comparison
            Methods that refused at that size, or at any of the sizes, are left out.
        """
        sizes = self._numbers() if requested is None else [requested]
        found = {method: self._over_sizes(method, sizes, predictor) for method in self.methods}
        by_method = {method: scores for method, scores in found.items() if scores is not None}
        for method in self._scored(references):
            by_method[method] = self._by_split(method, "all", predictor)
        return compare_methods(by_method, test_share=self.test_share, level=level)

    def planned(
        self, method: str, requested: int | str | None = None, *, level: float = 0.95
    ) -> tuple[Planned, ...]:
        """Compare a method with guessing, as many random features, and all features.

        Parameters
        ----------
        method : str
        requested : int, "auto" or None
            None takes the mean over all numbers of features, as `compare` does.
        level : float, default=0.95
            Of the intervals.

        Returns
        -------
        comparisons : tuple of Planned
            Each is a corrected resampled t-test on the same splits. These three questions are
            asked whatever the scores are, so they are not corrected for the number of pairs.
            Empty where the method refused; without all features if these were not scored.

        Examples
        --------
        >>> from perturbfs import evaluate
        >>> from perturbfs.baselines import MRMRSelector
        >>> from perturbfs.datasets import make_wide_classification
        >>> data = make_wide_classification(60, 200, random_state=0)
        >>> found = evaluate({"mrmr": MRMRSelector()}, data.X, data.y, n_features=[5],
        ...                  random_state=0)
        >>> [each.against for each in found.planned("mrmr", 5)]
        ['guessing', 'random', 'all_features']
        """
        sizes = self._numbers() if requested is None else [requested]
        mine = self._over_sizes(method, sizes, None)
        if mine is None:
            return ()
        references = {"guessing": self._by_split(GUESSING, "all", None)}
        if self.random:
            random = [self._random_by_split(method, size) for size in sizes]
            references["random"] = np.mean(np.stack(random), axis=0)
        if self._scored([ALL_FEATURES]):
            references["all_features"] = self._by_split(ALL_FEATURES, "all", None)
        options = {"test_share": self.test_share, "level": level}
        return tuple(
            Planned(
                against,
                corrected_interval(scores, **options),
                compare_paired(mine, scores, **options),
            )
            for against, scores in references.items()
        )

    def batch_alone(self, *, level: float = 0.95) -> tuple[Estimate, Planned] | None:
        """Return the score of the batch alone, and compare it with guessing.

        Parameters
        ----------
        level : float, default=0.95
            Of the intervals.

        Returns
        -------
        found : (estimate, comparison) or None
            None without batches. The comparison is planned, as in `planned`.

        Examples
        --------
        >>> import numpy as np
        >>> from perturbfs import evaluate
        >>> from perturbfs.baselines import MRMRSelector
        >>> from perturbfs.datasets import make_wide_classification
        >>> data = make_wide_classification(60, 200, random_state=0)
        >>> day = np.arange(60) % 3
        >>> found = evaluate({"mrmr": MRMRSelector()}, data.X, data.y, n_features=[5], batch=day,
        ...                  random_state=0)
        >>> estimate, comparison = found.batch_alone()
        >>> estimate.mean < 0.6, comparison.difference.p_value > 0.05
        (True, True)
        """
        if not self._has_batches():
            return None
        ours, guess = (self._by_split(method, "all", None) for method in (BATCH, GUESSING))
        assert ours is not None
        assert guess is not None
        options = {"test_share": self.test_share, "level": level}
        reference = corrected_interval(guess, **options)
        difference = compare_paired(ours, guess, **options)
        return corrected_interval(ours, **options), Planned("guessing", reference, difference)

    def _has_batches(self) -> bool:
        return any(row.method == BATCH for row in self.scores)

    def _over_sizes(
        self, method: str, sizes: Sequence[int | str], predictor: str | None
    ) -> Array | None:
        """Return the mean score of each split over sizes, or None if the method refused one."""
        scores = [self._by_split(method, size, predictor) for size in sizes]
        known = [each for each in scores if each is not None]
        if not known or len(known) < len(scores):
            return None
        return np.mean(np.stack(known), axis=0)

    def _random_by_split(self, method: str, requested: int | str) -> Array:
        """Return the score of as many random features as the method selected in each split."""
        chosen = self.selections[method, requested]
        return np.array(
            [
                np.mean(list(self.random[split, len(features)].values()))
                for split, features in enumerate(chosen)
            ]
        )

    def summary(self) -> list[dict[str, Any]]:
        """Return one row per method and size in plain values, None where there is no value."""
        rows = [self._row(*key) for key in self.selections]
        references = [ALL_FEATURES, GUESSING, *([BATCH] if self._has_batches() else [])]
        return rows + [self._row(method, "all") for method in self._scored(references)]

    def _scored(self, references: Sequence[str]) -> list[str]:
        """Return references without all features if these were not scored.

        They are not scored if they do not fit into memory, or on request.
        """
        has_all = any(row.method == ALL_FEATURES for row in self.scores)
        return [each for each in references if has_all or each != ALL_FEATURES]

    def _numbers(self) -> list[int | str]:
        """Return the numbers of features asked for that any method could give."""
        return [
            size
            for size in self.sizes
            if size != "auto" and any(self.refusal(m, size) is None for m in self.methods)
        ]

    def _row(self, method: str, requested: int | str) -> dict[str, Any]:
        mine = [row for row in self.scores if (row.method, row.requested) == (method, requested)]
        refusal, estimate = self.refusal(method, requested), self.estimate(method, requested)
        is_selection = (method, requested) in self.selections
        stable = self.stability_interval(method, requested) if is_selection else _WITHHELD
        predictors = dict.fromkeys(row.predictor for row in mine) if refusal is None else ()
        return {
            "method": method,
            "requested": requested,
            "n_features": _mean([row.n_features for row in mine]),
            "mean": _plain(estimate.mean),
            "low": _plain(estimate.low),
            "high": _plain(estimate.high),
            "by_predictor": {
                name: self.estimate(method, requested, name).mean for name in predictors
            },
            "stability": _plain(stable.mean),
            "stability_low": _plain(stable.low),
            "stability_high": _plain(stable.high),
            "seconds": _mean([row.seconds for row in mine]),
            "refusal": None if refusal is None else refusal.reason,
        }

    def _by_split(self, method: str, requested: int | str, predictor: str | None) -> Array | None:
        """Return the mean score of each split, or None if the method refused."""
        if self.refusal(method, requested) is not None:
            return None
        by_split: dict[int, list[float]] = {}
        for row in self.scores:
            is_wanted = (row.method, row.requested) == (method, requested)
            # Guessing has a predictor of its own.
            if is_wanted and (predictor in (None, row.predictor) or method == GUESSING):
                by_split.setdefault(row.split, []).append(row.score)
        if not by_split:
            raise ValueError(self._unknown(method, requested, predictor))
        return np.array([np.mean(by_split[split]) for split in sorted(by_split)])

    def _unknown(self, method: str, requested: int | str, predictor: str | None) -> str:
        by = "" if predictor is None else f" judged by {predictor!r}"
        sizes, methods = ", ".join(map(str, self.sizes)), ", ".join(self.methods)
        predictors = dict.fromkeys(row.predictor for row in self.scores if row.n_features)
        return (
            f"There are no scores of {method!r} with {requested!r} features{by}. Ask for one of "
            f"the methods {methods} with {sizes} features, for 'all features' or 'guessing' with "
            f"'all', and for one of the predictors {', '.join(predictors)}."
        )


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
