"""Print how a table was understood, and what is suspicious in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from perturbfs.arrays import Array
from perturbfs.datasets import Finding, Table, check_table
from perturbfs.results import (
    data_lines,
    default_splits,
    describe_batches,
    describe_data,
    describe_group_sizes,
    keep_batch,
    understand_data,
)

from ._console import Terminal
from ._tables import Groups

MOST_NOTES = 10  # sentences on how a file was read


def report_findings(
    terminal: Terminal, source: str, table: Table, groups: Array | None, batch: Array | None
) -> None:
    """Print how a table was understood and what is suspicious in it."""
    _show_table(terminal, table)
    if table.origins is not None:  # samples may be left out
        _show_notes(terminal, table)
    findings = _show(terminal, _check(terminal, table, groups, batch=batch))
    if not findings:
        terminal.say("\nNothing suspicious was found.")
    if table.y is None:
        terminal.say(
            "\nNo outcome was named, so nothing was compared with it. Name it with --target."
        )
    terminal.finish(_document(table, source, findings), where="")


def find_and_show(
    terminal: Terminal,
    table: Table,
    groups: Array | None,
    batch: Array | None,
    *,
    min_class_size: int | None = None,
    **options: Any,
) -> tuple[Finding, ...]:
    """Check a table, print what is suspicious in it, and return that.

    Parameters
    ----------
    terminal : Terminal
    table : Table
    groups, batch : array of shape (n_samples,) or None
        A batch that cannot be used is an error.
    min_class_size : int or None
        With it, the user knows about small classes.
    **options
        Splits on which the batch alone is scored, as `check_table` has them.

    Returns
    -------
    findings : tuple of Finding
    """
    keep_batch(table, batch, min_class_size)
    findings = _check(
        terminal, table, groups, batch=batch, min_class_size=min_class_size, **options
    )
    if min_class_size is not None:
        findings = tuple(each for each in findings if each.kind != "small_classes")
    return _show(terminal, findings)


def _check(
    terminal: Terminal,
    table: Table,
    groups: Array | None,
    *,
    n_splits: int | None = None,
    **more: Any,
) -> tuple[Finding, ...]:
    with terminal.waiting("checking the data"):
        n_splits = n_splits or default_splits(table.n_samples)
        return check_table(table, groups, n_splits=n_splits, **more)


def _show(terminal: Terminal, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Print findings, and return them."""
    if findings:
        terminal.say("")
        terminal.show([], ([each.severity, f"{each.message}\n{each.advice}"] for each in findings))
        terminal.say("")
    return findings


def show_data(
    terminal: Terminal,
    table: Table,
    impute: str | None,
    groups: Groups | None,
    batch: Groups | None = None,
) -> None:
    """Print how a table was understood, before the work on it starts."""
    sizes = None if groups is None else describe_group_sizes(groups.values, groups.name)
    batches = None if batch is None else describe_batches(batch.values, batch.name)
    data = understand_data(table, impute, groups=sizes, batch=batches)
    terminal.show([], data_lines(data))
    _show_notes(terminal, table)
    terminal.say("")


def _show_notes(terminal: Terminal, table: Table) -> None:
    """Print how the file was read, and which samples were left out."""
    for note in table.notes[:MOST_NOTES]:
        terminal.say(note)


def _show_table(terminal: Terminal, table: Table) -> None:
    """Print how the table was understood."""
    rows = [("samples", f"{table.n_samples:,}"), ("features", f"{table.n_features:,}")]
    if table.y is not None:
        # Nothing fills missing values here.
        rows = data_lines({**describe_data(table), "n_missing": 0})
    if table.n_missing:
        rows.append(("missing values", f"{table.n_missing:,}"))
    terminal.show([], rows)


def _document(table: Table, source: str, findings: Sequence[Finding]) -> str:
    """Return the result for programs."""
    document = {
        "schema_version": 1,
        "source": source,
        "n_samples": table.n_samples,
        "n_features": table.n_features,
        "target": table.target_name,
        "task": table.task,
        "notes": list(getattr(table, "notes", ())),
        "findings": [asdict(each) for each in findings],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
