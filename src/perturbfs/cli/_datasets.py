"""`perturbfs datasets`: list the data sets of the catalogue, and download one."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.progress import DownloadColumn, TimeRemainingColumn

from perturbfs.datasets import CatalogueEntry, find_dataset, list_datasets, load_dataset, where

from ._console import Terminal, print_utf8

_COLUMNS = ("name", "samples", "features", "outcome", "on disk", "description")
_HEADINGS = {
    "paper": "The sets of the paper",
    "fs-svm": "The sets of its comparison with FS-SVM",
    "regression": "Sets for regression",
    "fresh": "Fresh sets, for evaluation only: no setting was chosen on them",
}


def run_list(terminal: Terminal) -> None:
    """Print one line per data set."""
    entries = list_datasets()
    if terminal.json:
        found = [{**asdict(entry), "on_disk": where(entry.name) is not None} for entry in entries]
        print_utf8(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
        return
    for collection, heading in _HEADINGS.items():
        rows = (_row(entry) for entry in entries if entry.collection == collection)
        terminal.say(f"{heading}\n")
        terminal.show(_COLUMNS, rows)
        terminal.say("")
    for entry in entries:
        if entry.unavailable:
            terminal.say(f"{entry.name}: {entry.unavailable}\n")
    terminal.say(
        "Use a data set by its name: perturbfs select colon --out result\n"
        "Its file is looked for in $PERTURBFS_DATA, then in the cache. perturbfs datasets fetch "
        "NAME downloads it.\n"
        "A file of your own is used with a warning: write the features and, as last column, the "
        "outcome to NAME.csv, one row per sample, without a header."
    )


def _row(entry: CatalogueEntry) -> list[str]:
    return [
        entry.name,
        *map(str, entry.shape),
        f"{len(entry.classes)} classes" if entry.classes else "quantity",
        "yes" if where(entry.name) else "no",
        entry.title,
    ]


def run_fetch(terminal: Terminal, name: str) -> None:
    """Download a data set and show a bar."""
    entry = find_dataset(name)
    with terminal.bars(DownloadColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(entry.name, total=None)
        load_dataset(
            entry.name, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    terminal.say(f"{entry.name} is at {where(entry.name)}.\nTerms: {entry.terms}")
