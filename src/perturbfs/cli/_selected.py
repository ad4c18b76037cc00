"""Write the files of a selection, and print its estimate."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.files import atomic_directory
from perturbfs.arrays import is_survival
from perturbfs.datasets import Table
from perturbfs.report import render_page
from perturbfs.results import (
    Selection,
    SelectionResult,
    chosen_columns,
    count_of,
    label_of,
    save_summary,
    summarize,
)

from ._console import Terminal
from ._requests import SelectRequest
from ._tables import sample_labels, write_rows


def write_results(
    request: SelectRequest, result: SelectionResult, details: dict[str, Any] | None
) -> dict[str, Any]:
    """Write all files at once, and return the summary.

    Parameters
    ----------
    request : SelectRequest
    result : SelectionResult
    details : dict or None
        Without them the page has no figures.

    Returns
    -------
    summary : dict
    """
    selection = result.selection
    today = date.today().isoformat()
    summary = summarize(selection, details, command=request.command, date=today)
    with atomic_directory(request.out, force=request.force) as folder:
        _write_files(folder, result.table, selection, summary)
    return summary


def _write_files(
    folder: Path, table: Table, selection: Selection, summary: dict[str, Any]
) -> None:
    selection.save(folder / "selection.json")
    _write_features(folder / "features.csv", selection, summary)
    _write_groups(folder / "groups.csv", selection)
    _write_columns(folder / "selected.csv", table, selection)
    save_summary(summary, folder / "summary.json")
    (folder / "report.html").write_text(render_page(summary), encoding="utf-8")


def _write_features(path: Path, selection: Selection, summary: dict[str, Any]) -> None:
    """Write one row per selected feature; without details some columns are empty."""
    origin = ["origin"] if "origins" in selection.data else []
    known = ["direction", "n_again", "effect", "p_value", "q_value"]
    header = ["rank", "name", "index", "score", "direction", "selected_again", "n_splits"]
    rows = []
    for each, row in zip(selection.features, summary["features"], strict=True):
        direction, n_again, *tested = (row[name] for name in known)
        copy_of = None if each.copy_of is None else label_of(each.copy_of)
        start = (each.rank, each.label, each.index, each.score, direction, n_again)
        end = (copy_of, len(each.stands_for), *([each.origin] if origin else []))
        rows.append((*start, summary["n_splits"], *tested, *end))
    write_rows(path, [*header, *known[2:], "near_copy_of", "n_stands_for", *origin], rows)


def _write_groups(path: Path, selection: Selection) -> None:
    """Write one row per feature that a selected feature stands for."""
    rows = (
        (each.rank, each.label, label_of(member))
        for each in selection.features
        for member in each.stands_for
    )
    write_rows(path, ["rank", "feature", "stands_for"], rows)


def _write_columns(path: Path, table: Table, selection: Selection) -> None:
    names = [feature.label for feature in selection.features]
    values = chosen_columns(table, selection).tolist()
    y = np.asarray(table.y)
    outcome, titles = y[:, None].tolist(), [table.target_name or "outcome"]
    if is_survival(y):
        outcome, titles = [[time, int(event)] for event, time in y.tolist()], ["time", "event"]
    rows = zip(sample_labels(table), values, outcome, strict=True)
    header = ["sample", *names, *titles]
    write_rows(path, header, ((name, *row, *ends) for name, row, ends in rows))


def show_estimate(terminal: Terminal, summary: dict[str, Any]) -> None:
    """Print how well the selection predicts, and how stable it is."""
    terminal.say(f"{summary['headline']}\n")
    if "origins" in summary:
        counts = [
            f"{each['n_selected']} of {count_of(each['n_features'], 'feature')} of {each['name']}"
            for each in summary["origins"]
        ]
        terminal.say(f"Selected by table: {', '.join(counts)}.\n")
    rows = (
        (label, f"{mean:.3f}", "-" if low is None else f"{low:.3f} to {high:.3f}")
        for label, mean, low, high in summary["scores"]
    )
    terminal.show(["", summary["metric"], "95 % interval"], rows)
    terminal.say(f"\n{summary['estimate']}\n\n{summary['stability']}\n")
