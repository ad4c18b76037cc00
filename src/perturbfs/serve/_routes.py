"""Route the requests of users with the cookie: pages, jobs and their results."""

from __future__ import annotations

from pathlib import Path

from ._answers import TYPES, Answer, file_answer, json_answer
from ._job import Job
from ._jobs import Jobs
from ._pages import DOWNLOADS, asset, job_page
from ._requests import Body, RefusedError

RESULTS = ("report.html", *DOWNLOADS)


def answer_request(jobs: Jobs, method: str, path: str, name: str, body: Body) -> Answer:
    """Return the answer to a request.

    Parameters
    ----------
    jobs : Jobs
    method : {"GET", "POST"}
    path : str
        Relative to the address of the start page.
    name : str
        Name of the uploaded file, if there is one.
    body : Body

    Returns
    -------
    answer : Answer
    """
    match method, path.split("/"):
        case "GET", ["page.css" | "page.js"]:
            return Answer(asset(path), type=TYPES[Path(path).suffix])
        case "POST", ["jobs"]:
            job = jobs.add(*body.file(name), name)
            return json_answer({"page": f"jobs/{job.key}/"}, 201)
        case "GET", ["jobs", key, action]:
            return _show(jobs.get(key), action, limit=body.limit)
        case "POST", ["jobs", key, action]:
            return _change(jobs, jobs.get(key), action, name, body)
    raise _nothing_there()


def _show(job: Job, action: str, *, limit: int) -> Answer:
    if action == "":
        return Answer(job_page(job, limit=limit))
    if action == "progress":
        return json_answer(job.progress())
    # The name of the file comes from the list, never from the request.
    path = next((job.result / known for known in RESULTS if known == action), None)
    if path is None:
        raise _nothing_there()
    if job.state != "done" or not path.is_file():
        raise RefusedError(404, f"There is no {path.name}, because the job is {job.state}.")
    return file_answer(path)


def _change(jobs: Jobs, job: Job, action: str, name: str, body: Body) -> Answer:
    match action:
        case "labels":
            jobs.add_labels(job, *body.file(name), name)
            return json_answer({"page": "reload"}, 201)
        case "select" | "evaluate":
            jobs.start(job, action, body.form())
            return json_answer({}, 202)
        case "cancel":
            jobs.cancel(job)
        case "remove":
            jobs.remove(job)
        case _:
            raise _nothing_there()
    return json_answer({})


def _nothing_there() -> RefusedError:
    return RefusedError(404, "There is no such page.")
