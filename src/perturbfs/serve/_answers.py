"""Answers to requests, with headers that isolate the pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.responses import FileResponse, Response

from ._pages import refusal_page
from ._requests import RefusedError

# Pages load from this server only, are not framed, and hold no inline script or style.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
# A report holds its scripts and styles. It runs in an origin of its own, without the cookie and
# without network requests.
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
ALWAYS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": PAGE_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
TYPES = {
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
}


def text_answer(text: str, status: int = 200, *, suffix: str = ".html", **more: str) -> Response:
    """Return text, which may hold characters that cannot be encoded; `more` are headers."""
    content = text.encode("utf-8", errors="replace")
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    return Response(content, status, {**ALWAYS, **headers}, media_type=TYPES[suffix])


def json_answer(value: Any, status: int = 200) -> Response:
    """Return plain values as JSON, for the script of the page."""
    return text_answer(json.dumps(value), status, suffix=".json")


def file_answer(path: Path) -> Response:
    """Return a file of a result: the report is shown, all others are downloaded."""
    is_report = path.suffix == ".html"
    policy = {"Content-Security-Policy": REPORT_POLICY} if is_report else {}
    return FileResponse(
        path,
        headers={**ALWAYS, **policy},
        media_type=TYPES[path.suffix],
        filename=None if is_report else path.name,
        stat_result=path.stat(),
    )


def refusal(refused: RefusedError, *, accept: str = "", home: str = "") -> Response:
    """Return the answer to a refused request.

    Parameters
    ----------
    refused : RefusedError
    accept : str
        Media types that the client accepts: JSON, or else a page.
    home : str
        Address of the start page; empty for users without the cookie.
    """
    if "application/json" in accept:
        return json_answer({"error": refused.sentence}, refused.status)
    return text_answer(refusal_page(refused.sentence, home), refused.status)
