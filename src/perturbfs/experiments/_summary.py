"""The tables and the comparison of the protocols, as plain values for a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

import numpy as np

from perturbfs.datasets import find_dataset

from ._cells import Cell, exact_cell, honest_cell, published_cell
from ._counts import count_fits, count_verdicts
from ._paper import Column, PaperTable, Published, load_paper
from ._plan import TRAIN_COUNTS, Record
from ._splits import TRAIN_SHARE
from ._synth_tables import synth_rows

METHOD_NAMES = {
    "gbm": "GBM",
    "lasso": "LASSO",
    "lars": "LARS",
    "rlsr": "RLSR",
    "hsic-lasso": "HSIC-Lasso",
    "fs-svm": "FS-SVM",
    "pfs-kmeans-tree": "PFS-DT",
    "pfs-kmeans-svm": "PFS-SVM",
    "pfs-kmeans-knn": "PFS-kNN",
    "pfs-fuzzy-tree": "PFS-DT, fuzzy",
    "pfs-fuzzy-svm": "PFS-SVM, fuzzy",
    "pfs-fuzzy-knn": "PFS-kNN, fuzzy",
    "random-tree": "random subsets",
    "all": "all features",
}
QUANTITY_NAMES = {"n_features": "features", "accuracy": "accuracy", "measure": "measure"}


def summarize_reproduction(
    tables: Sequence[PaperTable],
    protocols: Sequence[str],
    records: Sequence[Record],
    settings: dict[str, Any],
) -> dict[str, Any]:
    """Return the tables and the comparison of the protocols as plain values.

    Parameters
    ----------
    tables : sequence of PaperTable
    protocols : sequence of str
    records : sequence of Record
    settings : dict
        Seed, versions, checksums.

    Returns
    -------
    summary : dict
        With ``story`` (one row per data set: published, reproduced, random subsets under the
        same protocol, honest, honest random subsets, all features), ``tables``, ``verdicts``
        (counts by protocol, each comparison once), ``fits`` (how often the outer tree and the
        inner classifier agree with the published values), ``targets`` (PFS-DT on each data set,
        and why a target is missed), ``notes``, ``other_runs`` (methods with another number of
        runs, and why) and ``settings``. Values are strings and numbers only.
    """
    found = _by_key(records)
    shown = [
        _show(table, protocol, found, settings)
        for protocol in protocols
        for table in tables
        if table.methods or protocol == protocols[0]
    ]
    paper = load_paper()
    return {
        "citation": paper.citation,
        "tolerance": paper.tolerance,
        "story": _story(found),
        "tables": shown,
        "verdicts": count_verdicts(shown),
        "fits": count_fits(shown),
        "targets": _targets(found),
        "notes": list(paper.notes),
        "other_runs": list(paper.other_runs),
        "settings": settings,
    }


_Found = dict[tuple[str, str, str], list[Record]]


def _by_key(records: Sequence[Record]) -> _Found:
    found: _Found = {}
    for record in sorted(records, key=lambda record: record.key):
        found.setdefault((record.protocol, record.dataset, record.method), []).append(record)
    return found


def _show(
    table: PaperTable, protocol: str, found: _Found, settings: dict[str, Any]
) -> dict[str, Any]:
    """Return one table with our numbers."""
    if table.id.startswith("synth-"):
        rows = synth_rows(table, settings["random_state"])
    elif not table.methods:
        rows = {name: _specification(table, name) for name in table.rows}
    else:
        rows = {name: _measured(table, name, protocol, found) for name in table.rows}
    return {
        "id": table.id,
        "title": table.title,
        "note": table.note,
        "protocol": protocol if table.methods else "",
        "columns": [{"name": _column_name(each), **asdict(each)} for each in _columns(table)],
        "rows": [
            {
                "name": name,
                "dataset": table.datasets.get(name, name),
                "cells": [asdict(cell) for cell in cells],
            }
            for name, cells in rows.items()
        ],
    }


def _columns(table: PaperTable) -> list[Column]:
    """Return the paper's columns, and for accuracies random subsets and all features."""
    columns = list(table.columns)
    if any(column.quantity == "accuracy" for column in columns):
        columns.append(Column("random-tree", "accuracy"))
        columns.append(Column("all", "accuracy"))
    return columns


def _column_name(column: Column) -> str:
    name = METHOD_NAMES.get(column.method, column.method.replace("_", " "))
    if column.method == "specification":
        return column.quantity
    quantity = QUANTITY_NAMES.get(column.quantity)
    return name if quantity is None else f"{name}, {quantity}"


def _measured(table: PaperTable, row: str, protocol: str, found: _Found) -> list[Cell]:
    dataset = table.datasets[row]
    chance = found.get((protocol, dataset, "random-tree"), [])
    cells = []
    for column, number in zip_longest(_columns(table), table.rows[row]):
        records = found.get((protocol, dataset, column.method), [])
        if protocol == "published":
            cells.append(_published(column, number, records))
        else:
            share = _test_share(dataset)
            cells.append(honest_cell(number, records, chance, column.quantity, share))
    return cells


def _published(column: Column, number: Published | None, records: Sequence[Record]) -> Cell:
    # The published numbers of PFS-SVM and PFS-kNN fit the inner classifier: see `count_fits`.
    return published_cell(
        number,
        records,
        column.quantity,
        load_paper().tolerance,
        judge_inner=column.method.startswith("pfs-") and not column.method.endswith("-tree"),
    )


def _test_share(dataset: str) -> float:
    """Return test samples over training samples of a split."""
    if dataset not in TRAIN_COUNTS:
        return (1 - TRAIN_SHARE) / TRAIN_SHARE
    n_train = sum(TRAIN_COUNTS[dataset].values())
    return (find_dataset(dataset).shape[0] - n_train) / n_train


def _specification(table: PaperTable, row: str) -> list[Cell]:
    entry = find_dataset(table.datasets[row])
    if table.id == "datasets":
        values = list(entry.shape)
    else:
        train = TRAIN_COUNTS[entry.name]
        counts = {each.label: each.n_samples for each in entry.classes}
        # The paper numbers the classes of Lung the other way round.
        labels = sorted(train, reverse=entry.name == "lung_ad_normal_1000")
        values = [*(train[label] for label in labels)]
        values += [counts[label] - train[label] for label in labels]
    return [
        exact_cell(number, value)
        for number, value in zip(table.rows[row], values, strict=True)
        if number is not None
    ]


def _story(found: _Found) -> list[dict[str, Any]]:
    """Return the comparison of the protocols for decision tree and k-means."""
    table = load_paper().find("kmeans-accuracy")
    place = [column.method for column in table.columns].index("pfs-kmeans-tree")
    wanted = {
        "reproduced": ("published", "pfs-kmeans-tree"),
        "random_published": ("published", "random-tree"),
        "honest": ("honest", "pfs-kmeans-tree"),
        "random_honest": ("honest", "random-tree"),
        "all_honest": ("honest", "all"),
    }
    story = []
    for row, dataset in table.datasets.items():
        number = table.rows[row][place]
        line: dict[str, Any] = {"dataset": row, "published": number and number.mean}
        for name, (protocol, method) in wanted.items():
            records = found.get((protocol, dataset, method), [])
            accuracies = [each.accuracy for each in records if each.accuracy is not None]
            line[name] = float(np.mean(accuracies)) if accuracies else None
        story.append(line)
    return story


def _targets(found: _Found) -> list[dict[str, Any]]:
    """Return PFS-DT with k-means against both targets, and why one is missed."""
    paper = load_paper()
    lines = []
    for row, dataset in paper.datasets.items():
        line: dict[str, Any] = {"dataset": row}
        records = found.get(("published", dataset, "pfs-kmeans-tree"), [])
        for quantity in ("n_features", "accuracy"):
            table = paper.find("kmeans-accuracy" if quantity == "accuracy" else "kmeans-features")
            column = Column("pfs-kmeans-tree", quantity)
            number = table.rows[row][table.columns.index(column)]
            line[quantity] = asdict(_published(column, number, records))
        verdicts = {line[quantity]["verdict"] for quantity in ("n_features", "accuracy")}
        line["why"] = "" if verdicts <= {"agrees", "not run"} else paper.misses.get(row, "")
        lines.append(line)
    return lines
