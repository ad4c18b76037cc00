"""Results as people read them: summary, then page."""

from ._evaluation_summary import summarize_evaluation
from ._page import render_evaluation, render_page
from ._reproduction import render_reproduction, render_reproduction_markdown, story_figure
from ._summary import summarize, two_digits
from ._summary_file import SummaryError, load_summary, save_summary

__all__ = [
    "SummaryError",
    "load_summary",
    "render_evaluation",
    "render_page",
    "render_reproduction",
    "render_reproduction_markdown",
    "save_summary",
    "story_figure",
    "summarize",
    "summarize_evaluation",
    "two_digits",
]
