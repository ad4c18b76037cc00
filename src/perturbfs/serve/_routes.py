"""Answer the requests about one job."""

from __future__ import annotations

from typing import Any

from ._answers import Answer, file_answer, json_answer
from ._job import Job
from ._jobs import Jobs
from ._pages import DOWNLOADS, job_page
from ._requests import RefusedError

RESULTS = ("report.html", *DOWNLOADS)


def answer_job(jobs: Jobs, job: Job, method: str, action: str, *, form: Any, limit: int) -> Answer:
    """Return the answer to a request below the address of a job.

    Parameters
    ----------
    jobs : Jobs
    job : Job
    method : {"GET", "POST"}
    action : str
        The part of the address after the key of the job.
    form : any
        Content of the form, for ``select``.
    limit : int
        Largest file, in bytes.

    Returns
    -------
    answer : Answer
    """
    if (method, action) == ("GET", ""):
        return Answer(job_page(job, limit=limit))
    if (method, action) == ("GET", "progress"):
        return json_answer(job.progress())
    if method == "GET" and action in RESULTS:
        return _result(job, action)
    if (method, action) == ("POST", "select"):
        jobs.select(job, form)
        return json_answer({}, 202)
    if (method, action) == ("POST", "cancel"):
        jobs.cancel(job)
        return json_answer({})
    if (method, action) == ("POST", "remove"):
        jobs.remove(job)
        return json_answer({})
    raise RefusedError(404, "There is no such page.")


def _result(job: Job, name: str) -> Answer:
    """Return a result file; its name comes from a list, never from the request."""
    path = next(job.result / known for known in RESULTS if known == name)
    if job.state != "done" or not path.is_file():
        raise RefusedError(404, f"There is no {name}, because the job is {job.state}.")
    return file_answer(path)
