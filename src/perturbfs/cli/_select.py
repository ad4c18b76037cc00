"""`perturbfs select`: from a file to files with the answer."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.markup import escape
from rich.table import Table as Grid

from perturbfs._support.files import atomic_directory, check_free
from perturbfs._support.names import BLOCK_METHODS, REPEATED
from perturbfs.datasets import Table
from perturbfs.report import render_page
from perturbfs.results import (
    Selection,
    SelectionResult,
    chosen_columns,
    describe_details,
    label_of,
    save_summary,
    select_features,
    summarize,
)

from ._cluster import cluster_of, spread_calls
from ._console import Terminal, WrongUseError, print_utf8, with_progress
from ._disk import (
    BLOCK_FORMATS,
    ONLY_IN_BLOCKS,
    describe_reading,
    is_stopped,
    journaled,
    open_blocks,
)
from ._source import Request
from ._tables import column_names, sample_labels, write_rows

DEFAULT_REPEATS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectRequest(Request):
    """What `perturbfs select` was asked for."""

    method: str
    n_features: int | str
    repeats: int | None  # for the methods that have runs
    memory: str | None = None
    resume: bool = False
    details: bool = True  # on the page
    noise: bool | None = None  # whether to study it; None where it takes seconds

    @property
    def has_runs(self) -> bool:
        """Whether the method shows its progress by runs."""
        return self.method in REPEATED and self.n_features == "auto"

    @property
    def command(self) -> str:
        """The command that repeats this, all that decides the result spelled out."""
        reading = {name.replace("_", "-"): value for name, value in self.reading.items()}
        in_rows = reading.pop("features-in-rows", None)
        options = {
            "method": self.method,
            "n-features": self.n_features,
            **reading,
            "impute": self.impute,
            "memory": self.memory,
            "repeats": self.repeats,
            "splits": self.splits,
            "random-state": self.random_state,
        }
        words = ["perturbfs", "select", self.source]
        for name, value in options.items():
            if value is True:
                words.append(f"--{name}")
            elif value is not None and value is not False:
                words += [f"--{name}", str(value)]
        if in_rows is not None:
            words.append("--features-in-rows" if in_rows else "--features-in-columns")
        return shlex.join(words)

    @property
    def is_in_blocks(self) -> bool:
        """Whether the table stays on disk."""
        suffix = Path(self.source).suffix.lower()
        is_asked = self.memory is not None or self.resume
        on_cluster = self.cluster.is_wanted and suffix in BLOCK_FORMATS
        return is_asked or on_cluster or suffix in ONLY_IN_BLOCKS


def run_select(terminal: Terminal, request: SelectRequest) -> None:
    """Read, select, write and show."""
    if request.repeats is not None and not request.has_runs:
        raise WrongUseError(
            f"--repeats is for the methods {', '.join(REPEATED)} with --n-features auto, but the "
            f"method is {request.method} with --n-features {request.n_features}."
        )
    if request.is_in_blocks:
        _select_in_blocks(terminal, request)
        return
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {request.source}"):
        table = request.read()
    with spread_calls(request.cluster) as where:
        result = _select(terminal, request, table)
    _finish(terminal, request, table, result, where)


def _select_in_blocks(terminal: Terminal, request: SelectRequest) -> None:
    """The same for a table that stays on disk."""
    if request.method not in BLOCK_METHODS:
        raise WrongUseError(
            f"the method {request.method} needs the whole table in memory, but {request.source} "
            f"is read block by block. Use one of {', '.join(BLOCK_METHODS)}."
        )
    was_stopped = is_stopped(request.out)
    if was_stopped and not (request.resume or request.force):
        raise WrongUseError(
            f"{request.out} holds finished passes of a job that was stopped. Go on from there "
            "with --resume, or start again with --force."
        )
    refuse_taken(request.out, force=request.force or was_stopped)
    opened = open_blocks(request.source, request.memory, request.reading)
    with (
        cluster_of(request.cluster, memory=request.memory or "auto") as client,
        journaled(opened, request.out, resume=request.resume, client=client) as table,
    ):
        result = _select(terminal, request, table)
        where = describe_reading(opened, client)
        # Passes are in the directory by now.
        _finish(terminal, replace(request, force=True), table, result, where)


def _select(terminal: Terminal, request: SelectRequest, table: Table) -> SelectionResult:
    n_runs = (request.repeats or DEFAULT_REPEATS) if request.has_runs else 1
    options = {"n_repeats": n_runs} if request.has_runs else {}
    with terminal.progress(selecting=n_runs, estimating=request.splits) as (run_done, split_done):
        return select_features(
            table,
            method=request.method,
            n_features=request.n_features,
            impute=request.impute,
            n_splits=request.splits,
            n_jobs=request.jobs,
            random_state=request.random_state,
            prepare=with_progress(run_done),
            on_selected=None if request.has_runs else run_done,
            on_split=split_done,
            **options,
        )


def _finish(
    terminal: Terminal, request: SelectRequest, table: Table, result: SelectionResult, where: str
) -> None:
    details, selection = None, result.selection
    # The pictures look at all features at once.
    if request.details and not request.is_in_blocks:
        with terminal.waiting("preparing the page"):
            details = describe_details(table, result, noise=request.noise)
    summary = summarize(selection, details, command=request.command)
    with atomic_directory(request.out, force=request.force) as folder:
        write_results(folder, table, selection, summary)
    show(terminal, selection, request.out)
    if where:
        terminal.say(where)
    if terminal.json:
        print_utf8(selection.to_json())


def refuse_taken(out: str, *, force: bool) -> None:
    """Wrong use, said before any work is done."""
    try:
        check_free(out, force=force)
    except FileExistsError as error:
        raise WrongUseError(str(error)) from error


def write_results(
    folder: Path, table: Table, selection: Selection, summary: dict[str, Any]
) -> None:
    """All files of a selection."""
    selection.save(folder / "selection.json")
    _write_features(folder / "features.csv", selection)
    _write_columns(folder / "selected.csv", table, selection)
    save_summary(summary, folder / "summary.json")
    (folder / "report.html").write_text(render_page(summary), encoding="utf-8")


def _write_features(path: Path, selection: Selection) -> None:
    rows = (
        (each.rank, each.label, each.index, each.score, _as_list(each.stands_for))
        for each in selection.features
    )
    write_rows(path, ["rank", "name", "index", "score", "stands_for"], rows)


def _as_list(members: tuple[str | int, ...]) -> str:
    """A JSON array: whatever a name holds, it can be told from the next."""
    return json.dumps([label_of(member) for member in members], ensure_ascii=False)


def _write_columns(path: Path, table: Table, selection: Selection) -> None:
    header = ["sample", *column_names(selection), table.target_name or "outcome"]
    values = chosen_columns(table, selection).tolist()
    outcome = np.asarray(table.y).tolist()
    samples = sample_labels(table)
    rows = ((name, *row, y) for name, row, y in zip(samples, values, outcome, strict=True))
    write_rows(path, header, rows)


def show(terminal: Terminal, selection: Selection, out: str) -> None:
    """The answer, for people."""
    summary, console = summarize(selection), terminal.console
    data = Grid(show_header=False, box=None, padding=(0, 2, 0, 0))
    for label, text in summary["data"]:
        data.add_row(escape(label), escape(text))
    console.print(data)
    terminal.say(f"\n{summary['headline']}\n")
    features = Grid("rank", "feature", "score", "stands for", box=None, padding=(0, 2, 0, 0))
    for row in summary["features"]:
        members = ", ".join(row["stands_for"][:3])
        more = f"{row['n_stands_for']}: {members}" if row["n_stands_for"] else "itself"
        more += ", …" if row["n_stands_for"] > 3 else ""
        score = "-" if row["score"] is None else f"{row['score']:.3f}"
        features.add_row(str(row["rank"]), escape(row["name"]), score, escape(more))
    console.print(features)
    console.print()
    scores = Grid("", summary["metric"], "95 % interval", box=None, padding=(0, 2, 0, 0))
    for label, mean, low, high in summary["scores"]:
        interval = "-" if low is None else f"{low:.3f} to {high:.3f}"
        scores.add_row(label, f"{mean:.3f}", interval)
    console.print(scores)
    terminal.say(f"\n{summary['estimate']}\n\n{summary['stability']}\n")
    terminal.say(
        f"Written to {out}: selection.json (the result), features.csv (the list), "
        "selected.csv (the reduced table), report.html (to look at), summary.json (what it shows)."
    )
