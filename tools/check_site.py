"""Check every link and picture of a built site that leads to the site itself.

    python tools/check_site.py docs/_build/html

Addresses of other sites are not opened, only counted; they must begin with https.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SCHEMES = ("mailto", "data", "javascript")


class Page(HTMLParser):
    """The targets and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag links to and what it can be linked by."""
        for name, value in attrs:
            if value and name in ("href", "src") and tag != "use":
                self.targets.append(value)
            if value and (name == "id" or (tag == "a" and name == "name")):
                self.anchors.add(value)


def read_pages(site: Path) -> dict[Path, Page]:
    """Return all pages of a site by their paths, without the templates of its theme."""
    pages = {}
    for path in sorted(set(site.rglob("*.html")) - set(site.glob("_static/**/*.html"))):
        pages[path.resolve()] = page = Page()
        page.feed(path.read_text("utf-8"))
    return pages


def find_faults(pages: dict[Path, Page]) -> tuple[list[str], int]:
    """Return one sentence per broken link, and the number of addresses of other sites."""
    faults, n_outside = [], 0
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if parts.scheme in SCHEMES:
                continue
            if parts.scheme or parts.netloc:
                n_outside += 1
                if parts.scheme != "https":
                    faults.append(f"{path.name}: {target} does not begin with https")
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not goal.is_file():
                faults.append(f"{path.name}: {target} leads nowhere")
            elif parts.fragment and goal in pages and not _has(pages[goal], parts.fragment):
                faults.append(f"{path.name}: {target} has no such heading")
    return faults, n_outside


def _has(page: Page, fragment: str) -> bool:
    return unquote(fragment) in page.anchors


def main() -> None:
    pages = read_pages(Path(sys.argv[1]))
    if not pages:
        sys.exit(f"{sys.argv[1]} has no pages. Build them first: make docs")
    faults, n_outside = find_faults(pages)
    n_links = sum(len(page.targets) for page in pages.values())
    print(f"{len(pages)} pages, {n_links} links and pictures, {n_outside} of them to other sites")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
