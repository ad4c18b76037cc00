"""Counts of verdicts over the tables of a summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._cells import REFERENCE

QUANTITIES = ("n_features", "accuracy", "measure")


def count_verdicts(tables: Sequence[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the verdicts by protocol, each comparison once."""
    counts: dict[str, dict[str, int]] = {}
    for (protocol, *_), cell in _distinct_cells(tables).items():
        kind = cell["verdict"].partition(" (")[0]
        if kind not in ("", REFERENCE):
            mine = counts.setdefault(protocol or "no protocol", {})
            mine[kind] = mine.get(kind, 0) + 1
    return counts


def count_fits(tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count the published values of PFS-SVM and PFS-kNN that either classifier agrees with."""
    counts: dict[str, dict[str, int]] = {}
    for (*_, quantity), cell in _distinct_cells(tables).items():
        if cell["inner"] is not None and cell["ours"] is not None:
            line = counts.setdefault(quantity, {"n_cells": 0, "outer": 0, "inner": 0})
            line["n_cells"] += 1
            line["outer"] += cell["ours"]["agreement"] == "agrees"
            line["inner"] += cell["inner"]["agreement"] == "agrees"
    return [
        {"quantity": quantity, **counts[quantity]} for quantity in QUANTITIES if quantity in counts
    ]


def _distinct_cells(tables: Sequence[dict[str, Any]]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return each comparison once: random subsets and all features stand in several tables."""
    return {
        (table["protocol"], row["dataset"], column["method"], column["quantity"]): cell
        for table in tables
        for row in table["rows"]
        for column, cell in zip(table["columns"], row["cells"], strict=True)
    }
