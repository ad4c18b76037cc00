"""`perturbfs reproduce`: the paper's tables under both protocols."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table as Grid

from perturbfs._support.files import atomic_path, check_free
from perturbfs.experiments import PROTOCOLS, is_reproduction, load_paper, reproduce
from perturbfs.report import render_reproduction, render_reproduction_markdown, story_figure

from ._cluster import HERE, ClusterOptions, spread_calls
from ._console import Terminal, WrongUseError, print_utf8

SUMMARY = "reproduction.json"
_STORY = {
    "published": "published",
    "reproduced": "reproduced (leaks)",
    "random_published": "random (leaks)",
    "honest": "honest",
    "random_honest": "random",
    "all_honest": "all features",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproduceRequest:
    """What `perturbfs reproduce` was asked for."""

    tables: tuple[str, ...]
    protocol: str
    out: str
    quick: bool
    random_state: int
    jobs: int
    force: bool
    cluster: ClusterOptions = HERE


def run_reproduce(terminal: Terminal, request: ReproduceRequest) -> None:
    """Run what is missing, write the pages and show the story."""
    try:
        for table in request.tables:
            load_paper().find(table)
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    # A directory of an earlier run is gone on with; anything else in it is not ours.
    check_free(request.out, force=request.force or is_reproduction(request.out))
    with (
        spread_calls(request.cluster) as where,
        terminal.counting("experiments") as (set_total, advance),
    ):
        try:
            summary = reproduce(
                request.out,
                tables=request.tables,
                protocols=PROTOCOLS if request.protocol == "both" else (request.protocol,),
                quick=request.quick,
                random_state=request.random_state,
                n_jobs=request.jobs,
                on_plan=set_total,
                on_experiment=advance,
            )
        except KeyboardInterrupt as error:
            raise KeyboardInterrupt(
                f"Stopped. What was finished is kept in {request.out}; the same command goes on "
                "from there."
            ) from error
    write_reproduction(Path(request.out), summary)
    _show(terminal, summary, request.out)
    if where:
        terminal.say(where)
    if terminal.json:
        print_utf8(json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_reproduction(folder: Path, summary: dict[str, Any]) -> None:
    """The summary as JSON, Markdown, page and figure."""
    contents = {
        SUMMARY: json.dumps(summary, indent=1, allow_nan=False) + "\n",
        "story.svg": story_figure(summary),
        "reproduction.md": render_reproduction_markdown(summary),
        "reproduction.html": render_reproduction(summary),
    }
    for name, text in contents.items():
        with atomic_path(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


def _show(terminal: Terminal, summary: dict[str, Any], out: str) -> None:
    shown = {
        name: label
        for name, label in _STORY.items()
        if any(row[name] is not None for row in summary["story"])
    }
    if set(shown) - {"published"}:
        grid = Grid("PFS-DT, accuracy", *shown.values(), box=None, padding=(0, 2, 0, 0))
        for row in summary["story"]:
            cells = ("-" if row[name] is None else f"{row[name]:.1f}" for name in shown)
            grid.add_row(row["dataset"], *cells)
        terminal.console.print(grid)
        terminal.say(
            "\n(leaks): chosen on the rows it is tested on, as in the released program.\n"
        )
    for protocol, counts in summary["verdicts"].items():
        text = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        terminal.say(f"{protocol}: {text}")
    for name, why in summary["settings"]["missing_datasets"].items():
        terminal.say(f"left out {name}: {why}")
    terminal.say(
        f"\nWritten to {out}: reproduction.html, reproduction.md, story.svg, results.csv, "
        "reproduction.json."
    )
