"""The README's example does what the README says."""

import re
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_example_prints_what_the_readme_shows(capsys):
    text = README.read_text(encoding="utf-8")
    example, output = re.search(r"```python\n(.*?)```\n+```\n(.*?)```", text, re.DOTALL).groups()
    exec(compile(example, str(README), "exec"), {})
    assert capsys.readouterr().out == output


def test_links_lead_somewhere():
    text = README.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert link.startswith("http") or (README.parent / link).exists()
