"""docs/architecture.md names functions that exist."""

import ast
import re
from pathlib import Path

import pytest
from import_graph import ORDER, PACKAGE

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "architecture.md").read_text("utf-8")
HOPS = sorted(set(re.findall(r"`([\w/]+\.py): (\w+)`", PAGE)))


def test_the_packages_stand_in_their_order():
    listed = [name for name in re.findall(r"^(\w+) {2,}\S", PAGE, re.MULTILINE) if name in ORDER]
    assert listed == list(ORDER)


TITLES = (
    "`RobustSelector().fit(X, y)`",
    "`PerturbationSelector().fit(X, y)`",
    "`evaluate(selectors, X, y)`",
    "`perturbfs select FILE`",
    "`perturbfs validate DIR NEWFILE`",
    "`perturbfs.anndata.select_genes(adata, groupby)`",
    "`perturbfs serve`",
)


@pytest.mark.parametrize("title", TITLES)
def test_every_way_is_described(title):
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    assert len(re.findall(r"`[\w/]+\.py: \w+`", section)) >= 4


@pytest.mark.parametrize(("module", "name"), HOPS)
def test_every_function_of_the_page_exists(module, name):
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    assert name in {node.name for node in tree.body if hasattr(node, "name")}
