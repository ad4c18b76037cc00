"""Pages of a selection and of an evaluation."""

from __future__ import annotations

from typing import Any

from ._evaluation_summary import summarize_evaluation
from ._template import render_template


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
    return render_template("page.html.j2", summary)


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
    return render_template("evaluation.html.j2", summarize_evaluation(document))
