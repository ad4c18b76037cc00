"""Paired differences of methods as people read them, with their place in the plot."""

from __future__ import annotations

from typing import Any

from perturbfs.results import with_sign

WIDTH = 200.0  # of the plot beside a row
MINUS = "\N{MINUS SIGN}"


def describe_pairs(comparisons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All pairs of methods, tested on the same splits, for each number of features.

    Parameters
    ----------
    comparisons : list of dict
        ``document["comparisons"]``.

    Returns
    -------
    sections : list of dict
        ``title``, ``rows`` with texts and ``plot``, ``ticks`` and ``zero``; those without pairs
        are left out, and the one over all sizes comes first.
    """
    ordered = sorted(comparisons, key=lambda each: each["requested"] != "every size")
    return [_section(each) for each in ordered if each["pairs"]]


def _section(comparison: dict[str, Any]) -> dict[str, Any]:
    pairs, requested = comparison["pairs"], comparison["requested"]
    farthest = max(abs(pair[end]) for pair in pairs for end in ("low", "high", "difference"))
    reach = farthest or 1.0
    titles = {"every size": "Over all numbers of features", "auto": "Own number of features"}
    return {
        "title": titles.get(requested, f"{requested} feature{'' if requested == 1 else 's'}"),
        "rows": [_row(pair, reach) for pair in pairs],
        "ticks": [
            (_place(share * reach, reach), with_sign(share * reach) if share else "0")
            for share in (-0.8, 0.0, 0.8)
        ],
        "zero": WIDTH / 2,
    }


def _row(pair: dict[str, Any], reach: float) -> dict[str, Any]:
    return {
        "first": pair["first"],
        "second": pair["second"],
        "difference": f"{pair['difference']:+.3f}".replace("-", MINUS),
        "value": round(pair["difference"], 6),
        "interval": f"{pair['low']:+.3f} to {pair['high']:+.3f}".replace("-", MINUS),
        "p_value": _probability(pair["p_value"]),
        "p_adjusted": _probability(pair["p_adjusted"]),
        "verdict": "told apart" if pair["is_told_apart"] else "not told apart",
        "is_told_apart": pair["is_told_apart"],
        "plot": {
            "low": _place(pair["low"], reach),
            "high": _place(pair["high"], reach),
            "mean": _place(pair["difference"], reach),
        },
    }


def _probability(value: float) -> str:
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


def _place(value: float, reach: float) -> float:
    return round(WIDTH * (value / reach + 1) / 2, 1)
