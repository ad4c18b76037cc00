"""The application: who is let in, and which action a request asks for."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import traceback
from contextlib import suppress
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ._answers import file_answer, json_answer, refusal, text_answer
from ._job import Job
from ._jobs import Jobs
from ._pages import DOWNLOADS, asset, job_page, start_page
from ._requests import (
    FAULT,
    MAX_JSON,
    Pieces,
    RefusedError,
    body_length,
    check_host,
    check_origin,
    display_name,
    read_form,
)

RESULTS = ("report.html", *DOWNLOADS)
NO_ENTRY = "Open the address that perturbfs serve printed, including its token."
TOO_SLOW = "The request took too long, so it was not completed. Try again."
SECONDS = 30.0  # for a request, and for its answer
SLOWEST = 100_000  # bytes per second of an upload, which get more time
SECONDS_TO_DRAIN = 3.0


class App:
    """The pages of a server, for those who have its token.

    Parameters
    ----------
    jobs : Jobs
    port : int
    max_size : int
        Largest file, in bytes.
    """

    def __init__(self, jobs: Jobs, *, port: int, max_size: int) -> None:
        self.jobs, self._port, self._max_size = jobs, port, max_size
        # A browser sends cookies of 127.0.0.1 to all ports, so the path is secret too.
        self.base = f"/{secrets.token_urlsafe(9)}/"
        self.token, self._session = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._tickets: list[str] = []

    def new_ticket(self) -> str:
        """Return a token that works once."""
        self._tickets.append(secrets.token_urlsafe(32))
        return self._tickets[-1]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Only its announced length gives it more time."""
        request = Request(scope, receive)
        loop, abort = asyncio.get_running_loop(), scope["state"]["abort"]
        try:
            async with asyncio.timeout(_seconds_for(request.headers, self._max_size)):
                answer = await self._answer(request)
        except TimeoutError:
            answer = refusal(RefusedError(408, TOO_SLOW), accept=_accepted(request))
        try:
            async with asyncio.timeout(_seconds_for(answer.headers)):
                await answer(scope, receive, send)
        except TimeoutError:
            abort()
        loop.call_later(SECONDS, abort)  # what the client does not take by then is dropped

    async def _answer(self, request: Request) -> Response:
        home = ""
        try:
            check_host(request.headers.get("host"), self._port)
            check_origin(request.headers.get("origin"), self._port)
            if request.scope["path"] == "/favicon.ico":  # browsers request it automatically
                return text_answer("", 204)
            home = self.base if self._is_member(request) else ""
            return await self._find(request, is_member=bool(home))
        except RefusedError as error:
            refused = error
        except ClientDisconnect:
            refused = RefusedError(400, "The request was incomplete. Send it again.")
        except Exception:
            traceback.print_exc()
            refused = RefusedError(500, FAULT)
        await _drain(request)
        return refusal(refused, accept=_accepted(request), home=home)

    @property
    def _cookie_name(self) -> str:
        return f"perturbfs-{self._port}"

    def _is_member(self, request: Request) -> bool:
        return _same_secret(request.cookies.get(self._cookie_name, ""), self._session)

    def _admits(self, token: str) -> bool:
        """Return whether a token opens the page; a token for the browser is used up."""
        found = [ticket for ticket in self._tickets if _same_secret(token, ticket)]
        for ticket in found:
            self._tickets.remove(ticket)
        return bool(found) or _same_secret(token, self.token)

    async def _find(self, request: Request, *, is_member: bool) -> Response:
        path: str = request.scope["path"]
        is_home = request.method == "GET" and path == self.base
        if is_home and self._admits(request.query_params.get("token", "")):
            limits = f"Path={self.base}; HttpOnly; SameSite=Strict"
            cookie = f"{self._cookie_name}={self._session}; {limits}"
            return text_answer(
                start_page(self.jobs.all(), limit=self._max_size), Set_Cookie=cookie
            )
        if not is_member:
            raise RefusedError(403, NO_ENTRY)
        return await self._route(request, path.removeprefix(self.base).split("/"))

    async def _route(self, request: Request, path: list[str]) -> Response:
        """Return the answer to a user with the cookie."""
        match request.method, path:
            case "GET", [""]:
                return text_answer(start_page(self.jobs.all(), limit=self._max_size))
            case "GET", ["page.css" | "page.js" as name]:
                return text_answer(asset(name), suffix=Path(name).suffix)
            case "POST", ["jobs"]:
                job = await self.jobs.add(*self._file(request))
                return json_answer({"page": f"jobs/{job.key}/"}, 201)
            case "GET", ["jobs", key, action]:
                return self._show(self.jobs.get(key), action)
            case "POST", ["jobs", key, action]:
                return await self._change(self.jobs.get(key), action, request)
            case (("GET" | "POST"), _):
                raise _nothing_there()
        raise RefusedError(405, f"{request.method} is not possible here. Use the page instead.")

    def _show(self, job: Job, action: str) -> Response:
        if action == "":
            return text_answer(job_page(job, limit=self._max_size))
        if action == "progress":
            return json_answer(job.progress())
        # The name of the file comes from the list, never from the request.
        path = next((job.result / known for known in RESULTS if known == action), None)
        if path is None:
            raise _nothing_there()
        if job.state != "done" or not path.is_file():
            raise RefusedError(404, f"There is no {path.name}, because the job is {job.state}.")
        return file_answer(path)

    async def _change(self, job: Job, action: str, request: Request) -> Response:
        match action:
            case "labels":
                await self.jobs.add_labels(job, *self._file(request))
                return json_answer({"page": "reload"}, 201)
            case "select" | "evaluate":
                body_length(request.headers.get("content-length"), MAX_JSON, "The form")
                self.jobs.start(job, action, read_form(await request.body()))
                return json_answer({}, 202)
            case "cancel":
                await self.jobs.cancel(job)
            case "remove":
                await self.jobs.remove(job)
            case _:
                raise _nothing_there()
        return json_answer({})

    def _file(self, request: Request) -> tuple[Pieces, int, str]:
        """Return the content of a file, its length and its name."""
        name = request.query_params.get("name", "")
        announced = request.headers.get("content-length")
        length = body_length(announced, self._max_size, display_name(name) or "The file")
        return request.stream(), length, name


def _seconds_for(headers: Headers, limit: int | None = None) -> float:
    """Return the time in which a body of the announced length must be received or sent."""
    length = int(headers.get("content-length", 0))  # h11 has checked it
    return SECONDS + (length if limit is None else min(length, limit)) / SLOWEST


async def _drain(request: Request) -> None:
    """Read more of a refused body: a browser shows no answer that comes before it has sent all."""
    with suppress(TimeoutError, ClientDisconnect, RuntimeError):  # RuntimeError: it was read
        async with asyncio.timeout(SECONDS_TO_DRAIN):
            async for _ in request.stream():
                pass


def _accepted(request: Request) -> str:
    return request.headers.get("accept", "")


def _same_secret(given: str, secret: str) -> bool:
    """Compare two strings in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), secret.encode())


def _nothing_there() -> RefusedError:
    return RefusedError(404, "There is no such page.")
