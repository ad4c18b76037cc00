"""Pages: a summary put into a template, every value escaped."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from ._evaluation_summary import summarize_evaluation


def render_page(summary: dict[str, Any]) -> str:
    """A self-contained HTML page of a selection.

    Parameters
    ----------
    summary : dict
        From `summarize`.

    Returns
    -------
    page : str
        Asks nothing of any server.
    """
    return _render("page.html.j2", summary)


def render_evaluation(document: dict[str, Any]) -> str:
    """A self-contained HTML page of an evaluation.

    Parameters
    ----------
    document : dict
        What evaluation.json holds.

    Returns
    -------
    page : str
        Asks nothing of any server.
    """
    return _render("evaluation.html.j2", summarize_evaluation(document))


def _render(name: str, values: dict[str, Any]) -> str:
    from jinja2 import Environment, FunctionLoader

    environment = Environment(
        autoescape=True, trim_blocks=False, loader=FunctionLoader(_read_template)
    )
    environment.filters["percent"] = _percent
    return environment.get_template(name).render(values)


def _read_template(name: str) -> str:
    return files("perturbfs.report").joinpath(name).read_text(encoding="utf-8")


def _percent(value: float) -> float:
    """Position on a scale from 0 to 1, in percent, within its ends."""
    return round(100 * min(max(value, 0.0), 1.0), 1)
