"""What the robust path costs: CPU time of one core, for growing numbers of features."""

from __future__ import annotations

import numpy as np
from _measure import cpu_seconds, show_and_keep, versions
from threadpoolctl import threadpool_limits

from perturbfs import RobustSelector
from perturbfs.backends import as_blocks
from perturbfs.core import follow_path, prepare_features, unit_rows

N_SAMPLES, N_STEPS = 72, 40


def measure(n_features):
    rng = np.random.default_rng(0)
    X, y = rng.lognormal(size=(N_SAMPLES, n_features)), np.arange(N_SAMPLES) % 2
    weights = np.full(N_SAMPLES, 1 / N_SAMPLES)
    targets = unit_rows(np.stack([y == 0, y == 1]).astype(float), weights, xp=np).T

    def prepare():
        return prepare_features(as_blocks(X), weights)

    features = prepare()
    preparing = cpu_seconds(prepare)
    following = cpu_seconds(lambda: follow_path(features, targets, N_STEPS, noise=1.0, xp=np))
    fitting = cpu_seconds(lambda: RobustSelector(N_STEPS).fit(X, y))
    return [
        f"{N_SAMPLES} x {n_features}",
        *(f"{1000 * seconds:.1f}" for seconds in (preparing, following, fitting)),
    ]


def main():
    with threadpool_limits(1):
        rows = [measure(n_features) for n_features in (1782, 3564, 7129, 14258, 28516)]
    print(f"{N_STEPS} features, two classes; {versions()}\n")
    header = ["data", "preparing (CPU ms)", "path (CPU ms)", "whole fit (CPU ms)"]
    show_and_keep("robust-speed", header, rows)


if __name__ == "__main__":
    main()
