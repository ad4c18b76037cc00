"""Data sets made to measure: what is relevant and what depends on what is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from perturbfs.backends import Array


def make_synth_data(
    n_samples: int = 100, *, symmetric: bool = True, random_state: Any = None
) -> tuple[Array, Array]:
    """SynthData of the paper: six features, two of them dependent on others.

    With f1 to f4 uniform, f5 = 8 f3 + 2 f4, f6 = 5 f2 and the outcome
    b = 7 f1 - 3 f2 + 6 f3.

    Parameters
    ----------
    n_samples : int, default=100
    symmetric : bool, default=True
        Whether f1 to f4 are uniform on (-1, 1) or on (0, 1). The paper's text says (0, 1); the
        norms and angles it prints can only come from (-1, 1).
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : array of shape (n_samples, 6)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> from perturbfs.datasets import make_synth_data
    >>> X, y = make_synth_data(random_state=0)
    >>> X.shape
    (100, 6)
    """
    low = -1.0 if symmetric else 0.0
    f1, f2, f3, f4 = check_random_state(random_state).uniform(low, 1.0, size=(4, n_samples))
    X = np.stack([f1, f2, f3, f4, 8 * f3 + 2 * f4, 5 * f2], axis=1)
    return X, 7 * f1 - 3 * f2 + 6 * f3


@dataclass(frozen=True, slots=True)
class WideClassification:
    """A wide table whose useful features are known."""

    X: Array  # (n_samples, n_features)
    y: Array  # (n_samples,), class names
    feature_names: Array
    groups: Array  # (n_features,): signal a feature carries, -1 for noise


def make_wide_classification(
    n_samples: int = 80,
    n_features: int = 2000,
    *,
    n_classes: int = 2,
    n_signals: int = 5,
    n_copies: int = 10,
    separation: float = 2.0,
    noise: float = 0.5,
    random_state: Any = None,
) -> WideClassification:
    """Many features, few of them useful, and those in groups that say the same.

    Each signal is a hidden variable whose mean differs between classes; `n_copies` features
    carry it with some noise. All other features are pure noise. One feature of each group is
    all that is needed.

    Parameters
    ----------
    n_samples, n_features : int
    n_classes : int, default=2
    n_signals : int, default=5
    n_copies : int, default=10
        Features that carry each signal.
    separation : float, default=2.0
        Spread of the class means of a signal, in standard deviations within a class.
    noise : float, default=0.5
        Standard deviation of what is added to a copy of a signal.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    data : WideClassification
        With ``X``, ``y``, ``feature_names`` and ``groups``.

    Examples
    --------
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> data.X.shape, int((data.groups >= 0).sum())
    ((80, 2000), 50)
    """
    n_useful = n_signals * n_copies
    if n_useful > n_features:
        raise ValueError(
            f"n_signals={n_signals} with n_copies={n_copies} make {n_useful} useful features, but "
            f"n_features={n_features}. Raise n_features or lower the others."
        )
    if n_classes > n_samples:
        raise ValueError(
            f"n_classes={n_classes} exceeds n_samples={n_samples}. Every class needs a sample."
        )
    rng = check_random_state(random_state)
    classes = rng.permutation(np.arange(n_samples) % n_classes)
    means = separation * rng.standard_normal((n_classes, n_signals))
    signals = means[classes] + rng.standard_normal((n_samples, n_signals))
    X = rng.standard_normal((n_samples, n_features))
    places = rng.permutation(n_features)[:n_useful].reshape(n_signals, n_copies)
    groups = np.full(n_features, -1)
    for signal, copies in enumerate(places):
        X[:, copies] = signals[:, [signal]] + noise * X[:, copies]
        groups[copies] = signal
    return WideClassification(
        X=X,
        y=np.array([f"class {1 + position}" for position in classes]),
        feature_names=np.array([f"feature {j:04d}" for j in range(n_features)]),
        groups=groups,
    )
