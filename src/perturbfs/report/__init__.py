"""Figures and pages of results."""

from ._evaluation_summary import summarize_evaluation
from ._page import render_evaluation, render_page
from ._plots import (
    plot_curve,
    plot_features,
    plot_group,
    plot_heat_map,
    plot_map,
    plot_noise,
)
from ._reproduction import render_reproduction, render_reproduction_markdown, story_figure
from ._validation import render_validation

__all__ = [
    "plot_curve",
    "plot_features",
    "plot_group",
    "plot_heat_map",
    "plot_map",
    "plot_noise",
    "render_evaluation",
    "render_page",
    "render_reproduction",
    "render_reproduction_markdown",
    "render_validation",
    "story_figure",
    "summarize_evaluation",
]
