"""Selections for survival outcomes against the penalized Cox model of scikit-survival.

``python benchmarks/survival.py`` needs the extra ``survival`` and takes a few minutes. It writes
``benchmarks/results/survival.csv`` and prints the table of ``docs/survival.md``.

In each of 20 random splits, stratified by the event, every method sees 70 % of the samples only:

robust     RobustSelector(), then a Cox model with a ridge penalty on its features
coxnet     CoxnetSurvivalAnalysis, a lasso, whose penalty is chosen on five inner folds
everything the same ridge Cox model on all features
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sksurv.datasets import load_breast_cancer, load_gbsg2
from sksurv.linear_model import CoxnetSurvivalAnalysis
from sksurv.metrics import concordance_index_censored

from perturbfs import RobustSelector
from perturbfs.checks import as_survival
from perturbfs.evaluation import corrected_interval, default_predictors
from perturbfs.scoring import inner_splits, make_splits, stability

RESULTS = Path(__file__).parent / "results" / "survival.csv"
N_SPLITS, TEST_SIZE = 20, 0.3
LOADERS = {"breast cancer": load_breast_cancer, "GBSG2": load_gbsg2}
HEADER = ("data", "split", "method", "n_features", "concordance", "features")


def main() -> None:
    rows = [row for name in LOADERS for row in compare(name)]
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows)
    show(rows)


def compare(name: str) -> Iterator[tuple[Any, ...]]:
    """Yield the results of all methods on the same splits of a data set."""
    frame, outcome = LOADERS[name]()
    frame = pd.get_dummies(frame, drop_first=True, dtype=np.float64)
    X, y = frame.to_numpy(np.float64), as_survival(outcome)
    options = {"n_splits": N_SPLITS, "test_size": TEST_SIZE, "seed": 0}
    splits = make_splits(y, groups=None, task="survival", **options)
    for split, (train, test) in enumerate(splits):
        for method, run in METHODS.items():
            features, risk = run(X[train], y[train], X[test])
            score = concordance_index_censored(y["event"][test], y["time"][test], risk)[0]
            names = ";".join(frame.columns[features])
            yield name, split, method, len(features), round(float(score), 6), names


def robust(X: Any, y: Any, X_test: Any) -> tuple[Any, Any]:
    """Return the features of RobustSelector and the risks of a ridge Cox model on them."""
    features = RobustSelector().fit(X, y).get_support(indices=True)
    return features, cox(X[:, features], y, X_test[:, features])


def everything(X: Any, y: Any, X_test: Any) -> tuple[Any, Any]:
    """Return all features and the risks of a ridge Cox model on them."""
    return np.arange(X.shape[1]), cox(X, y, X_test)


def cox(X: Any, y: Any, X_test: Any) -> Any:
    """Return the risks of the predictor that `evaluate` uses."""
    return default_predictors("survival")["cox"].fit(X, y).predict(X_test)


def coxnet(X: Any, y: Any, X_test: Any) -> tuple[Any, Any]:
    """Return the features with a coefficient in a lasso, and its risks.

    The penalty with the best mean concordance on five inner folds is taken, along the path of
    penalties of all training samples.
    """
    penalties = _lasso().fit(X, y)[-1].alphas_
    totals = np.zeros(len(penalties))
    for train, test in inner_splits(X, y, None, task="survival", cv=None):
        model = _lasso(penalties).fit(X[train], y[train])
        units = model[0].transform(X[test])
        for place, penalty in enumerate(penalties):
            risk = model[-1].predict(units, alpha=penalty)
            event, time = y["event"][test], y["time"][test]
            totals[place] += concordance_index_censored(event, time, risk)[0]
    best = penalties[int(np.argmax(totals))]
    model = _lasso(penalties).fit(X, y)
    place = int(np.argmin(np.abs(model[-1].alphas_ - best)))
    features = np.flatnonzero(model[-1].coef_[:, place])
    return features, model[-1].predict(model[0].transform(X_test), alpha=best)


def _lasso(penalties: Any = None) -> Any:
    model = CoxnetSurvivalAnalysis(l1_ratio=1.0, alpha_min_ratio=0.01, alphas=penalties)
    return make_pipeline(StandardScaler(), model)


METHODS = {"robust": robust, "coxnet": coxnet, "everything": everything}


def show(rows: list[tuple[Any, ...]]) -> None:
    """Print the means over the splits, with intervals, and the differences from robust."""
    share = TEST_SIZE / (1 - TEST_SIZE)
    print("| data | method | features | concordance | robust minus it | stability |")
    print("|---|---|---|---|---|---|")
    for data in LOADERS:
        mine = {method: [r for r in rows if r[0] == data and r[2] == method] for method in METHODS}
        scores = {method: np.array([r[4] for r in each]) for method, each in mine.items()}
        n_features = max(r[3] for r in mine["everything"])
        names = mine["everything"][0][5].split(";")
        for method, each in mine.items():
            found = corrected_interval(scores[method], test_share=share)
            apart = corrected_interval(scores["robust"] - scores[method], test_share=share)
            less = (
                ""
                if method == "robust"
                else f"{apart.mean:+.3f} ({apart.low:+.3f} to {apart.high:+.3f})"
            )
            chosen = [[names.index(name) for name in r[5].split(";") if name] for r in each]
            agreed = "" if method == "everything" else f"{stability(chosen, n_features):.2f}"
            print(
                f"| {data} | {method} | {np.mean([r[3] for r in each]):.1f} | {found.mean:.3f} "
                f"({found.low:.3f} to {found.high:.3f}) | {less} | {agreed} |"
            )


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # With the largest penalties on some inner folds.
        warnings.filterwarnings("ignore", "all coefficients are zero")
        main()
