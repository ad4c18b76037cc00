"""What the paper's method costs on a cluster, by formulas; docs/scale.md explains them.

    python benchmarks/scale_model.py SAMPLES FEATURES WORKERS [--runs 10]

All counts are of wide data with one outcome, a well-conditioned Gram matrix and features that
are chunked by columns. A test holds the counts against a run.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

VALUE = 8  # bytes of a float64
# Values of a feature that the passes give back: scale, norm and extremes; coefficient, two angles
# and the moves of the runs; the cosine with the feature that stands for it.
SURVEYED, LOOKED, LIKENESS = 4, 3, 1
# Values of a feature that go to the workers: scale, norm and extremes; scale, norm and group.
SENT = 4 + 3
N_PASSES = 3
FAN_IN = 8


@dataclass(frozen=True, slots=True)
class Job:
    """The paper's method on some data."""

    n_samples: int
    n_features: int
    n_runs: int = 1
    n_groups: int = 10
    itemsize: int = 4
    chunk_width: int = 2_000

    @property
    def gram_flops(self) -> float:
        """Of the Gram matrix, by far the most."""
        return 2.0 * self.n_samples**2 * self.n_features

    @property
    def other_flops(self) -> float:
        """Of products with extremes, with target, dual solution and runs, and with groups."""
        n_vectors = 2 + (2 + self.n_runs) + self.n_groups
        return 2.0 * self.n_samples * self.n_features * n_vectors

    @property
    def bytes_read(self) -> float:
        """From disk, by all workers together."""
        return float(N_PASSES * self.n_samples * self.n_features * self.itemsize)

    @property
    def n_matrices(self) -> int:
        """Sums of m x m that come back: one for as many features as take the same room."""
        group = max(self.n_samples**2 // 4, self.chunk_width)
        return -(-self.n_features // group)

    @property
    def bytes_back(self) -> float:
        """From the workers to the client."""
        values = self.n_features * (SURVEYED + LOOKED + self.n_runs + LIKENESS)
        return float(VALUE * (values + self.n_matrices * (self.n_samples**2 + 2 * self.n_samples)))

    @property
    def bytes_between(self) -> float:
        """Sums that go from worker to worker at most: all but one of those that are joined."""
        n_chunks = -(-self.n_features // self.chunk_width)
        return float(VALUE * self.n_samples**2 * max(0, n_chunks - self.n_matrices))

    @property
    def bytes_sent(self) -> float:
        """From the client to the workers."""
        return float(VALUE * SENT * self.n_features)

    @property
    def worker_bytes(self) -> float:
        """Memory of a worker with one thread: two chunks, blocks in work, sums to be joined."""
        chunk = self.n_samples * self.chunk_width * self.itemsize
        blocks = 3 * max(8 * 2**20, VALUE * self.n_samples * 512)
        return float(2 * chunk + blocks + (FAN_IN + 1) * VALUE * self.n_samples**2)

    @property
    def client_bytes(self) -> float:
        """Memory of the client: what is known of each feature, and a few m x m."""
        values = self.n_features * (SURVEYED + LOOKED + self.n_runs + 2 * LIKENESS)
        return float(VALUE * (values + 4 * self.n_samples**2))

    def cpu_seconds(self, *, product_rate: float, value_rate: float) -> float:
        """Of all workers together.

        Parameters
        ----------
        product_rate : float
            Floating-point operations a second of a block times its transpose.
        value_rate : float
            Values a second that go through a pass, the Gram matrix aside; measured on a run.
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
