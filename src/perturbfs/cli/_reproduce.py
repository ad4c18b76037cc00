"""`perturbfs reproduce`: compute the paper's tables under both protocols."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from perturbfs._support.files import atomic_path, check_free
from perturbfs.datasets import find_dataset
from perturbfs.experiments import PROTOCOLS, is_reproduction, load_paper, reproduce
from perturbfs.report import render_reproduction, render_reproduction_markdown, story_figure

from . import _options as o
from ._claimed import holding_out
from ._cluster import spread_calls
from ._command import WrongUseError
from ._console import Terminal
from ._requests import ReproduceRequest

SUMMARY = "reproduction.json"
_STORY = {
    "published": "published",
    "reproduced": "reproduced (leaks)",
    "random_published": "random (leaks)",
    "honest": "honest",
    "random_honest": "random",
    "all_honest": "all features",
}


@holding_out
def run_reproduce(terminal: Terminal, request: ReproduceRequest) -> None:
    """Run the missing experiments, write the pages and print a summary."""
    datasets = [name for each in request.datasets or () for name in o.split_names(each)]
    try:
        for table in request.tables or ():
            load_paper().find(table)
        for name in datasets:
            find_dataset(name)
    except ValueError as error:
        raise WrongUseError(str(error)) from error
    # The results of an earlier run are completed; any other directory is refused.
    check_free(request.out, force=request.force or is_reproduction(request.out))
    with (
        spread_calls(request.computing) as where,
        terminal.counting("experiments", at_once=request.computing.at_once()) as (
            set_total,
            advance,
        ),
    ):
        try:
            summary = reproduce(
                request.out,
                tables=tuple(request.tables or ()),
                datasets=datasets,
                protocols=PROTOCOLS if request.protocol == "both" else (request.protocol,),
                quick=request.quick,
                random_state=request.random_state,
                n_jobs=request.computing.jobs,
                on_plan=set_total,
                on_experiment=advance,
            )
        except KeyboardInterrupt as error:
            raise KeyboardInterrupt(
                f"Stopped. Finished results are kept in {request.out}; the same command continues "
                "from there."
            ) from error
    write_reproduction(Path(request.out), summary)
    _show(terminal, summary, request.out)
    text = json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    terminal.finish(text, where=where)


def write_reproduction(folder: Path, summary: dict[str, Any]) -> None:
    """Write the summary as JSON, Markdown, a page and a figure."""
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
        rows = (
            [row["dataset"], *("-" if row[name] is None else f"{row[name]:.1f}" for name in shown)]
            for row in summary["story"]
        )
        terminal.show(["PFS-DT, accuracy", *shown.values()], rows)
        terminal.say(
            "\n(leaks): selected on the rows it is tested on, as in the released program.\n"
        )
    for protocol, counts in summary["verdicts"].items():
        text = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        terminal.say(f"{protocol}: {text}")
    settings = summary["settings"]
    for name, why in settings["missing_datasets"].items():
        # The first sentence; the page has the others, among them how to make the file.
        terminal.say(f"left out {name}: {why.partition('. ')[0].removesuffix('.')}.")
    if settings["missing_datasets"]:
        terminal.say("The page says more, and how to make these files by hand.")
    for name, note in settings["dataset_notes"].items():
        terminal.say(f"{name}: {note}")
    terminal.say(
        f"\nWritten to {out}: reproduction.html, reproduction.md, story.svg, results.csv, "
        "reproduction.json."
    )
