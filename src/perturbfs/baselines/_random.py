"""Random selection, the baseline that every selector should beat."""

from __future__ import annotations

from typing import Any, Self

from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import validate_data

from perturbfs._support.compat import fit_context

from ._ranking import RankingSelector

N_DEFAULT = 10


class RandomSelector(RankingSelector):
    """Select features at random.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        None is 10, or all features if there are fewer.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order in which features were drawn.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import RandomSelector
    >>> RandomSelector(3, random_state=0).fit_transform(np.eye(5)).shape
    (5, 3)
    """

    def __init__(
        self, n_features_to_select: int | None = None, *, random_state: Any = None
    ) -> None:
        super().__init__(n_features_to_select)
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
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
        self._check_number(n_features)
        order = check_random_state(self.random_state).permutation(n_features)
        self._select(order, self.n_features_to_select or min(N_DEFAULT, n_features))
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = False
        return tags
