"""Links of the Markdown pages that lead out of ``docs``.

On a code host, a page links to files such as ``../CHANGELOG.md``. On the site, those that have a
page there become links to it. All others stay links to the file, which Sphinx copies to the site.
"""

from __future__ import annotations

from typing import Any

PAGES = {
    "docs/": "",  # CONTRIBUTING.md lies above the pages
    "../README.md#how-well-it-does": "choosing.md#the-table",
    "../README.md": "index.md",
    "../CHANGELOG.md": "changelog.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../benchmarks/README.md": "benchmarks.md",
    "../benchmarks/method-search.md": "method-search.md",
}


def setup(app: Any) -> dict[str, bool]:
    """Register the replacement with Sphinx."""
    app.connect("source-read", _replace)
    app.connect("include-read", lambda app, _, name, source: _replace(app, str(name), source))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _replace(_app: Any, _name: str, source: list[str]) -> None:
    for before, after in PAGES.items():
        source[0] = source[0].replace(f"]({before}", f"]({after}")
