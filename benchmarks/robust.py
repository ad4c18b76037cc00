"""Measure the CPU time of the robust path on one core, for growing numbers of features."""

from __future__ import annotations

from _measure import measure  # isort: skip  (pins the threads first)
import numpy as np
from _table import show_and_keep

from perturbfs import RobustSelector
from perturbfs.arrays import as_blocks
from perturbfs.robust import follow_paths, prepare_features, rotate_targets, unit_rows

N_SAMPLES, N_STEPS = 72, 40


def costs(n_features):
    rng = np.random.default_rng(0)
    X, y = rng.lognormal(size=(N_SAMPLES, n_features)), np.arange(N_SAMPLES) % 2
    weights = np.full(N_SAMPLES, 1 / N_SAMPLES)
    targets = rotate_targets(unit_rows(np.stack([y == 0, y == 1]).astype(float), weights, xp=np).T)

    def prepare():
        return prepare_features(as_blocks(X), weights)

    features = prepare()
    preparing = measure(prepare)
    following = measure(lambda: follow_paths(features, targets, {1.0: N_STEPS}))
    fitting = measure(lambda: RobustSelector(N_STEPS).fit(X, y))
    return [
        f"{N_SAMPLES} x {n_features}",
        *(f"{1000 * cost.cpu_s:.1f}" for cost in (preparing, following, fitting)),
    ]


def main():
    rows = [costs(n_features) for n_features in (1782, 3564, 7129, 14258, 28516)]
    print(f"{N_STEPS} features, two classes, one thread\n")
    header = ["data", "preparing (CPU ms)", "path (CPU ms)", "whole fit (CPU ms)"]
    show_and_keep("robust-speed", header, rows)


if __name__ == "__main__":
    main()
