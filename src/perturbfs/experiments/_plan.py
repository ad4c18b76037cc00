"""The experiments that the tables need, and the records they give; they can run in parallel."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from perturbfs._support.names import Size
from perturbfs.arrays import Array
from perturbfs.datasets import load_dataset
from perturbfs.exceptions import DataWarning

from ._honest import honest_run, select_features
from ._paper import REFERENCES, PaperTable, load_paper
from ._published import outer_accuracy, published_run
from ._splits import run_seeds, shuffle_rows

# RLSR takes the smallest number of features of these, so they are run together.
COUNTED_RIVALS = ("gbm", "lasso", "lars")
# Training samples of each class where the paper gives them: table fs-svm-split.
TRAIN_COUNTS: dict[str, dict[int, int]] = {
    "leukemia_golub": {1: 24, 2: 13},
    "lung_ad_normal_1000": {1: 70, 2: 9},
    "prostate_singh": {1: 25, 2: 26},
}


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """The protocol, data set, method and run of a result."""

    protocol: str
    dataset: str  # name in the catalogue
    method: str
    run: int


@dataclass(frozen=True, slots=True)
class Record:
    """One run of one method on one data set."""

    protocol: str
    dataset: str
    method: str
    run: int
    seed: int
    n_features: int
    accuracy: float | None  # percent; None if the run has no result
    # Only where an inner classifier chose on the test rows; the accuracy in percent.
    inner_accuracy: float | None = None
    inner_n_features: int | None = None
    seconds: float = 0.0  # shared by the methods that were run together

    @property
    def key(self) -> Key:
        """The key of the record."""
        return Key(self.protocol, self.dataset, self.method, self.run)


@dataclass(frozen=True, slots=True)
class Experiment:
    """Methods that share work, on one data set."""

    protocol: str
    dataset: str
    family: str  # "pfs-kmeans", "pfs-fuzzy", "random", "all", "rlsr" or a rival
    methods: tuple[str, ...]
    runs: tuple[int, ...]
    random_state: int

    @property
    def train_counts(self) -> Mapping[int, int] | None:
        """Training samples of each class, where the paper gives them."""
        return TRAIN_COUNTS.get(self.dataset)

    @property
    def seeds(self) -> list[int]:
        """One seed per run, from run 0 to the last of this experiment."""
        return run_seeds(self.random_state, max(self.runs) + 1)

    def record(self, method: str, run: int, n_features: int, accuracy: float) -> Record:
        """Return the record of one run of one method; an accuracy of NaN is no result."""
        seed, known = self.seeds[run], None if math.isnan(accuracy) else accuracy
        return Record(self.protocol, self.dataset, method, run, seed, n_features, known)


def wanted_keys(tables: Iterable[PaperTable], protocol: str, *, quick: bool) -> list[Key]:
    """Return the keys of all results that the tables need under a protocol."""
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


def plan_experiments(missing: Iterable[Key], random_state: int) -> list[Experiment]:
    """Group the missing results into experiments, the longest first."""
    grouped: dict[tuple[str, str, str, int], list[Key]] = {}
    for key in sorted(missing):
        family = _family(key.method)
        # Under the published protocol a rival selects once on all rows, for all splits.
        together = key.protocol == "published" and not family.startswith(("pfs", "random"))
        run = -1 if together else key.run
        grouped.setdefault((key.protocol, key.dataset, family, run), []).append(key)
    experiments = []
    for (protocol, dataset, family, _), keys in grouped.items():
        methods, runs = _methods(family, keys), tuple(sorted({key.run for key in keys}))
        experiments.append(Experiment(protocol, dataset, family, methods, runs, random_state))
    return sorted(experiments, key=_cost, reverse=True)


def run_experiment(experiment: Experiment) -> list[Record]:
    """Run one experiment and return its records."""
    with warnings.catch_warnings():
        # Said once, before the first experiment.
        warnings.simplefilter("ignore", DataWarning)
        data = load_dataset(experiment.dataset)
    start = time.perf_counter()
    if experiment.protocol == "honest":
        run_methods = _honest
    elif experiment.family.startswith(("pfs", "random")):
        run_methods = _published
    else:
        run_methods = _published_rivals
    records = run_methods(data.X, data.y, experiment)
    seconds = round(time.perf_counter() - start, 3)
    return [replace(record, seconds=seconds) for record in records]


def _honest(X: Array, y: Array, experiment: Experiment) -> list[Record]:
    records: list[Record] = []
    for run in experiment.runs:
        done: list[Record] = []
        for method in experiment.methods:
            features, accuracy = honest_run(
                X,
                y,
                method,
                run=run,
                seed=experiment.seeds[run],
                n_features=_size(method, done),
                train_counts=experiment.train_counts,
            )
            done.append(experiment.record(method, run, len(features), accuracy))
        records += done
    return records


def _published(X: Array, y: Array, experiment: Experiment) -> list[Record]:
    inners = {method.rpartition("-")[2]: method for method in experiment.methods}
    records = []
    for run in experiment.runs:
        found = published_run(
            X,
            y,
            run=run,
            seed=experiment.seeds[run],
            clusterer=experiment.family.rpartition("-")[2],
            inners=list(inners),
            train_counts=experiment.train_counts,
        )
        for inner, each in found.items():
            record = experiment.record(inners[inner], run, each.n_features, each.accuracy)
            if each.inner_n_features:
                accuracy, n_features = each.inner_accuracy, each.inner_n_features
                record = replace(record, inner_accuracy=accuracy, inner_n_features=n_features)
            records.append(record)
    return records


def _published_rivals(X: Array, y: Array, experiment: Experiment) -> list[Record]:
    """Select on all rows, as the paper's numbers of features imply; test on each split.

    FS-SVM selects on the training rows and is tested with its SVM, as its authors do.
    """
    seeds = experiment.seeds
    records: list[Record] = []
    for method in experiment.methods:
        size, features = _size(method, records), None
        select = partial(select_features, method=method, run=0, seed=seeds[0], n_features=size)
        classifier = "svm" if method == "fs-svm" else "tree"
        for run in experiment.runs:
            rng = np.random.RandomState(seeds[run])
            data = shuffle_rows(X, y, rng, experiment.train_counts)
            if method == "fs-svm":
                features = select(data.X[data.train], data.y[data.train])
            elif features is None:
                features = select(X, y)
            accuracy = outer_accuracy(data, features, seeds[run], classifier)
            records.append(experiment.record(method, run, len(features), accuracy))
    return records


def _size(method: str, done: Sequence[Record]) -> Size:
    """Return the number to ask for; RLSR takes the smallest number of the rivals before it."""
    return min(record.n_features for record in done) if method == "rlsr" else "auto"


def _family(method: str) -> str:
    if method in (*COUNTED_RIVALS, "rlsr"):
        return "rlsr"
    return method.rpartition("-")[0] if method.startswith(("pfs-", "random-")) else method


def _methods(family: str, keys: Sequence[Key]) -> tuple[str, ...]:
    """Return the methods of an experiment; RLSR comes after those that set its number."""
    if family == "rlsr":
        return (*COUNTED_RIVALS, "rlsr")
    return tuple(dict.fromkeys(key.method for key in keys))


def _cost(experiment: Experiment) -> tuple[bool, bool, bool]:
    """Return a sort key: long experiments first, so that no core idles at the end."""
    slow_sets = ("madelon", "lung", "prostate_singh")
    return (
        experiment.dataset == "madelon",
        experiment.dataset in slow_sets,
        experiment.family == "pfs-fuzzy",
    )
