"""The verdict on a second cohort: whether the selection holds there."""

from __future__ import annotations

import math

from perturbfs.scoring import Estimate

from ._validation import CohortScores, Conclusion
from ._verdict import LEVEL, TELLING
from ._wording import metric_label, two_digits


def conclude(scores: CohortScores) -> Conclusion:
    """Return whether a selection holds on the second cohort.

    Parameters
    ----------
    scores : CohortScores

    Returns
    -------
    conclusion : {"holds", "partly", "unclear", "fails"}
        ``"holds"``: better than guessing, and the interval reaches the estimate of the first
        cohort. ``"partly"``: better than guessing, but the interval ends below the estimate.
        ``"unclear"``: not clearly better than guessing, but the interval reaches the estimate.
        ``"fails"``: neither.
    """
    found = scores.second
    reaches = found.high >= scores.estimated.mean
    if scores.p_value <= LEVEL and found.mean > scores.guessing:
        return "holds" if reaches else "partly"
    return "unclear" if reaches and scores.estimated.mean > scores.guessing else "fails"


def verdict_on_cohort(scores: CohortScores, n_samples: int) -> str:
    """Return one sentence that says whether the selection holds on the second cohort.

    Parameters
    ----------
    scores : CohortScores
    n_samples : int
        Of the second cohort.

    Returns
    -------
    verdict : str

    Examples
    --------
    >>> from perturbfs.evaluation import Estimate
    >>> from perturbfs.results import CohortScores, verdict_on_cohort
    >>> first, second = Estimate(0.88, 0.8, 0.96), Estimate(0.85, 0.74, 0.93)
    >>> scores = CohortScores("balanced_accuracy", first, second, 0.5, 0.001, second,
    ...                       None, None, None)
    >>> print(verdict_on_cohort(scores, 60))
    The selection holds on the second cohort: balanced accuracy 0.85 (0.74 to 0.93) against 0.88
    estimated on the first.
    """
    label, expected = metric_label(scores.metric), two_digits(scores.estimated.mean)
    found, guess = with_range(scores.second), two_digits(scores.guessing)
    conclusion = conclude(scores)
    if conclusion == "holds":
        chance = ", a difference that may be chance" if _is_lower(scores) else ""
        return (
            f"The selection holds on the second cohort: {label} {found} against {expected} "
            f"estimated on the first{chance}."
        )
    if conclusion == "partly":
        return (
            f"The selection holds only in part on the second cohort: {label} {found} is better "
            f"than guessing ({guess}), but below the {with_range(scores.estimated)} estimated on "
            "the first."
        )
    if conclusion == "unclear":
        return (
            f"The second cohort cannot tell whether the selection holds: with {n_samples} "
            f"samples, {label} {found} agrees with guessing ({guess}) and with the {expected} "
            "estimated on the first."
        )
    return (
        f"The selection does not hold on the second cohort: {label} {found} is not clearly better "
        f"than guessing ({guess}); {expected} was estimated on the first."
    )


def comment_on_cohort(scores: CohortScores) -> str:
    """Return a sentence on why a score is below the estimate; empty if it is not."""
    conclusion = conclude(scores)
    if conclusion == "holds" and not _is_lower(scores):
        return ""
    reached, refit = scores.second.mean, scores.refit
    if scores.standardized.low > scores.guessing and _is_much_better(scores.standardized, reached):
        return (
            "With each feature standardized within its cohort, the same predictor reaches "
            f"{with_range(scores.standardized)}: the two cohorts are on different scales."
        )
    if refit is None:
        return ""
    if refit.low > scores.guessing and _is_much_better(refit, reached):
        return (
            "Trained again on the second cohort, the same features reach "
            f"{with_range(refit)}: the features carry over, the trained predictor does not."
        )
    if conclusion == "fails" and refit.low <= scores.guessing:
        return (
            "Trained again on the second cohort, the same features do not predict there either "
            f"({with_range(refit)})."
        )
    return ""


def _is_lower(scores: CohortScores) -> bool:
    """Return whether the score is below the estimate by an amount that is mentioned."""
    return scores.second.mean <= scores.estimated.mean - TELLING


def _is_much_better(estimate: Estimate, reached: float) -> bool:
    return estimate.mean >= reached + TELLING


def with_range(estimate: Estimate) -> str:
    """Return a score with its interval, such as "0.85 (0.74 to 0.93)"."""
    if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
        return two_digits(estimate.mean)
    # No score is above 1, but the symmetric interval of a mean over splits can be.
    ends = f"{two_digits(estimate.low)} to {two_digits(min(estimate.high, 1.0))}"
    return f"{two_digits(estimate.mean)} ({ends})"
