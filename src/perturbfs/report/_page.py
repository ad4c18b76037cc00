"""Pages of a selection and of an evaluation."""

from __future__ import annotations

from typing import Any

from ._evaluation_figures import evaluation_figures
from ._evaluation_summary import summarize_evaluation
from ._selection_view import view_selection
from ._template import render_template


def render_page(summary: dict[str, Any]) -> str:
    """A self-contained HTML page of a selection.

    Parameters
    ----------
    summary : dict
        From `summarize` or `load_summary`.

    Returns
    -------
    page : str
        Asks nothing of any server.
    """
    details = summary["details"]
    data = None
    if details is not None:
        names = [row["name"] for row in summary["features"]]
        data = {"map": details["map"], "samples": details["samples"], "names": names}
    return render_template("page.html.j2", view_selection(summary), data=data)


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
    summary = summarize_evaluation(document)
    figures = evaluation_figures(document, summary["metric"])
    return render_template("evaluation.html.j2", {**summary, **figures})
