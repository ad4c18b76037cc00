"""The tables of the benchmarks: sets of the catalogue that are on disk, and made-up ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

from perturbfs.datasets import list_datasets, load_dataset

SETS = tuple(entry.name for entry in list_datasets() if entry.collection != "fresh")
FRESH = tuple(entry.name for entry in list_datasets() if entry.collection == "fresh")
QUANTITIES = tuple(entry.name for entry in list_datasets() if entry.task == "regression")


def catalogue_sets(names: Sequence[str]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Return name, features and outcome of each set that is on disk; print which are missing."""
    for name in names:
        try:
            data = load_dataset(name, download=False)
        except FileNotFoundError:
            print(
                f"{name} is left out, because it is not on disk (see PERTURBFS_DATA)",
                file=sys.stderr,
            )
            continue
        yield data.entry.title, data.X, data.y


def normal_table(
    n_samples: int, n_features: int, dtype: type = np.float64
) -> tuple[np.ndarray, np.ndarray]:
    """Return independent normal features and two classes."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_features), dtype=np.float32).astype(dtype, copy=False)
    return X, rng.integers(1, 3, n_samples)
