"""A selection, and tables of a second cohort as laboratories send them."""

import csv
import json
from pathlib import Path

import numpy as np

from perturbfs.results import SelectedFeature, Selection

SELECTED = ("TP53", "MYC", "KRAS")
STANDS_FOR = {"TP53": ("MDM2", "CDKN1A"), "MYC": (), "KRAS": ("CDKN1A",)}
MEDIANS = {"TP53": 1.5, "MYC": 2.5, "KRAS": 3.5}
GENES = ["GAPDH", "KRAS", "MDM2", "TP53", "ACTB", "MYC", "CDKN1A"]
SAMPLES = ["N1", "N2", "N3", "N4"]
X = np.round(np.random.default_rng(0).normal(size=(4, 7)), 2)


def write_selection(folder, *, impute=None):
    """A result folder of three genes."""
    features = tuple(
        SelectedFeature(name, j, j + 1, None, STANDS_FOR[name], median=MEDIANS[name])
        for j, name in enumerate(SELECTED)
    )
    interval = {"mean": 0.5, "low": None, "high": None}
    data = {"n_samples": 9, "n_features": 7, "n_constant": 0, "task": "classification"}
    data |= {"target": "state", "classes": {"a": 4, "b": 5}, "n_missing": 0, "impute": impute}
    data |= {"dropped": [], "fingerprint": "f00"}
    estimate = {"metric": "balanced_accuracy", "predictor": "svm", "n_splits": 2}
    estimate |= {"n_features_in_splits": [3, 3], "stability": None, "selected": interval}
    estimate |= {"all_features": None, "guessing": interval}
    selection = Selection("robust", {}, 0, {}, data, features, estimate)
    path = Path(folder, "result")
    path.mkdir()
    # A file of version 1 may lack what later versions say about the data and the estimate.
    content = json.loads(selection.to_json()) | {"schema_version": 1}
    (path / "selection.json").write_text(json.dumps(content), encoding="utf-8")
    return path


def _write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def _rows(values):
    return [[name, *row] for name, row in zip(SAMPLES, values, strict=True)]


def write_genes_in_columns(folder, names=GENES, values=X):
    """A table with samples in rows."""
    return _write(folder / "columns.csv", [["sample", *names], *_rows(values)])


def write_genes_in_rows(folder, corner="gene", genes=GENES, more=()):
    """A table with genes in rows, whose names stand in the first column."""
    values = X[:, [GENES.index(gene.strip().upper()) for gene in genes]]
    body = [[gene, *column] for gene, column in zip(genes, values.T.tolist(), strict=True)]
    return _write(folder / "rows.csv", [[corner, *SAMPLES], *body, *more])


def write_genes_in_rows_with_the_outcome(folder):
    """Genes in rows, and below them the outcome of the samples, which is text."""
    return write_genes_in_rows(folder, more=[["state", "a", "b", "a", "b"]])


def write_repeated_genes_in_rows(folder):
    """Genes in rows; the array has two probes for one gene."""
    return write_genes_in_rows(folder, genes=[*GENES, "ACTB"])


def write_respelled_genes(folder):
    """Genes in columns, in lower case and with blanks."""
    return write_genes_in_columns(folder, [f" {gene.lower()} " for gene in GENES])


def write_respelled_genes_in_rows(folder):
    """Genes in rows, in lower case."""
    return write_genes_in_rows(folder, genes=[gene.lower() for gene in GENES])


def write_names_as_r_does(folder):
    """Genes in columns, with dots that R put in front."""
    return write_genes_in_columns(folder, [f".{gene}" for gene in GENES])


def write_missing_values(folder):
    """Genes in columns; some values were not measured."""
    values = X.astype(object)
    values[0, GENES.index("TP53")] = values[1, GENES.index("TP53")] = ""
    values[3, GENES.index("KRAS")] = "NA"
    return write_genes_in_columns(folder, values=values.tolist())


def write_without(folder, *missing):
    """Genes in columns without some of them."""
    kept = [j for j, gene in enumerate(GENES) if gene not in missing]
    return write_genes_in_columns(folder, [GENES[j] for j in kept], X[:, kept].tolist())


def write_text_in_a_selected_gene(folder):
    """Genes in columns; a selected one was coded as text."""
    values = X.astype(object)
    values[:, GENES.index("MYC")] = ["low", "high", "low", "high"]
    return write_genes_in_columns(folder, values=values.tolist())


def write_other_names(folder):
    """Genes in columns under the names of another platform."""
    return write_genes_in_columns(folder, [f"{1000 + j}_at" for j in range(7)])
