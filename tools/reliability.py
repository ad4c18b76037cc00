"""Run fuzz, faults and soaks with given budgets, and write the table of docs/reliability.md.

Each program appends its figures to docs/reliability.jsonl and fails if anything was lost. The
table shows the last run of each kind::

    make reliability                  # hours
    make reliability RELIABILITY=--quick
    python tools/reliability.py --table-only
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE, RESULTS = ROOT / "docs" / "reliability.md", ROOT / "docs" / "reliability.jsonl"
BEGIN, END = "<!-- made by make reliability -->\n", "<!-- end -->\n"
HEAD = (
    "| what | how many | time | lost | date | version | command |\n|---|---|---|---|---|---|---|\n"
)
# Program, options of the long run, options of the quick one.
RUNS = (
    ("fuzz.py", "--inputs 1000000 --jobs 2", "--inputs 1000"),
    ("faults.py", "--trials 200 --minutes 120", "--trials 10"),
    ("soak.py", "--fits 1000 --minutes 10", "--fits 50 --minutes 2"),
    ("soak_serve.py", "--jobs 200", "--jobs 5"),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="minutes instead of hours")
    parser.add_argument("--table-only", action="store_true", help="run nothing")
    given = parser.parse_args()
    failed = [] if given.table_only else run_all(is_quick=given.quick)
    lines = RESULTS.read_text(encoding="utf-8").splitlines()
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(page, map(json.loads, lines)), encoding="utf-8")
    for name in failed:
        print(f"FAILED: tools/{name}")
    sys.exit(bool(failed))


def run_all(*, is_quick: bool) -> list[str]:
    """Run all programs one after the other, and return those that failed."""
    failed = []
    for name, long, quick in RUNS:
        options = (quick if is_quick else long).split()
        command = [sys.executable, f"tools/{name}", *options, "--record", str(RESULTS)]
        print(f"tools/{name} {' '.join(options)}", flush=True)
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
    return failed


def with_table(page: str, records: Any) -> str:
    """Return the page with a row for the last record of each kind.

    Parameters
    ----------
    page : str
        With the lines that stand around the table.
    records : iterable of dict
        As `records.record` writes them, the oldest first.
    """
    last = {(each["tool"], each["what"]): each for each in records}
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE} lacks the lines around the table: {BEGIN!r} and {END!r}.")
    return before + BEGIN + HEAD + "".join(map(row, last.values())) + END + after


def row(each: dict[str, Any]) -> str:
    """Return a record as a row of the table."""
    command = each["command"].partition(" --record")[0]
    cells = (
        each["what"],
        f"{each['count']:,}",
        describe_time(each["seconds"]),
        str(each["lost"]),
        each["date"],
        each["version"],
        f"`tools/{command}`",
    )
    return f"| {' | '.join(cells)} |\n"


def describe_time(seconds: float) -> str:
    """Return a duration in minutes or hours.

    Examples
    --------
    >>> describe_time(90), describe_time(9000)
    ('1.5 min', '2.5 h')
    """
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


if __name__ == "__main__":
    main()
