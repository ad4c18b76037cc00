"""What is to be computed for some tables, in pieces that can run beside each other."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array
from perturbfs.datasets import load_dataset
from perturbfs.evaluation import make_selector

from ._honest import honest_run
from ._paper import REFERENCES, PaperTable, load_paper
from ._published import outer_accuracy, published_run
from ._records import Key, Record
from ._splits import run_seeds, shuffle_rows

# RLSR takes as many features as the fewest of these, so they are run together.
COUNTED_RIVALS = ("gbm", "lasso", "lars")
# Training samples of each class where the paper gives them: table fs-svm-split.
TRAIN_COUNTS: dict[str, dict[int, int]] = {
    "leukemia_golub": {1: 24, 2: 13},
    "lung_ad_normal_1000": {1: 70, 2: 9},
    "prostate_singh": {1: 25, 2: 26},
}


@dataclass(frozen=True, slots=True)
class Task:
    """Methods that share work, on one data set."""

    protocol: str
    dataset: str
    family: str  # "pfs-kmeans", "pfs-fuzzy", "random", "all", "rlsr" or a rival
    methods: tuple[str, ...]
    runs: tuple[int, ...]
    random_state: int


def wanted_keys(tables: Iterable[PaperTable], protocol: str, *, quick: bool) -> list[Key]:
    """Everything the tables need under a protocol."""
    paper = load_paper()
    keys = {
        Key(protocol, dataset, method, run)
        for table in tables
        if table.methods
        for dataset in table.datasets.values()
        for method in (*table.methods, *REFERENCES)
        for run in range(paper.n_runs(protocol, dataset, method, quick=quick))
    }
    return sorted(keys)


def plan_tasks(missing: Iterable[Key], random_state: int) -> list[Task]:
    """Group what is missing into tasks, the longest first."""
    grouped: dict[tuple[str, str, str, int], list[Key]] = {}
    for key in sorted(missing):
        family = _family(key.method)
        # A rival selects once on all rows under the published protocol, whatever the split.
        together = key.protocol == "published" and not family.startswith(("pfs", "random"))
        grouped.setdefault(
            (key.protocol, key.dataset, family, -1 if together else key.run), []
        ).append(key)
    tasks = [
        Task(
            protocol,
            dataset,
            family,
            _methods(family, keys),
            tuple(sorted({key.run for key in keys})),
            random_state,
        )
        for (protocol, dataset, family, _), keys in grouped.items()
    ]
    return sorted(tasks, key=_cost, reverse=True)


def run_task(task: Task) -> list[Record]:
    """Compute one task."""
    data = load_dataset(task.dataset)
    counts = TRAIN_COUNTS.get(task.dataset)
    seeds = run_seeds(task.random_state, max(task.runs) + 1)
    start = time.perf_counter()
    if task.protocol == "honest":
        found = [_honest(data.X, data.y, task, run, seeds[run], counts) for run in task.runs]
    elif task.family.startswith(("pfs", "random")):
        found = [_published(data.X, data.y, task, run, seeds[run], counts) for run in task.runs]
    else:
        found = [_published_rivals(data.X, data.y, task, seeds, counts)]
    seconds = round(time.perf_counter() - start, 3)
    return [
        Record(
            protocol=task.protocol,
            dataset=task.dataset,
            method=row.method,
            run=row.run,
            seed=seeds[row.run],
            n_features=row.n_features,
            accuracy=row.accuracy,
            inner_accuracy=row.inner_accuracy,
            inner_n_features=row.inner_n_features,
            seconds=seconds,
        )
        for rows in found
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class _Row:
    """What a run of a method gives."""

    method: str
    run: int
    n_features: int
    accuracy: float
    inner_accuracy: float | None = None
    inner_n_features: int | None = None


def _honest(
    X: Array, y: Array, task: Task, run: int, seed: int, counts: Mapping[int, int] | None
) -> list[_Row]:
    rows: list[_Row] = []
    for method in task.methods:
        features, accuracy = honest_run(
            X,
            y,
            method,
            run=run,
            seed=seed,
            n_features=_size(method, rows),
            train_counts=counts,
        )
        rows.append(_Row(method, run, len(features), accuracy))
    return rows


def _published(
    X: Array, y: Array, task: Task, run: int, seed: int, counts: Mapping[int, int] | None
) -> list[_Row]:
    inners = {method.rpartition("-")[2]: method for method in task.methods}
    found = published_run(
        X,
        y,
        run=run,
        seed=seed,
        clusterer=task.family.rpartition("-")[2],
        inners=list(inners),
        train_counts=counts,
    )
    return [
        _Row(
            inners[inner],
            run,
            each.n_features,
            each.accuracy,
            each.inner_accuracy,
            each.inner_n_features,
        )
        for inner, each in found.items()
    ]


def _published_rivals(
    X: Array, y: Array, task: Task, seeds: Sequence[int], counts: Mapping[int, int] | None
) -> list[_Row]:
    """Select on all rows, as the numbers of features in the paper tell; test on each split.

    FS-SVM selects on the training rows and is tested with its SVM, as its authors do.
    """
    rows: list[_Row] = []
    for method in task.methods:
        size, features = _size(method, rows), None
        for run in task.runs:
            data = shuffle_rows(X, y, np.random.RandomState(seeds[run]), counts)
            if method == "fs-svm":
                features = _select(data.X_train, data.y_train, method, size, seeds[0])
                classifier = "svm"
            else:
                features = _select(X, y, method, size, seeds[0]) if features is None else features
                classifier = "tree"
            accuracy = outer_accuracy(data, features, seeds[run], classifier, is_strict=False)
            rows.append(_Row(method, run, len(features), accuracy))
    return rows


def _size(method: str, rows: Sequence[_Row]) -> int | str:
    """RLSR takes as many features as the fewest of the rivals before it."""
    return min(row.n_features for row in rows) if method == "rlsr" else "auto"


def _select(X: Array, y: Array, method: str, size: int | str, seed: int) -> Array:
    if method == "all":
        return np.arange(X.shape[1])
    selector = make_selector(method, size, random_state=seed)
    return np.asarray(selector.fit(X, y).get_support(indices=True))


def _family(method: str) -> str:
    if method in (*COUNTED_RIVALS, "rlsr"):
        return "rlsr"
    return method.rpartition("-")[0] if method.startswith(("pfs-", "random-")) else method


def _methods(family: str, keys: Sequence[Key]) -> tuple[str, ...]:
    """Methods of a task; RLSR needs those it is counted by before it."""
    if family == "rlsr":
        return (*COUNTED_RIVALS, "rlsr")
    return tuple(dict.fromkeys(key.method for key in keys))


def _cost(task: Task) -> tuple[bool, bool, bool]:
    """Long tasks first, so that no core idles at the end."""
    slow_sets = ("madelon", "lung", "prostate_singh")
    return task.dataset == "madelon", task.dataset in slow_sets, task.family == "pfs-fuzzy"
