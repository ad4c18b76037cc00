"""Render the pages; all text from a user is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from perturbfs._support.names import METHODS, REPEATED

from ._job import ACTIVE, Job
from ._offers import columns_are_samples
from ._requests import readable_size

MOST_FINDINGS = 10
MAX_OFFERED = 1000  # names that the field for another column suggests
DOWNLOADS = {
    "selection.json": "the result, for programs and perturbfs apply",
    "features.csv": "the list of features, with direction and p-values",
    "groups.csv": "the features that each selected feature stands for",
    "selected.csv": "your table, reduced to the selected features",
    "summary.json": "the values shown in the report, for programs and perturbfs report",
    "evaluation.json": "the result, for programs and perturbfs report",
    "summary.csv": "the mean of each method",
    "comparison.csv": "the comparison of each pair of methods",
    "scores.csv": "every score",
}
STATES = {
    "reading": "being read",
    "ready": "ready",
    "queued": "waiting for another file",
    "running": "in progress",
    "done": "done",
    "failed": "not possible",
    "cancelled": "cancelled",
}


def asset(name: str) -> str:
    """Return the text of a file in this package."""
    return files("perturbfs.serve").joinpath(name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    loader = PackageLoader("perturbfs.serve", "")
    environment = Environment(autoescape=True, undefined=StrictUndefined, loader=loader)
    environment.filters["readable_size"] = readable_size
    environment.globals["state_names"] = STATES
    return environment


def start_page(jobs: list[Job], *, limit: int) -> str:
    """Return the page to upload a file, with a list of the uploaded ones."""
    return _render("start.html.j2", jobs=jobs, limit=limit)


def job_page(job: Job, *, limit: int) -> str:
    """Return the page of one job: outline of the file, form, progress, result."""
    table, labels = [*job.outlines, None, None][:2]
    offered = []
    if table is not None and table["has_targets"] and not columns_are_samples(table, labels):
        offered = table["names"][:MAX_OFFERED]
    return _render(
        "job.html.j2",
        job=job,
        table=table,
        labels=labels if job.labels is not None else None,
        offered=offered,
        offers=job.offers,
        settings=job.form,
        findings=job.findings[:MOST_FINDINGS],
        n_more=max(0, len(job.findings) - MOST_FINDINGS),
        methods=METHODS,
        repeated=REPEATED,
        is_active=job.state in ACTIVE,
        downloads={name: text for name, text in DOWNLOADS.items() if _has(job, name)},
        limit=limit,
    )


def refusal_page(sentence: str, home: str = "") -> str:
    """Return the page of a refused request; `home` is empty for users without the cookie."""
    return _render("refusal.html.j2", sentence=sentence, home=home)


def _has(job: Job, name: str) -> bool:
    return job.state == "done" and (job.result / name).is_file()


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(values)
