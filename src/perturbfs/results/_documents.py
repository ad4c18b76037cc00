"""Read and write summary.json and validation.json, and read evaluation.json."""

from __future__ import annotations

import json
import os
from typing import Any

from perturbfs._support.files import atomic_path

from ._schema import DocumentError, read_document
from ._upgrade import upgrade_evaluation, upgrade_summary

SUMMARY_VERSION = 2
EVALUATION_VERSION = 2
VALIDATION_VERSION = 1


class SummaryError(DocumentError):
    """A file is not a summary.json, or it is damaged."""


def save_summary(summary: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a summary as JSON. After an error there is no incomplete file.

    Parameters
    ----------
    summary : dict
        From `summarize`.
    path : path
        Equal summaries give files with equal bytes.
    """
    text = json.dumps(summary, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    with atomic_path(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")


def load_summary(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a summary and check its fields.

    Parameters
    ----------
    path : path
        A ``summary.json`` that `perturbfs select` wrote.

    Returns
    -------
    summary : dict
        The fields that https://perturbfs.github.io/perturbfs/summary-json.html describes.

    Examples
    --------
    >>> from perturbfs.results import load_summary
    >>> load_summary("README.md")
    Traceback (most recent call last):
        ...
    perturbfs.results._documents.SummaryError: README.md is not JSON (Expecting value: line 1
    column 1 (char 0)). Pass the summary.json that perturbfs select wrote, or select again.
    """
    return read_document(
        path,
        "summary",
        version=SUMMARY_VERSION,
        upgrade=upgrade_summary,
        advice="Pass the summary.json that perturbfs select wrote, or select again.",
        error=SummaryError,
    )


def load_evaluation(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the results of an evaluation and check their fields.

    Parameters
    ----------
    path : path
        An ``evaluation.json`` that `perturbfs evaluate` wrote.

    Returns
    -------
    document : dict
        The fields that https://perturbfs.github.io/perturbfs/evaluation.html describes.

    Examples
    --------
    >>> from perturbfs.results import load_evaluation
    >>> load_evaluation("README.md")
    Traceback (most recent call last):
        ...
    perturbfs.results._schema.DocumentError: README.md is not JSON (Expecting value: line 1
    column 1 (char 0)). Pass the evaluation.json that perturbfs evaluate wrote, or evaluate again.
    """
    return read_document(
        path,
        "evaluation",
        version=EVALUATION_VERSION,
        upgrade=upgrade_evaluation,
        advice="Pass the evaluation.json that perturbfs evaluate wrote, or evaluate again.",
    )


def load_validation(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what `perturbfs validate` found on a second cohort, and check its fields.

    Parameters
    ----------
    path : path
        A ``validation.json`` that `perturbfs validate` wrote.

    Returns
    -------
    document : dict
        The fields that https://perturbfs.github.io/perturbfs/second-cohort.html describes.

    Examples
    --------
    >>> from perturbfs.results import load_validation
    >>> load_validation("README.md")
    Traceback (most recent call last):
        ...
    perturbfs.results._schema.DocumentError: README.md is not JSON (Expecting value: line 1
    column 1 (char 0)). Pass the validation.json that perturbfs validate wrote, or validate again.
    """
    return read_document(
        path,
        "validation",
        version=VALIDATION_VERSION,
        upgrade=lambda _: None,  # there is no older version
        advice="Pass the validation.json that perturbfs validate wrote, or validate again.",
    )
