"""Warn of samples that have equal features and different outcomes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array, Block, is_blocks, namespace_of, to_dense, to_host
from perturbfs.exceptions import DataWarning


def warn_of_contradictions(X: Array, y: Array, *, stacklevel: int) -> None:
    """Warn when samples have equal features and different outcomes."""
    n_samples, n_features = X.shape
    # Sixteen features separate nearly all samples; only samples equal in these are compared in
    # full. In a file, neighboring features are taken, because they are read together.
    last = min(n_features, 64) - 1 if is_blocks(X) else n_features - 1
    few = np.unique(np.linspace(0, last, 16).astype(int))
    n_contradictory = 0
    for alike in _groups_of_equal_rows(_features_of(X, few)):
        for equal in _groups_of_equal_rows(_samples_of(X, alike)):
            if len(np.unique(y[alike[equal]])) > 1:
                n_contradictory += len(equal)
    if n_contradictory:
        warnings.warn(
            f"{n_contradictory} of {n_samples} samples repeat the features of another sample "
            "with a different outcome. No model can predict both, and with more features than "
            "samples least squares is unstable there. Check whether these samples were repeated "
            "or labeled by mistake.",
            DataWarning,
            stacklevel=stacklevel,
        )


def _groups_of_equal_rows(rows: Array) -> list[Array]:
    _, group, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    return [np.flatnonzero(group == repeated) for repeated in np.flatnonzero(counts > 1)]


def _features_of(X: Array, few: Array) -> Array:
    return to_host(X.take(few)) if is_blocks(X) else to_dense(X[:, few])


def _samples_of(X: Array, few: Array) -> Array:
    """Return rows that are equal exactly where those of X are."""
    if not is_blocks(X):
        return to_dense(X[few])
    parts = [found for _, found in X.map(_SampleCodes(few))]
    return np.stack(parts, axis=1)


@dataclass(frozen=True, slots=True)
class _SampleCodes:
    """Number some samples of a block; equal samples get equal numbers."""

    samples: Array

    def __call__(self, block: Block) -> Array:
        values = block.dense()
        xp = namespace_of(values)
        rows = to_host(xp.take(values, xp.asarray(self.samples), axis=0))
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
