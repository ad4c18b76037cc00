"""Upgrade documents of schema version 1: fields that did not exist get their defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_DATA: dict[str, Any] = {
    "notes": [],
    "findings": [],
    "groups": None,
    "batch": None,
    "source_name": None,
    "n_events": None,
}
_ESTIMATE: dict[str, Any] = {"random": None, "batch": None, "comparisons": [], "verdict": ""}
_SUMMARY: dict[str, Any] = {
    "source_name": None,
    "date": None,
    "notes": [],
    "findings": [],
    "comparisons": [],
}
_ROW: dict[str, Any] = {
    "copy_of": None,
    "copy_r": None,
    "effect": None,
    "p_value": None,
    "q_value": None,
}


def upgrade_selection(content: dict[str, Any]) -> None:
    """Add the fields of version 2 to a selection.json of version 1."""
    _add(content.get("data"), _DATA)
    _add(content.get("estimate"), _ESTIMATE)
    for feature in _objects(content, "features"):
        _add(feature, {"copy_of": None, "median": None})


def upgrade_summary(content: dict[str, Any]) -> None:
    """Add the fields of version 2 to a summary.json of version 1."""
    _add(content, _SUMMARY)
    for row in _objects(content, "features"):
        _add(row, _ROW)
    details = content.get("details")
    if isinstance(details, dict):
        _add(details, {"predictions": None, "survival": None, "volcano": None})
        _add(details.get("curve"), {"equal": [], "least": None})


def upgrade_evaluation(content: dict[str, Any]) -> None:
    """Add the fields of version 2 to an evaluation.json of version 1."""
    _add(content.get("data"), _DATA)
    _add(content, {"planned": [], "batch": None})
    for comparison in _objects(content, "comparisons"):
        for pair in _objects(comparison, "pairs"):
            if "is_told_apart" in pair:
                pair["is_significant"] = pair.pop("is_told_apart")


def _objects(content: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of an array; anything else is left for the check of the fields."""
    entries = content.get(name)
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            yield entry


def _add(content: Any, defaults: dict[str, Any]) -> None:
    """Set the fields that an object lacks."""
    if isinstance(content, dict):
        for name, value in defaults.items():
            content.setdefault(name, list(value) if isinstance(value, list) else value)
