"""The README's example does what the README says."""

import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
SOURCE = README.parent / "src" / "perturbfs"


def test_the_example_prints_what_the_readme_shows(capsys):
    text = README.read_text(encoding="utf-8")
    example, output = re.search(r"```python\n(.*?)```\n+```\n(.*?)```", text, re.DOTALL).groups()
    exec(compile(example, str(README), "exec"), {})
    assert capsys.readouterr().out == output


def test_links_lead_somewhere():
    text = README.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert link.startswith("http") or (README.parent / link).exists()


def test_docstrings_name_pages_that_are_on_the_site():
    """What `help` shows has no folder docs beside it."""
    named = []
    for path in SOURCE.rglob("*.py"):
        text = path.read_text("utf-8")
        named += re.findall(r"perturbfs\.github\.io/perturbfs/([\w-]+)\.html", text)
    assert len(named) >= 5
    for page in named:
        assert list((README.parent / "docs").glob(f"{page}.*")), page
