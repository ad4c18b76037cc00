"""Results as people read them: summary, then page."""

from ._page import render_page
from ._summary import summarize, two_digits

__all__ = ["render_page", "summarize", "two_digits"]
