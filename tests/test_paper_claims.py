"""The figures of docs/paper.md and of the notes of the tables are those that were measured."""

import csv
import re
from pathlib import Path

import pytest
from recomputed import PAPER, shows

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "paper.md"
MEASURED = ROOT / "benchmarks" / "results" / "paper-claims.csv"
# Settings and sizes in the text, which are no results.
GIVEN = {
    "0.5",
    "0.9",
    "1",
    "1000",
    "20",
    "90",
    "95",
    "100",
    "5",
    "10",
    "40",
    "256",
    "500",
    "2",
    "8",
    "48",
}
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
        parts = re.split(r"\*([a-z ]+)\*[:,]", line) if line.startswith("|") else []
        yield from zip(parts[1::2], parts[2::2], strict=True)


def test_every_section_that_is_named_was_measured(measured):
    named = {section for section, _ in passages()}
    assert len(named) > 15
    assert named <= set(measured)


@pytest.mark.parametrize(("section", "text"), list(passages()))
def test_figures_of_the_document_were_measured(section, text, measured):
    values = [abs(value) for value in measured[section].values()]
    text = text.rpartition(" | ")[0] or text  # without the verdict
    for number in NUMBER.findall(text):
        known = number in GIVEN or any(
            shows(number, factor * value) for value in values for factor in (1, 100)
        )
        assert known, f"{number} in {text!r}"


# Number of the text: section, data, quantity, factor.
NOTES = {
    "38": ("measures", "48 cells", "measures that do not follow beyond rounding", 1),
    "1.2": (
        "one split",
        "LSVT Voice, PFS-SVM and PFS-kNN",
        "share of simulated tables with shuffled rows that reach it",
        100,
    ),
    "11": (
        "one split",
        "Lung",
        "chance that a random split tests no sample of the class of six",
        100,
    ),
    "41.7": ("interval", "SynthData from (-1, 1)", "norm of f5, low end of 99 %", 1),
    "53.5": ("interval", "SynthData from (-1, 1)", "norm of f5, high end of 99 %", 1),
    "49.8": ("interval", "SynthData from (0, 1)", "norm of f5, low end of 99 %", 1),
    "60.6": ("interval", "SynthData from (0, 1)", "norm of f5, high end of 99 %", 1),
    "57.6": ("spread", "LSVT Voice", "mean number of features", 1),
    "15": (
        "spread",
        "LSVT Voice",
        "share of means of ten runs at or below the published mean",
        100,
    ),
    "98.1": ("allaml", "ALLAML, columns centered again", "accuracy, published protocol", 1),
    "96.5": ("allaml", "ALLAML, raw values", "accuracy, published protocol", 1),
    "97": ("splits", "Lung", "smallest mean number of features of a split", 1),
    "156": ("splits", "Lung", "largest mean number of features of a split", 1),
    "73.9": ("splits", "Lung", "smallest mean accuracy of a split", 1),
    "96.8": ("splits", "Lung", "largest mean accuracy of a split", 1),
}


@pytest.mark.parametrize("number", NOTES)
def test_figures_of_the_notes_were_measured(number, measured):
    section, data, quantity, factor = NOTES[number]
    assert shows(number, factor * measured[section][data, quantity])
    texts = [note["text"] for note in PAPER["notes"]] + list(PAPER["misses"].values())
    texts += [table["note"] for table in PAPER["tables"]]
    assert any(number in NUMBER.findall(text) for text in texts)


def test_one_split_explains_all_accuracies_of_svm_and_knn(measured):
    """The claim of the notes on four sets, against simulated tables with shuffled rows."""
    rows = measured["one split"]
    for name in ("LSVT Voice", "Colon", "Leukemia", "ALLAML"):
        data = f"{name}, PFS-SVM and PFS-kNN"
        assert rows[data, "numbers of 8 that one split explains"] == 8
        assert rows[data, "share of simulated tables with shuffled rows that reach it"] <= 0.012
