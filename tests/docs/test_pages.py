"""The pages of docs: their links, their place in the site, and the names that they mention."""

import ast
import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

import perturbfs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
PACKAGE = ROOT / "src" / "perturbfs"
CODE = re.compile(r"`([\w/]+\.py): (\w+)`")
PACKAGES = [name for name in perturbfs.__all__ if isinstance(getattr(perturbfs, name), ModuleType)]
API = (DOCS / "api.rst").read_text("utf-8")


def _links(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    return re.findall(r"\]\(([^)#\s]+)", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_of_a_page_lead_somewhere(page):
    for link in _links(page):
        assert link.startswith("https://") or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_headings_that_a_page_links_to_exist(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for link, heading in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", text):
        goal = page.parent / link if link else page
        assert heading in _headings(goal), f"{link}#{heading}"


def _headings(page):
    """Return what links call the headings of a page."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_waits_for_a_table(page):
    assert re.findall(r"^[A-Z]+_[A-Z_]+$", page.read_text("utf-8"), re.MULTILINE) == []


def test_links_that_the_site_replaces_lead_to_its_headings():
    replaced = (DOCS / "_ext" / "repository.py").read_text("utf-8")
    for page, heading in re.findall(r'"([\w-]+\.md)#([\w-]+)"', replaced):
        assert heading in _headings(DOCS / page)


def test_every_page_has_a_place_in_the_site():
    listed = set()
    for page in PAGES:
        for tree in re.findall(r"```\{toctree\}(.*?)```", page.read_text("utf-8"), re.DOTALL):
            listed |= {line for line in tree.splitlines() if re.fullmatch(r"[\w/-]+", line)}
    assert {page.stem for page in PAGES} - {"index"} <= listed


@pytest.mark.parametrize(
    ("module", "name"), sorted(set(CODE.findall((DOCS / "paper-in-code.md").read_text("utf-8"))))
)
def test_every_function_of_the_paper_in_code_exists(module, name):
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    assert name in {node.name for node in tree.body if hasattr(node, "name")}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_reference_has_every_public_name(name):
    package = importlib.import_module(f"perturbfs.{name}")
    for public in package.__all__:
        at_root = public in perturbfs.__all__
        assert re.search(rf"\b{public}\b" if at_root else rf"\b{name}\.{public}\b", API), public


def test_the_reference_has_the_names_of_the_root():
    for public in set(perturbfs.__all__) - {"__version__", *PACKAGES}:
        assert re.search(rf"^   {public}$", API, re.MULTILINE), public


@pytest.mark.parametrize(
    "page",
    ["quickstart", "sklearn-users", "paper-in-code", "several-tables"],
    ids=lambda page: page,
)
def test_the_first_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if page == "quickstart":
        pytest.importorskip("pandas")
    example = re.search(
        r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text("utf-8"), re.DOTALL
    )
    exec(compile(example.group(1), page, "exec"), {})
    if page == "quickstart":
        assert {path.name for path in tmp_path.iterdir()} == {"table.csv", "new.csv"}
    else:
        assert capsys.readouterr().out
