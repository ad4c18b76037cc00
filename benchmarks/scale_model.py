"""Formulas for the cost of the paper's method on a cluster; docs/scale.md explains them.

    python benchmarks/scale_model.py SAMPLES FEATURES WORKERS [--runs 10]

All counts are for wide data with one outcome, a well-conditioned Gram matrix, and chunks of
features. A test compares the counts with a run.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

VALUE = 8  # bytes of a float64
# Values per feature that the passes return: scale, norm and extremes; coefficient, two angles and
# the changes in the runs; the cosine with its representative.
SURVEYED, LOOKED, LIKENESS = 4, 3, 1
# Values per feature that go to the workers: scale, norm and extremes; scale, norm and group.
SENT = 4 + 3
N_PASSES = 3
FAN_IN = 8


@dataclass(frozen=True, slots=True)
class Job:
    """A run of the paper's method on some data, and its costs."""

    n_samples: int
    n_features: int
    n_runs: int = 1
    n_groups: int = 10
    itemsize: int = 4
    chunk_width: int = 2_000

    @property
    def gram_flops(self) -> float:
        """Operations for the Gram matrix, which are most of all."""
        return 2.0 * self.n_samples**2 * self.n_features

    @property
    def other_flops(self) -> float:
        """Operations for products with the extremes, target, dual solution, runs and groups."""
        n_vectors = 2 + (2 + self.n_runs) + self.n_groups
        return 2.0 * self.n_samples * self.n_features * n_vectors

    @property
    def bytes_read(self) -> float:
        """Bytes that all workers together read from disk."""
        return float(N_PASSES * self.n_samples * self.n_features * self.itemsize)

    @property
    def n_matrices(self) -> int:
        """Number of m x m sums that come back, one per group of chunks."""
        group = max(self.n_samples**2 // 4, self.chunk_width)
        return -(-self.n_features // group)

    @property
    def bytes_back(self) -> float:
        """Bytes from the workers to the client."""
        values = self.n_features * (SURVEYED + LOOKED + self.n_runs + LIKENESS)
        return float(VALUE * (values + self.n_matrices * (self.n_samples**2 + 2 * self.n_samples)))

    @property
    def bytes_between(self) -> float:
        """Bytes between workers, at most: one m x m sum per chunk is moved to be added."""
        n_chunks = -(-self.n_features // self.chunk_width)
        return float(VALUE * self.n_samples**2 * max(0, n_chunks - self.n_matrices))

    @property
    def bytes_sent(self) -> float:
        """Bytes from the client to the workers."""
        return float(VALUE * SENT * self.n_features)

    @property
    def worker_bytes(self) -> float:
        """Memory of a worker with one thread: two chunks, current blocks, and sums to be added."""
        chunk = self.n_samples * self.chunk_width * self.itemsize
        blocks = 3 * max(8 * 2**20, VALUE * self.n_samples * 512)
        return float(2 * chunk + blocks + (FAN_IN + 1) * VALUE * self.n_samples**2)

    @property
    def client_bytes(self) -> float:
        """Memory of the client: the values of each feature, and a few m x m matrices."""
        values = self.n_features * (SURVEYED + LOOKED + self.n_runs + 2 * LIKENESS)
        return float(VALUE * (values + 4 * self.n_samples**2))

    def cpu_seconds(self, *, product_rate: float, value_rate: float) -> float:
        """CPU seconds of all workers together.

        Parameters
        ----------
        product_rate : float
            Floating-point operations per second of a block times its transpose.
        value_rate : float
            Values per second of a pass without the Gram matrix; measured in a run.
        """
        n_values = N_PASSES * self.n_samples * self.n_features
        return self.gram_flops / product_rate + n_values / value_rate


def main(job: Job, n_workers: int) -> None:
    for name in ("gram_flops", "other_flops", "bytes_read", "bytes_back", "bytes_between",
                 "bytes_sent", "worker_bytes", "client_bytes"):  # fmt: skip
        print(f"{name:14} {getattr(job, name):.2e}")
    print(f"{'a worker reads':14} {job.bytes_read / n_workers:.2e}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=int)
    parser.add_argument("features", type=int)
    parser.add_argument("workers", type=int)
    parser.add_argument("--runs", type=int, default=10)
    chosen = parser.parse_args()
    main(Job(chosen.samples, chosen.features, chosen.runs), chosen.workers)
