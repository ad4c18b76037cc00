"""HTTP on the loopback interface: who may ask, and what for."""

from __future__ import annotations

import json
import secrets
import socket
import socketserver
import sys
import time
import traceback
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, cast

from ._answers import TYPES, Answer, json_answer
from ._jobs import Jobs
from ._pages import asset, refusal_page, start_page
from ._requests import (
    MAX_JSON,
    RefusedError,
    body_length,
    check_host,
    check_origin,
    cookie_value,
    display_name,
    same_secret,
    split_address,
)
from ._routes import answer_job

HOST = "127.0.0.1"
NO_ENTRY = "Open the address that perturbfs serve printed, with its token."
FAULT = "This looks like a fault of perturbfs; the terminal shows where."
DRAIN_SECONDS = 3.0


class PageServer(ThreadingHTTPServer):
    """The server of `perturbfs serve`.

    Parameters
    ----------
    root : Path
        An empty folder that nobody else may enter.
    port : int
        0 for a free one.
    max_size : int
        Bytes that a file may have.
    n_jobs : int
        Processes that a selection may use.
    """

    def __init__(self, root: Path, *, port: int = 0, max_size: int, n_jobs: int = 1) -> None:
        self.max_size = max_size
        self.jobs = Jobs(root, n_jobs=n_jobs)  # before the port, which may be taken
        super().__init__((HOST, port), Handler)
        # A browser sends cookies of 127.0.0.1 to all its ports, so the path is a secret too.
        self.base = f"/{secrets.token_urlsafe(9)}/"
        self.token, self.session = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._tickets: set[str] = set()

    def server_bind(self) -> None:
        """Bind without asking for the name of this machine, which may go over the network."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    @property
    def address(self) -> str:
        """Where the page is, with the token."""
        return f"http://{HOST}:{self.server_port}{self.base}?token={self.token}"

    def address_for_browser(self) -> str:
        """The same for one visit: the words of a browser's command can be seen by others."""
        ticket = secrets.token_urlsafe(32)
        self._tickets.add(ticket)
        return self.address.replace(self.token, ticket)

    def admits(self, token: str) -> bool:
        """Whether a token opens the page."""
        if same_secret(token, self.token):
            return True
        found = next((ticket for ticket in set(self._tickets) if same_secret(token, ticket)), None)
        try:
            self._tickets.remove(found or "")  # at once found and used up, whoever else asks
        except KeyError:
            return False
        return True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """Stop listening, end all jobs and remove their files."""
        super().server_close()
        self.jobs.close()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    timeout = 60  # seconds without a byte
    server: PageServer

    def do_GET(self) -> None:
        """Pages, progress and results."""
        self._serve()

    def do_POST(self) -> None:
        """Files, settings, cancel and remove."""
        self._serve()

    def _serve(self) -> None:
        is_member = False
        try:
            check_host(self.headers["Host"], self.server.server_port)
            check_origin(self.headers["Origin"], self.server.server_port)
            path, query = split_address(self.path)
            if path == "/favicon.ico":  # asked for by browsers on their own
                return self._send(Answer(status=204))
            is_member = self._is_member()
            self._send(self._find(path, query, is_member=is_member))
        except RefusedError as refused:
            self._send(self._refuse(refused, is_member=is_member))
            self._drain()
        except OSError:
            raise
        except Exception:
            traceback.print_exc()
            self._send(self._refuse(RefusedError(500, FAULT), is_member=is_member))

    def _is_member(self) -> bool:
        name = f"perturbfs-{self.server.server_port}"
        return same_secret(cookie_value(self.headers["Cookie"], name), self.server.session)

    def _find(self, path: str, query: dict[str, str], *, is_member: bool) -> Answer:
        server = self.server
        is_home = path == server.base and self.command == "GET"
        if is_home and "token" in query and server.admits(query["token"]):
            cookie = (
                f"perturbfs-{server.server_port}={server.session}; Path={server.base}; "
                "HttpOnly; SameSite=Strict"
            )
            return self._home({"Set-Cookie": cookie})
        if not is_member:
            raise RefusedError(403, NO_ENTRY)
        if is_home:
            return self._home({})
        return self._inside(path.removeprefix(server.base), query)

    def _home(self, more: dict[str, str]) -> Answer:
        page = start_page(self.server.jobs.all(), limit=self.server.max_size)
        return Answer(page, more=more)

    def _inside(self, path: str, query: dict[str, str]) -> Answer:
        asked = (self.command, path)
        if asked in (("GET", "page.css"), ("GET", "page.js")):
            return Answer(asset(path), type=TYPES[Path(path).suffix])
        if asked == ("POST", "jobs"):
            name = query.get("name", "")
            job = self.server.jobs.add(*self._file(name), name)
            return json_answer({"page": f"jobs/{job.key}/"}, 201)
        kind, _, rest = path.partition("/")
        key, slash, action = rest.partition("/")
        if kind != "jobs" or not slash:
            raise RefusedError(404, "There is no such page.")
        job = self.server.jobs.get(key)
        if (self.command, action) == ("POST", "labels"):
            name = query.get("name", "")
            self.server.jobs.add_labels(job, *self._file(name), name)
            return json_answer({"page": "reload"}, 201)
        form = self._form() if (self.command, action) == ("POST", "select") else None
        return answer_job(
            self.server.jobs, job, self.command, action, form=form, limit=self.server.max_size
        )

    def _file(self, name: str) -> tuple[BinaryIO, int]:
        what = display_name(name) or "The file"
        length = body_length(self.headers["Content-Length"], self.server.max_size, what)
        return cast(BinaryIO, self.rfile), length

    def _form(self) -> Any:
        length = body_length(self.headers["Content-Length"], MAX_JSON, "The form")
        try:
            return json.loads(self.rfile.read(length))
        except ValueError as error:
            raise RefusedError(400, "The form is not JSON. Use the page to send it.") from error

    def _refuse(self, refused: RefusedError, *, is_member: bool) -> Answer:
        if "application/json" in (self.headers["Accept"] or ""):
            return json_answer({"error": refused.sentence}, refused.status)
        home = self.server.base if is_member else ""
        return Answer(refusal_page(refused.sentence, home), refused.status)

    def _send(self, answer: Answer) -> None:
        is_file = isinstance(answer.body, Path)
        body = b"" if isinstance(answer.body, Path) else answer.body.encode()
        length = answer.body.stat().st_size if isinstance(answer.body, Path) else len(body)
        self.send_response(answer.status)
        for name, value in answer.headers().items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if is_file:
            with cast(Path, answer.body).open("rb") as file:
                copyfileobj(file, self.wfile)
        else:
            self.wfile.write(body)

    def _drain(self) -> None:
        """Take a little of what is still coming, so that the browser reads the refusal."""
        end = time.monotonic() + DRAIN_SECONDS
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1.0)
            while time.monotonic() < end and self.connection.recv(1 << 16):
                pass

    def send_error(
        self, code: int, message: str | None = None, explain: str | None = None
    ) -> None:
        """What the standard library refuses, with our headers."""
        self.close_connection = True
        self._send(Answer(refusal_page(message or explain or "Not possible."), int(code)))

    def version_string(self) -> str:
        """No word about versions."""
        return "perturbfs"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: addresses hold the token."""
