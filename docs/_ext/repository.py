"""Links of the Markdown pages that lead out of ``docs``.

On a code host, a page links to files such as ``../CHANGELOG.md``. On the site, those that have a
page there become links to it. All others stay links to the file, which Sphinx copies to the site.
"""

from __future__ import annotations

import re
from typing import Any

PAGES = {
    r"\.\./README\.md#how-well-it-does": "choosing.md#data-on-which-nothing-was-tuned",
    r"\.\./README\.md": "index.md",
    r"\.\./CHANGELOG\.md": "changelog.md",
    r"\.\./CONTRIBUTING\.md": "contributing.md",
    r"\.\./benchmarks/README\.md": "benchmarks.md",
    r"\.\./benchmarks/method-search\.md": "notebook.md",
    r"\.\./examples/README\.txt": "gallery/index.rst",
    r"\.\./examples/(plot_\w+)\.py": r"gallery/\1.rst",
    # These lie above the pages, or beside what a page includes.
    r"docs/": "",
    r"(\.\./)?SECURITY\.md": "security.md",
    r"(\.\./)?packaging/README\.md": "packaging.md",
    r"(conda|snakemake|nextflow)/": r"../packaging/\1/",
}


def setup(app: Any) -> dict[str, bool]:
    """Register the replacement with Sphinx."""
    app.connect("source-read", _replace)
    app.connect("include-read", lambda app, _, name, source: _replace(app, str(name), source))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _replace(_app: Any, _name: str, source: list[str]) -> None:
    for before, after in PAGES.items():
        source[0] = re.sub(rf"\]\({before}", f"]({after}", source[0])
