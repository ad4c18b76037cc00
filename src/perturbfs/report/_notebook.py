"""What a fitted selector shows in a notebook: a short summary, and pictures on demand."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from perturbfs.arrays import Array
from perturbfs.results import (
    describe_curve,
    describe_features,
    describe_groups,
    describe_map,
    describe_noise,
    describe_samples,
)

MOST_ROWS = 12


class NotebookMixin:
    """Pictures of a fitted selector (extra ``report``), and its summary as HTML."""

    def plot_curve(self, *, ax: Any = None) -> Any:
        """Inner score against the number of features.

        Parameters
        ----------
        ax : matplotlib axes, optional

        Returns
        -------
        ax : matplotlib axes
        """
        curve = describe_curve(self._fitted())
        if curve is None:
            raise ValueError(
                "There is no curve to plot: the number of features was given, so nothing was "
                "scored. Fit with n_features_to_select='auto'."
            )
        return _figures().plot_curve(curve, ax=ax)

    def plot_map(self, X: Any, y: Any, *, ax: Any = None) -> Any:
        """All features by sensitivity and angle to the outcome, the chosen ones marked.

        Parameters
        ----------
        X, y : as in fit
            Used where the selector has no characteristics of its own.
        ax : matplotlib axes, optional

        Returns
        -------
        ax : matplotlib axes
        """
        X, y = self._data(X, y)
        found = describe_map(
            self, X, y, self._order(), self._labels(), self._groups(), task=self._task()
        )
        return _figures().plot_map(found, ax=ax)

    def plot_features(self, X: Any, y: Any) -> Any:
        """Values of each chosen feature by class, or against the quantity.

        Parameters
        ----------
        X, y : as in fit

        Returns
        -------
        figure : matplotlib figure
        """
        X, y = self._data(X, y)
        samples = describe_samples(X, y, self._order(), task=self._task())
        return _figures().plot_features(samples, self._names())

    def plot_heat_map(self, X: Any, y: Any, *, ax: Any = None) -> Any:
        """Chosen features by samples, the samples ordered by their outcome.

        Parameters
        ----------
        X, y : as in fit
        ax : matplotlib axes, optional

        Returns
        -------
        ax : matplotlib axes
        """
        X, y = self._data(X, y)
        samples = describe_samples(X, y, self._order(), task=self._task())
        return _figures().plot_heat_map(samples, self._names(), ax=ax)

    def plot_group(self, X: Any, feature: int, *, ax: Any = None) -> Any:
        """The tree of what a chosen feature stands for, by correlation.

        Parameters
        ----------
        X : as in fit
        feature : int
            Position of a chosen feature.
        ax : matplotlib axes, optional

        Returns
        -------
        ax : matplotlib axes
        """
        if feature not in self._order():
            chosen = ", ".join(map(str, self._order()))
            raise ValueError(f"Feature {feature} was not chosen. Pass one of {chosen}.")
        [tree] = describe_groups(_plain(X), [feature], self._labels(), self._groups())
        if tree is None:
            raise ValueError(f"Feature {feature} stands for itself alone: there is no tree.")
        return _figures().plot_tree(tree, ax=ax)

    def plot_noise(self, X: Any, y: Any, *, random_state: int | None = 0, ax: Any = None) -> Any:
        """What 1 to 20 % of noise changes; selects about thirty times.

        Parameters
        ----------
        X, y : as in fit
        random_state : int or None
        ax : matplotlib axes, optional

        Returns
        -------
        ax : matplotlib axes
        """
        X, y = self._data(X, y)
        noise = describe_noise(self, X, y, task=self._task(), random_state=random_state)
        if not noise["rows"]:
            raise ValueError(f"The noise could not be studied: {noise['note']}")
        return _figures().plot_noise(noise, ax=ax)

    @property
    def _repr_html_(self) -> Any:
        """scikit-learn's own picture of the estimator, and below it what was selected."""
        diagram = super()._repr_html_  # type: ignore[misc]  # raises where diagrams are off
        return lambda: diagram() + self._summary_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += self._summary_html()
        return bundle

    def _summary_html(self) -> str:
        if not hasattr(self, "support_"):
            return ""
        features = describe_features(self, getattr(self, "feature_names_in_", None))
        rows = "".join(
            f"<tr><td>{each.rank}</td><td>{escape(each.label)}</td>"
            f"<td>{'' if each.score is None else f'{each.score:.3f}'}</td>"
            f"<td>{len(each.stands_for) or 'itself'}</td></tr>"
            for each in features[:MOST_ROWS]
        )
        more = len(features) - MOST_ROWS
        rest = f"<p>and {more} more</p>" if more > 0 else ""
        return (
            f'<div class="perturbfs-summary"><p><b>{len(features)} of {len(self.support_):,} '
            f"features selected{self._stability_text()}.</b></p><table><thead><tr><th>rank</th>"
            "<th>feature</th><th>score</th><th>stands for</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>{rest}</div>"
        )

    def _stability_text(self) -> str:
        stability = getattr(self, "stability_", np.nan)
        return (
            "" if np.isnan(stability) else f"; stability of inner splits or runs {stability:.2f}"
        )

    def _fitted(self) -> Any:
        check_is_fitted(self)
        return self

    def _order(self) -> list[int]:
        return [each.index for each in describe_features(self._fitted(), None)]

    def _labels(self) -> Any:
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            return names
        return [f"feature {j + 1}" for j in range(self._fitted().n_features_in_)]

    def _names(self) -> list[str]:
        labels = self._labels()
        return [str(labels[index]) for index in self._order()]

    def _groups(self) -> dict[int, Array]:
        return dict(getattr(self, "groups_", {}))

    def _task(self) -> str:
        return str(self._fitted().task_)

    def _data(self, X: Any, y: Any) -> tuple[Array, Array]:
        X, y = _plain(X), np.asarray(y)
        n_features = self._fitted().n_features_in_
        if X.shape[1] != n_features or len(y) != X.shape[0] or y.ndim != 1:
            raise ValueError(
                f"X has shape {X.shape} and y shape {y.shape}, but the selector was fitted to "
                f"{n_features} features, and pictures need one outcome a sample. Pass what it "
                "was fitted to."
            )
        return X, y


def _figures() -> Any:
    from . import figures

    return figures


def _plain(X: Any) -> Array:
    """A frame as an array; arrays and sparse matrices as they are."""
    if hasattr(X, "to_numpy"):
        return X.to_numpy()
    return X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
