"""The first cohort of a validation: a selection, and the selected features of its samples."""

from __future__ import annotations

import csv
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs.arrays import Array, to_dense

from ._data import chosen_columns, outcome_of
from ._select import SelectionResult
from ._selection import Selection, SelectionError, load_selection

AGAIN = "Run perturbfs select again; it writes both files."
TASKS = ("classification", "regression")


@dataclass(frozen=True, slots=True)
class Cohort:
    """A selection with the samples that it was made on.

    Attributes
    ----------
    selection : Selection
    X : array of shape (n_samples, n_selected)
        The selected features, sorted by rank. Missing values are NaN.
    y : array of shape (n_samples,)
        Classes as text, or a quantity as float64.
    sample_names : list of str
    """

    selection: Selection
    X: Array
    y: Array
    sample_names: list[str]


def first_cohort(first: str | os.PathLike[str] | SelectionResult | Cohort) -> Cohort:
    """Return the cohort that a selection was made on.

    Parameters
    ----------
    first : path, SelectionResult or Cohort
        A directory that `perturbfs select` wrote, with its selection.json and selected.csv.

    Returns
    -------
    cohort : Cohort

    Examples
    --------
    >>> from perturbfs.results import first_cohort
    >>> first_cohort("docs")
    Traceback (most recent call last):
        ...
    perturbfs.results._selection.SelectionError: docs has no selection.json. Pass the directory
    that perturbfs select wrote.
    """
    if isinstance(first, Cohort):
        return first
    if isinstance(first, SelectionResult):
        return _cohort_of(first)
    file = Path(first) / "selection.json"
    if not file.is_file():
        raise SelectionError(
            f"{first} has no selection.json. Pass the directory that perturbfs select wrote."
        )
    selection = load_selection(file)
    check_task(selection)
    return _read_cohort(selection, Path(first) / "selected.csv")


def check_task(selection: Selection) -> None:
    """Refuse a selection whose outcome is neither classes nor a quantity."""
    task = selection.data["task"]
    if task not in TASKS:
        raise SelectionError(
            f"The task of the selection is {task!r}, but a second cohort can be scored only for "
            f"{' and '.join(TASKS)}. Score it with a predictor of your own on the table that "
            "perturbfs apply writes."
        )


def _cohort_of(result: SelectionResult) -> Cohort:
    task, y = outcome_of(result.table)
    check_task(result.selection)
    names = result.table.sample_names
    labels = range(1, len(y) + 1) if names is None else names.tolist()
    X = np.asarray(to_dense(chosen_columns(result.table, result.selection)), dtype=np.float64)
    return Cohort(result.selection, X, as_outcome(y, task), [str(label) for label in labels])


def as_outcome(y: Array, task: str) -> Array:
    """Return classes as text, by which two cohorts are compared, or a quantity as float64."""
    if task == "regression":
        return np.asarray(y, dtype=np.float64)
    labels = np.asarray(y).tolist()
    # Where other classes are missing, whole numbers may have been read as quantities.
    whole = [
        int(each) if isinstance(each, float) and each.is_integer() else each for each in labels
    ]
    return np.array([str(label) for label in whole])


def _read_cohort(selection: Selection, path: Path) -> Cohort:
    """Read the reduced table that `perturbfs select` wrote beside the selection."""
    if not path.is_file():
        raise SelectionError(
            f"{path.parent} has no selected.csv, which holds the first cohort. {AGAIN}"
        )
    try:
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
    except (ValueError, csv.Error) as problem:  # no header, no UTF-8, or no CSV
        raise SelectionError(f"{path} is not a table ({problem}). {AGAIN}") from problem
    _check_rows(selection, path, header, rows)
    try:
        X = np.array([[_number(cell) for cell in row[1:-1]] for row in rows])
        y = _outcome_in(selection, [row[-1] for row in rows])
    except ValueError as problem:
        raise _unfit(path, f"{problem}") from problem
    return Cohort(selection, X, y, [row[0] for row in rows])


def _check_rows(
    selection: Selection, path: Path, header: list[str], rows: list[list[str]]
) -> None:
    """Refuse a table that is not the one of the selection."""
    labels = [each.label for each in selection.features]
    if header[1:-1] != labels:
        raise _unfit(path, "its features are not the selected ones")
    if len(rows) != selection.data["n_samples"]:
        n_samples = selection.data["n_samples"]
        raise _unfit(path, f"it has {len(rows)} samples instead of {n_samples}")
    lengths = {len(row) for row in rows}
    if lengths != {len(labels) + 2}:
        raise _unfit(path, "some of its rows are too short or too long")


def _unfit(path: Path, why: str) -> SelectionError:
    return SelectionError(
        f"{path} does not belong to the selection.json beside it: {why}. {AGAIN}"
    )


def _number(cell: str) -> float:
    number = float(cell) if cell else math.nan
    if math.isinf(number):
        raise ValueError("a value is infinite")
    return number


def _outcome_in(selection: Selection, cells: list[str]) -> Array:
    data: dict[str, Any] = selection.data
    if data["task"] == "regression":
        y = np.array([float(cell) for cell in cells])
        if not np.isfinite(y).all():
            raise ValueError("an outcome is not a number")
        return y
    unknown = sorted(set(cells) - set(data["classes"]))
    if unknown:
        raise ValueError(f"its class {unknown[0]!r} is not among the classes of the selection")
    return np.array(cells)
