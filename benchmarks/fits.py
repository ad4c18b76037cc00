"""Measure the fits of the selectors on made-up tables of two classes.

    python benchmarks/fits.py [--before SRC] [--quick]

The reference ("ours") is the robust path for a given number of features. Above it stand the
parts that the automatic selection adds: the inner splits, and the comparison with trees. `SRC` is
the folder `src` of another checkout, whose `RobustSelector` is measured after this one on each
table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _measure import Cost, Row, keep, measure, row, show  # isort: skip  (pins the threads first)
from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.baselines import MRMRSelector
from perturbfs.datasets import make_wide_classification

JOB = "fit, two classes"
SHAPES = ((62, 2000), (200, 20_000), (500, 20_000))
SELECTORS: dict[str, Callable[[], Any]] = {
    "ours": lambda: RobustSelector(20, nonlinear=False),
    "RobustSelector(20)": lambda: RobustSelector(20),
    "RobustSelector(nonlinear=False)": lambda: RobustSelector(nonlinear=False),
    "RobustSelector()": lambda: RobustSelector(),
    "MRMRSelector(20)": lambda: MRMRSelector(20),
    "PerturbationSelector(20)": lambda: PerturbationSelector(20, random_state=0),
}
COMPARED = ("RobustSelector(20)", "RobustSelector()")  # with the other checkout


def rows(*, quick: bool, before: Path | None = None) -> list[Row]:
    """Return the cost of each selector on each table."""
    found = []
    for n_samples, n_features in SHAPES[: 1 if quick else None]:
        table = f"{n_samples} x {n_features}"
        for name in SELECTORS:
            note = "the path for a given number" if name == "ours" else ""
            found.append(row(JOB, table, name, cost_of(name, n_samples, n_features), note))
        for name in COMPARED if before else ():
            now = next(each.cpu_s for each in found if (each.data, each.way) == (table, name))
            cost = _cost_of_other(before, name, n_samples, n_features)
            note = f"{cost.cpu_s / now:.1f} times the CPU of this version"
            found.append(row(JOB, table, f"{name}, before", cost, note))
    return found


def cost_of(name: str, n_samples: int, n_features: int) -> Cost:
    """Return the cost of a selector on a table."""
    data = make_wide_classification(n_samples, n_features, random_state=0)
    make, small = SELECTORS[name], data.X[:, :100]
    return measure(
        lambda: make().fit(data.X, data.y), warm_up=lambda: make().fit(small, data.y), repeats=3
    )


def _cost_of_other(src: Path, name: str, n_samples: int, n_features: int) -> Cost:
    """Return the cost of a selector of another checkout."""
    code = "import json, sys, fits; from dataclasses import asdict; "
    code += "print(json.dumps(asdict(fits.cost_of(sys.argv[1], *map(int, sys.argv[2:])))))"
    places = os.pathsep.join([str(src.resolve()), str(Path(__file__).parent)])
    answer = subprocess.run(
        [sys.executable, "-c", code, name, str(n_samples), str(n_features)],
        env={**os.environ, "PYTHONPATH": places},
        stdout=subprocess.PIPE,
        check=True,
    )
    return Cost(**json.loads(answer.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", type=Path, help="src of another checkout")
    parser.add_argument("--quick", action="store_true", help="the smallest table")
    options = parser.parse_args()
    found = rows(quick=options.quick, before=options.before)
    show(found)
    keep("fits", found)


if __name__ == "__main__":
    main()
