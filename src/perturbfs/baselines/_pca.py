"""Selection by loadings on the principal components."""

from __future__ import annotations

from typing import Literal

import numpy as np

from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector, rank_by_score


class PCASelector(RankingSelector):
    """Select features by their loadings on the principal components.

    A feature's score is the sum of its absolute loadings, each weighted by the share of the
    variance that its component explains. The outcome is not used. The paper does not say how it
    selects features from principal components; this is the usual way.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default the number of components that count.
    share : float, default=0.95
        The first components that together explain this share of the variance count.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling score, constant features last.
    scores_ : array of shape (n_features_in_,)
        From 0 to 1; NaN for a constant feature.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    Features are standardized. O(n_samples n_features min(n_samples, n_features)) time.

    References
    ----------
    Jolliffe, I. T. (2002). Principal Component Analysis, 2nd edition, section 6.3. Springer.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import PCASelector
    >>> X = np.random.default_rng(0).standard_normal((50, 8))
    >>> X[:, 5:] = X[:, [5]]
    >>> PCASelector(3, share=0.3).fit(X, np.arange(50) % 2).get_support(indices=True)
    array([5, 6, 7])
    """

    def __init__(
        self, n_features_to_select: float | Literal["auto"] | None = None, *, share: float = 0.95
    ) -> None:
        super().__init__(n_features_to_select)
        self.share = share

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        features = standardize(X)
        scores, n_components = score_by_loadings(features, share=self.share)
        return rank_by_score(np.where(features.any(axis=0), scores, np.nan), n_components)


def score_by_loadings(features: Array, *, share: float) -> tuple[Array, int]:
    """Return the absolute loadings of each feature, weighted by explained variance and summed.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Centered.
    share : float
        Share of the variance that the components that count explain.

    Returns
    -------
    scores : array of shape (n_features,)
        All zero if no feature varies.
    n_components : int
        Number of components that count.
    """
    _, singular_values, loadings = np.linalg.svd(features, full_matrices=False)
    variances = singular_values**2
    total = float(variances.sum())
    if total == 0:
        return np.zeros(features.shape[1]), 0
    weights = variances / total
    # The margin allows for rounding when the shares sum to 1.
    n_components = 1 + int(np.sum(np.cumsum(weights)[:-1] < share - 1e-12))
    return weights[:n_components] @ np.abs(loadings[:n_components]), n_components
