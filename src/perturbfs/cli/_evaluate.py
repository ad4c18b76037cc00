"""`perturbfs evaluate`: several methods on the same splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.markup import escape
from rich.table import Table as Grid

from perturbfs._support.files import atomic_directory
from perturbfs.arrays import Array
from perturbfs.datasets import Table
from perturbfs.evaluation import evaluate, make_selector
from perturbfs.report import summarize_evaluation
from perturbfs.results import describe_data, make_imputer, outcome_of, versions
from perturbfs.scoring import default_predictors, named_predictors

from ._cluster import spread_calls
from ._console import Terminal, print_utf8
from ._evaluation_files import FILES, describe_evaluation, write_evaluation
from ._groups import read_with_groups
from ._select import refuse_taken
from ._source import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateRequest(Request):
    """What `perturbfs evaluate` was asked for."""

    methods: tuple[str, ...]
    n_features: tuple[int | str, ...]
    predictors: tuple[str, ...] | None = None
    scoring: str | None = None
    groups: str | None = None
    min_class_size: int | None = None


def run_evaluate(terminal: Terminal, request: EvaluateRequest) -> None:
    """Read, evaluate, write and show."""
    refuse_taken(request.out, force=request.force)
    with terminal.waiting(f"reading {request.source}"):
        table, groups = _read(request)
    task, y = outcome_of(table)
    predictors = _predictors(request, task)
    with (
        spread_calls(request.cluster) as where,
        terminal.progress(splits=request.splits) as (split_done,),
    ):
        found = evaluate(
            {method: _selector(method, request, task) for method in request.methods},
            table.X,
            y,
            n_features=request.n_features,
            task=task,
            groups=groups,
            predictors=predictors,
            scoring=request.scoring,
            min_class_size=request.min_class_size,
            imputer=make_imputer(request.impute),
            n_splits=request.splits,
            random_state=request.random_state,
            n_jobs=request.jobs,
            on_split=split_done,
        )
    document = describe_evaluation(found, _settings(request, table, groups, list(predictors)))
    with atomic_directory(request.out, force=request.force) as folder:
        text = write_evaluation(folder, found, document)
    _show(terminal, summarize_evaluation(document), request.out)
    if where:
        terminal.say(where)
    if terminal.json:
        print_utf8(text)


def _read(request: EvaluateRequest) -> tuple[Table, Array | None]:
    if request.groups is None:
        return request.read(), None
    return read_with_groups(request, request.groups)


def _predictors(request: EvaluateRequest, task: str) -> dict[str, Any]:
    if request.predictors is None:
        return default_predictors(task)
    return named_predictors(request.predictors, task)


def _selector(method: str, request: EvaluateRequest, task: str) -> Any:
    """The selector as it is; random features, which have no choice of their own, refuse it."""
    seed = request.random_state
    if method == "random":
        selector = make_selector(method, 1, random_state=seed)
        return selector.set_params(n_features_to_select="auto")
    return make_selector(method, "auto", task=task, random_state=seed)


def _settings(
    request: EvaluateRequest, table: Table, groups: Array | None, predictors: list[str]
) -> dict[str, Any]:
    return {
        "methods": list(dict.fromkeys(request.methods)),
        "requested": list(dict.fromkeys(request.n_features)),
        "predictors": predictors,
        "n_splits": request.splits,
        "random_state": request.random_state,
        "groups": request.groups,
        "n_groups": None if groups is None else len(np.unique(groups)),
        "min_class_size": request.min_class_size,
        "data": describe_data(table, request.impute),
        "versions": versions(),
    }


def _show(terminal: Terminal, summary: dict[str, Any], out: str) -> None:
    columns = ["method", "features", summary["metric"], "95 % interval", "stability", "seconds"]
    grid = Grid(*columns, box=None, padding=(0, 2, 0, 0))
    chosen = [row for size in summary["sizes"] for row in size["rows"] if row["is_selection"]]
    for row in [*chosen, *summary["references"]]:
        cells = ("features", "mean", "interval", "stability", "seconds")
        grid.add_row(escape(row["method"]), *(row[cell] for cell in cells))
    terminal.console.print(grid)
    notes = [*summary["refusals"], *summary["left_out"], summary["verdict"], summary["measured"]]
    terminal.say("\n" + "\n\n".join(notes))
    files = ", ".join(f"{name} ({what})" for name, what in FILES.items())
    terminal.say(f"\nWritten to {out}: {files}.")
