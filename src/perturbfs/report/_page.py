"""The page: a summary put into a template, every value escaped."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def render_page(summary: dict[str, Any]) -> str:
    """A self-contained HTML page.

    Parameters
    ----------
    summary : dict
        From `summarize`.

    Returns
    -------
    page : str
        Asks nothing of any server.
    """
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=False)
    environment.filters["percent"] = _percent
    template = files("perturbfs.report").joinpath("page.html.j2").read_text(encoding="utf-8")
    return environment.from_string(template).render(summary)


def _percent(value: float) -> float:
    """Position on a scale from 0 to 1, in percent, within its ends."""
    return round(100 * min(max(value, 0.0), 1.0), 1)
