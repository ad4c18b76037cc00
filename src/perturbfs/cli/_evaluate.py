"""`perturbfs evaluate`: several methods on the same splits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table as Grid

from perturbfs._files import atomic_directory
from perturbfs._methods import make_selector
from perturbfs._workflow import describe_data, make_imputer, outcome_of, versions
from perturbfs.evaluation import Evaluation, evaluate
from perturbfs.report import two_digits

from ._console import Terminal, print_utf8
from ._select import refuse_taken
from ._source import Request
from ._tables import write_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateRequest(Request):
    """What `perturbfs evaluate` was asked for."""

    methods: tuple[str, ...]
    n_features: tuple[int | str, ...]


def run_evaluate(terminal: Terminal, request: EvaluateRequest) -> None:
    """Read, evaluate, write and show."""
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {request.source}"):
        table = request.read()
    task, y = outcome_of(table)
    seed = request.random_state
    selectors = {
        method: make_selector(method, _start(method, request), task=task, random_state=seed)
        for method in request.methods
    }
    with terminal.progress(splits=request.splits) as (split_done,):
        found = evaluate(
            selectors,
            table.X,
            y,
            n_features=request.n_features,
            task=task,
            imputer=make_imputer(request.impute),
            n_splits=request.splits,
            random_state=request.random_state,
            n_jobs=request.jobs,
            on_split=split_done,
        )
    rows = summarize_evaluation(found)
    settings = {
        "methods": list(request.methods),
        "n_splits": request.splits,
        "random_state": request.random_state,
        "data": describe_data(table, request.impute),
        "versions": versions(),
        "metric": found.metric,
        "summary": rows,
    }
    text = json.dumps(settings, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    with atomic_directory(request.out, force=request.force) as folder:
        write_scores(folder / "scores.csv", found)
        (folder / "evaluation.json").write_text(text, encoding="utf-8")
    _show(terminal, rows, found, request.out)
    if terminal.json:
        print_utf8(text)


def _start(method: str, request: EvaluateRequest) -> int | str:
    """A number random features can start with; the sizes asked for replace it."""
    return "auto" if method != "random" else request.n_features[0]


def summarize_evaluation(found: Evaluation) -> list[dict[str, Any]]:
    """A row for each method and size: mean score, interval, stability, time."""
    rows = []
    for method, requested in dict.fromkeys((row.method, row.requested) for row in found.scores):
        estimate = found.estimate(method, requested)
        mine = [row for row in found.scores if (row.method, row.requested) == (method, requested)]
        is_selection = (method, requested) in found.selections
        stability = found.stability(method, requested) if is_selection else np.nan
        rows.append(
            {
                "method": method,
                "requested": requested,
                "n_features": float(np.mean([row.n_features for row in mine])),
                "mean": estimate.mean,
                "low": estimate.low,
                "high": estimate.high,
                "stability": None if np.isnan(stability) else stability,
                "seconds": float(np.mean([row.seconds for row in mine])),
            }
        )
    return rows


def write_scores(path: Path, found: Evaluation) -> None:
    """Every single score."""
    header = ["method", "requested", "n_features", "classifier", "split", found.metric, "seconds"]
    rows = (
        (
            row.method,
            row.requested,
            row.n_features,
            row.predictor,
            row.split,
            row.score,
            f"{row.seconds:.4f}",
        )
        for row in found.scores
    )
    write_rows(path, header, rows)


def _show(terminal: Terminal, rows: list[dict[str, Any]], found: Evaluation, out: str) -> None:
    columns = ["method", "features", found.metric, "95 % interval", "stability", "seconds"]
    grid = Grid(*columns, box=None, padding=(0, 2, 0, 0))
    for row in rows:
        stability = "-" if row["stability"] is None else two_digits(row["stability"])
        grid.add_row(
            row["method"],
            f"{row['n_features']:.0f}",
            f"{row['mean']:.3f}",
            f"{row['low']:.3f} to {row['high']:.3f}",
            stability,
            f"{row['seconds']:.2f}",
        )
    terminal.console.print(grid)
    terminal.say(
        "\nMean over splits and predictors; every method was fitted to the training part of each "
        f"split alone.\nWritten to {out}: scores.csv, evaluation.json."
    )
