"""`perturbfs datasets`: what can be used by name, and what is on disk."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from perturbfs.datasets import find_dataset, list_datasets, load_dataset, where

from ._console import Terminal, print_utf8


def run_list(terminal: Terminal) -> None:
    """One line a data set."""
    entries = list_datasets()
    if terminal.json:
        rows = [{**asdict(entry), "on_disk": where(entry.name) is not None} for entry in entries]
        print_utf8(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return
    grid = Grid(
        "name", "samples", "features", "task", "on disk", "what", box=None, padding=(0, 2, 0, 0)
    )
    for entry in entries:
        task = f"{len(entry.classes)} classes" if entry.classes else "quantity"
        samples, features = entry.shape
        grid.add_row(
            entry.name,
            str(samples),
            str(features),
            task,
            "yes" if where(entry.name) else "no",
            entry.title,
        )
    terminal.console.print(grid)
    terminal.say(
        "\nUse one by its name: perturbfs select colon --out result\n"
        "They are looked for in $PERTURBFS_DATA, then in the cache; perturbfs datasets fetch NAME "
        "downloads one\nfrom its publisher where the publisher offers the file."
    )


def run_fetch(terminal: Terminal, name: str) -> None:
    """Download a data set, with a bar."""
    entry = find_dataset(name)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=terminal.errors,
        transient=True,
        disable=terminal.quiet or not terminal.errors.is_terminal,
    )
    with bar:
        task = bar.add_task(entry.name, total=entry.n_bytes)
        load_dataset(
            entry.name, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
    terminal.say(f"{entry.name} is at {where(entry.name)}.\nTerms: {entry.terms}")
