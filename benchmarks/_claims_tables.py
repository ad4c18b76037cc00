"""Claims of the paper that its own tables and our reproduction of them can decide.

Every function returns rows of (data, quantity, value).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from _claims_theory import Row
from scipy.stats import hypergeom

from perturbfs.evaluation import compare_paired
from perturbfs.experiments import load_paper
from perturbfs.experiments._paper import Paper
from perturbfs.experiments._summary import _test_share

KEPT = Path(__file__).resolve().parents[1] / "docs" / "reproduction" / "results.csv"
INNERS = {"tree": "PFS-DT", "svm": "PFS-SVM", "knn": "PFS-kNN"}
RIVALS = ("gbm", "lasso", "lars", "rlsr", "hsic-lasso")
N_SIMULATIONS = 500


def _published(quantity: str, method: str) -> list[float | None]:
    """Return the published means of a method, one per data set."""
    paper = load_paper()
    fuzzy = "fuzzy" in method
    name = "fuzzy" if fuzzy else {"n_features": "kmeans-features"}.get(quantity, "kmeans-accuracy")
    table = paper.find(name)
    place = [(each.method, each.quantity) for each in table.columns].index((method, quantity))
    cells = [table.rows[row][place] for row in paper.datasets]
    return [each and (each.single if each.mean is None else each.mean) for each in cells]


def _ours(protocol: str, quantity: str, method: str) -> list[float]:
    """Return our means of a method, one per data set; NaN where it was not run."""
    with KEPT.open(newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if (row["protocol"], row["method"]) == (protocol, method)
            and row[quantity] not in ("", "0")
        ]
    values = {name: [] for name in load_paper().datasets.values()}
    for row in rows:
        if row["dataset"] in values:
            values[row["dataset"]].append(float(row[quantity]))
    return [float(np.mean(each)) if each else math.nan for each in values.values()]


def classifiers() -> Iterator[Row]:
    """Means over the eight sets by inner classifier and by clustering."""
    for clusterer, inner in product(("kmeans", "fuzzy"), INNERS):
        method, name = f"pfs-{clusterer}-{inner}", f"{INNERS[inner]}, {clusterer}"
        for quantity in ("accuracy", "n_features"):
            yield name, f"{quantity}, published", float(np.mean(_published(quantity, method)))
            sources = [("published", quantity, "ours, outer tree"), ("honest", quantity, "honest")]
            if inner != "tree":
                sources.append(("published", f"inner_{quantity}", "ours, inner classifier"))
            for protocol, column, label in sources:
                yield name, f"{quantity}, {label}", float(np.mean(_ours(protocol, column, method)))
    for method in (*RIVALS, "random-tree", "all"):
        values = _ours("honest", "accuracy", method)
        yield method, "accuracy, honest", float(np.nanmean(values))


def clusterings() -> Iterator[Row]:
    """On how many of the eight sets the measure is better by k-means than by fuzzy c-means."""
    quantities = ("accuracy", "n_features")
    printed = load_paper().find("measure").rows.values()
    for place, (inner, name) in enumerate(INNERS.items()):
        methods = [f"pfs-{clusterer}-{inner}" for clusterer in ("kmeans", "fuzzy")]
        prefix = "" if inner == "tree" else "inner_"
        pairs = {
            "printed": np.transpose(
                [[row[p].single for p in (place, place + 3)] for row in printed]
            ),
            "published means": [
                np.divide(*(_published(q, m) for q in quantities)) for m in methods
            ],
            "ours, inner classifier": [
                np.divide(*(_ours("published", prefix + q, m) for q in quantities))
                for m in methods
            ],
            "honest": [np.divide(*(_ours("honest", q, m) for q in quantities)) for m in methods],
        }
        for label, (kmeans, fuzzy) in pairs.items():
            yield (
                name,
                f"sets of 8 with the better measure by k-means, {label}",
                int(np.sum(np.asarray(kmeans) > np.asarray(fuzzy))),
            )


def fraction() -> Iterator[Row]:
    """PFS against each rival: features and accuracy, on how many sets."""
    for inner, rival in product(INNERS, RIVALS):
        name = f"{INNERS[inner]} against {rival}"
        pairs = {
            quantity: [
                (ours, theirs)
                for ours, theirs in zip(
                    _published(quantity, f"pfs-kmeans-{inner}"),
                    _published(quantity, rival),
                    strict=True,
                )
                if theirs is not None
            ]
            for quantity in ("n_features", "accuracy")
        }
        yield name, "sets", len(pairs["accuracy"])
        yield (
            name,
            "sets with fewer features, published",
            sum(a < b for a, b in pairs["n_features"]),
        )
        yield (
            name,
            "sets with at least its accuracy, published",
            sum(a >= b for a, b in pairs["accuracy"]),
        )


def fs_svm() -> Iterator[Row]:
    """PFS-DT against FS-SVM: published, and ours without a leak."""
    table = load_paper().find("fs-svm")
    with KEPT.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["protocol"] == "honest"]
    for title, dataset in load_paper().fs_svm_datasets.items():
        for column, cell in zip(table.columns, table.rows[title], strict=True):
            published = cell.single if cell.mean is None else cell.mean
            yield title, f"{column.quantity}, {column.method}, published", published
            ours = [
                float(row[column.quantity])
                for row in rows
                if (row["dataset"], row["method"]) == (dataset, column.method)
            ]
            yield title, f"{column.quantity}, {column.method}, honest", float(np.mean(ours))
        by_method = [
            {
                row["run"]: float(row["accuracy"])
                for row in rows
                if (row["dataset"], row["method"]) == (dataset, method)
            }
            for method in ("fs-svm", "pfs-kmeans-tree")
        ]
        common = sorted(by_method[0].keys() & by_method[1].keys())
        pairs = [[each[run] for run in common] for each in by_method]
        found = compare_paired(*np.array(pairs), test_share=_test_share(dataset))
        yield title, "common splits", len(common)
        yield title, "accuracy, FS-SVM minus PFS-DT on common splits", found.mean
        yield title, "low end of its 95 % interval", found.low
        yield title, "high end of its 95 % interval", found.high


def measures() -> Iterator[Row]:
    """Published measures that do not follow from the published means.

    A mean of ten numbers of features has one decimal and is exact; accuracies and measures are
    rounded to two decimals.
    """
    table = load_paper().find("measure")
    off = 0
    for place, column in enumerate(table.columns):
        accuracies, counts = (_published(q, column.method) for q in ("accuracy", "n_features"))
        for cells, accuracy, count in zip(table.rows.values(), accuracies, counts, strict=True):
            printed = cells[place].single
            low, high = (accuracy - 0.005) / count, (accuracy + 0.005) / count
            off += not (low <= printed + 0.005 and printed - 0.005 <= high)
    yield "48 cells", "measures that do not follow beyond rounding", off


def one_split() -> Iterator[Row]:
    """Whether published numbers can be of one split of the rows.

    With n1 and n2 test rows of two classes every accuracy is a multiple of 50 / n1 plus a
    multiple of 50 / n2, and so is ten times a mean of ten runs, if the rows are not shuffled
    between the runs.
    """
    paper = load_paper()
    sizes = {"LSVT Voice": (42, 84), "Colon": (40, 22), "Leukemia": (47, 25), "ALLAML": (47, 25)}
    rng = np.random.default_rng(0)
    for (row, counts), methods in product(sizes.items(), (("svm", "knn"), ("tree",))):
        values = _printed(paper, row, methods)
        name = f"{row}, {' and '.join(INNERS[each] for each in methods)}"
        n_test = math.ceil(0.3 * sum(counts))
        best, first = _best_split(values, n_test)
        yield name, f"numbers of {len(values)} that one split explains", best
        yield name, f"its test rows of class 1, of {n_test}", first
        simulated = [
            _best_split(_shuffled_values(counts, n_test, values, rng), n_test)[0]
            for _ in range(N_SIMULATIONS)
        ]
        share = float(np.mean(np.array(simulated) >= best))
        yield name, "share of simulated tables with shuffled rows that reach it", share
    absent = hypergeom.pmf(0, 203, 6, 61)
    yield "Lung", "chance that a random split tests no sample of the class of six", float(absent)
    yield "Lung", "chance that none of the 40 runs of SVM and kNN does", float((1 - absent) ** 40)


def _printed(paper: Paper, row: str, inners: tuple[str, ...]) -> list[tuple[float, int]]:
    """Return optimal accuracies and means, with their numbers of runs."""
    values = []
    for table in (paper.find("kmeans-accuracy"), paper.find("fuzzy")):
        for column, cell in zip(table.columns, table.rows[row], strict=True):
            if column.method.startswith("pfs-") and (
                column.quantity == "accuracy" and column.method.endswith(inners)
            ):
                values += [(cell.optimal, 1), (cell.mean, 10)]
    return values


def _best_split(values: list[tuple[float, int]], n_test: int) -> tuple[int, int]:
    """Return how many values the best split explains, and its test rows of class 1."""
    found = [
        (sum(_is_possible(value, runs, first, n_test - first) for value, runs in values), first)
        for first in range(4, n_test - 3)
    ]
    return max(found)


def _is_possible(value: float, n_runs: int, first: int, second: int) -> bool:
    """Return whether sums of recalls give a value, rounded or cut to two decimals."""
    recalls = np.arange(n_runs * first + 1) / first
    rest = (value * n_runs / 50 - recalls) * second
    nearest = np.clip(np.round(rest), 0, n_runs * second)
    possible = 50 / n_runs * (recalls + nearest / second)
    return bool(np.min(np.abs(possible - value)) <= 0.0101)


def _shuffled_values(counts, n_test: int, values, rng) -> list[tuple[float, int]]:
    """Return values as they would be with new rows in every run, at the published level."""
    found = []
    for value, n_runs in values:
        accuracies = []
        for _ in range(n_runs):
            first = np.clip(rng.hypergeometric(*counts, n_test), 1, n_test - 1)
            hits = rng.binomial([first, n_test - first], min(value / 100, 0.99))
            accuracies.append(50 * np.sum(hits / [first, n_test - first]))
        found.append((round(float(np.mean(accuracies)), 2), n_runs))
    return found
