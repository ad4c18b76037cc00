"""Take pictures of all pages on real data, for docs/screenshots.

It uses the data sets that `perturbfs datasets` finds on disk, and prints which are missing. To
see a change of the pages without new computations, keep the results in a directory:
``python tools/screenshots.py --results DIR``.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from browser_finder import FLAGS, find_chromium

ROOT = Path(__file__).resolve().parents[1]
COMMAND = Path(sys.executable).parent / "perturbfs"
SELECT = {
    "colon": [],
    "lymphoma": ["--n-features", "12"],  # its smallest classes have two samples
    "riboflavin": [],
}
EVALUATE = ["--methods", "robust,mrmr,anova,lasso,random", "--n-features", "5,10,20,40"]
COLORS = 256  # enough for pages, and half of the size


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--results", type=Path, help="directory in which results are kept")
    options.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    given = options.parse_args()
    chromium = find_chromium()
    if chromium is None:
        sys.exit("Chromium is not installed. Run tools/install-chromium.")
    with _kept(given.results) as results:
        names = [name for name in SELECT if _compute(name, results)]
        given.out.mkdir(parents=True, exist_ok=True)
        _take(chromium, names, results, given.out)


@contextmanager
def _kept(path: Path | None):
    if path is not None:
        path.mkdir(parents=True, exist_ok=True)
        yield path
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)


def _compute(name: str, results: Path) -> bool:
    """Compute the results of a data set, or only their pages; return False without the data."""
    from perturbfs.datasets import where

    if where(name) is None:
        print(f"{name} is left out, because it is not on disk (see PERTURBFS_DATA).")
        return False
    commands = {
        f"{name}-selection": ["select", name, *SELECT[name]],
        f"{name}-evaluation": ["evaluate", name, *EVALUATE],
    }
    for folder, command in commands.items():
        if (results / folder).is_dir():
            subprocess.run([COMMAND, "report", results / folder, "--quiet"], check=True)
        else:
            print("perturbfs", *command)
            subprocess.run([COMMAND, *command, "--out", results / folder, "--quiet"], check=True)
    return True


def _take(chromium: str, names: list[str], results: Path, out: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name in names:
            page = results / f"{name}-selection" / "report.html"
            _shoot(browser, page, out / f"{name}-selection.png", prepare=_pick)
            _shoot(browser, page, out / f"{name}-selection-dark.png", "dark", prepare=_pick)
            page = results / f"{name}-evaluation" / "report.html"
            _shoot(browser, page, out / f"{name}-evaluation.png")
        if names:
            page = results / f"{names[0]}-selection" / "report.html"
            _shoot(browser, page, out / f"{names[0]}-selection-phone.png", width=390)
            _for_readme(browser, names, results, out)
        page = ROOT / "docs" / "reproduction" / "reproduction.html"
        _shoot(browser, page, out / "reproduction.png", height=1350)
        browser.close()
    print(f"Written to {out}:", *sorted(path.name for path in out.glob("*.png")))


def _for_readme(browser, names: list[str], results: Path, out: Path) -> None:
    """Take pictures of parts of pages, small enough for the README."""
    last = results / f"{names[-1]}-selection" / "report.html"
    _shoot(browser, last, out / "readme-selection.png", height=860)
    at = "#map-title"
    _shoot(browser, last, out / "readme-map.png", "dark", prepare=_pick, height=810, at=at)
    page = results / f"{names[0]}-evaluation" / "report.html"
    _shoot(browser, page, out / "readme-evaluation.png", height=800)


def _pick(page) -> None:
    page.locator("#features button.pick").nth(1).click()
    groups = page.locator("#features details", has=page.locator("svg.tree"))
    if groups.count():
        groups.first.locator("summary").click()


def _shoot(
    browser, source, path, scheme="light", *, prepare=None, width=1100, height=None, at=None
) -> None:
    """Take a picture of a whole page, or of `height` pixels from its top or from an element."""
    context = browser.new_context(
        viewport={"width": width, "height": height or 900}, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(source.resolve().as_uri())
    if prepare is not None:
        prepare(page)
    if at is not None:
        page.locator(at).evaluate("each => scrollTo(0, each.getBoundingClientRect().top - 24)")
    page.wait_for_timeout(200)
    page.screenshot(path=path, full_page=height is None)
    context.close()
    _shrink(path)


def _shrink(path: Path) -> None:
    from PIL import Image  # comes with matplotlib

    with Image.open(path) as image:
        # Colors are not chosen by frequency: the few chosen points must keep theirs.
        method = Image.Quantize.MAXCOVERAGE
        small = image.convert("RGB").quantize(COLORS, method, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


if __name__ == "__main__":
    if not shutil.which(str(COMMAND)):
        sys.exit("perturbfs is not installed for this Python. Run make screenshots.")
    main()
