"""`perturbfs validate`: try a selection on a second cohort."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, Literal

import numpy as np

from perturbfs._support.files import atomic_directory
from perturbfs.report import render_validation
from perturbfs.results import (
    Cohort,
    SelectionError,
    Validation,
    clip_interval,
    describe_validation,
    first_cohort,
    metric_label,
    validate_selection,
)

from ._claimed import holding_out
from ._console import Terminal
from ._new_tables import read_new
from ._options import Reading, as_name_match
from ._requests import ValidateRequest
from ._select import refuse_taken
from ._tables import check_outcome, is_name, write_rows
from ._wording import in_options

SCORES = {
    "second": "trained on the first cohort",
    "standardized": "the same, features standardized within each cohort",
    "refit": "trained again on the second cohort",
    "estimated": "estimated on the first cohort",
}


@holding_out
def run_validate(terminal: Terminal, request: ValidateRequest) -> None:
    """Read both cohorts, score the second, write and print the result."""
    refuse_taken(request.out, force=request.force)
    _refuse_file(request.selection)
    cohort = first_cohort(request.selection)
    with terminal.waiting(f"reading {request.source}"):
        reading = _reading(request, cohort)
        table = read_new(cohort.selection, [request.source], reading)
        table = check_outcome(table, request.source)
    unknown: Literal["error", "drop"] = "drop" if request.unknown_classes == "drop" else "error"
    with terminal.waiting(f"scoring {request.source}"):
        validation = validate_selection(
            cohort,
            table,
            match_names=as_name_match(request.match_names),
            stand_ins=request.stand_ins,
            unknown_classes=unknown,
            random_state=request.random_state,
        )
        today = date.today().isoformat()
        document = describe_validation(validation, command=request.command, date=today)
        document["notes"] = [in_options(note) for note in document["notes"]]
        text = _write(request, validation, document)
    _show(terminal, document)
    terminal.say(
        f"Written to {request.out}: validation.json (all results), predictions.csv (every "
        "sample), validation.html (the page)."
    )
    terminal.finish(text, where="")


def _refuse_file(selection: str) -> None:
    if Path(selection).is_file():
        raise SelectionError(
            f"{selection} is a file. Pass the directory that perturbfs select wrote, because its "
            "selected.csv is needed too."
        )


def _reading(request: ValidateRequest, cohort: Cohort) -> Reading:
    """Return how the second cohort is read, with the outcome of the first by default."""
    data, target = cohort.selection.data, request.target
    # Whole numbers are classes in both cohorts; as a quantity, any numbers will do.
    task = "classification" if data["task"] == "classification" else None
    if target is None and not is_name(request.source):
        target = data["target"]
    return Reading(target=target, layout=request.layout, task=task, unlabelled=request.unlabelled)


def _write(request: ValidateRequest, validation: Validation, document: dict[str, Any]) -> str:
    """Write all files at once, and return the document as text."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    with atomic_directory(request.out, force=request.force) as folder:
        (folder / "validation.json").write_text(text, encoding="utf-8")
        _write_predictions(folder / "predictions.csv", validation)
        (folder / "validation.html").write_text(render_validation(document), encoding="utf-8")
    return text


def _write_predictions(path: Path, validation: Validation) -> None:
    """Write the outcome, the prediction and the decision values of every sample."""
    second, classes = validation.second, validation.classes
    columns: list[list[Any]] = [second.sample_names, second.y.tolist(), second.predicted.tolist()]
    header = ["sample", "true", "predicted"]
    if second.decision is not None:
        decision = np.atleast_2d(second.decision.T)
        columns += [each.tolist() for each in decision]
        # With two classes, a positive value is for the second.
        names = (classes or ())[-len(decision) :]
        header += [f"decision value for {name}" for name in names]
    write_rows(path, header, zip(*columns, strict=True))


def _show(terminal: Terminal, document: dict[str, Any]) -> None:
    """Print the verdict, what may mislead, and the scores."""
    for note in document["notes"]:
        terminal.say(note)
    said = f"{document['verdict']} {document['comment']}".rstrip()
    terminal.say(f"{said}\n")
    findings = document["findings"]
    if findings:
        cells = ([each["severity"], f"{each['message']}\n{each['advice']}"] for each in findings)
        terminal.show([], cells)
        terminal.say("")
    scores, metric = document["scores"], document["metric"]
    rows = [
        (label, *_cells(clip_interval(scores[key], metric)))
        for key, label in SCORES.items()
        if scores[key] is not None
    ]
    rows.append(("guessing", f"{scores['guessing']:.3f}", "-"))
    terminal.show(["", metric_label(metric), "95 % interval"], rows)
    if document["confusion"] is not None:
        terminal.say("")
        classes = document["classes"]
        counts = (
            (f"true {name}", *map(str, row))
            for name, row in zip(classes, document["confusion"]["counts"], strict=True)
        )
        terminal.show(["", *(f"predicted {name}" for name in classes)], counts)
    terminal.say("")


def _cells(row: dict[str, Any]) -> tuple[str, str]:
    low, high = row["low"], row["high"]
    return f"{row['mean']:.3f}", "-" if low is None else f"{low:.3f} to {high:.3f}"
