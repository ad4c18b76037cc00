"""Principal components: features that load heavily on what varies most."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector, ranking_by_score


class PCASelector(RankingSelector):
    """Select features by their loadings on the principal components.

    A feature's score is the sum of its absolute loadings, each weighted by the share of the
    variance that its component explains. The outcome plays no part. The paper names principal
    components without saying how features are taken from them; this is the usual way.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as there are components that count.
    share : float, default=0.95
        Components count, the largest first, until they explain this share of the variance.

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
        Where X had names.

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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "share": [Interval(Real, 0, 1, closed="right")],
    }

    def __init__(self, n_features_to_select: int | None = None, *, share: float = 0.95) -> None:
        super().__init__(n_features_to_select)
        self.share = share

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        features = standardize(X)
        scores, n_components = score_by_loadings(features, share=self.share)
        return ranking_by_score(np.where(features.any(axis=0), scores, np.nan), n_components)


def score_by_loadings(features: Array, *, share: float) -> tuple[Array, int]:
    """Sum of a feature's absolute loadings, weighted by the variance explained.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Centered.
    share : float
        Of the variance, to be explained by the components that count.

    Returns
    -------
    scores : array of shape (n_features,)
        All zero where nothing varies.
    n_components : int
        That count.
    """
    _, singular_values, loadings = np.linalg.svd(features, full_matrices=False)
    variances = singular_values**2
    total = float(variances.sum())
    if total == 0:
        return np.zeros(features.shape[1]), 0
    weights = variances / total
    # The margin is for shares that sum to 1 up to rounding.
    n_components = 1 + int(np.sum(np.cumsum(weights)[:-1] < share - 1e-12))
    return weights[:n_components] @ np.abs(loadings[:n_components]), n_components
