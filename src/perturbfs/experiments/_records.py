"""Results on disk, one line per finished run, so that an interrupted run can resume."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from perturbfs._support.files import atomic_path

RESULTS = "results.jsonl"


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
    accuracy: float  # percent
    inner_accuracy: float | None  # percent; only where an inner classifier chose on the test rows
    inner_n_features: int | None
    seconds: float  # shared by the methods that were run together

    @property
    def key(self) -> Key:
        """The key of the record."""
        return Key(self.protocol, self.dataset, self.method, self.run)


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

    def _load(self, circumstances: dict[str, Any]) -> None:
        lines = _whole_lines(self.path)
        found = json.loads(next(lines))
        for name, value in circumstances.items():
            if found.get(name) != value:
                raise ValueError(
                    f"{self.path.parent} holds results of a run with {name} = "
                    f"{found.get(name)!r}, but now {name} = {value!r}. Name another directory."
                )
        for line in lines:
            for plain in json.loads(line):
                record = Record(**plain)
                self.records[record.key] = record


def is_reproduction(directory: str | Path) -> bool:
    """Return whether a directory holds results to resume from."""
    return (Path(directory) / RESULTS).is_file()


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write all records as CSV, in the order of their keys."""
    names = [field.name for field in fields(Record)]
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for record in sorted(records, key=lambda record: record.key):
            writer.writerow(["" if (v := getattr(record, n)) is None else v for n in names])


def _whole_lines(path: Path) -> Iterator[str]:
    """Return the lines of the file; an incomplete last line is removed from it."""
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    if end < len(content):
        with path.open("r+b") as file:
            file.truncate(end)
    yield from content[:end].decode("utf-8").splitlines()
