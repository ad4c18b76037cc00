"""Describe how well the batch alone predicts, in plain values and sentences."""

from __future__ import annotations

from typing import Any

from perturbfs.evaluation import Evaluation

from ._verdict import TELLING, describe_planned, finite, is_better
from ._wording import metric_label, two_digits


def describe_batch_alone(evaluation: Evaluation) -> dict[str, Any] | None:
    """Return what the batch alone predicts, in plain values; None without batches.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    batch : dict or None
        ``score`` (an interval), ``comparison`` (with guessing, as from `describe_planned`),
        ``n_tested``, ``n_unknown`` (test samples whose batch had no training sample) and
        ``sentence``.
    """
    found = evaluation.batch_alone()
    if found is None:
        return None
    score, planned = found
    [comparison] = describe_planned([planned])
    parts = [
        "Features were centered within batches, with the means of the training samples.",
        _sentence(evaluation.metric, score.mean, comparison),
    ]
    n_unknown, n_tested = evaluation.n_unknown_batch, evaluation.n_tested
    if n_unknown:
        verb = "was" if n_unknown == 1 else "were"
        parts.append(
            f"{n_unknown:,} of {n_tested:,} test samples {verb} of a batch without training "
            "samples and centered with the mean of all training samples."
        )
    return {
        "score": {"mean": score.mean, "low": finite(score.low), "high": finite(score.high)},
        "comparison": comparison,
        "n_tested": n_tested,
        "n_unknown": n_unknown,
        "sentence": " ".join(parts),
    }


def _sentence(metric: str, score: float, comparison: dict[str, Any]) -> str:
    """Return one sentence on what the batch alone predicts."""
    is_telling = not is_better(comparison) and comparison["difference"] >= TELLING
    how = "better" if is_better(comparison) else "no better"
    chance = ", a difference that may be chance" if is_telling else ""
    guess = two_digits(score - comparison["difference"])
    return (
        f"The batch alone predicts {how} than guessing ({metric_label(metric)} "
        f"{two_digits(score)} against {guess}{chance})."
    )
