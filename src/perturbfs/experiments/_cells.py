"""Compare a published number with ours, by a stated tolerance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perturbfs.evaluation import compare_paired
from perturbfs.scoring import measure

from ._paper import Published
from ._plan import Record

PAPER_RUNS = 10  # behind every published mean


@dataclass(frozen=True, slots=True)
class Cell:
    """The cell of a table: one method on one data set."""

    published: Published | None
    mean: float | None = None
    optimal: float | None = None  # of the run with the best accuracy per feature
    standard_error: float | None = None
    n_runs: int = 0
    inner_mean: float | None = None  # of the inner classifier's own best; published protocol only
    verdict: str = "not run"


def published_cell(
    published: Published | None,
    records: Sequence[Record],
    quantity: str,
    tolerance: dict[str, float],
) -> Cell:
    """Return our numbers under the published protocol, with a verdict."""
    if not records:
        return Cell(published)
    mean, error = _mean(records, quantity), _standard_error(records, quantity)
    inner = _inner_mean(records, quantity)
    return Cell(
        published,
        mean,
        _optimal(records, quantity),
        error,
        len(records),
        None if inner == mean else inner,  # the tree is its own inner classifier
        _agreement(published, mean, error, len(records), tolerance[quantity], quantity),
    )


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
    error = _standard_error(records, quantity)
    verdict = "" if quantity != "accuracy" else _against_chance(records, chance, test_share)
    return Cell(published, _mean(records, quantity), None, error, len(records), verdict=verdict)


def range_cell(published: Published, values: Sequence[float]) -> Cell:
    """Compare a number of SynthData with the middle 99 % of our draws."""
    low, middle, high = np.quantile(values, [0.005, 0.5, 0.995])
    expected = _target(published)
    # Signs depend on the draw; angles have none.
    is_inside = expected is not None and low <= abs(expected) <= high
    verdict = f"{'inside' if is_inside else 'outside'} {low:.3g} to {high:.3g}"
    return Cell(published, float(middle), n_runs=len(values), verdict=verdict)


def exact_cell(published: Published, value: float) -> Cell:
    """Compare a number that must be equal."""
    verdict = "agrees" if value == _target(published) else "differs"
    return Cell(published, value, n_runs=1, verdict=verdict)


def _mean(records: Sequence[Record], quantity: str) -> float:
    """Return the mean; the paper's measure is the ratio of the means."""
    if quantity == "measure":
        return _mean(records, "accuracy") / max(_mean(records, "n_features"), 1)
    return float(np.mean([getattr(record, quantity) for record in records]))


def _optimal(records: Sequence[Record], quantity: str) -> float:
    """Return the value of the run with the best accuracy per feature."""
    ratios = [measure(record.accuracy / 100, record.n_features) for record in records]
    best = int(np.argmax(ratios))
    return 100 * ratios[best] if quantity == "measure" else float(getattr(records[best], quantity))


def _inner_mean(records: Sequence[Record], quantity: str) -> float | None:
    if quantity == "measure":
        return None
    values = [getattr(record, f"inner_{quantity}") for record in records]
    return None if None in values else float(np.mean(values))


def _standard_error(records: Sequence[Record], quantity: str) -> float | None:
    """Return the standard error of the mean; the measure, a ratio of means, has none."""
    if quantity == "measure" or len(records) < 2:
        return None
    values = [float(getattr(record, quantity)) for record in records]
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def _target(published: Published | None) -> float | None:
    if published is None:
        return None
    return published.single if published.mean is None else published.mean


def _agreement(
    published: Published | None,
    mean: float,
    error: float | None,
    n_runs: int,
    tolerance: float,
    quantity: str,
) -> str:
    expected = _target(published)
    if published is None or expected is None:
        return "not published"
    distance = abs(mean - expected)
    if distance <= (tolerance if quantity == "accuracy" else tolerance * expected):
        return "agrees"
    if error is not None:
        # The published number varies too, as a mean of ten runs or as a single run.
        n_published = 1 if published.mean is None else PAPER_RUNS
        if distance <= 2 * error * math.sqrt(1 + n_runs / n_published):
            return "within chance"
    return "differs"


def _against_chance(records: Sequence[Record], chance: Sequence[Record], test_share: float) -> str:
    """Compare with random subsets by the corrected resampled t-test on common splits."""
    if records == chance:
        return "what the others are compared with"
    by_run = {record.run: record.accuracy for record in chance}
    pairs = [(r.accuracy, by_run[r.run]) for r in records if r.run in by_run]
    if len(pairs) < 2:
        return "too few splits"
    ours, theirs = np.transpose(pairs)
    found = compare_paired(ours, theirs, test_share=test_share)
    sign = f"{found.mean:+.1f} ({found.low:+.1f} to {found.high:+.1f})"
    if found.p_value >= 0.05:
        return f"like random subsets: {sign}"
    return f"{'better' if found.mean > 0 else 'worse'} than random subsets: {sign}"
