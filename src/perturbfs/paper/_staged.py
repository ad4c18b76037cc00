"""StagedSelector: the paper's method in two stages, for tables with very many features."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from perturbfs._support.compat import Interval, fit_context
from perturbfs.arrays import Array, as_blocks, is_blocks, to_host
from perturbfs.checks import NUMBER, check_fit_input, resolve_number

from ._prepare import code_target, survey
from ._selector import MAX_SEED, PerturbationSelector


class StagedSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """The paper's method in two stages: within blocks of features, then among the survivors.

    The paper names a multi-stage process for genes as future work and says no more. This is its
    simplest form. Features are dealt to blocks at random. Each block is characterized and grouped
    alone, and one feature of each group survives. The second stage is `PerturbationSelector` on
    the survivors. A block has no more features than there are samples, so its least-squares
    problem is not underdetermined as that of all genes is.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default="auto"
        As in `PerturbationSelector`, for the second stage.
    selector : PerturbationSelector or None, default=None
        The second stage; its parameters also say how blocks are characterized and grouped. None
        is one with default parameters.
    block_size : int or None, default=None
        Largest number of features of a block; the number of samples by default.
    n_survivors : int or None, default=None
        Number of features that the first stage leaves, at most. The geometric mean of the
        numbers of features and samples by default, so that both stages drop the same share.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
        Which features are selected.
    survivors_ : array of int
        The features that the first stage left, increasing.
    selector_ : PerturbationSelector
        The second stage, fitted to the survivors.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    On gene data two stages gain little over one; docs/paper.md has the figures.

    Examples
    --------
    >>> from perturbfs.datasets import make_wide_classification
    >>> from perturbfs.paper import StagedSelector
    >>> data = make_wide_classification(n_features=300, random_state=0)
    >>> staged = StagedSelector(8, random_state=0).fit(data.X, data.y)
    >>> staged.transform(data.X).shape, len(staged.survivors_) < 160
    ((80, 8), True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": NUMBER,
        "selector": [None, PerturbationSelector],
        "block_size": [None, Interval(Integral, 2, None, closed="left")],
        "n_survivors": [None, Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = "auto",
        *,
        selector: PerturbationSelector | None = None,
        block_size: int | None = None,
        n_survivors: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.selector = selector
        self.block_size = block_size
        self.n_survivors = n_survivors
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Select features.

        Parameters
        ----------
        X : array, frame or scipy.sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Class labels or a quantity.

        Returns
        -------
        self : object
        """
        X, y = check_fit_input(self, X, y)
        if is_blocks(X):
            raise ValueError(
                "X is on a device or is read block by block, but StagedSelector needs a table in "
                "memory. Convert it to NumPy, or use PerturbationSelector."
            )
        random_state = check_random_state(self.random_state)
        stage = PerturbationSelector() if self.selector is None else clone(self.selector)
        X = X.tocsc() if hasattr(X, "tocsc") else X
        self.survivors_ = self._first_stage(X, y, stage, random_state)
        stage.set_params(
            n_features_to_select=resolve_number(self.n_features_to_select, X.shape[1]),
            random_state=random_state.randint(MAX_SEED),
        )
        self.selector_ = stage.fit(X[:, self.survivors_], y)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[self.survivors_[stage.support_]] = True
        return self

    def _first_stage(
        self, X: Array, y: Array, stage: PerturbationSelector, random_state: np.random.RandomState
    ) -> Array:
        n_samples, n_features = X.shape
        scaling = survey(as_blocks(X), scaling=stage.scaling, with_gram=False).scaling
        varying = np.flatnonzero(to_host(scaling.informative))
        if not len(varying):
            raise ValueError(
                f"All {n_features} features of X are constant. At least one feature that differs "
                "between samples is needed; check that the right columns were read."
            )
        wanted = self.n_survivors or math.isqrt(n_samples * len(varying))
        n_blocks = math.ceil(len(varying) / (self.block_size or n_samples))
        if wanted >= len(varying):
            return varying
        per_block = max(1, wanted // n_blocks)
        dealt = np.array_split(random_state.permutation(varying), n_blocks)
        found = [
            np.sort(block)[_represent(X[:, np.sort(block)], y, per_block, stage, random_state)]
            for block in dealt
        ]
        return np.sort(np.concatenate(found))

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _represent(
    X: Array,
    y: Array,
    n_groups: int,
    stage: PerturbationSelector,
    random_state: np.random.RandomState,
) -> Array:
    """Return one feature of each of at most `n_groups` groups of a block."""
    blocks = as_blocks(X)
    target = code_target(y, coding=stage.target_coding, scaling=stage.scaling)
    characteristics = stage._characterize(blocks, target, 1, random_state)
    seeds = [random_state.randint(MAX_SEED)]
    [grouping] = stage._group(blocks, target, characteristics, np.arange(X.shape[1]), seeds)
    n_distinct = len(np.unique(grouping.points, axis=0))
    [partition] = grouping.partitions([min(n_groups, n_distinct)])
    return grouping.represent(partition)
