"""The files of an evaluation: all scores, the summary, the pairs, one JSON and the page."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from perturbfs.evaluation import Comparison, Evaluation
from perturbfs.report import render_evaluation
from perturbfs.results import EVALUATION_VERSION

from ._tables import write_rows

EVERY_SIZE = "every size"
FILES = {
    "scores.csv": "every score",
    "summary.csv": "the means",
    "comparison.csv": "the pairs",
    "evaluation.json": "all results",
    "report.html": "to look at",
}


def describe_evaluation(found: Evaluation, settings: dict[str, Any]) -> dict[str, Any]:
    """What evaluation.json holds: settings and results in plain values.

    Parameters
    ----------
    found : Evaluation
    settings : dict
        What was asked for, the data and the versions.

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
    """Write all files; returns the JSON."""
    _write_scores(folder / "scores.csv", found)
    _write_dicts(folder / "summary.csv", [_flat(row) for row in document["summary"]])
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


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "by_predictor"}


def _write_scores(path: Path, found: Evaluation) -> None:
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


def _write_dicts(path: Path, rows: list[dict[str, Any]]) -> None:
    """Rows that have the same names; nothing where there are no rows but an empty file."""
    header = list(rows[0]) if rows else []
    write_rows(path, header, ([row[name] for name in header] for row in rows))
