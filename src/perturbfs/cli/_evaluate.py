"""`perturbfs evaluate`: compare several methods on the same splits."""

from __future__ import annotations

import json
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.files import atomic_directory
from perturbfs.arrays import Array
from perturbfs.datasets import Table
from perturbfs.evaluation import Comparison, Evaluation, evaluate, make_selector
from perturbfs.report import render_evaluation, summarize_evaluation
from perturbfs.results import EVALUATION_VERSION, describe_data, make_imputer, outcome_of, versions
from perturbfs.scoring import default_predictors, named_predictors

from ._cluster import spread_calls
from ._console import Terminal
from ._requests import EvaluateRequest
from ._select import refuse_taken
from ._tables import read_with_groups, read_with_outcome, show_data, write_rows

EVERY_SIZE = "every size"
FILES = {
    "scores.csv": "every score",
    "summary.csv": "the means",
    "comparison.csv": "the pairs",
    "evaluation.json": "all results",
    "report.html": "to look at",
}


def run_evaluate(terminal: Terminal, request: EvaluateRequest) -> None:
    """Read a table, compare methods on it, write and print the results."""
    refuse_taken(request.out, force=request.force)
    groups = None
    with terminal.waiting(f"reading {request.source}"):
        if request.groups is None:
            table = read_with_outcome(request.source, request.reading)
        else:
            table, groups = read_with_groups(request.source, request.reading, request.groups)
    show_data(terminal, table, request.reading.impute)
    task, y = outcome_of(table)
    predictors = default_predictors(task)
    if request.predictor_names is not None:
        predictors = named_predictors(request.predictor_names, task)
    with (
        spread_calls(request.computing) as where,
        terminal.progress(splits=request.splits, at_once=request.computing.at_once) as (
            split_done,
        ),
    ):
        found = evaluate(
            {name: _selector(name, task, request.random_state) for name in request.method_names},
            table.X,
            y,
            n_features=request.sizes,
            task=task,
            groups=groups,
            predictors=predictors,
            scoring=request.scoring,
            min_class_size=request.min_class_size,
            imputer=make_imputer(request.reading.impute),
            n_splits=request.splits,
            random_state=request.random_state,
            n_jobs=request.computing.jobs,
            on_split=split_done,
        )
    document = describe_evaluation(found, _settings(request, table, groups, list(predictors)))
    with atomic_directory(request.out, force=request.force) as folder:
        text = write_evaluation(folder, found, document)
    _show(terminal, summarize_evaluation(document), request.out)
    terminal.finish(text, where=where)


def _selector(method: str, task: str, seed: int) -> Any:
    """Return a selector that chooses its number of features, where the method can."""
    if method == "random":  # it cannot, and refuses when it is fitted
        selector = make_selector(method, 1, random_state=seed)
        return selector.set_params(n_features_to_select="auto")
    return make_selector(method, "auto", task=task, random_state=seed)


def _settings(
    request: EvaluateRequest, table: Table, groups: Array | None, predictors: list[str]
) -> dict[str, Any]:
    return {
        "methods": list(dict.fromkeys(request.method_names)),
        "requested": list(dict.fromkeys(request.sizes)),
        "predictors": predictors,
        "n_splits": request.splits,
        "random_state": request.random_state,
        "groups": request.groups,
        "n_groups": None if groups is None else len(np.unique(groups)),
        "min_class_size": request.min_class_size,
        "data": describe_data(table, request.reading.impute),
        "versions": versions(),
    }


def describe_evaluation(found: Evaluation, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the content of evaluation.json: settings and results in plain values.

    Parameters
    ----------
    found : Evaluation
    settings : dict
        The options, the data and the versions.

    Returns
    -------
    document : dict
    """
    sizes = found.sizes
    comparisons = [_describe_comparison(size, found.compare(size)) for size in sizes]
    if len([size for size in sizes if size != "auto"]) > 1:
        comparisons.append(_describe_comparison(EVERY_SIZE, found.compare()))
    return {
        "schema_version": EVALUATION_VERSION,
        **settings,
        "metric": found.metric,
        "test_share": found.test_share,
        "left_out": {str(label): count for label, count in found.left_out.items()},
        "summary": found.summary(),
        "comparisons": comparisons,
        "refusals": [asdict(refusal) for refusal in found.refusals],
    }


def _describe_comparison(requested: int | str, comparison: Comparison) -> dict[str, Any]:
    pairs = [
        {
            "first": pair.first,
            "second": pair.second,
            "difference": pair.difference.mean,
            "low": pair.difference.low,
            "high": pair.difference.high,
            "p_value": pair.difference.p_value,
            "p_adjusted": pair.p_adjusted,
            "is_told_apart": pair.p_adjusted <= 1 - comparison.level,
        }
        for pair in comparison.pairs
    ]
    return {
        "requested": requested,
        "mean_ranks": comparison.mean_ranks,
        "groups": [list(group) for group in comparison.groups],
        "pairs": pairs,
    }


def write_evaluation(folder: Path, found: Evaluation, document: dict[str, Any]) -> str:
    """Write all files of an evaluation and return the content of evaluation.json."""
    _write_scores(folder / "scores.csv", found)
    _write_dicts(folder / "summary.csv", document["summary"])
    pairs = [
        {"requested": each["requested"], **pair}
        for each in document["comparisons"]
        for pair in each["pairs"]
    ]
    _write_dicts(folder / "comparison.csv", pairs)
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    (folder / "evaluation.json").write_text(text, encoding="utf-8")
    (folder / "report.html").write_text(render_evaluation(document), encoding="utf-8")
    return text


def _write_scores(path: Path, found: Evaluation) -> None:
    header = ["method", "requested", "n_features", "classifier", "split", found.metric, "seconds"]
    cells = attrgetter("method", "requested", "n_features", "predictor", "split", "score")
    rows = ([*cells(row), f"{row.seconds:.4f}"] for row in found.scores)
    write_rows(path, header, rows)


def _write_dicts(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows with the same names as CSV, without the scores of single predictors."""
    header = [name for name in rows[0] if name != "by_predictor"] if rows else []
    write_rows(path, header, ([row[name] for name in header] for row in rows))


def _show(terminal: Terminal, summary: dict[str, Any], out: str) -> None:
    chosen = [row for size in summary["sizes"] for row in size["rows"] if row["is_selection"]]
    cells = ("method", "features", "mean", "interval", "stability", "seconds")
    terminal.show(
        ["method", "features", summary["metric"], "95 % interval", "stability", "seconds"],
        ([row[cell] for cell in cells] for row in [*chosen, *summary["references"]]),
    )
    notes = [*summary["refusals"], *summary["left_out"], summary["verdict"], summary["measured"]]
    terminal.say("\n" + "\n\n".join(notes))
    files = ", ".join(f"{name} ({what})" for name, what in FILES.items())
    terminal.say(f"\nWritten to {out}: {files}.")
