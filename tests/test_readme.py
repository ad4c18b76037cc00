"""The README says what is true: its example and the demo print what it shows, and it is short."""

import csv
import re
from pathlib import Path

from typer.testing import CliRunner

from perturbfs.cli import app

README = Path(__file__).resolve().parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
MOST_WORDS = 700
SOURCE = README.parent / "src" / "perturbfs"


def test_the_example_prints_what_the_readme_shows(capsys):
    example, output = re.search(r"```python\n(.*?)```\n+```\n(.*?)```", TEXT, re.DOTALL).groups()
    exec(compile(example, str(README), "exec"), {})
    assert capsys.readouterr().out == output


def test_the_demo_prints_the_lines_that_the_readme_shows(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shown = re.search(r"```\n(rank .*?)```", TEXT, re.DOTALL).group(1).splitlines()
    assert len(shown) == 9
    answer = CliRunner().invoke(app, ["demo"])
    assert answer.exit_code == 0
    printed = [line.rstrip() for line in answer.stdout.splitlines()]
    assert [line for line in shown if line not in printed] == []


def test_the_readme_is_short():
    """Counted as `wc -w` does: code, output and the marks of tables are words too."""
    assert len(TEXT.split()) <= MOST_WORDS


def test_the_table_is_that_of_the_page_on_choosing():
    table = re.search(r"(\| \|.*?\n)\n", TEXT, re.DOTALL).group(1)
    assert table.count("\n") > 8
    assert table in (README.parent / "docs" / "choosing.md").read_text("utf-8")


def test_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT):
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


def test_the_table_has_the_numbers_of_the_fresh_sets():
    names = {
        "**`robust`**": "robust",
        "random forest": "forest",
        "L1 logistic regression": "l1-logistic",
        "ANOVA F": "anova",
        "random features": "random",
    }
    kept = README.parent / "benchmarks" / "results" / "fresh-classes.csv"
    with kept.open(encoding="utf-8", newline="") as file:
        rows = {row["method"]: row for row in csv.DictReader(file)}
    shown = re.findall(r"^\| ([^|]+) \| ([\d.| ]+) \|$", TEXT, re.MULTILINE)
    assert len(shown) == 10
    for label, cells in shown:
        row = rows[names.get(label, label.lower().replace(" ", "-"))]
        columns = ("5", "10", "20", "40", "mean", "stability")
        expected = [row[column].replace("-0.00", "0.00") for column in columns]
        assert cells.split(" | ") == expected, label
