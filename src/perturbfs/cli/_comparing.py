"""Compare several methods on a table that was read, and write the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from perturbfs._support.files import atomic_directory
from perturbfs.checks import twins_once
from perturbfs.datasets import Finding, Table
from perturbfs.evaluation import Comparison, Evaluation, Refusal, evaluate, make_selector
from perturbfs.report import render_evaluation, summarize_evaluation
from perturbfs.results import (
    EVALUATION_VERSION,
    describe_batch_alone,
    describe_batches,
    describe_data,
    describe_group_sizes,
    describe_planned,
    make_imputer,
    outcome_of,
    versions,
)
from perturbfs.scoring import default_predictors, named_predictors

from ._cluster import spread_calls
from ._console import Terminal
from ._findings import find_and_show, show_data
from ._requests import EvaluateRequest
from ._tables import Groups, values_of, write_rows
from ._wording import in_options

EVERY_SIZE = "every size"
AGAINST = ("guessing", "random", "all_features")
FILES = {
    "scores.csv": "every score",
    "summary.csv": "the means",
    "planned.csv": "each method against guessing, random and all features",
    "comparison.csv": "the pairs",
    "evaluation.json": "all results",
    "report.html": "to look at",
}


@twins_once(was_given=True)  # the findings name near-identical samples
def compare(
    terminal: Terminal,
    request: EvaluateRequest,
    table: Table,
    groups: Groups | None,
    batch: Groups | None,
) -> None:
    """Compare methods on a table, write and print the results."""
    show_data(terminal, table, request.reading.impute, groups, batch)
    findings = find_and_show(
        terminal,
        table,
        values_of(groups),
        values_of(batch),
        min_class_size=request.samples.min_class_size,
        scoring=request.scoring,
        n_splits=request.splits,
        random_state=request.random_state,
    )
    task, y = outcome_of(table)
    predictors = default_predictors(task)
    if request.predictor_names is not None:
        predictors = named_predictors(request.predictor_names, task)
    with (
        spread_calls(request.computing) as where,
        terminal.progress(splits=request.splits, at_once=request.computing.at_once()) as (
            split_done,
        ),
    ):
        found = evaluate(
            {
                name: make_selector(name, random_state=request.random_state)
                for name in request.method_names
            },
            table.X,
            y,
            n_features=request.sizes,
            task=task,
            groups=values_of(groups),
            batch=values_of(batch),
            predictors=predictors,
            scoring=request.scoring,
            min_class_size=request.samples.min_class_size,
            imputer=make_imputer(request.reading.impute),
            n_splits=request.splits,
            random_state=request.random_state,
            n_jobs=request.computing.jobs,
            on_split=split_done,
        )
    found = replace(found, refusals=tuple(map(_in_options, found.refusals)))
    settings = _settings(request, table, groups, list(predictors), findings, batch)
    document = describe_evaluation(found, settings)
    with atomic_directory(request.out, force=request.force) as folder:
        text = write_evaluation(folder, found, document)
    _show(terminal, summarize_evaluation(document), request.out)
    terminal.finish(text, where=where)


def _in_options(refusal: Refusal) -> Refusal:
    return replace(refusal, reason=in_options(refusal.reason))


def _settings(
    request: EvaluateRequest,
    table: Table,
    groups: Groups | None,
    predictors: list[str],
    findings: Sequence[Finding],
    batch: Groups | None,
) -> dict[str, Any]:
    sizes = None if groups is None else describe_group_sizes(groups.values, groups.name)
    return {
        "methods": list(dict.fromkeys(request.method_names)),
        "requested": list(dict.fromkeys(request.sizes)),
        "predictors": predictors,
        "n_splits": request.splits,
        "random_state": request.random_state,
        "groups": None if sizes is None else sizes["name"],
        "n_groups": None if sizes is None else sizes["n_groups"],
        "min_class_size": request.samples.min_class_size,
        "data": describe_data(
            table,
            request.reading.impute,
            groups=sizes,
            batch=None if batch is None else describe_batches(batch.values, batch.name),
            findings=[asdict(each) for each in findings],
        ),
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
        "batch": describe_batch_alone(found),
        "metric": found.metric,
        "test_share": found.test_share,
        "left_out": {str(label): count for label, count in found.left_out.items()},
        "summary": found.summary(),
        "comparisons": comparisons,
        "planned": _describe_planned(found),
        "refusals": [asdict(refusal) for refusal in found.refusals],
    }


def _describe_planned(found: Evaluation) -> list[dict[str, Any]]:
    """Return every method's comparisons with guessing, random features and all features."""
    sizes: list[int | str | None] = [*found.sizes]
    if len([size for size in sizes if size != "auto"]) > 1:
        sizes.append(None)
    rows = []
    for size in sizes:
        for method in found.methods:
            planned = found.planned(method, size)
            if planned:
                first = planned[0]
                rows.append(
                    {
                        "method": method,
                        "requested": EVERY_SIZE if size is None else size,
                        "score": first.reference.mean + first.difference.mean,
                        "comparisons": describe_planned(planned),
                    }
                )
    return rows


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
            "is_significant": pair.p_adjusted <= 1 - comparison.level,
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
    planned = [
        {"requested": each["requested"], "method": each["method"], **row}
        for each in document["planned"]
        for row in each["comparisons"]
    ]
    _write_dicts(folder / "planned.csv", planned)
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


def _planned_cell(comparison: dict[str, Any] | None) -> str:
    if comparison is None:
        return "-"
    return f"{comparison['difference']} (p {comparison['p_value']})"


def _show(terminal: Terminal, summary: dict[str, Any], out: str) -> None:
    terminal.say(f"{summary['verdict']}\n")
    chosen = [row for size in summary["sizes"] for row in size["rows"] if row["is_selection"]]
    cells = ("method", "features", "mean", "interval", "stability", "seconds")
    terminal.show(
        ["method", "features", summary["metric"], "95 % interval", "stability", "seconds"],
        ([row[cell] for cell in cells] for row in [*chosen, *summary["references"]]),
    )
    notes = [*summary["refusals"], *summary["left_out"], summary["measured"]]
    terminal.say("\n" + "\n\n".join(notes))
    if summary["planned"]:
        terminal.say("\nDifference from guessing, as many random features and all features:\n")
        terminal.show(
            ["method", "features", "guessing", "random", "all features"],
            (
                [row["method"], row["features"], *(_planned_cell(row[key]) for key in AGAINST)]
                for section in summary["planned"]
                for row in section["rows"]
            ),
        )
    files = ", ".join(f"{name} ({what})" for name, what in FILES.items())
    terminal.say(f"\nWritten to {out}: {files}.")
