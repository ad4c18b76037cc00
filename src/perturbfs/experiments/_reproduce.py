"""`reproduce`: run the experiments that are missing and store their results."""

from __future__ import annotations

import csv
import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from joblib import delayed

from perturbfs._support.files import atomic_path
from perturbfs._support.parallel import run_calls
from perturbfs.datasets import dataset_checksum, find_dataset, load_dataset
from perturbfs.exceptions import DataWarning
from perturbfs.results import versions

from ._paper import PROTOCOLS, PaperTable, load_paper
from ._plan import Key, Record, plan_experiments, run_experiment, wanted_keys
from ._summary import summarize_reproduction

RESULTS, TABLE, SETTINGS = "results.jsonl", "results.csv", "settings.json"


def reproduce(
    directory: str | Path,
    *,
    tables: Sequence[str] = (),
    datasets: Sequence[str] = (),
    protocols: Sequence[str] = PROTOCOLS,
    quick: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    on_plan: Callable[[int], None] | None = None,
    on_experiment: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Compute the paper's tables, or resume an interrupted call.

    Parameters
    ----------
    directory : path
        For the results: ``results.jsonl`` with one line per result, and at the end
        ``results.csv`` and ``settings.json``.
    tables : sequence of str
        Ids of tables; all by default.
    datasets : sequence of str
        Names of data sets; all of the tables by default. Those that cannot be loaded are left
        out, and the summary says why.
    protocols : sequence of {"published", "honest"}
        ``"published"`` chooses on the test rows, as the released program does, so its numbers
        say nothing about new samples. ``"honest"`` uses the test rows only to test.
    quick : bool, default=False
        Two runs of most methods instead of ten or twenty. A full run can resume from there.
    random_state : int, default=0
    n_jobs : int or None
        Experiments in parallel. The results do not depend on it.
    on_plan : callable, optional
        Called with the number of experiments before the first.
    on_experiment : callable, optional
        Called when an experiment is finished and on disk.

    Returns
    -------
    summary : dict
        Tables with the published numbers and ours, and a comparison of the protocols.
    """
    paper = load_paper()
    chosen = [paper.find(table) for table in tables] or list(paper.tables)
    needed = _needed_datasets(chosen, datasets)
    known = [*paper.datasets.values(), *paper.fs_svm_datasets.values()]
    circumstances = {
        "random_state": random_state,
        "versions": versions(),
        "checksums": {name: dataset_checksum(name) for name in known},
    }
    store = Store(Path(directory), circumstances)
    away, notes = _look_for(needed)
    wanted = [
        key
        for protocol in protocols
        for key in wanted_keys(chosen, protocol, quick=quick)
        if key.dataset in needed and key.dataset not in away
    ]
    _compute(store, wanted, random_state, n_jobs, on_plan, on_experiment)
    of_interest = {*needed, *store.datasets}
    shown = [
        table
        for table in chosen
        if not table.methods or of_interest.intersection(table.datasets.values())
    ]
    settings = {
        **circumstances,
        "tables": [table.id for table in shown],
        "protocols": list(protocols),
        "quick": quick,
        "missing_datasets": away,
        "dataset_notes": notes,
    }
    write_records(Path(directory) / TABLE, store.records.values())
    with atomic_path(Path(directory) / SETTINGS) as temporary:
        temporary.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    return summarize_reproduction(shown, protocols, list(store.records.values()), settings)


def _needed_datasets(tables: Iterable[PaperTable], datasets: Sequence[str]) -> list[str]:
    """Return the names of the data sets to run: those of the tables, or those asked for."""
    names = (name for table in tables if table.methods for name in table.datasets.values())
    offered = list(dict.fromkeys(names))
    asked = [find_dataset(name).name for name in datasets]
    for name in asked:
        if name not in offered:
            raise ValueError(
                f"The tables have no results on the data set {name!r}. "
                + (f"Use any of {', '.join(offered)}." if offered else "They need no data.")
            )
    return asked or offered


def _look_for(needed: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return why data sets cannot be loaded, and what is to be known of the others."""
    away, notes = {}, {}
    for name in needed:
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", DataWarning)
                load_dataset(name)
        except (ValueError, OSError) as error:
            away[name] = str(error)
            continue
        said = [str(each.message) for each in caught]
        said += filter(None, [find_dataset(name).unavailable])
        if said:
            notes[name] = " ".join(said)
    return away, notes


def _compute(
    store: Store,
    wanted: Iterable[Key],
    random_state: int,
    n_jobs: int | None,
    on_plan: Callable[[int], None] | None,
    on_experiment: Callable[[], None] | None,
) -> None:
    missing = [key for key in wanted if key not in store.records]
    experiments = plan_experiments(missing, random_state)
    if on_plan is not None:
        on_plan(len(experiments))
    # Unordered, so that a finished experiment is kept at once.
    calls = (delayed(run_experiment)(each) for each in experiments)
    arriving = run_calls(calls, n_jobs=n_jobs, in_order=False, batch_size=1)
    for records in arriving:
        store.add(records)
        if on_experiment is not None:
            on_experiment()


class Store:
    """The records in a directory, and the settings they were made with.

    Parameters
    ----------
    directory : path
        Created if it does not exist.
    circumstances : dict
        Seed, versions and the like. Records with different settings are not mixed.

    Raises
    ------
    ValueError
        If the directory holds records with different settings.
    """

    def __init__(self, directory: Path, circumstances: dict[str, Any]) -> None:
        self.path = directory / RESULTS
        self.records: dict[Key, Record] = {}
        directory.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            self._load(circumstances)
        else:
            with atomic_path(self.path) as temporary:
                temporary.write_text(json.dumps(circumstances) + "\n", encoding="utf-8")

    def add(self, records: Iterable[Record]) -> None:
        """Write the records of a finished experiment to disk."""
        records = list(records)
        text = json.dumps([asdict(record) for record in records], allow_nan=False) + "\n"
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        self.records.update((record.key, record) for record in records)

    @property
    def datasets(self) -> set[str]:
        """Names of the data sets with records."""
        return {key.dataset for key in self.records}

    def _load(self, circumstances: dict[str, Any]) -> None:
        lines = _whole_lines(self.path)
        found = json.loads(next(lines))
        kept = list(lines)
        for line in kept:
            for plain in json.loads(line):
                record = Record(**plain)
                self.records[record.key] = record
        self._compare(found, circumstances)
        if found != circumstances:  # other data, but no records of them
            with atomic_path(self.path) as temporary:
                text = "\n".join([json.dumps(circumstances), *kept]) + "\n"
                temporary.write_text(text, encoding="utf-8")

    def _compare(self, found: dict[str, Any], circumstances: dict[str, Any]) -> None:
        for name, value in circumstances.items():
            before, now = found.get(name), value
            if name == "checksums":
                before = {each: found[name].get(each) for each in self.datasets}
                now = {each: value.get(each) for each in self.datasets}
            if before != now:
                raise ValueError(
                    f"{self.path.parent} holds results of a run with {name} = {before!r}, but "
                    f"now {name} = {now!r}. Name another directory."
                )


def is_reproduction(directory: str | Path) -> bool:
    """Return whether a directory holds results to resume from."""
    return (Path(directory) / RESULTS).is_file()


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write all records as CSV, in the order of their keys."""
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        names = [field.name for field in fields(Record)]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, sorted(records, key=lambda record: record.key)))


def summarize_results(directory: str | Path) -> dict[str, Any]:
    """Return the summary of `reproduce` again, from ``results.csv`` and ``settings.json``."""
    folder, paper = Path(directory), load_paper()
    settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    tables = [paper.find(table) for table in settings["tables"]]
    records = read_records(folder / TABLE)
    return summarize_reproduction(tables, settings["protocols"], records, settings)


def read_records(path: Path) -> list[Record]:
    """Return the records of a file that `write_records` wrote."""
    kinds: dict[str, type] = {"run": int, "seed": int, "n_features": int, "inner_n_features": int}
    kinds |= dict.fromkeys(("accuracy", "inner_accuracy", "seconds"), float)
    records = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values: dict[str, Any] = {
                name: kinds.get(name, str)(text) if text else None for name, text in row.items()
            }
            records.append(Record(**values))
    return records


def _whole_lines(path: Path) -> Iterator[str]:
    """Return the lines of the file; an incomplete last line is removed from it."""
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    if end < len(content):
        with path.open("r+b") as file:
            file.truncate(end)
    yield from content[:end].decode("utf-8").splitlines()
