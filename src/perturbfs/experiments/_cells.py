"""Compare a published number with ours, by a stated tolerance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from perturbfs.evaluation import compare_paired

from ._paper import Published
from ._plan import Record

PAPER_RUNS = 10  # behind every published mean
REFERENCE = "what the others are compared with"


@dataclass(frozen=True, slots=True)
class Numbers:
    """The result of several runs."""

    mean: float
    optimal: float | None  # of the run with the best accuracy per feature
    standard_error: float | None
    n_runs: int
    agreement: str = ""  # with the published value


@dataclass(frozen=True, slots=True)
class Cell:
    """The cell of a table: one method on one data set."""

    published: Published | None
    ours: Numbers | None = None  # tested with a decision tree
    inner: Numbers | None = None  # of the inner classifier's own best, where it is not the tree
    n_refused: int = 0  # runs without a result
    verdict: str = "not run"


def published_cell(
    published: Published | None,
    records: Sequence[Record],
    quantity: str,
    tolerance: dict[str, float],
    *,
    judge_inner: bool = False,
) -> Cell:
    """Return our numbers under the published protocol, with a verdict.

    Parameters
    ----------
    published : Published or None
    records : sequence of Record
    quantity : {"n_features", "accuracy", "measure"}
    tolerance : dict
        By quantity: points of accuracy, shares of the others.
    judge_inner : bool, default=False
        Whether the verdict is that of the inner classifier.
    """
    if not records:
        return Cell(published)
    ours, n_refused = _summarize(records, quantity)
    ours = judged = _compared(ours, published, quantity, tolerance)
    inner, judge = None, ""
    if judge_inner:
        inner, _ = _summarize(records, quantity, prefix="inner_")
        inner = judged = _compared(inner, published, quantity, tolerance)
        judge = " (inner classifier)" if published else ""
    verdict = "no result" if judged is None else judged.agreement + judge
    return Cell(published, ours, inner, n_refused, verdict)


def honest_cell(
    published: Published | None,
    records: Sequence[Record],
    chance: Sequence[Record],
    quantity: str,
    test_share: float,
) -> Cell:
    """Return our numbers under the honest protocol, compared with random subsets."""
    if not records:
        return Cell(published)
    ours, n_refused = _summarize(records, quantity)
    if ours is not None:
        ours = replace(ours, optimal=None)
    verdict = _against_chance(records, chance, test_share) if quantity == "accuracy" else ""
    return Cell(published, ours, None, n_refused, verdict)


def range_cell(published: Published, values: Sequence[float]) -> Cell:
    """Compare a number of SynthData with the middle 99 % of our draws."""
    low, middle, high = np.quantile(values, [0.005, 0.5, 0.995])
    expected = _target(published)
    # Signs depend on the draw; angles have none.
    is_inside = expected is not None and low <= abs(expected) <= high
    verdict = f"{'inside' if is_inside else 'outside'} ({low:.3g} to {high:.3g})"
    return Cell(published, Numbers(float(middle), None, None, len(values)), verdict=verdict)


def exact_cell(published: Published, value: float) -> Cell:
    """Compare a number that must be equal."""
    verdict = "agrees" if value == _target(published) else "differs"
    return Cell(published, Numbers(value, None, None, 1), verdict=verdict)


def _summarize(
    records: Sequence[Record], quantity: str, *, prefix: str = ""
) -> tuple[Numbers | None, int]:
    """Return mean, optimal and standard error, and the number of runs without a result."""
    pairs = [
        (getattr(record, f"{prefix}accuracy"), getattr(record, f"{prefix}n_features"))
        for record in records
    ]
    # A number of features is a result even if the accuracy of these features is none.
    known = [
        (math.nan if accuracy is None else accuracy, n_features)
        for accuracy, n_features in pairs
        if n_features and (accuracy is not None or quantity == "n_features")
    ]
    n_refused = len(pairs) - len(known)
    if not known:
        return None, n_refused
    accuracies, counts = np.transpose(known)
    measures = accuracies / counts
    values = {"accuracy": accuracies, "n_features": counts, "measure": measures}[quantity]
    optimal = None if np.isnan(measures).all() else float(values[np.nanargmax(measures)])
    if quantity == "measure":
        # The paper's measure is the ratio of the means, which has no standard error.
        ratio = float(accuracies.mean() / counts.mean())
        return Numbers(ratio, optimal, None, len(known)), n_refused
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else None
    return Numbers(float(values.mean()), optimal, error, len(known)), n_refused


def _compared(
    ours: Numbers | None,
    published: Published | None,
    quantity: str,
    tolerance: dict[str, float],
) -> Numbers | None:
    """Return the numbers with their agreement."""
    if ours is None:
        return None
    return replace(ours, agreement=_agreement(ours, published, quantity, tolerance[quantity]))


def _target(published: Published | None) -> float | None:
    if published is None:
        return None
    return published.single if published.mean is None else published.mean


def _agreement(ours: Numbers, published: Published | None, quantity: str, tolerance: float) -> str:
    expected = _target(published)
    if published is None or expected is None:
        return "not published"
    distance = abs(ours.mean - expected)
    if distance <= (tolerance if quantity == "accuracy" else tolerance * expected):
        return "agrees"
    if ours.standard_error is not None:
        # The published number varies too, as a mean of ten runs or as a single run.
        n_published = 1 if published.mean is None else PAPER_RUNS
        if distance <= 2 * ours.standard_error * math.sqrt(1 + ours.n_runs / n_published):
            return "within chance"
    return "differs"


def _against_chance(records: Sequence[Record], chance: Sequence[Record], test_share: float) -> str:
    """Compare with random subsets by the corrected resampled t-test on common splits."""
    if records == chance:
        return REFERENCE
    by_run = {each.run: each.accuracy for each in chance if each.accuracy is not None}
    pairs = [
        (record.accuracy, by_run[record.run])
        for record in records
        if record.accuracy is not None and record.run in by_run
    ]
    if len(pairs) < 2:
        return "too few splits"
    ours, theirs = np.transpose(pairs)
    found = compare_paired(ours, theirs, test_share=test_share)
    sign = "better than random subsets" if found.mean > 0 else "worse than random subsets"
    verdict = sign if found.p_value < 0.05 else "not told apart"
    shown = f"{verdict} ({found.mean:+.1f}, interval {found.low:.1f} to {found.high:.1f})"
    return shown.replace("-", "\N{MINUS SIGN}")
