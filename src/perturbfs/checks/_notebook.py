"""The summary that a fitted selector shows in a notebook, read from its fitted attributes."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from perturbfs.arrays import Array

MOST_ROWS = 12


def choice_order(selector: Any) -> list[int]:
    """Return the positions of the selected features of a fitted selector, sorted by rank."""
    chosen = np.flatnonzero(selector.get_support())
    ranking = getattr(selector, "ranking_", None)
    if ranking is not None:
        chosen = chosen[np.argsort(ranking[chosen], kind="stable")]
    return [int(index) for index in chosen]


def choice_scores(selector: Any) -> Array | None:
    """Return the score of every feature, or None if the selector has no scores.

    The score is the absolute cosine of the angle to the outcome if the selector knows this
    angle, and else the selector's own score.
    """
    if hasattr(selector, "angle_to_target_"):
        return np.abs(np.cos(np.radians(selector.angle_to_target_)))
    return getattr(selector, "scores_", None)


class NotebookMixin:
    """Show the selected features below scikit-learn's diagram of a fitted selector."""

    @property
    def _repr_html_(self) -> Any:
        diagram = super()._repr_html_  # type: ignore[misc]  # raises if diagrams are turned off
        return lambda: diagram() + self._summary_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += self._summary_html()
        return bundle

    def _summary_html(self) -> str:
        if not hasattr(self, "support_"):
            return ""
        order, scores = choice_order(self), choice_scores(self)
        rows = "".join(
            f"<tr><td>{rank}</td><td>{escape(self._label(index))}</td>"
            f"<td>{'' if scores is None else f'{scores[index]:.3f}'}</td>"
            f"<td>{escape(self._stands_for(index))}</td></tr>"
            for rank, index in enumerate(order[:MOST_ROWS], start=1)
        )
        n_more = len(order) - MOST_ROWS
        more = f"<p>and {n_more} more</p>" if n_more > 0 else ""
        said = f"{len(order)} of {len(self.support_):,} features selected"
        stability = getattr(self, "stability_", np.nan)
        if not np.isnan(stability):
            repeated = "runs" if hasattr(self, "runs_") else "inner splits"
            said += f"; stability over the {repeated}: {stability:.2f}"
        return (
            f'<div class="perturbfs-summary"><p><b>{said}.</b></p><table><thead><tr>'
            "<th>rank</th><th>feature</th><th>score</th><th>stands for</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>{more}</div>"
        )

    def _label(self, index: int) -> str:
        names = getattr(self, "feature_names_in_", None)
        return f"feature {index + 1}" if names is None else str(names[index])

    def _stands_for(self, index: int) -> str:
        """Return how many features a selected one stands for, or of which one it is a copy."""
        copies = getattr(self, "copy_of_", {})
        if index in copies:
            return f"near copy of {self._label(copies[index])}"
        others = {*getattr(self, "groups_", {}).get(index, ())} - {index}
        others.update(copy for copy, of in copies.items() if of == index)
        return str(len(others) or "itself")
