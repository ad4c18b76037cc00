"""HTTP server on the loopback interface: its life, and limits on connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from ._answers import refusal
from ._app import App
from ._jobs import Jobs
from ._requests import RefusedError

CLOSE = (b"connection", b"close")
HOST = "127.0.0.1"
MAX_CONNECTIONS = 64
SECONDS_TO_ASK = 20.0  # from the connection to the end of the headers
MALFORMED = "The request cannot be read. Use the page, or the printed address, to send it."


class PageServer:
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
        self._socket = socket.create_server((HOST, port))
        self.port: int = self._socket.getsockname()[1]
        self.jobs = Jobs(root, n_jobs=n_jobs)
        self.app = App(self.jobs, port=self.port, max_size=max_size)
        self._server = _QuietServer(
            Config(
                self.app,
                http=_Connection,
                ws="none",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                log_level="critical",
                access_log=False,  # addresses contain the token
                proxy_headers=False,
                server_header=False,
                # Browsers send the cookies of all programs on 127.0.0.1.
                h11_max_incomplete_event_size=1 << 16,
                # One request per connection, so that the time of a connection is limited.
                headers=[("Server", "perturbfs"), ("Connection", "close")],
                timeout_graceful_shutdown=1,
            )
        )

    @property
    def address(self) -> str:
        """Address of the page, with the token."""
        return self._address(self.app.token)

    def address_for_browser(self) -> str:
        """Return an address with a token that works once.

        Other users can see the arguments with which the browser is started.
        """
        return self._address(self.app.new_ticket())

    def _address(self, token: str) -> str:
        return f"http://{HOST}:{self.port}{self.app.base}?token={token}"

    def run(self) -> None:
        """Serve until `stop` is called, then stop all jobs and remove their files."""
        asyncio.run(self._run())

    async def _run(self) -> None:
        try:
            await self._server.serve([self._socket])
        finally:
            connections: set[Any] = self._server.server_state.connections
            for connection in list(connections):
                connection.transport.abort()
            await self.jobs.close()

    def stop(self, *_: Any) -> None:
        """End the server; for a signal handler or another thread."""
        self._server.should_exit = True


class _QuietServer(Server):
    """Server that leaves signals to the command."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing."""
        yield


class _Connection(H11Protocol):
    """Connection that must send a request in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give the connection a time limit, and make room for it."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort}
        self.since = self.loop.time()
        self.loop.call_later(SECONDS_TO_ASK, self._give_up)
        if len(self.connections) > MAX_CONNECTIONS:
            # Those without a request first: clients that send nothing keep nobody out.
            connections: set[Any] = self.connections
            asking = [each for each in connections if not each.cycle]
            oldest = min(asking, key=lambda each: each.since)
            connections.discard(oldest)
            oldest.transport.abort()

    def _give_up(self) -> None:
        if not self.cycle:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Answer a malformed request with a sentence, and with our headers."""
        if not self.cycle:
            answer = refusal(RefusedError(400, MALFORMED))
            head = h11.Response(status_code=400, headers=[*answer.raw_headers, CLOSE])
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
