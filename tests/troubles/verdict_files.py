"""Small tables on which a verdict is known."""

from pathlib import Path

import numpy as np


def _write(path: Path, X: np.ndarray, y: np.ndarray) -> Path:
    header = ",".join([*(f"gene {j}" for j in range(X.shape[1])), "state"])
    rows = [
        ",".join(map(str, [*np.round(row, 4), label])) for row, label in zip(X, y, strict=True)
    ]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def write_nothing_to_find(folder: Path) -> Path:
    """Write features that have nothing to do with the outcome."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(40) % 2, "ill", "well")
    return _write(folder / "nothing.csv", rng.normal(size=(40, 200)), y)


def write_weak_signal_everywhere(folder: Path) -> Path:
    """Write many features that each know a little: all together predict, a few do not."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(80) % 2, "ill", "well")
    return _write(folder / "weak.csv", rng.normal(size=(80, 300)) + 0.6 * (y == "ill")[:, None], y)


def write_near_copies(folder: Path) -> Path:
    """Write two markers, each with a near copy, and nothing else that predicts."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(40) % 2, "ill", "well")
    X = rng.normal(size=(40, 6))
    X[:, :2] += 2 * (y == "ill")[:, None]
    X[:, 2:4] = X[:, :2] + 0.02 * rng.normal(size=(40, 2))
    return _write(folder / "copies.csv", X, y)
