"""Compare settings of the paper's method by the honest protocol.

Balanced accuracy of settings of `PerturbationSelector` at fixed sizes: the mean over twenty
splits and over a tree, a linear SVM and three neighbors, all fitted on the training rows; and the
stability at 20.
"""

from __future__ import annotations

import sys

import numpy as np
from _protocol import EIGHT, N_SPLITS, SIZES, load
from _table import show_and_keep

from perturbfs import PerturbationSelector, evaluate
from perturbfs.baselines import RandomSelector

BOTH = {"target_coding": "indicators", "representative": "relevance"}
SETTINGS = {
    "as in the text": {},
    "as released": {"definition": "released"},
    "expected, warm": {"perturbation": "expected", "clusterer": "warm"},
    "indicators": {"target_coding": "indicators"},
    "screen": {"screen": "auto"},
    "signatures": {"cluster_by": "signatures"},
    "relevance": {"representative": "relevance"},
    "indicators, relevance": BOTH,
    "indicators, relevance, screen": {**BOTH, "screen": "auto"},
    "indicators, relevance, signatures": {**BOTH, "cluster_by": "signatures"},
    "indicators, relevance, screen, signatures": {
        **BOTH,
        "screen": "auto",
        "cluster_by": "signatures",
    },
}


def main(n_jobs):
    selectors = {name: PerturbationSelector(**options) for name, options in SETTINGS.items()}
    selectors["random"] = RandomSelector()
    scores = {name: [] for name in selectors}
    stabilities = {name: [] for name in selectors}
    for data_set in EIGHT:
        found = evaluate(
            selectors,
            *load(data_set),
            n_features=SIZES,
            n_splits=N_SPLITS,
            random_state=0,
            n_jobs=n_jobs,
        )
        for name in selectors:
            scores[name].append([100 * found.estimate(name, size).mean for size in SIZES])
            stabilities[name].append(found.stability(name, 20))
        print(f"{data_set} done", flush=True)
    rows = []
    for name in selectors:
        means = np.mean(scores[name], axis=0)
        rows.append(
            [
                name,
                *(_shown(mean, 1) for mean in means),
                _shown(means.mean(), 1),
                _shown(np.mean(stabilities[name]), 2),
            ]
        )
    header = ["setting", *(f"k={size}" for size in SIZES), "all", "stability at 20"]
    show_and_keep("framework", header, rows)


def _shown(value, digits):
    """Return a score as text; NaN means that a method could not select so many features."""
    return f"{value:.{digits}f}" if np.isfinite(value) else "refused"


if __name__ == "__main__":
    main(n_jobs=int(sys.argv[1]) if len(sys.argv) > 1 else 1)
