"""The features that a path or an order may still take."""

from __future__ import annotations

from perturbfs.arrays import Array, Namespace

from ._prepare import TIE


class OpenFeatures:
    """Features that vary and do not repeat one that was taken.

    A feature is taken only if its absolute correlation with all earlier ones is smaller than the
    limit. Where no such feature is left and fewer than `n_least` were taken, all others follow
    that are not multiples of one that was taken.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
        Rows of unit length or zero.
    max_correlation : float
        The limit, in (0, 1].
    n_least : int
        Features that are taken even where the limit must be exceeded.
    xp : module
    """

    def __init__(
        self, features: Array, max_correlation: float, n_least: int, *, xp: Namespace
    ) -> None:
        self._features, self._n_least, self._xp = features, n_least, xp
        self._limit = max_correlation - TIE
        self._is_no_multiple = self._is_apart = xp.any(features != 0, axis=1)
        self._n_taken = self.n_apart = 0

    def any(self) -> bool:
        """Return whether a feature may be taken."""
        return bool(self._xp.any(self.mask()))

    def mask(self) -> Array:
        """Return which features may be taken."""
        may_exceed = self._n_taken < self._n_least and not bool(self._xp.any(self._is_apart))
        return self._is_no_multiple if may_exceed else self._is_apart

    def take(self, feature: int) -> None:
        """Close a feature and all that repeat it."""
        self.n_apart += int(self._is_apart[feature])
        self._n_taken += 1
        likeness = self._xp.abs(self._features @ self._features[feature, :])
        # After a ridge fit, multiples of a chosen feature still correlate with the residual.
        self._is_no_multiple = self._is_no_multiple & (likeness < 1 - TIE)
        self._is_apart = self._is_apart & (likeness < self._limit)
