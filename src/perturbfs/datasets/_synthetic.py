"""Synthetic data sets whose relevant and dependent features are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.arrays import Array


def make_synth_data(
    n_samples: int = 100, *, symmetric: bool = True, random_state: Any = None
) -> tuple[Array, Array]:
    """Return SynthData of the paper: six features, two of them dependent on others.

    With f1 to f4 uniform, f5 = 8 f3 + 2 f4, f6 = 5 f2 and the outcome
    b = 7 f1 - 3 f2 + 6 f3.

    Parameters
    ----------
    n_samples : int, default=100
    symmetric : bool, default=True
        Whether f1 to f4 are uniform on (-1, 1) or on (0, 1). The text of the paper says (0, 1),
        but its norms and angles are only possible with (-1, 1).
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
    _check_range("n_samples", n_samples, 1, math.inf)
    f1, f2, f3, f4 = _generator(random_state).uniform(low, 1.0, size=(4, n_samples))
    X = np.stack([f1, f2, f3, f4, 8 * f3 + 2 * f4, 5 * f2], axis=1)
    return X, 7 * f1 - 3 * f2 + 6 * f3


@dataclass(frozen=True, slots=True)
class WideData:
    """A wide table whose useful features are known.

    Given the informative features, the redundant ones add no information about the outcome.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import make_wide_regression
    >>> data = make_wide_regression(n_informative=2, n_copies=3, random_state=0)
    >>> data.feature_names[data.informative].tolist()
    ['feature 0482', 'feature 1850']
    >>> np.flatnonzero(data.groups == 1).tolist()
    [60, 1314, 1587, 1850]
    """

    X: Array  # (n_samples, n_features), float64
    y: Array  # (n_samples,), class names or numbers
    feature_names: Array  # (n_features,), str
    informative: Array  # (n_informative,): feature that is the signal 0, 1, ... itself
    groups: Array  # (n_features,): signal a feature carries, -1 for noise


def make_wide_classification(
    n_samples: int = 80,
    n_features: int = 2000,
    *,
    n_classes: int = 2,
    n_informative: int = 5,
    n_copies: int = 9,
    separation: float = 1.5,
    weights: Sequence[float] | None = None,
    copy_noise: float = 0.3,
    block_size: int = 20,
    block_correlation: float = 0.5,
    random_state: Any = None,
) -> WideData:
    """Make a wide table in which few features, in groups, separate the classes.

    The mean of every signal differs between classes. One feature per signal, the informative
    one, is the signal itself; `n_copies` redundant features are the signal plus noise. All
    other features are noise, in correlated blocks. One feature per group is nearly as good as
    all of them; a single group is not enough.

    Parameters
    ----------
    n_samples, n_features : int
    n_classes : int, default=2
    n_informative : int, default=5
        Number of signals.
    n_copies : int, default=9
        Number of redundant features per informative one.
    separation : float, default=1.5
        Twice the standard deviation of the class means of a signal, in standard deviations
        within a class. With two classes it is the distance of their means.
    weights : sequence of n_classes numbers, default=None
        Shares of the classes. They need not sum to 1; None means equal shares.
    copy_noise : float, default=0.3
        Standard deviation of the noise in a copy, relative to a signal within a class.
    block_size : int, default=20
        Number of noise features per block.
    block_correlation : float, default=0.5
        Correlation between two noise features of a block, from 0 to 1.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    data : WideData
        Every feature has standard deviation 1, and the order is random, so that neither tells
        which features are useful.

    Examples
    --------
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(weights=[3, 1], random_state=0)
    >>> data.X.shape, len(data.informative), int((data.groups >= 0).sum())
    ((80, 2000), 5, 50)
    >>> int((data.y == "class 2").sum())
    20
    """
    _check_range("n_classes", n_classes, 2, n_samples)
    _check_range("separation", separation, 0, math.inf)
    _check_sizes(n_samples, n_features, n_informative, n_copies)
    rng = _generator(random_state)
    counts = _share_out(n_samples, np.ones(n_classes) if weights is None else weights, n_classes)
    classes = rng.permutation(np.repeat(np.arange(n_classes), counts))
    ladder = np.arange(n_classes) - (n_classes - 1) / 2
    ladder *= separation / 2 / ladder.std()
    means = np.stack([rng.permutation(ladder) for _ in range(n_informative)], axis=1)
    signals = means[classes] + rng.standard_normal((n_samples, n_informative))
    y = np.array([f"class {1 + position}" for position in classes])
    X = _correlated_noise(n_samples, n_features, block_size, block_correlation, rng)
    return _hide(signals, y, X, n_copies=n_copies, copy_noise=copy_noise, rng=rng)


def make_wide_regression(
    n_samples: int = 80,
    n_features: int = 2000,
    *,
    n_informative: int = 5,
    n_copies: int = 9,
    noise: float = 0.25,
    copy_noise: float = 0.3,
    block_size: int = 20,
    block_correlation: float = 0.5,
    random_state: Any = None,
) -> WideData:
    """Make a wide table in which few features, in groups, predict a number.

    The outcome is a weighted sum of independent signals plus noise. The absolute values of the
    weights are between 1 and 2. Features are made from the signals as in
    `make_wide_classification`.

    Parameters
    ----------
    n_samples, n_features : int
    n_informative : int, default=5
        Number of signals.
    n_copies : int, default=9
        Number of redundant features per informative one.
    noise : float, default=0.25
        Standard deviation of the noise in the outcome, relative to the weighted sum.
    copy_noise : float, default=0.3
        Standard deviation of the noise in a copy, relative to a signal.
    block_size : int, default=20
        Number of noise features per block.
    block_correlation : float, default=0.5
        Correlation between two noise features of a block, from 0 to 1.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    data : WideData
        Every feature has standard deviation 1, and the order is random, so that neither tells
        which features are useful.

    Examples
    --------
    >>> from perturbfs.datasets import make_wide_regression
    >>> data = make_wide_regression(random_state=0)
    >>> data.X.shape, data.y.shape, len(data.informative), int((data.groups >= 0).sum())
    ((80, 2000), (80,), 5, 50)
    """
    _check_range("noise", noise, 0, math.inf)
    _check_sizes(n_samples, n_features, n_informative, n_copies)
    rng = _generator(random_state)
    signals = rng.standard_normal((n_samples, n_informative))
    slopes = rng.choice([-1, 1], n_informative) * rng.uniform(1, 2, n_informative)
    explained = signals @ slopes
    y = explained + noise * np.linalg.norm(slopes) * rng.standard_normal(n_samples)
    X = _correlated_noise(n_samples, n_features, block_size, block_correlation, rng)
    return _hide(signals, y, X, n_copies=n_copies, copy_noise=copy_noise, rng=rng)


def _hide(
    signals: Array, y: Array, X: Array, *, n_copies: int, copy_noise: float, rng: Any
) -> WideData:
    """Return the data with each signal and its copies in place of some noise features."""
    _check_range("copy_noise", copy_noise, 0, math.inf)
    n_samples, n_features = X.shape
    n_informative = signals.shape[1]
    places = rng.permutation(n_features)[: n_informative * (1 + n_copies)]
    places = places.reshape(n_informative, 1 + n_copies)
    groups = np.full(n_features, -1)
    for signal, members in enumerate(places):
        additions = copy_noise * rng.standard_normal((n_samples, 1 + n_copies))
        additions[:, 0] = 0
        X[:, members] = signals[:, [signal]] + additions
        groups[members] = signal
    # Signals vary more than noise. Without scaling, the variance alone would find them.
    return WideData(
        X=X / X.std(axis=0),
        y=y,
        feature_names=np.array([f"feature {j:04d}" for j in range(n_features)]),
        informative=places[:, 0],
        groups=groups,
    )


def _correlated_noise(
    n_samples: int, n_features: int, block_size: int, correlation: float, rng: Any
) -> Array:
    _check_range("block_size", block_size, 1, math.inf)
    _check_range("block_correlation", correlation, 0, 1)
    blocks = rng.permutation(np.arange(n_features) // block_size)
    shared = rng.standard_normal((n_samples, 1 + blocks.max()))[:, blocks]
    own = rng.standard_normal((n_samples, n_features))
    return math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * own


def _share_out(n_samples: int, weights: Sequence[float] | Array, n_classes: int) -> Array:
    """Return the number of samples per class, in proportion to the weights."""
    shares = np.asarray(weights, dtype=float)
    if shares.shape != (n_classes,) or not np.all(np.isfinite(shares) & (shares > 0)):
        raise ValueError(
            f"weights={weights!r} does not fit n_classes={n_classes}. "
            "Give one positive number per class."
        )
    exact = n_samples * shares / shares.sum()
    counts = np.floor(exact).astype(int)
    by_remainder = np.argsort(counts - exact, kind="stable")
    counts[by_remainder[: n_samples - counts.sum()]] += 1
    if counts.min() == 0:
        raise ValueError(
            f"weights={weights!r} leaves class {1 + counts.argmin()} without a sample of "
            f"n_samples={n_samples}. Increase n_samples or the weight."
        )
    return counts


def _check_sizes(n_samples: int, n_features: int, n_informative: int, n_copies: int) -> None:
    _check_range("n_samples", n_samples, 2, math.inf)
    _check_range("n_informative", n_informative, 1, math.inf)
    _check_range("n_copies", n_copies, 0, math.inf)
    n_useful = n_informative * (1 + n_copies)
    if n_useful > n_features:
        raise ValueError(
            f"n_informative={n_informative} with n_copies={n_copies} each gives {n_useful} useful "
            f"features, but n_features={n_features}. Increase n_features or reduce the others."
        )


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        allowed = f"from {low} to {high}" if high < math.inf else f"at least {low}"
        raise ValueError(f"{name}={value} is out of range. Pass a number that is {allowed}.")


def _generator(random_state: Any) -> np.random.RandomState:
    # Imported here, because reading a table does not need scikit-learn.
    from sklearn.utils import check_random_state

    generator: np.random.RandomState = check_random_state(random_state)
    return generator
