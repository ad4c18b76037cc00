"""The common format of reliability figures: one line of JSON for each kind of trial of a run."""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import subprocess
import sys
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Figures:
    """What was tried, how often, for how long, and how often something was lost."""

    tool: str
    what: str
    count: int
    seconds: float
    lost: int


def add_record_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--record``."""
    parser.add_argument("--record", type=Path, metavar="FILE", help="append the figures to FILE")


def record(file: Path | None, figures: Figures) -> None:
    """Append figures to a file of JSON lines, with date, versions and command."""
    if file is None:
        return
    known = {
        **asdict(figures),
        "seconds": round(figures.seconds, 1),
        "date": date.today().isoformat(),
        "version": describe_version(),
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
    }
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(known) + "\n")


def describe_version() -> str:
    """Return the versions of perturbfs and Python, and the commit, marked if code was changed."""
    from perturbfs import __version__

    commit = _ask_git("rev-parse", "--short", "HEAD")
    mark = " with changes" if _ask_git("status", "--porcelain", "--", "src", "tools") else ""
    return f"{__version__} {commit}{mark}".strip() + f", Python {platform.python_version()}"


def _ask_git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
