"""Results as people read them: summary, then page."""

from ._evaluation_summary import summarize_evaluation
from ._page import render_evaluation, render_page
from ._reproduction import render_reproduction, render_reproduction_markdown, story_figure
from ._summary import summarize, two_digits

__all__ = [
    "render_evaluation",
    "render_page",
    "render_reproduction",
    "render_reproduction_markdown",
    "story_figure",
    "summarize",
    "summarize_evaluation",
    "two_digits",
]
