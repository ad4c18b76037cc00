"""`perturbfs datasets`: list the data sets of the catalogue, and download one."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.progress import DownloadColumn, TimeRemainingColumn

from perturbfs.datasets import find_dataset, list_datasets, load_dataset, where

from ._console import Terminal, print_utf8


def run_list(terminal: Terminal) -> None:
    """Print one line per data set."""
    entries = list_datasets()
    if terminal.json:
        found = [{**asdict(entry), "on_disk": where(entry.name) is not None} for entry in entries]
        print_utf8(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
        return
    rows = (
        [
            entry.name,
            *map(str, entry.shape),
            f"{len(entry.classes)} classes" if entry.classes else "quantity",
            "yes" if where(entry.name) else "no",
            entry.title,
        ]
        for entry in entries
    )
    terminal.show(["name", "samples", "features", "outcome", "on disk", "description"], rows)
    terminal.say(
        "\nUse a data set by its name: perturbfs select colon --out result\n"
        "Its file is looked for in $PERTURBFS_DATA, then in the cache. perturbfs datasets fetch "
        "NAME\ndownloads it, if its publisher offers it."
    )


def run_fetch(terminal: Terminal, name: str) -> None:
    """Download a data set and show a bar."""
    entry = find_dataset(name)
    with terminal.bars(DownloadColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(entry.name, total=entry.n_bytes)
        load_dataset(
            entry.name, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    terminal.say(f"{entry.name} is at {where(entry.name)}.\nTerms: {entry.terms}")
