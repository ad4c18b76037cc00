"""Features drawn at random: what every selector has to beat."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from perturbfs._support.compat import Interval, fit_context
from perturbfs.arrays import Array


class RandomSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select features at random.

    Parameters
    ----------
    n_features_to_select : int, default=10
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order in which features were drawn.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import RandomSelector
    >>> RandomSelector(3, random_state=0).fit_transform(np.eye(5)).shape
    (5, 3)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, n_features_to_select: int = 10, *, random_state: Any = None) -> None:
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Draw features.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
            Only its shape matters.
        y : None
            Ignored.

        Returns
        -------
        self : object
        """
        X = validate_data(self, X, accept_sparse=["csr", "csc"], ensure_all_finite=False)
        n_features = X.shape[1]
        if self.n_features_to_select > n_features:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select}, but X has {n_features} "
                f"features. Ask for at most {n_features}."
            )
        order = check_random_state(self.random_state).permutation(n_features)
        self.ranking_ = np.empty(n_features, dtype=int)
        self.ranking_[order] = np.arange(1, n_features + 1)
        self.support_ = self.ranking_ <= self.n_features_to_select
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_
