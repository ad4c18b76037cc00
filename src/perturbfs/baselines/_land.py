"""LAND: HSIC-Lasso on low-rank kernels."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state, gen_batches
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array

from ._nonnegative_lars import nonnegative_lars
from ._preparation import standardize
from ._ranking import Ranking, RankingSelector

_GRID_END = 5.0  # standard deviations
_CHUNK_BYTES = 2**24


class LANDSelector(RankingSelector):
    r"""Select features as HSIC-Lasso does, with Nystroem features in place of kernel matrices.

    A kernel matrix over m samples is replaced by the product of an m x b matrix and its
    transpose, so that time and memory are linear in the number of samples. The authors distribute
    the features over machines; this class runs on one.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with a positive coefficient at the end of the path.
    n_basis : int, default=20
        Number b of points from which the kernels are interpolated.
    basis : {"grid", "samples"}, default="grid"
        "grid" uses equally spaced points from -5 to 5 standard deviations, the same for every
        feature. "samples" uses randomly drawn samples; if `n_basis` is at least the number of
        samples, it uses all, and the result is that of HSIC-Lasso.
    random_state : int, RandomState instance or None, default=0
        For drawing samples.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry; features that are not selected share the last rank.
    scores_ : array of shape (n_features_in_,)
        Coefficients at the point where the next feature would enter.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    See Also
    --------
    HSICLassoSelector : The same method with full kernels; faster below about 2 b^2 samples.

    Notes
    -----
    With :math:`F_k` the centered Nystroem features, :math:`K_k = F_k F_k^T` and
    :math:`\langle K_k, K_l \rangle = \|F_k^T F_l\|_F^2`, so that no kernel matrix is computed.
    The rank of the kernel of the classes is their number minus one; it is not approximated. With m
    samples, n features and k steps, time is O(n m b^2 k) and memory O(n m b).

    References
    ----------
    M. Yamada, J. Tang, J. Lugo-Martinez, E. Hodzic, R. Shrestha, A. Saha, H. Ouyang, D. Yin,
    H. Mamitsuka, C. Sahinalp, P. Radivojac, F. Menczer, Y. Chang. Ultra high-dimensional
    nonlinear feature selection for big biological data. IEEE Transactions on Knowledge and
    Data Engineering 30(7), 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import LANDSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 8))
    >>> y = X[:, 2] ** 2 + np.sin(2 * X[:, 5])
    >>> LANDSelector(2).fit(X, y).get_support(indices=True)
    array([2, 5])
    """

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        n_basis: int = 20,
        basis: Literal["grid", "samples"] = "grid",
        random_state: Any = 0,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_basis = n_basis
        self.basis = basis
        self.random_state = random_state

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        drawn = None
        if self.basis == "samples":
            random_state = check_random_state(self.random_state)
            drawn = random_state.permutation(len(y))[: self.n_basis]
        if self.task_ == "classification":
            target = class_factor(y)
        else:
            target = kernel_factors(standardize(y[:, None]).T, self._points(y[:, None], drawn))[0]
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            factors = FactorTable(standardize(X).T, self._points(X, drawn))
            return nonnegative_lars(factors.inner(target), factors.gram_column, n_wanted=n_wanted)

    def _points(self, X: Array, drawn: Array | None) -> Array:
        if drawn is None:
            return np.linspace(-_GRID_END, _GRID_END, self.n_basis)[None, :]
        return standardize(X)[drawn].T


class FactorTable:
    """Centered Nystroem factors of all features, scaled so that their kernels have norm 1."""

    def __init__(self, features: Array, points: Array) -> None:
        n_features, n_samples = features.shape
        n_basis = points.shape[1]
        self._table = np.empty((n_features, n_samples, n_basis))
        step = max(1, _CHUNK_BYTES // (8 * n_basis * max(n_samples, n_basis)))
        for chunk in gen_batches(n_features, step):
            own_points = points if len(points) == 1 else points[chunk]
            self._table[chunk] = kernel_factors(features[chunk], own_points)
        self._step = max(1, _CHUNK_BYTES // (8 * n_basis**2))

    def inner(self, factor: Array) -> Array:
        """Return the inner product of the kernel with this factor and that of every feature."""
        products = np.empty(len(self._table))
        for chunk in gen_batches(len(products), self._step):
            products[chunk] = np.sum((factor.T @ self._table[chunk]) ** 2, axis=(1, 2))
        return products

    def gram_column(self, feature: int) -> Array:
        """Return the inner product of one feature's kernel and that of every feature."""
        return self.inner(self._table[feature])


def kernel_factors(features: Array, points: Array) -> Array:
    """Return Nystroem factors of Gaussian kernels of width 1, centered and scaled.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
        Standardized.
    points : array of shape (n_features or 1, n_basis)

    Returns
    -------
    factors : array of shape (n_features, n_samples, n_basis)
        A factor times its transpose has Frobenius norm 1, or is 0 for a constant feature.
    """
    across = np.exp(-0.5 * (features[:, :, None] - points[:, None, :]) ** 2)
    among = np.exp(-0.5 * (points[:, :, None] - points[:, None, :]) ** 2)
    values, vectors = np.linalg.eigh(among)
    # With close points the smallest eigenvalues are rounding errors and may be negative.
    floor = values.shape[-1] * np.finfo(np.float64).eps * values[:, -1:]
    is_real = values > floor
    roots = np.where(is_real, 1 / np.sqrt(np.where(is_real, values, 1.0)), 0.0)
    return _center_and_scale(across @ (vectors * roots[:, None, :]))


def class_factor(y: Array) -> Array:
    """Return the factor of the kernel that is 1 / n_c within class c, centered and scaled."""
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    return _center_and_scale((np.eye(len(counts))[codes] / np.sqrt(counts))[None])[0]


def _center_and_scale(factors: Array) -> Array:
    factors = factors - factors.mean(axis=1, keepdims=True)
    squared = np.linalg.norm(np.swapaxes(factors, 1, 2) @ factors, axis=(1, 2))
    is_constant = squared <= factors.shape[1] * np.finfo(np.float64).eps
    scale = np.where(is_constant, 0.0, 1 / np.sqrt(np.where(is_constant, 1.0, squared)))
    return factors * scale[:, None, None]
