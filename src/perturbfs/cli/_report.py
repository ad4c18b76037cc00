"""`perturbfs report`: write the page again from saved results."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perturbfs._support.files import atomic_path
from perturbfs.experiments import summarize_results
from perturbfs.report import render_evaluation, render_page, render_validation
from perturbfs.results import (
    DocumentError,
    SelectionError,
    SummaryError,
    load_evaluation,
    load_selection,
    load_summary,
    load_validation,
    summarize,
)

from ._console import Terminal
from ._reproduce import SUMMARY, write_reproduction

VALIDATION = "validation.json"
# What drawing a page raises where the values of a document do not fit together.
UNFIT = (ArithmeticError, AttributeError, LookupError, RuntimeWarning, TypeError, ValueError)


def run_report(terminal: Terminal, directory: str) -> None:
    """Write the page again from the results in a directory."""
    names = ("summary.json", "selection.json", "evaluation.json", SUMMARY)
    summary, selection, evaluation, reproduction = (Path(directory) / name for name in names)
    if reproduction.is_file():
        _reproduction_pages(reproduction)
        terminal.say(
            f"Written to {directory}: reproduction.html, reproduction.md, reproduction.json and "
            "story.svg, from results.csv and settings.json."
        )
        return
    if (Path(directory) / VALIDATION).is_file():
        _write(terminal, Path(directory) / "validation.html", _validation_page(directory))
        if not any(each.is_file() for each in (summary, selection, evaluation)):
            return
    if summary.is_file():
        page = _selection_page(summary)
    elif selection.is_file():  # from an older version, or without its summary
        page = _page_without_figures(selection)
    elif evaluation.is_file():
        page = _evaluation_page(evaluation)
    else:
        raise SelectionError(
            f"{directory} holds no selection.json, summary.json, evaluation.json, {VALIDATION} or "
            f"{SUMMARY}. Pass a directory that perturbfs select, evaluate, validate or reproduce "
            "wrote."
        )
    _write(terminal, Path(directory) / "report.html", page)


def _write(terminal: Terminal, path: Path, page: str) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text(page, encoding="utf-8")
    terminal.say(f"Written to {path}.")


def _selection_page(path: Path) -> str:
    summary = load_summary(path)
    try:
        with _strict():
            return render_page(summary)
    except UNFIT as error:
        what = f"{type(error).__name__}: {error}"
        raise SummaryError(
            f"{path} lacks what the page needs ({what}). Remove it to get a page without "
            "figures from selection.json, or select again."
        ) from error


def _page_without_figures(path: Path) -> str:
    selection = load_selection(path)
    try:
        with _strict():
            return render_page(summarize(selection))
    except UNFIT as error:
        raise SelectionError(
            f"{path} lacks what the page needs ({type(error).__name__}: {error}). Pass a "
            "directory that perturbfs select wrote, or select again."
        ) from error


@contextmanager
def _strict() -> Iterator[None]:
    """Turn numbers that cannot be computed, such as the mean of nothing, into an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


def _reproduction_pages(path: Path) -> None:
    try:
        write_reproduction(path.parent, summarize_results(path.parent))
    except (*UNFIT, FileNotFoundError) as error:
        raise ValueError(
            f"{path.parent} lacks what perturbfs reproduce writes ({type(error).__name__}: "
            f"{error}). Run perturbfs reproduce again; it keeps the results in results.jsonl."
        ) from error


def _evaluation_page(path: Path) -> str:
    document = load_evaluation(path)
    try:
        with _strict():
            return render_evaluation(document)
    except (*UNFIT, StopIteration) as error:
        what = f"{type(error).__name__}: {error}"
        raise DocumentError(
            f"{path} lacks what the page needs ({what}). Pass a directory that perturbfs evaluate "
            "wrote, or evaluate again."
        ) from error


def _validation_page(directory: str) -> str:
    path = Path(directory) / VALIDATION
    document = load_validation(path)
    try:
        return render_validation(document)
    except UNFIT as error:
        what = f"{type(error).__name__}: {error}"
        raise DocumentError(
            f"{path} lacks what the page needs ({what}). Pass a directory that perturbfs validate "
            "wrote, or validate again."
        ) from error
