"""Every number of the kept page equals one that other code computes from results.csv."""

import json
import re
from collections import Counter

import numpy as np
import pytest
import recomputed
from recomputed import CATALOGUE, FOLDER, MINUS, PAPER, STORY, TABLES, shows

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.exists(), reason="the documentation is not here"),
]

NUMBER = r"[\d.]+(?:e[+-]\d+)?"
NUMBERS = re.compile(
    rf"(ours|outer tree|inner) ({NUMBER})(?: ± ({NUMBER}))?(?: \[({NUMBER})\])?"
    r"(?: \((\d+) runs\))?(?:: ([a-z ]+))?"
)
DIFFERENCE = re.compile(
    rf"([a-z ]+) \(([+{MINUS}][\d.]+), interval ({MINUS}?[\d.]+) to ({MINUS}?[\d.]+)\)"
)
LABELS = {"published": " (published protocol: LEAKS)", "honest": " (honest protocol)"}
MEASURED = [
    (table["id"], protocol)
    for table in TABLES.values()
    if any(quantity in PAPER["tolerance"] for _, quantity in table["columns"])
    for protocol in LABELS
]


@pytest.fixture(scope="module")
def runs():
    return recomputed.read_runs()


@pytest.fixture(scope="module")
def text():
    return (FOLDER / "reproduction.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tables(text):
    return recomputed.markdown_tables(text)


@pytest.fixture(scope="module")
def html():
    page = recomputed.PageTables()
    page.feed((FOLDER / "reproduction.html").read_text(encoding="utf-8"))
    return page


def assert_numbers(line, kind, numbers, agreement=""):
    """Check a line of mean, error, optimal and runs; nothing may be missing or too much."""
    found = NUMBERS.fullmatch(line)
    assert found, line
    mean, error, optimal, n_runs = numbers
    assert (found[1], found[6] or "") == (kind, agreement), line
    assert shows(found[2], mean), (line, mean)
    for shown, value in ((found[3], error), (found[4], optimal)):
        assert (shown is None) == (value is None), line
        assert value is None or shows(shown, value), (line, value)
    assert int(found[5] or 1) == n_runs, line


def assert_published(line, published):
    mean, optimal = published[::-1] if isinstance(published, list) else (published, None)
    assert line == f"published {mean:g}" + ("" if optimal is None else f" [{optimal:g}]")


def assert_published_cell(lines, rows, method, quantity, published):
    lines = list(lines)
    if published is not None:
        assert_published(lines.pop(0), published)
    if not rows:
        assert lines == ["not run"]
        return
    ours, n_refused = recomputed.numbers_of(recomputed.pairs_of(rows), quantity)
    agreement = recomputed.agreement_of(ours, published, quantity)
    has_inner = method.startswith("pfs-") and not method.endswith("tree")
    if has_inner:
        assert_numbers(lines.pop(0), "outer tree", ours, agreement)
    else:
        assert_numbers(lines.pop(0), "ours", ours)
    if n_refused:
        assert lines.pop(0) == f"{n_refused} run{'s' * (n_refused > 1)} without a result"
    if has_inner:
        inner, _ = recomputed.numbers_of(recomputed.pairs_of(rows, "inner_"), quantity)
        agreement = recomputed.agreement_of(inner, published, quantity)
        assert_numbers(lines.pop(0), "inner", inner, agreement)
        agreement += " (inner classifier)"
    assert lines == [agreement]


def assert_honest_cell(lines, runs, dataset, method, quantity, published):
    lines, rows = list(lines), runs.get(("honest", dataset, method), [])
    if published is not None:
        assert_published(lines.pop(0), published)
    if not rows:
        assert lines == ["not run"]
        return
    (mean, error, _, n_runs), n_refused = recomputed.numbers_of(
        recomputed.pairs_of(rows), quantity
    )
    assert n_refused == 0
    assert_numbers(lines.pop(0), "ours", (mean, error, None, n_runs))
    if quantity != "accuracy":
        assert lines == []
    elif method == "random-tree":
        assert lines == ["what the others are compared with"]
    else:
        found = recomputed.difference_of(rows, runs["honest", dataset, "random-tree"], dataset)
        assert lines == ["too few splits"] if found is None else assert_difference(lines, *found)


def assert_difference(lines, mean, low, high):
    [line] = lines
    found = DIFFERENCE.fullmatch(line)
    assert found, line
    kind = "not told apart"
    if not low <= 0 <= high:
        kind = f"{'better' if mean > 0 else 'worse'} than random subsets"
    assert found[1] == kind, line
    assert found[2].startswith("+") == (mean >= 0)
    for shown, value in zip(found.groups()[1:], (mean, low, high), strict=True):
        assert shows(shown, value), (line, value)
    return True


@pytest.mark.parametrize(("table_id", "protocol"), MEASURED)
def test_every_cell_of_a_table_is_recomputed(table_id, protocol, runs, tables):
    table = TABLES[table_id]
    shown = tables[table["title"] + LABELS[protocol]]
    assert [row[0] for row in shown] == [[name] for name in table["rows"]]
    columns = recomputed.columns_of(table)
    for [name], *cells in shown:
        dataset = recomputed.datasets_of(table)[name]
        published = table["rows"][name] + [None] * (len(columns) - len(table["columns"]))
        for lines, (method, quantity), number in zip(cells, columns, published, strict=True):
            if protocol == "published":
                rows = runs.get((protocol, dataset, method), [])
                assert_published_cell(lines, rows, method, quantity, number)
            else:
                assert_honest_cell(lines, runs, dataset, method, quantity, number)


def test_the_first_table_and_the_headline_are_recomputed(runs, text, tables):
    expected = recomputed.story_rows(runs)
    shown = tables["The paper's tables, published and reproduced"]
    assert [row[0] for row in shown] == [[name] for name in expected]
    for [name], *cells in shown:
        for [cell], value in zip(cells, expected[name], strict=True):
            assert shows(cell, value), (name, cell, value)
    headline = next(line for line in text.splitlines() if line.startswith("Mean accuracy"))
    numbers = re.findall(r"\d+\.\d", headline)
    means = np.mean(list(expected.values()), axis=0)
    assert len(numbers) == len(means)
    assert all(shows(number, mean) for number, mean in zip(numbers, means, strict=True))
    assert f"over {len(expected)} data sets" in headline


def test_the_targets_are_recomputed(runs, tables):
    shown = tables["Where PFS-DT meets both targets"]
    assert [row[0] for row in shown] == [[name] for name in PAPER["datasets"]]
    for [name], *cells, [why] in shown:
        rows, met = runs["published", PAPER["datasets"][name], "pfs-kmeans-tree"], []
        for lines, quantity in zip(cells, ("n_features", "accuracy"), strict=True):
            table = TABLES["kmeans-accuracy" if quantity == "accuracy" else "kmeans-features"]
            published = table["rows"][name][table["columns"].index(["pfs-kmeans-tree", quantity])]
            assert_published_cell(lines, rows, "pfs-kmeans-tree", quantity, published)
            met.append(lines[-1] == "agrees")
        assert why == ("" if all(met) else PAPER["misses"][name])


def test_the_comparison_of_outer_tree_and_inner_classifier_is_recomputed(runs, tables):
    counts = {quantity: Counter() for quantity in PAPER["tolerance"]}
    for table_id in ("kmeans-features", "kmeans-accuracy", "fuzzy", "measure"):
        for name, cells in TABLES[table_id]["rows"].items():
            for (method, quantity), published in zip(
                TABLES[table_id]["columns"], cells, strict=True
            ):
                if method.startswith("pfs-") and not method.endswith("tree"):
                    rows = runs["published", PAPER["datasets"][name], method]
                    counts[quantity]["cells"] += 1
                    for prefix in ("", "inner_"):
                        pairs = recomputed.pairs_of(rows, prefix)
                        numbers, _ = recomputed.numbers_of(pairs, quantity)
                        agreement = recomputed.agreement_of(numbers, published, quantity)
                        counts[quantity][prefix] += agreement == "agrees"
    shown = {
        what[0]: [int(cell[0]) for cell in cells]
        for what, *cells in tables["Outer tree or inner classifier"]
    }
    names = {"n_features": "numbers of features", "accuracy": "accuracies", "measure": "measures"}
    assert shown == {
        names[quantity]: [count["cells"], count[""], count["inner_"]]
        for quantity, count in counts.items()
    }
    assert shown["accuracies"][2] > shown["accuracies"][1]  # why the inner classifier is judged


def test_verdicts_are_counted_once_for_each_comparison(runs, text):
    shown = dict(re.findall(r"^- (published|honest) protocol: (.*)$", text, re.MULTILINE))
    seen = {protocol: {} for protocol in LABELS}
    for heading, rows in recomputed.markdown_tables(text).items():
        for table in TABLES.values():
            for protocol, label in LABELS.items():
                if heading == table["title"] + label:
                    for [name], *cells in rows:
                        for column, lines in zip(recomputed.columns_of(table), cells, strict=True):
                            key = recomputed.datasets_of(table)[name], *column
                            seen[protocol][key] = lines[-1].partition(" (")[0]
    for protocol, verdicts in seen.items():
        counts = Counter(
            verdict
            for (_, method, quantity), verdict in verdicts.items()
            if protocol == "published"
            or (quantity == "accuracy" and method != "random-tree")
            or verdict == "not run"
        )
        assert shown[protocol] == ", ".join(
            f"{counts[kind]} {kind}" for kind in _order(shown[protocol])
        )
        assert set(_order(shown[protocol])) == set(counts)
    told = Counter(
        recomputed.difference_of(rows, runs["honest", dataset, "random-tree"], dataset) is not None
        for (protocol, dataset, method), rows in runs.items()
        if protocol == "honest" and method != "random-tree"
    )
    honest = {kind: int(count) for count, kind in re.findall(r"(\d+) ([a-z ]+)", shown["honest"])}
    compared = sum(count for kind, count in honest.items() if "than" in kind or "told" in kind)
    assert compared == told[True] == 102
    assert honest["too few splits"] == told[False]


def _order(text):
    return [part.partition(" ")[2] for part in text.split(", ")]


@pytest.mark.parametrize("table_id", ["datasets", "fs-svm-split"])
def test_specifications_are_recomputed(table_id, tables):
    table = TABLES[table_id]
    for [name], *cells in tables[table["title"]]:
        expected = recomputed.specification_of(table, name)
        for lines, published, value in zip(cells, table["rows"][name], expected, strict=True):
            assert lines == [
                f"published {published:g}",
                f"ours {value}",
                "agrees" if value == published else "differs",
            ]


def test_synthetic_numbers_are_recomputed(tables):
    seed = json.loads((FOLDER / "settings.json").read_text())["random_state"]
    draws = recomputed.synth_draws(seed, 1000)
    pattern = re.compile(rf"ours ({NUMBER}) \(median of 1000 draws\)")
    for table_id, values in draws.items():
        table = TABLES[table_id]
        for place, ([name], *cells) in enumerate(tables[table["title"]]):
            for column, (lines, published) in enumerate(
                zip(cells, table["rows"][name], strict=True)
            ):
                low, middle, high = np.quantile(values[:, place, column], [0.005, 0.5, 0.995])
                assert lines[0] == f"published {published:g}"
                shown = [pattern.fullmatch(lines[1])[1]]
                word, *bounds = re.fullmatch(
                    rf"(\w+) \(({NUMBER}) to ({NUMBER})\)", lines[2]
                ).groups()
                assert (word == "inside") == (low <= abs(published) <= high)
                # f2 and f6 are one column after scaling. Rounding in float64 moves their
                # coefficients by up to 3e-10 of the largest move, so two ways differ there.
                is_rounding = (table_id, column) == ("synth-perturbation", 2) and name in (
                    "x2",
                    "x6",
                )
                for number, value in zip([*shown, *bounds], (middle, low, high), strict=True):
                    close = abs(float(number) - value) <= 2e-9 + 0.05 * value
                    assert shows(number, value) or (is_rounding and close), (name, number, value)


def test_both_pages_and_the_figure_show_the_same_numbers(tables, html, runs, text):
    story, *others = tables.values()
    *pages, details = html.cells()
    assert pages == others
    expected = recomputed.story_rows(runs)
    hints = [hint.rpartition(", ")[2].rpartition(": ") for hint in html.hints]
    figure = {name: [number for place, _, number in hints if place == name] for name in expected}
    for name, values in expected.items():
        assert len(figure[name]) == len(STORY)
        assert all(
            shows(number, value) for number, value in zip(figure[name], values, strict=True)
        )
    assert len(story) == len(expected)
    assert all(f"- {name}: {value}" in text for [name], [value] in details)


def test_notes_are_those_of_the_declarations(text):
    for note in PAPER["notes"]:
        assert f"- **{note['title']}.** {note['text']}\n" in text
    assert all(table["note"] in text for table in TABLES.values())
    tolerance = PAPER["tolerance"]
    assert f"within {tolerance['accuracy']:g} points of accuracy" in text
    assert f"or {100 * tolerance['n_features']:g} % of a number of features" in text


def test_the_story_of_the_leak_and_the_results_show_the_same_means(runs):
    means = dict(
        zip(STORY, np.mean(list(recomputed.story_rows(runs).values()), axis=0), strict=True)
    )
    docs = FOLDER.parent
    leak = (docs / "leak.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| [^|]+ \| \**([\d.]+)\** \|$", leak, re.MULTILINE)
    names = (
        *("published", "reproduced", "random_published"),
        *("honest", "random_honest", "all_honest"),
    )
    assert all(shows(number, means[name]) for number, name in zip(shown, names, strict=True))
    results = (docs / "results.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| ([\d.]+)(?: \([^|]*\))? \|$", results, re.MULTILINE)
    order = (
        "published",
        "reproduced",
        "random_published",
        "honest",
        "random_honest",
        "all_honest",
    )
    assert all(shows(number, means[name]) for number, name in zip(rows[:6], order, strict=True))


def test_settings_and_numbers_of_runs_are_those_of_the_files(text):
    settings = json.loads((FOLDER / "settings.json").read_text())
    made = text.partition("## How it was made")[2]
    for name, checksum in settings["checksums"].items():
        assert f"- SHA-256 of {name}: {checksum}\n" in made + "\n"
        assert CATALOGUE[name]["files"][0]["sha256"] == checksum
    for name, version in settings["versions"].items():
        assert f"- {name} version: {version}\n" in made
    assert f"- seed: {settings['random_state']}\n" in made
    rules = Counter(
        f"{rule['runs']} ({rule['quick_runs']} if quick): {rule['why']}"
        for rule in PAPER["other_runs"]
    )
    assert rules == Counter(re.findall(r"protocols?: (\d+ \(\d+ if quick\): .*)$", made, re.M))
