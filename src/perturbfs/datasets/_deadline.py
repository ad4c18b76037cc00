"""Open an address with a limit on the time that the whole answer may take.

The timeout of a socket starts again with every byte, so a server that sends one byte now and then
would keep a download going for ever.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.request
from collections.abc import Callable
from typing import Any


class TooSlowError(TimeoutError):
    """An answer that had not ended when its time was over."""


def open_until(request: urllib.request.Request, *, seconds: float, timeout: float) -> Any:
    """Open an address as `urllib.request.urlopen` does.

    Parameters
    ----------
    request : Request
    seconds : float
        Time for the answer, redirections and its headers included.
    timeout : float
        Seconds without a single byte.

    Returns
    -------
    response : http.client.HTTPResponse
        Reading it raises `TooSlowError` after that time.
    """
    deadline = time.monotonic() + seconds

    def respond(sock: Any, *args: Any, **options: Any) -> http.client.HTTPResponse:
        timed: Any = _Socket(sock, deadline, timeout)
        return http.client.HTTPResponse(timed, *args, **options)

    class Http(_Timed, urllib.request.HTTPHandler):
        responds = staticmethod(respond)

    class Https(_Timed, urllib.request.HTTPSHandler):
        responds = staticmethod(respond)

    return urllib.request.build_opener(Http, Https).open(request, timeout=timeout)


class _Timed(urllib.request.AbstractHTTPHandler):
    """Make the responses of a handler with another function."""

    responds: Callable[..., http.client.HTTPResponse]

    def do_open(self, http_class: Any, req: urllib.request.Request, **options: Any) -> Any:
        def connect(host: str, **more: Any) -> http.client.HTTPConnection:
            connection: http.client.HTTPConnection = http_class(host, **more)
            connection.response_class = self.responds  # type: ignore[assignment]
            return connection

        connector: Any = connect
        return super().do_open(connector, req, **options)


class _Socket:
    """Stand in for a socket: a response takes a file to read from it."""

    def __init__(self, sock: socket.socket, deadline: float, timeout: float) -> None:
        self._limits = (sock, deadline, timeout)

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_Stream(*self._limits))


class _Stream(io.RawIOBase):
    """The bytes from a socket until the deadline."""

    def __init__(self, sock: socket.socket, deadline: float, timeout: float) -> None:
        self._sock, self._deadline, self._timeout = sock, deadline, timeout
        self._bytes = sock.makefile("rb", buffering=0)  # keeps the connection open

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TooSlowError
        self._sock.settimeout(min(self._timeout, left))
        try:
            return self._bytes.readinto(buffer)
        except TimeoutError as error:
            if time.monotonic() < self._deadline:
                raise
            raise TooSlowError from error

    def close(self) -> None:
        self._bytes.close()
        super().close()
