"""`perturbfs select`: read a table, select features, write the results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.files import atomic_directory, check_free
from perturbfs.checks import twins_once
from perturbfs.datasets import Finding, Table
from perturbfs.report import render_page
from perturbfs.results import (
    Selection,
    SelectionResult,
    chosen_columns,
    default_splits,
    describe_details,
    label_of,
    save_summary,
    select_features,
    summarize,
    two_digits,
)

from ._check import find_and_show
from ._claimed import holding_out
from ._cluster import cluster_of, spread_calls
from ._command import WrongUseError
from ._console import Terminal, with_progress
from ._disk import (
    check_blocks,
    describe_reading,
    is_stopped,
    journaled,
    open_blocks,
    open_groups,
)
from ._requests import SelectRequest
from ._tables import Groups, read_for_work, sample_labels, show_data, write_rows

DEFAULT_REPEATS = 10


@holding_out
@twins_once(was_given=True)  # the findings name near-identical samples
def run_select(terminal: Terminal, request: SelectRequest) -> None:
    """Select features of a table that is read as a whole or in blocks."""
    if request.is_in_blocks:
        _select_in_blocks(terminal, request)
        return
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {request.source}"):
        table, groups = read_for_work(request.source, request.reading, request.samples)
    show_data(terminal, table, request.reading.impute, groups)
    findings = _check(terminal, request, table, groups)
    with spread_calls(request.computing) as where:
        result = _select(terminal, request, table, groups, findings)
    details = None
    if request.details:
        with terminal.waiting("preparing the page"):
            details = describe_details(result.table, result, noise=request.noise_study)
    _finish(terminal, request, result, details, where)


def _select_in_blocks(terminal: Terminal, request: SelectRequest) -> None:
    """Select features of a table that stays on disk; its page has no figures."""
    check_blocks(request)
    if is_stopped(request.out) and not (request.resume or request.force):
        raise WrongUseError(
            f"There are finished passes of a stopped job that writes to {request.out}. Continue "
            "it with --resume, or start again with --force."
        )
    refuse_taken(request.out, force=request.force)
    opened = open_blocks(request.source, request.reading, request.memory)
    groups = open_groups(request.source, request.samples.groups, opened)
    show_data(terminal, opened, request.reading.impute, groups)
    findings = _check(terminal, request, opened, groups)
    with (
        cluster_of(request.computing, memory=request.memory or "auto") as client,
        journaled(terminal, opened, request.out, resume=request.resume, client=client) as table,
    ):
        result = _select(terminal, request, table, groups, findings)
        where = describe_reading(opened, client)
        _finish(terminal, request, result, None, where)


def _check(
    terminal: Terminal, request: SelectRequest, table: Table, groups: Groups | None
) -> tuple[Finding, ...]:
    values = None if groups is None else groups.values
    return find_and_show(terminal, table, values, min_class_size=request.samples.min_class_size)


def _select(
    terminal: Terminal,
    request: SelectRequest,
    table: Table,
    groups: Groups | None,
    findings: Sequence[Finding],
) -> SelectionResult:
    n_runs = (request.repeats or DEFAULT_REPEATS) if request.has_runs else 1
    options: dict[str, Any] = {"n_repeats": n_runs} if request.has_runs else {}
    options |= request.paper.given
    n_splits = request.splits or default_splits(table.n_samples)
    with terminal.progress(
        selecting=n_runs, estimating=n_splits, at_once=request.computing.at_once
    ) as (run_done, split_done):
        return select_features(
            table,
            method=request.method,
            n_features=request.size,
            groups=None if groups is None else groups.values,
            groups_name=None if groups is None else groups.name,
            min_class_size=request.samples.min_class_size,
            impute=request.reading.impute,
            n_splits=n_splits,
            n_jobs=request.computing.jobs,
            random_state=request.random_state,
            prepare=with_progress(run_done),
            on_selected=None if request.has_runs else run_done,
            on_split=split_done,
            findings=findings,
            **options,
        )


def _finish(
    terminal: Terminal,
    request: SelectRequest,
    result: SelectionResult,
    details: dict[str, Any] | None,
    where: str,
) -> None:
    """Write the files and print the result."""
    selection = result.selection
    today = date.today().isoformat()
    summary = summarize(selection, details, command=request.command, date=today)
    with atomic_directory(request.out, force=request.force) as folder:
        _write_results(folder, result.table, selection, summary)
    _show(terminal, summary)
    terminal.say(
        f"Written to {request.out}: selection.json (the result), features.csv (the list), "
        "groups.csv (what each feature stands for), selected.csv (the reduced table), "
        "report.html (the page), summary.json (the values shown on it)."
    )
    terminal.finish(selection.to_json(), where=where)


def refuse_taken(out: str, *, force: bool) -> None:
    """Refuse an output directory that cannot be used, before any work is done."""
    try:
        check_free(out, force=force)
    except FileExistsError as error:
        raise WrongUseError(str(error)) from error


def _write_results(
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
    known = ["direction", "n_again", "effect", "p_value", "q_value"]
    header = ["rank", "name", "index", "score", "direction", "selected_again", "n_splits"]
    rows = []
    for each, row in zip(selection.features, summary["features"], strict=True):
        direction, n_again, *tested = (row[name] for name in known)
        copy_of = None if each.copy_of is None else label_of(each.copy_of)
        start = (each.rank, each.label, each.index, each.score, direction, n_again)
        rows.append((*start, summary["n_splits"], *tested, copy_of, len(each.stands_for)))
    write_rows(path, [*header, *known[2:], "near_copy_of", "n_stands_for"], rows)


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
    outcome = np.asarray(table.y).tolist()
    rows = zip(sample_labels(table), values, outcome, strict=True)
    header = ["sample", *names, table.target_name or "outcome"]
    write_rows(path, header, ((name, *row, y) for name, row, y in rows))


def _show(terminal: Terminal, summary: dict[str, Any]) -> None:
    terminal.say(f"{summary['headline']}\n")
    terminal.show(
        ["rank", "feature", "score", "stands for"], map(_feature_cells, summary["features"])
    )
    terminal.say("")
    rows = (
        (label, f"{mean:.3f}", "-" if low is None else f"{low:.3f} to {high:.3f}")
        for label, mean, low, high in summary["scores"]
    )
    terminal.show(["", summary["metric"], "95 % interval"], rows)
    terminal.say(f"\n{summary['estimate']}\n\n{summary['stability']}\n")


def _feature_cells(row: dict[str, Any]) -> list[str]:
    members = "itself"
    if row["n_stands_for"]:
        members = f"{row['n_stands_for']}: {', '.join(row['stands_for'][:3])}"
        members += ", …" if row["n_stands_for"] > 3 else ""
    if row["copy_of"] is not None:
        r = "" if row["copy_r"] is None else f", r = {two_digits(row['copy_r'])}"
        members = f"near copy of {row['copy_of']}{r}"
    score = "-" if row["score"] is None else f"{row['score']:.3f}"
    return [str(row["rank"]), row["name"], score, members]
