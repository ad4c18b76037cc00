"""summary.json: written whole, and checked when it is read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perturbfs._support.files import atomic_path

from ._summary import SUMMARY_VERSION

_NOTHING = type(None)
_ADVICE = "Pass the summary.json that perturbfs select wrote, or select again."
_FIELDS: dict[str, type | tuple[type, ...]] = {
    "schema_version": int,
    "headline": str,
    "stability": str,
    "estimate": str,
    "metric": str,
    "n_splits": int,
    "data": list,
    "scores": list,
    "classes": (list, _NOTHING),
    "features": list,
    "settings": list,
    "command": (str, _NOTHING),
    "details": (dict, _NOTHING),
}
_NUMBER = (int, float, _NOTHING)
_FEATURE: dict[str, type | tuple[type, ...]] = {
    "rank": int,
    "name": str,
    "score": _NUMBER,
    "n_stands_for": int,
    "stands_for": list,
    "direction": (str, _NOTHING),
    "effects": (list, _NOTHING),
    "correlation": _NUMBER,
    "n_again": (int, _NOTHING),
    "n_again_group": (int, _NOTHING),
}
_DETAILS: dict[str, type | tuple[type, ...]] = {
    "curve": (dict, _NOTHING),
    "samples": dict,
    "map": dict,
    "groups": list,
    "noise": (dict, _NOTHING),
}


class SummaryError(ValueError):
    """A file is not a summary of ours."""


def summary_json(summary: dict[str, Any]) -> str:
    """A summary as text; equal summaries give equal bytes."""
    return json.dumps(summary, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def save_summary(summary: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a summary as JSON, whole or not at all.

    Parameters
    ----------
    summary : dict
        From `summarize`.
    path : path
    """
    with atomic_path(path) as temporary:
        temporary.write_text(summary_json(summary), encoding="utf-8")


def load_summary(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a summary and check it.

    Parameters
    ----------
    path : path
        A ``summary.json`` that `perturbfs select` wrote.

    Returns
    -------
    summary : dict
        As ``docs/summary-json.md`` describes it.

    Examples
    --------
    >>> from perturbfs.report import load_summary
    >>> load_summary("README.md")
    Traceback (most recent call last):
        ...
    perturbfs.report._summary_file.SummaryError: README.md is not JSON (Expecting value: line 1
    column 1 (char 0)). Pass the summary.json that perturbfs select wrote, or select again.
    """
    try:
        summary: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:  # of the JSON or of its letters
        raise SummaryError(f"{path} is not JSON ({error}). {_ADVICE}") from error
    version = summary.get("schema_version") if isinstance(summary, dict) else None
    if version != SUMMARY_VERSION:
        raise SummaryError(
            f"{path} has schema_version {version!r}, but this perturbfs reads {SUMMARY_VERSION}. "
            f"{_ADVICE}"
        )
    _check(summary, _FIELDS, f"{path}")
    for place, feature in enumerate(summary["features"], start=1):
        _check(feature, _FEATURE, f"{path}, feature {place}")
    if summary["details"] is not None:
        _check(summary["details"], _DETAILS, f"{path}, details")
    return dict(summary)


def _check(content: Any, fields: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    found = set(content) if isinstance(content, dict) else set()
    if found != set(fields):
        raise SummaryError(
            f"{where} has the fields {sorted(found)}, but {sorted(fields)} are needed. {_ADVICE}"
        )
    for name, kind in fields.items():
        if not isinstance(content[name], kind) or isinstance(content[name], bool):
            raise SummaryError(
                f"{where}: {name} is {content[name]!r}, which is not of the right kind. {_ADVICE}"
            )
