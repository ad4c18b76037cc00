"""The figures of docs/paper.md and of the notes of the tables are those that were measured."""

import csv
import importlib
import json
import re
from operator import attrgetter
from pathlib import Path

import pytest
from paper_figures import FIGURES, NOTES
from recomputed import PAPER, shows

import perturbfs
from perturbfs.cluster import CLUSTERERS
from perturbfs.paper._characteristics import OPTIONS

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "paper.md"
MEASURED = ROOT / "benchmarks" / "results" / "paper-claims.csv"
NUMBER = re.compile(r"(?<![\w.^])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*\w)")

pytestmark = pytest.mark.skipif(not DOCUMENT.exists(), reason="the documentation is not here")


@pytest.fixture(scope="module")
def measured():
    values = {}
    with MEASURED.open(newline="") as file:
        for row in csv.DictReader(file):
            values.setdefault(row["section"], {})[row["data"], row["quantity"]] = float(
                row["value"]
            )
    return values


def passages():
    """Return each part of a row of the document that names a section of the measurements."""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        parts = re.split(r"\*([a-z -]+)\*:", line) if line.startswith("|") else []
        yield from zip(parts[1::2], parts[2::2], strict=True)


def numbered():
    """Return the passages by section and place among those of the section."""
    found = {}
    for section, text in passages():
        place = 1 + sum(name == section for name, _ in found)
        found[section, place] = text
    return found


def test_every_section_that_is_named_was_measured(measured):
    named = {section for section, _ in passages()}
    assert len(named) > 15
    assert named <= set(measured)


PASSAGES = numbered() if DOCUMENT.exists() else {}


def test_every_passage_has_its_expected_figures():
    assert set(PASSAGES) == set(FIGURES)


@pytest.mark.parametrize("place", FIGURES, ids=lambda place: f"{place[0]} {place[1]}")
def test_every_figure_of_a_passage_is_the_one_that_was_measured(place, measured):
    """Every number, in the order of the text, against its own row of the measurements."""
    numbers = NUMBER.findall(PASSAGES[place])
    rows = measured[place[0]]
    expected = [each(rows) if callable(each) else each for each in FIGURES[place]]
    assert len(numbers) == len(expected), (numbers, expected)
    for number, value in zip(numbers, expected, strict=True):
        assert shows(number, value), (number, value, PASSAGES[place])


def test_words_of_the_document_about_sets_are_true(measured):
    """What the text says of sets without a figure."""
    wide = {"Colon tumor": 62, "GLIOMA": 50, "Leukemia, discretized": 72, "Lymphoma": 96}
    wide |= {"ALLAML": 72, "Lung carcinomas": 203}
    sizes = measured["noise size"]
    assert {name: sizes[name, "rank"] for name in wide} == wide
    changed = {
        what: {
            name: count
            for (name, quantity), count in measured["sensitivity counts"].items()
            if quantity == f"subsets of 4 that change, sensitivity {what}"
        }
        for what in ("divided by 1000", "replaced by its order, tiny", "of another perturbation")
    }
    for what in ("divided by 1000", "replaced by its order, tiny"):
        assert {name for name, count in changed[what].items() if count} == {"Madelon", "ALLAML"}
    assert changed["divided by 1000"]["ALLAML"] == 4
    assert {n for n, count in changed["of another perturbation"].items() if count < 4} == {
        "GLIOMA"
    }
    overlaps = {
        value
        for (_, quantity), value in measured["numbering"].items()
        if quantity == "overlap of 20 features, indicators"
    }
    assert overlaps == {1.0}
    for name in ("Colon", "ALLAML"):
        quantity = "share of simulated tables with shuffled rows that reach it"
        assert measured["one split"][f"{name}, PFS-SVM and PFS-kNN", quantity] == 0
    for name in ("Leukemia", "Lung", "Prostate"):
        rows = measured["fs-svm"]
        assert rows[name, "common splits"] == 10
        low, high = (rows[name, f"{end} end of its 95 % interval"] for end in ("low", "high"))
        assert low < 0 < high
    fewer = measured["fraction"]
    for quantity in ("fewer features", "at least its accuracy"):
        counts = {
            fewer[f"PFS-DT against {rival}", f"sets with {quantity}, published"]
            for rival in ("lasso", "lars", "rlsr")
        }
        assert len(counts) == 1


def rows_of(start):
    """Return the cells of the row that begins with a text."""
    [line] = [
        line
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| {start}")
    ]
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def test_figures_from_other_results_are_those_of_the_files():
    results = MEASURED.parent
    with (results / "exponents.csv").open(newline="") as file:
        exponents = {(row["job"], row["size"]): row["exponent"] for row in csv.DictReader(file)}
    with (results / "selection.csv").open(newline="") as file:
        parts = {
            row["way"].strip(): float(row["cpu_s"])
            for row in csv.DictReader(file)
            if row["job"] == "automatic selection, ten runs"
        }
    text = rows_of("The cost is dominated")[2]
    by_features, by_samples, share = re.search(
        r"n\^([\d.]+) .* m\^([\d.]+) .* (\d+) % of the time", text
    ).groups()
    assert shows(by_features, float(exponents["characteristics, m = 100, t = 10", "n"]))
    assert shows(by_samples, float(exponents["characteristics, n = 10000, t = 10", "m"]))
    assert shows(share, 100 * parts["of it scoring"] / parts["ours"])
    lines = (results.parent / "method-search.md").read_text(encoding="utf-8").splitlines()
    first, last = re.search(
        r"from ([\d.]+) to ([\d.]+)", rows_of("The method is a framework")[2]
    ).groups()
    assert any(line.startswith(f"| as in the text | {first} |") for line in lines)
    own = "| **indicators, relevance, screen, signatures** |"
    assert any(line.startswith(f"{own} {last} |") for line in lines)


def test_figures_of_the_reproduction_are_those_of_its_page():
    page = json.loads((ROOT / "docs" / "reproduction" / "reproduction.json").read_text("utf-8"))
    met = sum(
        line["n_features"]["verdict"] == line["accuracy"]["verdict"] == "agrees"
        for line in page["targets"]
    )
    names = ("reproduced", "random_published", "honest", "random_honest")
    means = [sum(line[name] for line in page["story"]) / len(page["story"]) for name in names]
    text = rows_of("The tables")[2]
    assert (met, "on five of eight sets" in text) == (5, True)
    assert all(shows(*pair) for pair in zip(re.findall(r"\d+\.\d", text), means, strict=True))
    [fits] = [line for line in page["fits"] if line["quantity"] == "accuracy"]
    text = rows_of("The outer classifier")[2]
    assert f"in {fits['inner']} of {fits['n_cells']} cells" in text
    assert f"with the outer tree in {fits['outer']}" in text


def code_names():
    """Return the names in the column that says where the code is."""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = line.strip("|").split(" | ")
        if line.startswith("| ") and len(cells) == 4:
            yield from re.findall(r"`([^`]+)`", cells[1])


NAMES = sorted(set(code_names())) if DOCUMENT.exists() else []


def test_every_row_of_the_document_has_all_cells():
    lines = [
        line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    assert len(lines) > 40
    assert {len(line.strip("|").split(" | ")) for line in lines} == {4}


VALUES = {value for values in OPTIONS.values() for value in values} | set(CLUSTERERS)
PUBLIC = {*perturbfs.__all__, *perturbfs.paper.__all__, *perturbfs.evaluation.__all__}


@pytest.mark.parametrize("name", [name for name in NAMES if re.search("^[a-z]+[/:]", name)])
def test_functions_that_the_document_names_exist(name):
    module, _, member = name.partition(": ")
    found = importlib.import_module(f"perturbfs.{module.replace('/', '.')}")
    assert not member or hasattr(found, member)


@pytest.mark.parametrize("name", [name for name in NAMES if not re.search("[/: ]", name)])
def test_parameters_and_attributes_that_the_document_names_exist(name):
    selector = perturbfs.PerturbationSelector()
    name, _, value = name.partition("=")
    if value:
        selector.set_params(**{name: json.loads(value)})._validate_params()
    elif name.startswith('"'):
        assert json.loads(name) in VALUES
    elif "." in name:
        root = perturbfs if name.startswith("perturbfs.") else perturbfs.paper
        assert attrgetter(name.removeprefix("perturbfs."))(root) is not None
    else:
        known = PUBLIC | set(selector.get_params()) | {"n_clusters"}  # the last is scikit-learn's
        assert name in known or f"    {name} :" in selector.__doc__


def notes_of_the_page():
    texts = {note["title"]: note["text"] for note in PAPER["notes"]} | PAPER["misses"]
    return texts | {table["id"]: table["note"] for table in PAPER["tables"]}


def test_every_note_with_figures_has_its_expected_figures():
    with_figures = {name for name, text in notes_of_the_page().items() if NUMBER.findall(text)}
    assert with_figures - {"First run", "Classes without test rows"} == set(NOTES)


@pytest.mark.parametrize("name", NOTES)
def test_every_figure_of_a_note_of_the_page_is_the_one_that_was_measured(name, measured):
    numbers = NUMBER.findall(notes_of_the_page()[name])
    expected = [
        each[1](measured[each[0]]) if isinstance(each, tuple) else each for each in NOTES[name]
    ]
    assert len(numbers) == len(expected), (numbers, expected)
    for number, value in zip(numbers, expected, strict=True):
        assert shows(number, value), (number, value)


def test_one_split_explains_all_accuracies_of_svm_and_knn(measured):
    """The claim of the notes on four sets, against simulated tables with shuffled rows."""
    rows = measured["one split"]
    for name in ("LSVT Voice", "Colon", "Leukemia", "ALLAML"):
        data = f"{name}, PFS-SVM and PFS-kNN"
        assert rows[data, "numbers of 8 that one split explains"] == 8
        assert rows[data, "share of simulated tables with shuffled rows that reach it"] <= 0.012
