"""The pages, as text: everything that comes from a user is escaped."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from perturbfs._support.names import METHODS, REPEATED

from ._job import ACTIVE, Job
from ._requests import readable_size
from ._settings import DEFAULTS

MAX_OFFERED = 1000  # names that the field for another column completes
DOWNLOADS = {
    "selection.json": "the result, for programs and perturbfs apply",
    "features.csv": "the list of features, with what each stands for",
    "selected.csv": "your table with the selected features only",
    "summary.json": "all that the report shows, for programs and perturbfs report",
}
STATES = {
    "reading": "being read",
    "ready": "ready",
    "queued": "waiting for another selection to end",
    "running": "selecting",
    "done": "done",
    "failed": "not possible",
    "cancelled": "cancelled",
}


def asset(name: str) -> str:
    """Text of a file beside this one."""
    return files("perturbfs.serve").joinpath(name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, loader=FunctionLoader(asset)
    )
    environment.filters["readable_size"] = readable_size
    environment.globals["state_names"] = STATES
    return environment


def start_page(jobs: list[Job], *, limit: int) -> str:
    """Where a file is dropped, and the files that are there."""
    return _render("start.html.j2", jobs=jobs, limit=limit)


def job_page(job: Job, *, limit: int) -> str:
    """All about one job: how the file was understood, the form, progress, result."""
    outlines = [*job.outlines, None, None]
    table, labels = outlines[:2]
    return _render(
        "job.html.j2",
        job=job,
        table=table,
        labels=labels if job.labels is not None else None,
        offered=table["names"][:MAX_OFFERED] if table and table["has_targets"] else [],
        settings={**DEFAULTS, "target": _first_choice(table), **job.settings},
        methods=METHODS,
        repeated=REPEATED,
        is_active=job.state in ACTIVE,
        downloads={name: text for name, text in DOWNLOADS.items() if _has(job, name)},
        stored=_names_in_report(job),
        limit=limit,
    )


def refusal_page(sentence: str, home: str = "") -> str:
    """A page for what could not be done, with a way back for those who may go there."""
    return _render("refusal.html.j2", sentence=sentence, home=home)


def _first_choice(table: dict[str, Any] | None) -> str:
    """What the form proposes: the likeliest outcome, where there is one."""
    return "candidate:0" if table is not None and table["candidates"] else "typed"


def _has(job: Job, name: str) -> bool:
    return job.state == "done" and (job.result / name).is_file()


def _names_in_report(job: Job) -> dict[str, str]:
    """What the report calls the files, which are not kept under the names that users gave."""
    if not _has(job, "report.html"):
        return {}
    report = (job.result / "report.html").read_text(encoding="utf-8")
    uploads = [upload for upload in (job.table, job.labels) if upload is not None]
    return {upload.stored: upload.shown for upload in uploads if upload.stored in report}


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(values)
