"""The verdict on a method: is it better than guessing, than random features, than all features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perturbfs.evaluation import Planned

from ._wording import metric_label, two_digits

LEVEL = 0.05  # of the planned tests
SMALL = 0.03  # a significant difference below this is called slight
LARGE = 0.2  # above guessing; if that is not significant, there are too few splits or samples
TELLING = 0.05  # a difference of this size is mentioned even if it is not significant
REFERENCES = {
    "guessing": "guessing",
    "random": "as many random features",
    "all_features": "all features",
}


def describe_planned(planned: Sequence[Planned]) -> list[dict[str, Any]]:
    """Return planned comparisons as plain values, None where there is no interval."""
    return [
        {
            "against": each.against,
            "difference": each.difference.mean,
            "low": finite(each.difference.low),
            "high": finite(each.difference.high),
            "p_value": each.difference.p_value,
        }
        for each in planned
    ]


def finite(value: float) -> float | None:
    """Return a number, or None if it is not finite."""
    return float(value) if np.isfinite(value) else None


def is_significant(comparison: Mapping[str, Any]) -> bool:
    """Return whether a planned comparison shows a difference at the 5 % level."""
    return bool(comparison["p_value"] <= LEVEL)


def is_better(comparison: Mapping[str, Any]) -> bool:
    """Return whether the method is significantly better than what it is compared with."""
    return is_significant(comparison) and comparison["difference"] > 0


def verdict_sentence(
    subject: str, metric: str, score: float, comparisons: Sequence[Mapping[str, Any]]
) -> str:
    """Return one sentence that draws the conclusion from the planned comparisons.

    Parameters
    ----------
    subject : str
        What predicts, such as "the selection".
    metric : str
        Name of the score.
    score : float
    comparisons : sequence of dict
        From `describe_planned`, guessing among them.

    Returns
    -------
    verdict : str

    Examples
    --------
    >>> from perturbfs.results import verdict_sentence
    >>> rows = [{"against": "guessing", "difference": 0.25, "p_value": 0.001},
    ...         {"against": "all_features", "difference": -0.23, "p_value": 0.01}]
    >>> print(verdict_sentence("the selection", "accuracy", 0.75, rows))
    On new samples, the selection predicts better than guessing (accuracy 0.75 against 0.50), but
    all features do clearly better (0.98 against 0.75): try more features.
    """
    found = {row["against"]: row for row in comparisons}
    guessing, everything = found["guessing"], found.get("all_features")
    label = metric_label(metric)
    against = f"{two_digits(score)} against {two_digits(score - guessing['difference'])}"
    if not is_better(guessing):
        sentence = (
            f"On new samples, {subject} predicts no better than guessing ({label} {against})"
        )
        if everything is not None and _is_clearly_worse(everything):
            return f"{sentence}, {_all_are_better(score, everything)}."
        if guessing["difference"] >= LARGE:
            return f"{sentence}, as far as so few splits can show: use more splits or samples."
        return f"{sentence}, so do not interpret the selected features."
    praises = [f"better than guessing ({label} {against})"]
    objections: list[str] = []
    if "random" in found:
        (praises if is_better(found["random"]) else objections).append(
            _against_random(score, found["random"])
        )
    if everything is not None:
        is_worse = not is_better(everything) and (
            is_significant(everything) or everything["difference"] <= -TELLING
        )
        (objections if is_worse else praises).append(_against_all(score, everything))
    objection = f", but {', and '.join(objections)}" if objections else ""
    return f"On new samples, {subject} predicts {_joined(praises)}{objection}."


def _against_random(score: float, row: Mapping[str, Any]) -> str:
    other = two_digits(score - row["difference"])
    if is_better(row):
        return f"better than as many random features ({other})"
    return f"no better than as many random features ({other})"


def _against_all(score: float, row: Mapping[str, Any]) -> str:
    other = two_digits(score - row["difference"])
    if is_better(row):
        how = "slightly better than" if row["difference"] < SMALL else "better than"
        return f"{how} all features ({other})"
    if is_significant(row):
        return _all_are_better(score, row)
    if row["difference"] <= -TELLING:
        return f"all features reach {other}, a difference that may be chance"
    return f"about as well as all features ({other})"


def _all_are_better(score: float, row: Mapping[str, Any]) -> str:
    against = f"({two_digits(score - row['difference'])} against {two_digits(score)})"
    if not _is_clearly_worse(row):
        return f"all features do slightly better {against}"
    return f"all features do clearly better {against}: try more features"


def _is_clearly_worse(row: Mapping[str, Any]) -> bool:
    return is_significant(row) and row["difference"] <= -SMALL


def _joined(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
