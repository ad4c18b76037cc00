"""Tables in which a selector can choose too many features or near copies of each other."""

import csv
from pathlib import Path

import numpy as np


def write_neighboring_wavelengths(folder: Path) -> Path:
    """Write 60 smooth spectra of 200 wavelengths, and a quantity in one band of each."""
    rng = np.random.default_rng(0)
    bands = np.exp(-0.5 * ((np.arange(200) - np.linspace(0, 200, 6)[:, None]) / 25) ** 2)
    amounts = rng.standard_normal((60, 6))
    spectra = amounts @ bands + 0.01 * rng.standard_normal((60, 200))
    quantity = amounts[:, 2] + 0.1 * rng.standard_normal(60)
    return _write(folder / "wavelengths.csv", spectra, quantity)


def write_one_marker_four_times(folder: Path) -> Path:
    """Write 80 samples in which four genes measure the same marker."""
    rng = np.random.default_rng(1)
    y, X = np.arange(80) % 2, rng.standard_normal((80, 300))
    X[:, 7] += 2 * y
    X[:, [20, 21, 22]] = X[:, [7]] + 0.15 * rng.standard_normal((80, 3))
    return _write(folder / "marker.csv", X, np.array(["healthy", "ill"])[y])


def write_28_samples(folder: Path) -> Path:
    """Write 28 samples with a quantity that depends a little on each of 60 genes."""
    X = np.random.default_rng(2).standard_normal((28, 60))
    return _write(folder / "few.csv", X, X.sum(axis=1))


def write_ten_samples(folder: Path) -> Path:
    """Write ten samples of ten features."""
    X = np.random.default_rng(3).standard_normal((10, 10))
    return _write(folder / "ten.csv", X, X[:, :5].sum(axis=1))


def write_two_perfect_genes(folder: Path) -> Path:
    """Write 60 samples of three classes that two of 100 genes separate without an error."""
    rng = np.random.default_rng(4)
    y, X = np.arange(60) % 3, rng.standard_normal((60, 100))
    X[:, :2] = 40 * np.array([[0, 0], [1, 0], [0, 1]])[y] + rng.standard_normal((60, 2))
    return _write(folder / "perfect.csv", X, np.array(["A", "B", "C"])[y])


def _write(path: Path, X: np.ndarray, y: np.ndarray) -> Path:
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*(f"f{each}" for each in range(X.shape[1])), "outcome"])
        rows.writerows([*values, label] for values, label in zip(X.tolist(), y, strict=True))
    return path
