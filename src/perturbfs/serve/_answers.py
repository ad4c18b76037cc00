"""What is sent back, with the headers that keep pages to themselves."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# No source but this server, no frame around it, and no script or style inside a page.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
# A report carries its scripts and styles. It runs in an origin of its own, without the cookie,
# and may ask for nothing.
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
    """Status, headers, and a text or a file."""

    body: str | Path = ""
    status: int = 200
    type: str = HTML
    policy: str = PAGE_POLICY
    more: dict[str, str] = field(default_factory=dict)

    def headers(self) -> dict[str, str]:
        """All headers but the length."""
        return {
            "Content-Type": self.type,
            "Content-Security-Policy": self.policy,
            **ALWAYS,
            **self.more,
        }


def json_answer(value: Any, status: int = 200) -> Answer:
    """Plain values, for scripts."""
    return Answer(json.dumps(value), status, TYPES[".json"])


def file_answer(path: Path) -> Answer:
    """A file of a result: the report to look at, all others to keep."""
    if path.suffix == ".html":
        return Answer(path, policy=REPORT_POLICY)
    save = {"Content-Disposition": f'attachment; filename="{path.name}"'}
    return Answer(path, type=TYPES[path.suffix], more=save)
