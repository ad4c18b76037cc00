"""`perturbfs report`: the page again, from what is on disk."""

from __future__ import annotations

from pathlib import Path

from perturbfs._files import atomic_path
from perturbfs._selection import SelectionError, load_selection
from perturbfs.report import render_page, summarize

from ._console import Terminal


def run_report(terminal: Terminal, directory: str) -> None:
    """Write report.html beside selection.json."""
    path = Path(directory) / "selection.json"
    if not path.is_file():
        raise SelectionError(
            f"{directory} holds no selection.json. Pass a directory that perturbfs select wrote."
        )
    page = render_page(summarize(load_selection(path)))
    with atomic_path(path.with_name("report.html")) as temporary:
        temporary.write_text(page, encoding="utf-8")
    terminal.say(f"Written to {path.with_name('report.html')}.")
