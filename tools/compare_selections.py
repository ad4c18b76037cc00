"""Check that a change of the code does not change any result.

Run it once with the code before the change and once with the code after, then compare::

    PYTHONPATH=before/src python tools/compare_selections.py run /tmp/before
    python tools/compare_selections.py run /tmp/after
    python tools/compare_selections.py compare /tmp/before /tmp/after

It runs `perturbfs select` and `perturbfs evaluate` on every data set of the catalogue that
``PERTURBFS_DATA`` holds. The comparison is byte for byte, except for the versions in
``selection.json`` and the seconds in ``scores.csv``.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

SETS = [
    "lsvt",
    "madelon",
    "colon",
    "lung",
    "lymphoma",
    "glioma",
    "leukemia",
    "allaml",
    "leukemia_golub",
    "lung_ad_normal_1000",
    "prostate_singh",
    "riboflavin",
    "gasoline",
]
RIVALS = [
    "released",
    "released-late",
    "anova",
    "boruta",
    "forest",
    "fs-svm",
    "gbm",
    "group-lasso",
    "hsic-lasso",
    "l1-logistic",
    "land",
    "lars",
    "lasso",
    "mi",
    "mrmr",
    "mrmr-mi",
    "pca",
    "relieff",
    "rlsr",
    "stability",
    "svm-rfe",
    "random",
]
# The classes are too small for inner folds, so the number of features must be given.
FIXED_NUMBER = {"lymphoma": "10"}


def commands() -> dict[str, list[str]]:
    """Return the arguments of each run by the name of its directory."""
    select = {}
    for name in SETS:
        number = FIXED_NUMBER.get(name, "auto")
        select[f"robust-{name}"] = [name, "--n-features", number]
        select[f"paper-{name}"] = [name, "--method", "paper", "--n-features", "10"]
    for name in ("colon", "glioma", "lsvt", "gasoline"):
        select[f"paper-auto-{name}"] = [name, "--method", "paper", "--repeats", "1"]
    for method in RIVALS:
        select[f"{method}-colon"] = ["colon", "--method", method, "--n-features", "5"]
    evaluate = {
        f"evaluate-{name}": [name, "--methods", "robust,paper,mrmr", "--n-features", "5,20"]
        for name in ("colon", "glioma", "riboflavin")
    }
    found = {name: ["select", *words, "--no-details"] for name, words in select.items()}
    found |= {name: ["evaluate", *words, "--splits", "4"] for name, words in evaluate.items()}
    return found


def run(out: Path, only: str) -> None:
    """Run every command whose name starts with `only` and keep its files below `out`."""
    for name, words in commands().items():
        if (out / name).exists() or not name.startswith(only):
            continue
        start = [sys.executable, "-c", "from perturbfs.cli import app; app()"]
        call = [*start, *words, "--out", str(out / name), "--quiet"]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        print(name, "done" if done.returncode == 0 else done.stderr.strip(), flush=True)


def kept(path: Path) -> str:
    """Return the content of a file that must be equal."""
    if path.name == "scores.csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = [{**row, "seconds": ""} for row in csv.DictReader(file)]
        return json.dumps(rows)
    content = json.loads(path.read_text(encoding="utf-8"))
    return json.dumps({**content, "versions": None})


def compare(before: Path, after: Path) -> int:
    """Print how many files are equal and which are not; return the number that differ."""
    differing, n_equal = [], 0
    for name in commands():
        for file in ("selection.json", "scores.csv"):
            paths = before / name / file, after / name / file
            if not any(path.exists() for path in paths):
                continue
            if all(path.exists() for path in paths) and kept(paths[0]) == kept(paths[1]):
                n_equal += 1
            else:
                differing.append(f"{name}/{file}")
    print(f"{n_equal} files are equal, {len(differing)} differ: {', '.join(differing) or 'none'}")
    return len(differing)


def main() -> None:
    """Run or compare, depending on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    actions = parser.add_subparsers(dest="action", required=True)
    runner = actions.add_parser("run")
    runner.add_argument("out", type=Path)
    runner.add_argument("--only", default="", help="only runs whose name starts with this")
    comparer = actions.add_parser("compare")
    comparer.add_argument("before", type=Path)
    comparer.add_argument("after", type=Path)
    wanted = parser.parse_args()
    if wanted.action == "run":
        wanted.out.mkdir(parents=True, exist_ok=True)
        run(wanted.out, wanted.only)
    else:
        sys.exit(1 if compare(wanted.before, wanted.after) else 0)


if __name__ == "__main__":
    main()
