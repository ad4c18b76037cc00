"""The features that a path or an order may still take."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

from ._prepare import TIE


class OpenFeatures:
    """Features that vary and do not repeat one that was taken.

    A feature is taken only if its absolute correlation with all earlier ones is smaller than the
    limit. Where no such feature is left and fewer than `n_least` were taken, all others follow
    that are not multiples of one that was taken.

    Parameters
    ----------
    varies : array of bool of shape (n_features,)
        Features that do not vary are never taken.
    max_correlation : float
        The limit, in (0, 1].
    n_least : int
        Features that are taken even where the limit must be exceeded.

    Attributes
    ----------
    mask : array of bool of shape (n_features,)
        Which features may be taken next.
    n_apart : int
        Features taken within the limit.
    """

    def __init__(self, varies: Array, max_correlation: float, n_least: int) -> None:
        self._n_least, self._limit = n_least, max_correlation - TIE
        self._is_no_multiple = varies.copy()
        self._is_apart = varies.copy()
        self._n_taken = self.n_apart = 0
        self.mask = self._is_apart

    def any(self) -> bool:
        """Return whether a feature may be taken."""
        return bool(self.mask.any())

    def take(self, feature: int, products: Array) -> None:
        """Close a feature and all that repeat it.

        Parameters
        ----------
        feature : int
        products : array of shape (n_features,)
            Inner products of all features with it.
        """
        self.n_apart += int(self._is_apart[feature])
        self._n_taken += 1
        likeness = np.abs(products)
        # After a ridge fit, multiples of a chosen feature still correlate with the residual.
        self._is_no_multiple &= likeness < 1 - TIE
        self._is_apart &= likeness < self._limit
        may_exceed = self._n_taken < self._n_least and not self._is_apart.any()
        self.mask = self._is_no_multiple if may_exceed else self._is_apart
