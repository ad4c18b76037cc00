"""The published values and the experiments to run, read from `paper.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

PROTOCOLS = ("published", "honest")
RIVALS = ("gbm", "lasso", "lars", "rlsr", "hsic-lasso", "fs-svm")
# Every comparison also needs random subsets and all features.
REFERENCES = ("random-tree", "all")


@dataclass(frozen=True, slots=True)
class Published:
    """A number the paper prints."""

    mean: float | None  # over ten runs
    optimal: float | None  # of the run with the best accuracy per feature
    single: float | None  # of the only run


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its method and its quantity."""

    method: str
    quantity: str  # "n_features", "accuracy", "measure", or what a specification counts


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table as printed."""

    id: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: dict[str, tuple[Published | None, ...]]

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods to run; none for tables of specifications and of SynthData."""
        return tuple(
            dict.fromkeys(
                column.method
                for column in self.columns
                if column.method in RIVALS or column.method.startswith("pfs-")
            )
        )

    @property
    def datasets(self) -> dict[str, str]:
        """Map the names of the rows to those of the catalogue."""
        paper = load_paper()
        chosen = paper.fs_svm_datasets if self.id.startswith("fs-svm") else paper.datasets
        return {row: chosen[row] for row in self.rows if row in chosen}


@dataclass(frozen=True, slots=True)
class Paper:
    """All tables, tolerances and numbers of runs."""

    citation: str
    tolerance: dict[str, float]  # points for accuracies, shares for the others
    datasets: dict[str, str]
    fs_svm_datasets: dict[str, str]
    tables: tuple[PaperTable, ...]
    notes: tuple[dict[str, str], ...]  # what to know before comparing, by title
    misses: dict[str, str]  # why PFS-DT misses a target, by data set
    runs: dict[str, dict[str, int]]
    other_runs: tuple[dict[str, Any], ...]

    def find(self, table: str) -> PaperTable:
        """Return the table with an id."""
        for each in self.tables:
            if each.id == table:
                return each
        known = ", ".join(each.id for each in self.tables)
        raise ValueError(f"The paper has no table {table!r}. Use one of {known}.")

    def n_runs(self, protocol: str, dataset: str, method: str, *, quick: bool) -> int:
        """Return how often a method is run on a data set."""
        kind = "quick_runs" if quick else "runs"
        found = self._exception(protocol, dataset, method)
        return int(self.runs[kind][protocol] if found is None else found[kind])

    def _exception(self, protocol: str, dataset: str, method: str) -> dict[str, Any] | None:
        asked = {"protocol": protocol, "dataset": dataset, "method": method}
        fitting = (
            each
            for each in self.other_runs
            if all(fnmatchcase(value, each[name]) for name, value in asked.items())
        )
        # A rule for one data set goes before a rule for all.
        return min(fitting, key=lambda each: bool(each["dataset"] == "*"), default=None)


@cache
def load_paper() -> Paper:
    """Return the content of `paper.json`."""
    text = files("perturbfs.experiments").joinpath("paper.json").read_text(encoding="utf-8")
    plain = json.loads(text)
    return Paper(
        citation=f"{plain['authors']}, {plain['title']}, {plain['journal']}",
        tolerance=plain["tolerance"],
        datasets=plain["datasets"],
        fs_svm_datasets=plain["fs_svm_datasets"],
        tables=tuple(_table(each) for each in plain["tables"]),
        notes=tuple(plain["notes"]),
        misses=plain["misses"],
        runs={kind: plain[kind] for kind in ("runs", "quick_runs")},
        other_runs=tuple(plain["other_runs"]),
    )


def _table(plain: dict[str, Any]) -> PaperTable:
    columns = tuple(Column(*column) for column in plain["columns"])
    rows = {name: tuple(map(_number, cells)) for name, cells in plain["rows"].items()}
    return PaperTable(plain["id"], plain["title"], plain["note"], columns, rows)


def _number(plain: Any) -> Published | None:
    """Return a published value: a list holds the optimal run and the mean."""
    if plain is None:
        return None
    if isinstance(plain, list):
        optimal, mean = plain
        return Published(mean=mean, optimal=optimal, single=None)
    return Published(mean=None, optimal=None, single=plain)
