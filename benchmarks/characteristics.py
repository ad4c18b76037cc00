"""What ten characterizations cost, against the limit and against two pseudo-inverses.

The limit is one matrix product of m^2 n flops (a symmetric one, which is what the Gram matrix
needs) plus two passes over the data. All of a row is measured in one run, with one BLAS thread,
in CPU seconds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.io
from _measure import cpu_seconds, show_and_keep, versions
from threadpoolctl import threadpool_limits

from perturbfs.backends import as_blocks
from perturbfs.core import characterize_runs, code_target

N_RUNS = 10
SHARED = Path(__file__).resolve().parents[2] / "shared" / "datasets"


def by_pseudo_inverses(X, y, noise):
    """The obvious way, without the loop over features for the angles."""
    N = X / np.linalg.norm(X, axis=0)
    low, high = N.min(axis=0) / 1e6, N.max(axis=0) / 1e5
    for u in noise.T:
        E = low + np.outer(u, high - low)
        np.abs(np.linalg.pinv(N + E) @ y - np.linalg.pinv(N) @ y)


def measure(name, X, y):
    noise = np.random.default_rng(1).uniform(size=(len(X), N_RUNS))
    product = cpu_seconds(lambda: X @ X.T)
    reading = cpu_seconds(lambda: X.sum())
    limit = product + 2 * reading

    def ours():
        characterize_runs(as_blocks(X), code_target(y), row_noise=noise)

    seconds = cpu_seconds(ours)
    # One of the ten runs, times ten: the others cost the same.
    obvious = N_RUNS * cpu_seconds(lambda: by_pseudo_inverses(X, y, noise[:, :1]), repeats=1)
    return [
        name,
        f"{1000 * seconds:.1f}",
        f"{1000 * limit:.1f}",
        f"{seconds / limit:.2f}",
        f"{obvious / seconds:.0f}",
    ]


def real_sets():
    """Well and ill conditioned gene data, where the developers' data are."""
    for name in ("leukemia", "ALLAML"):
        path = SHARED / f"{name}.mat"
        if path.exists():
            data = scipy.io.loadmat(path)
            yield name, data["X"].astype(float), data["Y"].ravel().astype(float)
        else:
            print(f"{name} is left out: {path.name} is not here")


def made_sets():
    rng = np.random.default_rng(0)
    for shape in ((72, 7070), (500, 20_000)):
        y = rng.integers(1, 3, shape[0]).astype(float)
        yield f"normal {shape[0]} x {shape[1]}", rng.standard_normal(shape), y


def main():
    with threadpool_limits(1):
        rows = [measure(*data) for data in (*real_sets(), *made_sets())]
    print(f"{N_RUNS} characterizations; {versions()}\n")
    header = ["data", "ours (CPU ms)", "limit (CPU ms)", "ours / limit", "pseudo-inverses / ours"]
    show_and_keep("characteristics", header, rows)


if __name__ == "__main__":
    main()
