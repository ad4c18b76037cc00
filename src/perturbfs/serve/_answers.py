"""Answers to requests, with headers that isolate the pages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
HTML = "text/html; charset=utf-8"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".html": HTML,
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers, and a body that is text or a file."""

    body: str | Path = ""
    status: int = 200
    type: str = HTML
    policy: str = PAGE_POLICY
    more: dict[str, str] = field(default_factory=dict)

    def headers(self) -> dict[str, str]:
        """Return all headers except the length."""
        return {
            "Content-Type": self.type,
            "Content-Security-Policy": self.policy,
            **ALWAYS,
            **self.more,
        }


def json_answer(value: Any, status: int = 200) -> Answer:
    """Return plain values as JSON, for the script of the page."""
    return Answer(json.dumps(value), status, TYPES[".json"])


def file_answer(path: Path) -> Answer:
    """Return a file of a result: the report is shown, all others are downloaded."""
    if path.suffix == ".html":
        return Answer(path, policy=REPORT_POLICY)
    save = {"Content-Disposition": f'attachment; filename="{path.name}"'}
    return Answer(path, type=TYPES[path.suffix], more=save)
