"""Results as people read them: summary, then page."""

from ._page import render_page
from ._reproduction import render_reproduction, render_reproduction_markdown, story_figure
from ._summary import summarize, two_digits

__all__ = [
    "render_page",
    "render_reproduction",
    "render_reproduction_markdown",
    "story_figure",
    "summarize",
    "two_digits",
]
