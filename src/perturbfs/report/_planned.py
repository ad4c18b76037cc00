"""The rows of planned comparisons, as the pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perturbfs.results import REFERENCES, is_better, is_significant

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"


def planned_rows(comparisons: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return planned comparisons as text, with their conclusions.

    Parameters
    ----------
    comparisons : sequence of dict
        ``summary["comparisons"]``.

    Returns
    -------
    rows : list of dict
        ``against``, ``difference``, ``value`` (the difference as a number), ``interval``,
        ``p_value`` and ``conclusion``.
    """
    return [
        {
            "against": REFERENCES[row["against"]],
            "difference": signed(row["difference"]),
            "value": round(row["difference"], 6),
            "interval": DASH
            if row["low"] is None
            else f"{signed(row['low'])} to {signed(row['high'])}",
            "p_value": probability(row["p_value"]),
            "conclusion": _conclusion(row),
        }
        for row in comparisons
    ]


def _conclusion(row: dict[str, Any]) -> str:
    if not is_significant(row):
        return "no clear difference"
    return "better" if is_better(row) else "worse"


def signed(value: float, digits: int = 3) -> str:
    """Return a number with its sign, with a real minus sign."""
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", MINUS)


def probability(value: float) -> str:
    """Return a p-value with three decimals, or that it is smaller."""
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"
