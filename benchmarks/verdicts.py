"""Check the verdict of `select`: with true labels, and with labels in random order.

``python benchmarks/verdicts.py`` selects ten features of six data sets, once with the true labels
and ten times with permuted ones, and writes results/verdicts.csv. With permuted labels nothing
can be predicted, so the verdict should be "no better than guessing" at least nine times in ten.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from _data import catalogue_sets

from perturbfs.datasets import Table
from perturbfs.results import is_better, select_features

NAMES = ("colon", "glioma", "leukemia", "lsvt", "prostate_singh", "lung_ad_normal_1000")
N_PERMUTATIONS, N_FEATURES = 10, 10
OUT = Path(__file__).parent / "results" / "verdicts.csv"
HEADER = (
    "data set",
    "labels",
    "score",
    "guessing",
    "p_value",
    "random",
    "all_features",
    "better_than_guessing",
    "verdict",
)


def judge(X, y, seed):
    """Return the score, what it is compared with, and the verdict."""
    table = Table(X=X, y=y, task="classification")
    estimate = select_features(
        table, method="robust", n_features=N_FEATURES, random_state=seed
    ).selection.estimate
    guessing = estimate["comparisons"][0]
    numbers = (
        estimate["selected"]["mean"],
        estimate["guessing"]["mean"],
        guessing["p_value"],
        estimate["random"]["mean"],
        estimate["all_features"]["mean"],
    )
    rounded = (round(value, 4) for value in numbers)
    return [*rounded, is_better(guessing), estimate["verdict"]]


def main():
    """Print and write one row per selection."""
    rows = []
    for name, X, y in catalogue_sets(NAMES):
        rng = np.random.default_rng(0)
        rows.append([name, "true", *judge(X, y, 0)])
        rows += [
            [name, f"permuted {number}", *judge(X, rng.permutation(y), number)]
            for number in range(N_PERMUTATIONS)
        ]
        mine = [row[7] for row in rows if row[0] == name]
        print(f"{name}: true labels better than guessing: {mine[0]}; permuted: {sum(mine[1:])}")
        with OUT.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEADER)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
