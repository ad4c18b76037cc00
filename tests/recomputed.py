"""Every number of the reproduction page, computed again from results.csv by other code.

Only the standard library, NumPy and the t distribution are used; nothing of `perturbfs` but the
generator of SynthData and the declarations in `paper.json` and `catalogue.json`.
"""

import csv
import json
import math
from decimal import Decimal
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from perturbfs.datasets import make_synth_data

FOLDER = Path(__file__).parents[1] / "docs" / "reproduction"
PAPER = json.loads(files("perturbfs.experiments").joinpath("paper.json").read_text("utf-8"))
TABLES = {table["id"]: table for table in PAPER["tables"]}
CATALOGUE = {
    entry["name"]: entry
    for entry in json.loads(
        files("perturbfs.datasets").joinpath("catalogue.json").read_text("utf-8")
    )
}
MINUS = "\N{MINUS SIGN}"
STORY = {
    "published": None,
    "reproduced": ("published", "pfs-kmeans-tree"),
    "random_published": ("published", "random-tree"),
    "honest": ("honest", "pfs-kmeans-tree"),
    "random_honest": ("honest", "random-tree"),
    "all_honest": ("honest", "all"),
}
# Training samples of each class in the comparison with FS-SVM, as the paper's table has them.
FS_SVM_SPLIT = {
    "leukemia_golub": {1: 24, 2: 13},
    "lung_ad_normal_1000": {2: 9, 1: 70},
    "prostate_singh": {1: 25, 2: 26},
}


def read_runs():
    """Return the rows of results.csv by protocol, data set and method."""
    runs = {}
    with (FOLDER / "results.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            runs.setdefault((row["protocol"], row["dataset"], row["method"]), []).append(row)
    return runs


def shows(text, value):
    """Return whether a printed number is a value, rounded to the digits that are printed."""
    text = text.replace(MINUS, "-")
    unit = 10.0 ** Decimal(text).as_tuple().exponent
    return abs(float(text) - value) <= 0.5 * unit * (1 + 1e-6)


def datasets_of(table):
    return PAPER["fs_svm_datasets" if table["id"].startswith("fs-svm") else "datasets"]


def columns_of(table):
    """Return the columns on the page: accuracies get random subsets and all features beside."""
    more = [["random-tree", "accuracy"], ["all", "accuracy"]]
    return table["columns"] + (more if any(q == "accuracy" for _, q in table["columns"]) else [])


def pairs_of(rows, prefix=""):
    """Return accuracy (or None) and number of features of each run."""
    return [
        (
            float(row[f"{prefix}accuracy"]) if row[f"{prefix}accuracy"] else None,
            int(row[f"{prefix}n_features"] or 0),
        )
        for row in rows
    ]


def numbers_of(pairs, quantity):
    """Return mean, error, optimal, number of runs, and how many runs have no result."""
    good = [
        (accuracy, count)
        for accuracy, count in pairs
        if count > 0 and (quantity == "n_features" or accuracy is not None)
    ]
    refused = len(pairs) - len(good)
    if not good:
        return None, refused
    scored = [(accuracy, count) for accuracy, count in good if accuracy is not None]
    best = max(scored, key=lambda pair: pair[0] / pair[1])
    if quantity == "measure":
        mean = sum(a for a, _ in good) / sum(c for _, c in good)
        return (mean, None, best[0] / best[1], len(good)), refused
    values = [pair[0 if quantity == "accuracy" else 1] for pair in good]
    mean = sum(values) / len(values)
    error = None
    if len(values) > 1:
        variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
        error = math.sqrt(variance / len(values))
    return (mean, error, best[0 if quantity == "accuracy" else 1], len(values)), refused


def agreement_of(numbers, published, quantity):
    """Return the word for the distance from the published value."""
    if published is None:
        return "not published"
    expected = published[1] if isinstance(published, list) else published
    mean, error, _, n_runs = numbers
    distance, allowed = abs(mean - expected), PAPER["tolerance"][quantity]
    if distance <= (allowed if quantity == "accuracy" else allowed * expected):
        return "agrees"
    behind = 10 if isinstance(published, list) else 1
    if error is not None and distance <= 2 * error * math.sqrt(1 + n_runs / behind):
        return "within chance"
    return "differs"


def difference_of(rows, chance, dataset):
    """Return the difference to random subsets on common splits, and its interval, or None."""
    theirs = {row["run"]: float(row["accuracy"]) for row in chance if row["accuracy"]}
    deltas = np.array(
        [
            float(row["accuracy"]) - theirs[row["run"]]
            for row in rows
            if row["accuracy"] and row["run"] in theirs
        ]
    )
    if len(deltas) < 2:
        return None
    share = 0.3 / 0.7
    if dataset in FS_SVM_SPLIT:
        n_train = sum(FS_SVM_SPLIT[dataset].values())
        share = (CATALOGUE[dataset]["shape"][0] - n_train) / n_train
    mean = deltas.mean()
    error = math.sqrt(deltas.var(ddof=1) * (1 / len(deltas) + share))
    half = student.ppf(0.975, len(deltas) - 1) * error
    return mean, mean - half, mean + half


def specification_of(table, row):
    """Return samples and features, or the class counts of the split."""
    dataset = datasets_of(table)[row]
    if table["id"] == "datasets":
        return CATALOGUE[dataset]["shape"]
    sizes = {label: count for label, _, count in CATALOGUE[dataset]["classes"]}
    train = FS_SVM_SPLIT[dataset]
    return [*train.values(), *(sizes[label] - count for label, count in train.items())]


def synth_draws(seed, n_draws):
    """Return the values of the tables of SynthData in many draws, by textbook formulas."""
    found = {"synth-perturbation": [], "synth-angles": [], "synth-without": []}
    rng = np.random.RandomState(seed)
    for _ in range(n_draws):
        A, b = make_synth_data(random_state=rng)
        u = rng.uniform(size=len(b))
        N = A / np.sqrt((A**2).sum(axis=0))
        low, high = N.min(axis=0) / 1e6, N.max(axis=0) / 1e5
        E = low + np.outer(u, high - low)
        x = np.linalg.pinv(N) @ b
        # b = N x here, so with B = N + E: B^+ b - x = -(I - B^+ B) x - B^+ E x.
        U, values, Vt = np.linalg.svd(N + E, full_matrices=False)
        real = values > 1e-13 * values[0]
        inside, inverse = Vt[real], Vt[real].T / values[real]
        moved = -(x - inside.T @ (inside @ x)) - inverse @ (U[:, real].T @ (E @ x))
        perturbed = inverse @ (U[:, real].T @ b)
        found["synth-perturbation"].append(np.abs([x, perturbed, moved]).T)
        found["synth-angles"].append([[_angle(column, b)] for column in N.T])
        found["synth-without"].append(
            [[_angle(N @ x - xj * nj, b)] for xj, nj in zip(x, N.T, strict=True)]
        )
    return {name: np.array(values) for name, values in found.items()}


def _angle(first, second):
    cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def story_rows(runs):
    """Return the means of the first table by data set."""
    place = TABLES["kmeans-accuracy"]["columns"].index(["pfs-kmeans-tree", "accuracy"])
    rows = {}
    for title, dataset in PAPER["datasets"].items():
        rows[title] = [TABLES["kmeans-accuracy"]["rows"][title][place][1]]
        for key in list(STORY.values())[1:]:
            values = [float(r["accuracy"]) for r in runs[key[0], dataset, key[1]] if r["accuracy"]]
            rows[title].append(sum(values) / len(values))
    return rows


def markdown_tables(text):
    """Return the tables by their heading: for each row its name and the lines of its cells."""
    tables, heading = {}, ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            tables.setdefault(heading, []).append([cell.split("<br>") for cell in cells])
    return {name: rows[2:] for name, rows in tables.items()}


class PageTables(HTMLParser):
    """The tables of the HTML page: rows of cells of lines; and the hints of the figure."""

    def __init__(self):
        super().__init__()
        self.tables, self.hints, self._inside = [], [], set()

    def handle_starttag(self, tag, attrs):
        self._inside.add(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append([""])
        elif tag == "div" and "td" in self._inside:
            self.tables[-1][-1][-1].append("")
        elif tag == "title" and "svg" in self._inside:
            self.hints.append("")

    def handle_endtag(self, tag):
        self._inside.discard(tag)

    def handle_data(self, data):
        if {"title", "svg"} <= self._inside:
            self.hints[-1] += data
        elif {"td", "th"} & self._inside:
            self.tables[-1][-1][-1][-1] += data

    def cells(self):
        """Return the tables without heads and empty lines."""
        return [
            [
                [[line.strip() for line in cell if line.strip()] or [""] for cell in row]
                for row in table[1:]
            ]
            for table in self.tables
        ]
