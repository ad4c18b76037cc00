"""HTTP server on the loopback interface: who may send requests."""

from __future__ import annotations

import os
import secrets
import socket
import socketserver
import sys
import time
import traceback
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, cast

from ._answers import Answer, json_answer
from ._jobs import Jobs
from ._pages import refusal_page, start_page
from ._requests import (
    Body,
    RefusedError,
    check_host,
    check_origin,
    cookie_value,
    same_secret,
    split_address,
)
from ._routes import answer_request

HOST = "127.0.0.1"
NO_ENTRY = "Open the address that perturbfs serve printed, including its token."
FAULT = "This is probably a bug in perturbfs; the terminal shows where."
DRAIN_SECONDS = 3.0


class PageServer(ThreadingHTTPServer):
    """The server of `perturbfs serve`.

    Parameters
    ----------
    root : Path
        Empty folder that only the user can read.
    port : int
        0 takes a free one.
    max_size : int
        Largest file, in bytes.
    n_jobs : int
        Number of processes of a selection.
    """

    def __init__(self, root: Path, *, port: int = 0, max_size: int, n_jobs: int = 1) -> None:
        self.max_size = max_size
        self.jobs = Jobs(root, n_jobs=n_jobs)  # before the port is bound, which may fail
        super().__init__((HOST, port), Handler)
        # A browser sends cookies of 127.0.0.1 to all ports, so the path is secret too.
        self.base = f"/{secrets.token_urlsafe(9)}/"
        self.token, self.session = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._tickets: set[str] = set()

    def server_bind(self) -> None:
        """Bind without looking up the host name, which may make a network request."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    @property
    def address(self) -> str:
        """Address of the page, with the token."""
        return f"http://{HOST}:{self.server_port}{self.base}?token={self.token}"

    def address_for_browser(self) -> str:
        """Return an address with a token that works once.

        Other users can see the arguments with which the browser is started.
        """
        ticket = secrets.token_urlsafe(32)
        self._tickets.add(ticket)
        return self.address.replace(self.token, ticket)

    def admits(self, token: str) -> bool:
        """Return whether a token opens the page; a token for the browser is used up."""
        if same_secret(token, self.token):
            return True
        found = next((ticket for ticket in set(self._tickets) if same_secret(token, ticket)), None)
        try:
            self._tickets.remove(found or "")  # raises if another thread has used it
        except KeyError:
            return False
        return True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that the browser closed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """Stop listening, stop all jobs and remove their files."""
        super().server_close()
        self.jobs.close()


class Handler(BaseHTTPRequestHandler):
    """Handler of one request."""

    timeout = 60  # seconds without a byte
    server: PageServer

    def do_GET(self) -> None:
        """Answer with a page, progress or a result."""
        self._serve()

    def do_POST(self) -> None:
        """Accept a file or settings, or cancel or remove a job."""
        self._serve()

    def _serve(self) -> None:
        is_member = False
        try:
            check_host(self.headers["Host"], self.server.server_port)
            check_origin(self.headers["Origin"], self.server.server_port)
            path, query = split_address(self.path)
            if path == "/favicon.ico":  # browsers request it automatically
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

    @property
    def _cookie_name(self) -> str:
        return f"perturbfs-{self.server.server_port}"

    def _is_member(self) -> bool:
        value = cookie_value(self.headers["Cookie"], self._cookie_name)
        return same_secret(value, self.server.session)

    def _find(self, path: str, query: dict[str, str], *, is_member: bool) -> Answer:
        server = self.server
        is_home = path == server.base and self.command == "GET"
        if is_home and "token" in query and server.admits(query["token"]):
            cookie = f"{self._cookie_name}={server.session}"
            limits = f"Path={server.base}; HttpOnly; SameSite=Strict"
            return self._home({"Set-Cookie": f"{cookie}; {limits}"})
        if not is_member:
            raise RefusedError(403, NO_ENTRY)
        if is_home:
            return self._home({})
        body = Body(cast(BinaryIO, self.rfile), self.headers["Content-Length"], server.max_size)
        path = path.removeprefix(server.base)
        return answer_request(server.jobs, self.command, path, query.get("name", ""), body)

    def _home(self, more: dict[str, str]) -> Answer:
        page = start_page(self.server.jobs.all(), limit=self.server.max_size)
        return Answer(page, more=more)

    def _refuse(self, refused: RefusedError, *, is_member: bool) -> Answer:
        if "application/json" in (self.headers["Accept"] or ""):
            return json_answer({"error": refused.sentence}, refused.status)
        home = self.server.base if is_member else ""
        return Answer(refusal_page(refused.sentence, home), refused.status)

    def _send(self, answer: Answer) -> None:
        body = answer.body
        with body.open("rb") if isinstance(body, Path) else BytesIO(body.encode()) as content:
            length = content.seek(0, os.SEEK_END)
            content.seek(0)
            self.send_response(answer.status)
            for name, value in answer.headers().items():
                self.send_header(name, value)
            if answer.status != 204:
                self.send_header("Content-Length", str(length))
            self.end_headers()
            copyfileobj(content, self.wfile)

    def _drain(self) -> None:
        """Read more of the request body, so that the browser receives the refusal."""
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
        """Answer a request that the standard library refuses, with our headers."""
        self.close_connection = True
        self._send(Answer(refusal_page(message or explain or "Not possible."), int(code)))

    def version_string(self) -> str:
        """Return a server name without versions."""
        return "perturbfs"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing, because addresses contain the token."""
