"""Compare RobustSelector with the top genes of ``scanpy.tl.rank_genes_groups``.

The data are ``pbmc68k_reduced`` of scanpy: 700 blood cells of ten types and 765 genes. Both choose
their genes on the training cells of each split, and the same predictors are tested on the other
cells::

    python benchmarks/markers.py

It writes ``results/markers.csv``, whose figures are in ``docs/scanpy-users.md``.
"""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin

from perturbfs import RobustSelector, evaluate

SIZES = (5, 10, 20, 40)
N_SPLITS = 20
RESULTS = Path(__file__).resolve().parent / "results" / "markers.csv"


class TopOfEachClass(SelectorMixin, BaseEstimator):
    """Take the top genes of ``rank_genes_groups``, one of each class in turn."""

    def __init__(self, n_features_to_select=10, *, test="t-test"):
        self.n_features_to_select = n_features_to_select
        self.test = test

    def fit(self, X, y):
        """Rank the genes of each class against all other cells."""
        import anndata
        import pandas as pd
        import scanpy as sc

        cells = pd.DataFrame({"type": pd.Categorical(y)}, index=[f"c{i}" for i in range(len(y))])
        genes = pd.DataFrame(index=[str(j) for j in range(X.shape[1])])
        adata = anndata.AnnData(X, obs=cells, var=genes)
        sc.tl.rank_genes_groups(adata, "type", method=self.test)
        ranked = adata.uns["rank_genes_groups"]["names"]
        in_turn = [int(name) for row in ranked.tolist() for name in row]
        chosen = list(dict.fromkeys(in_turn))[: self.n_features_to_select]
        self.n_features_in_ = X.shape[1]
        self.support_ = np.isin(np.arange(X.shape[1]), chosen)
        return self

    def _get_support_mask(self):
        return self.support_


def main() -> None:
    import scanpy as sc

    adata = sc.datasets.pbmc68k_reduced()
    methods = {
        "robust": RobustSelector(),
        "t-test": TopOfEachClass(),
        "wilcoxon": TopOfEachClass(test="wilcoxon"),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scanpy, on classes with few cells
        found = evaluate(
            methods,
            adata.raw.X,
            adata.obs["bulk_labels"].to_numpy(str),
            n_features=SIZES,
            task="classification",
            n_splits=N_SPLITS,
            random_state=0,
        )
    rows = []
    for size in SIZES:
        for name in methods:
            mean = found.estimate(name, size)
            agreement = found.stability(name, size)
            rows.append([name, size, *map(_short, (mean.mean, mean.low, mean.high, agreement))])
        for pair in found.compare(size, references=[]).pairs:
            print(size, pair)
    everything = found.estimate("all features", "all")
    rows.append(
        ["all genes", 765, *map(_short, (everything.mean, everything.low, everything.high)), ""]
    )
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["method", "n_genes", "balanced_accuracy", "low", "high", "stability"])
        writer.writerows(rows)
    for row in rows:
        print(*row, sep="\t")


def _short(value: float) -> str:
    return f"{value:.3f}"


if __name__ == "__main__":
    main()
