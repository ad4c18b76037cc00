"""The tables and the comparison of the protocols, as plain values for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

import numpy as np

from perturbfs.arrays import Array
from perturbfs.datasets import find_dataset, make_synth_data
from perturbfs.paper import characterize

from ._cells import Cell, exact_cell, honest_cell, published_cell, range_cell
from ._paper import Column, PaperTable, load_paper
from ._plan import TRAIN_COUNTS, Record
from ._splits import TRAIN_SHARE

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
N_DRAWS = 1000  # of SynthData, because the authors' draw is unknown
LOWER_DIVISOR, UPPER_DIVISOR = 1e6, 1e5  # c_l and c_u of the paper
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
        (counts by protocol), ``other_runs`` (methods with another number of runs, and why) and
        ``settings``. Values are strings and numbers only.
    """
    found = _by_key(records)
    shown = [
        _show(table, protocol, found, settings)
        for protocol in protocols
        for table in tables
        if table.methods or protocol == protocols[0]
    ]
    return {
        "citation": load_paper().citation,
        "tolerance": load_paper().tolerance,
        "story": _story(found),
        "tables": shown,
        "verdicts": _count_verdicts(shown),
        "other_runs": list(load_paper().other_runs),
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
        rows = _synth_rows(table, settings["random_state"])
    elif not table.methods:
        rows = {name: _specification(table, name) for name in table.rows}
    else:
        rows = {name: _measured(table, name, protocol, found) for name in table.rows}
    return {
        "id": table.id,
        "title": table.title,
        "note": table.note,
        "protocol": protocol if table.methods else "",
        "columns": [_column_name(column) for column in _columns(table)],
        "rows": [
            {"name": name, "cells": [asdict(cell) for cell in cells]}
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
            tolerance = load_paper().tolerance
            cells.append(published_cell(number, records, column.quantity, tolerance))
        else:
            share = _test_share(dataset)
            cells.append(honest_cell(number, records, chance, column.quantity, share))
    return cells


def _test_share(dataset: str) -> float:
    """Return test samples over training samples of a split."""
    if dataset not in TRAIN_COUNTS:
        return (1 - TRAIN_SHARE) / TRAIN_SHARE
    n_train = sum(TRAIN_COUNTS[dataset].values())
    return (find_dataset(dataset).shape[0] - n_train) / n_train


def _synth_rows(table: PaperTable, random_state: int) -> dict[str, list[Cell]]:
    draws = synth_tables(random_state)[table.id]
    return {
        name: [
            range_cell(number, draws[:, row, column])
            for column, number in enumerate(numbers)
            if number is not None
        ]
        for row, (name, numbers) in enumerate(table.rows.items())
    }


def synth_tables(random_state: int, n_draws: int = N_DRAWS) -> dict[str, Array]:
    """Return the values of the tables' cells in each draw.

    Parameters
    ----------
    random_state : int
    n_draws : int

    Returns
    -------
    values : dict of str to array of shape (n_draws, n_rows, n_columns)
        By the id of the table. Coefficients have no sign here: the sign of a perturbed one
        depends on the draw, and the paper prints some differences with the opposite sign.
    """
    draws: dict[str, list[Array]] = {}
    rng = np.random.RandomState(random_state)
    for _ in range(n_draws):
        for table, values in _one_draw(rng):
            draws.setdefault(table, []).append(values)
    return {table: np.stack(values) for table, values in draws.items()}


def _one_draw(rng: np.random.RandomState) -> Iterator[tuple[str, Array]]:
    X, y = make_synth_data(random_state=rng)
    row_noise = rng.uniform(size=len(y))
    found = characterize(X, y, row_noise=row_noise)
    perturbed = _perturbed_coefficients(X, y, row_noise)
    columns = [np.abs(found.coefficients), np.abs(perturbed), found.sensitivity]
    yield "synth-perturbation", np.stack([np.ravel(column) for column in columns], axis=1)
    yield "synth-angles", found.angle_to_target[:, None]
    yield "synth-without", found.angle_without[:, None]


def _perturbed_coefficients(X: Array, y: Array, row_noise: Array) -> Array:
    """Return the perturbed coefficients; `characterize` returns only how far they move."""
    N = X / np.linalg.norm(X, axis=0)
    low, high = N.min(axis=0) / LOWER_DIVISOR, N.max(axis=0) / UPPER_DIVISOR
    E = low + np.outer(row_noise, high - low)
    solution: Array = np.linalg.lstsq(N + E, y, rcond=None)[0]
    return solution


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
            accuracies = [record.accuracy for record in records]
            line[name] = float(np.mean(accuracies)) if accuracies else None
        story.append(line)
    return story


def _count_verdicts(tables: Sequence[dict[str, Any]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for table in tables:
        mine = counts.setdefault(table["protocol"] or "no protocol", {})
        for row in table["rows"]:
            for cell in row["cells"]:
                if cell["verdict"]:
                    kind = cell["verdict"].partition(":")[0]
                    kind = kind.partition(" ")[0] if kind.startswith(("in", "out")) else kind
                    mine[kind] = mine.get(kind, 0) + 1
    return counts
