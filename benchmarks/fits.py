"""Measure the fits of the selectors on made-up tables of two classes.

The reference ("ours") is the robust path for a given number of features. Above it stand the
parts that the automatic selection adds: the inner splits, and the comparison with trees.
"""

from __future__ import annotations

from _measure import Row, measure, row  # isort: skip  (pins the threads first)
from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.baselines import MRMRSelector
from perturbfs.datasets import make_wide_classification

JOB = "fit, two classes"
SHAPES = ((62, 2000), (200, 20_000), (500, 20_000))
SELECTORS = {
    "ours": lambda: RobustSelector(20, nonlinear=False),
    "RobustSelector(20)": lambda: RobustSelector(20),
    "RobustSelector(nonlinear=False)": lambda: RobustSelector(nonlinear=False),
    "RobustSelector()": lambda: RobustSelector(),
    "MRMRSelector(20)": lambda: MRMRSelector(20),
    "PerturbationSelector(20)": lambda: PerturbationSelector(20, random_state=0),
}


def rows(*, quick: bool) -> list[Row]:
    """Return the cost of each selector on each table."""
    found = []
    for n_samples, n_features in SHAPES[: 1 if quick else None]:
        data = make_wide_classification(n_samples, n_features, random_state=0)
        small = data.X[:, :100]
        for name, make in SELECTORS.items():
            cost = measure(
                lambda make=make, data=data: make().fit(data.X, data.y),
                warm_up=lambda make=make, small=small, y=data.y: make().fit(small, y),
                repeats=3,
            )
            note = "the path for a given number" if name == "ours" else ""
            found.append(row(JOB, f"{n_samples} x {n_features}", name, cost, note))
    return found
