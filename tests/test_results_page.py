"""Figures of docs/results.md and docs/method.md are those of the files that are kept."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from recomputed import shows

ROOT = Path(__file__).parents[1]
DOCS, RESULTS = ROOT / "docs", ROOT / "benchmarks" / "results"
TUNED = ("colon", "glioma", "leukemia", "lymphoma", "allaml", "lsvt", "lung", "prostate_singh")

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documentation is not here")

LABELS = {
    "**`robust`**": "robust",
    "random forest": "forest",
    "L1 logistic regression": "l1-logistic",
    "ANOVA F": "anova",
    "random features": "random",
}


def rows_of(name):
    with (RESULTS / name).open(newline="") as file:
        return list(csv.reader(file))


def passage(page, pattern):
    """Return the groups of a pattern in the running text of a page."""
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    found = re.search(pattern, text)
    assert found, pattern
    return found.groups()


def test_errors_against_256_bits_are_those_that_were_measured():
    errors = {
        data: float(value)
        for section, data, quantity, value in rows_of("paper-claims.csv")
        if (section, quantity)
        == ("exactness", "norm of the error of the sensitivity over their norm")
    }
    six = [errors[name] for name in ("colon", "GLIOMA", "leukemia", "lymphoma", "LSVT", "madelon")]
    shown = passage(
        "results.md",
        r"at most (\S+) on colon, GLIOMA, leukemia, lymphoma, LSVT and Madelon, "
        r"(\S+) on SynthData and (\S+) on the ill-conditioned ALLAML\.",
    )
    expected = (max(six), errors["SynthData"], errors["ALLAML"])
    assert all(shows(*pair) for pair in zip(shown, expected, strict=True))


def test_shares_that_screening_keeps_are_those_that_were_measured():
    shares = {
        data: 100 * float(value)
        for section, data, _, value in rows_of("paper-claims.csv")
        if section == "screened"
    }
    first = shares.pop("Madelon")
    shown = passage(
        "method.md", r"(\d+) % are kept on Madelon, (\d+) to (\d+) % on the (\w+) other sets"
    )
    assert (shown[3], len(shares)) == ("twelve", 12)
    expected = (first, min(shares.values()), max(shares.values()))
    assert all(shows(*pair) for pair in zip(shown, expected, strict=False))


def number_of_features(names):
    """Return the mean score and number of RobustSelector(), and the mean score of each number."""
    scores = {
        (name, split): [float(each) / 1000 for each in values]
        for name, split, *values in rows_of("size-test.csv")
    }
    # The last column before the features is the number that the selector takes.
    taken = {
        (name, split): int(number)
        for name, split, _, _, _, _, number, *_ in rows_of("size-paths.csv")
    }
    own, counts, fixed = [], [], []
    for name in names:
        keys = [key for key in taken if key[0] == name]
        own.append(np.mean([scores[key][taken[key] - 1] for key in keys]))
        counts.append(np.mean([taken[key] for key in keys]))
        fixed.append(np.mean([scores[key] for key in keys], axis=0))
    return np.mean(own), np.mean(counts), np.mean(fixed, axis=0)


def test_scores_of_the_automatic_number_are_those_of_the_files():
    number = r"([\d.]+)"
    patterns = (
        rf"it takes {number} features on average and scores {number}\. On the same splits",
        rf"10 features score {number}, 20 score {number} and (\d+), the best number, {number}\. ",
        rf"it scores {number}, as much as the best fixed number \((\d+)\)",
    )
    shown = [figure for pattern in patterns for figure in passage("results.md", pattern)]
    own, count, fixed = number_of_features(TUNED)
    with_madelon, _, nine = number_of_features((*TUNED, "madelon"))
    best, best_of_nine = fixed.argmax() + 1, nine.argmax() + 1
    expected = (count, own, fixed[9], fixed[19], best, fixed.max(), with_madelon, best_of_nine)
    assert all(shows(*pair) for pair in zip(shown, expected, strict=True))
    assert with_madelon == pytest.approx(nine.max(), abs=0.05)


def test_the_comparison_that_is_significant_rests_on_two_splits():
    page = json.loads((DOCS / "reproduction" / "reproduction.json").read_text(encoding="utf-8"))
    counts = page["verdicts"]["honest"]
    compared = sum(counts[kind] for kind in counts if "than" in kind or "told" in kind)
    [total] = passage("results.md", r"Of (\d+) leak-free comparisons with random subsets one is")
    assert (int(total), counts["better than random subsets"]) == (compared, 1)
    [cell] = [
        cell
        for table in page["tables"]
        for row in table["rows"]
        for cell in row["cells"]
        if cell["verdict"].startswith(("better", "worse"))
    ]
    assert cell["ours"]["n_runs"] == 2


def table_under(page, first):
    """Return the cells of the table whose header starts with a cell, by the label of the row."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(f"| | {first} |"))
    rows = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return rows
        label, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[LABELS.get(label, label.lower().replace(" ", "-"))] = cells
    return rows


@pytest.mark.parametrize(
    ("first", "group", "n_shown"), [("TOX-171", "classes", 11), ("riboflavin", "regression", 8)]
)
def test_the_tables_of_the_fresh_sets_are_those_that_were_measured(first, group, n_shown):
    shown = table_under("results.md", first)
    assert len(shown) == n_shown
    _, *sets = rows_of(f"fresh-{group}-sets.csv")
    _, *ranks = rows_of(f"fresh-{group}-ranks.csv")
    by_set = {method: cells for method, *cells in sets}
    of_rank = {row[0]: [row[1], row[2], row[4]] for row in ranks}
    for method, cells in shown.items():
        expected = [each.replace("> 60 CPU s", "stopped") for each in by_set[method]]
        assert cells == expected + of_rank[method], method


def test_the_ranks_on_all_sets_are_those_that_were_measured():
    shown = table_under("results.md", "mean rank on all sets")
    _, *ranks = rows_of("fresh-all-ranks.csv")
    expected = {row[0]: [row[1], row[2], row[4]] for row in ranks if row[1] != "-"}
    assert shown == expected
    assert len(rows_of("fresh-all-sets.csv")[0]) - 1 == 14
