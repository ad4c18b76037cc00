"""Twenty features by every selector at hand: the same data, one thread, CPU seconds.

    python benchmarks/rivals.py [--sets colon leukemia] [--limit 120]

Rivals that are not installed in the interpreter are left out with a note (extra `bench`).
`ours` is the automatic selection that is to be compared: `RobustSelector` where perturbfs has
it, else the paper's method with twenty features. Settings are the packages' defaults, on one
job; RFECV is shown twice, dropping one feature a step (its default) and a tenth of them.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import warnings
from collections.abc import Callable, Sequence

from _measure import Cost, Row, keep, measure, row, show  # isort: skip  (pins the threads first)
import numpy as np
from _data import CLASSES, catalogue_sets
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV, SelectFromModel, SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC

import perturbfs

JOB = "20 features"
N_FEATURES = 20
LIMIT_S = 120.0
Select = Callable[[np.ndarray, np.ndarray], object]


def _paper(X: np.ndarray, y: np.ndarray) -> object:
    return perturbfs.PerturbationSelector(N_FEATURES, random_state=0).fit(X, y)


def _paper_warm(X: np.ndarray, y: np.ndarray) -> object:
    return perturbfs.PerturbationSelector(N_FEATURES, clusterer="warm", random_state=0).fit(X, y)


def _paper_automatic(X: np.ndarray, y: np.ndarray) -> object:
    return perturbfs.PerturbationSelector(random_state=0).fit(X, y)


def _robust(X: np.ndarray, y: np.ndarray) -> object:
    return perturbfs.RobustSelector(random_state=0).fit(X, y)


def _our_mrmr(X: np.ndarray, y: np.ndarray) -> object:
    from perturbfs.baselines import MRMRSelector

    return MRMRSelector(N_FEATURES).fit(X, y)


def _rfecv(X: np.ndarray, y: np.ndarray, step: float = 1) -> object:
    search = RFECV(SVC(kernel="linear"), step=step, min_features_to_select=N_FEATURES)
    return search.fit(X, y)


def _rfecv_by_tenths(X: np.ndarray, y: np.ndarray) -> object:
    return _rfecv(X, y, step=0.1)


def _sequential(X: np.ndarray, y: np.ndarray) -> object:
    model = KNeighborsClassifier(3)
    return SequentialFeatureSelector(model, n_features_to_select=N_FEATURES).fit(X, y)


def _from_forest(X: np.ndarray, y: np.ndarray) -> object:
    model = RandomForestClassifier(random_state=0)
    return SelectFromModel(model, max_features=N_FEATURES, threshold=-np.inf).fit(X, y)


def _from_svm(X: np.ndarray, y: np.ndarray) -> object:
    model = LinearSVC(penalty="l1", random_state=0)
    return SelectFromModel(model, max_features=N_FEATURES, threshold=-np.inf).fit(X, y)


def _mrmr(X: np.ndarray, y: np.ndarray) -> object:
    import pandas
    from mrmr import mrmr_classif

    frame, outcome = pandas.DataFrame(X), pandas.Series(y)
    return mrmr_classif(frame, outcome, K=N_FEATURES, n_jobs=1, show_progress=False)


def _hsic_lasso(X: np.ndarray, y: np.ndarray) -> object:
    from pyHSICLasso import HSICLasso

    model = HSICLasso()
    model.input(X, y)
    return model.classification(N_FEATURES, n_jobs=1)


def _boruta(X: np.ndarray, y: np.ndarray) -> object:
    from boruta import BorutaPy

    forest = RandomForestClassifier(max_depth=5, class_weight="balanced", random_state=0)
    return BorutaPy(forest, n_estimators="auto", random_state=0).fit(X, y)


def _skrebate(X: np.ndarray, y: np.ndarray) -> object:
    from skrebate import ReliefF

    return ReliefF(n_features_to_select=N_FEATURES, n_jobs=1).fit(X, y)


def _fast_relieff(X: np.ndarray, y: np.ndarray) -> object:
    from fast_select import ReliefF

    return ReliefF(N_FEATURES, backend="cpu", n_jobs=1).fit(X, y)


def _abess(X: np.ndarray, y: np.ndarray) -> object:
    from abess import LogisticRegression, MultinomialRegression

    model = LogisticRegression if len(np.unique(y)) == 2 else MultinomialRegression
    return model(support_size=N_FEATURES).fit(X, y)


# Way → package it needs, function.
WAYS: dict[str, tuple[str, Select]] = {
    "paper's method": ("perturbfs", _paper),
    "paper's method, warm k-means": ("perturbfs", _paper_warm),
    "paper's method, automatic k, ten runs": ("perturbfs", _paper_automatic),
    "perturbfs.baselines.MRMRSelector": ("perturbfs", _our_mrmr),
    "SelectFromModel, forest": ("sklearn", _from_forest),
    "SelectFromModel, L1 SVM": ("sklearn", _from_svm),
    "RFECV, linear SVM": ("sklearn", _rfecv),
    "RFECV, linear SVM, a tenth a step": ("sklearn", _rfecv_by_tenths),
    "SequentialFeatureSelector, 3 neighbors": ("sklearn", _sequential),
    "mrmr_selection": ("mrmr", _mrmr),
    "pyHSICLasso": ("pyHSICLasso", _hsic_lasso),
    "boruta": ("boruta", _boruta),
    "skrebate ReliefF": ("skrebate", _skrebate),
    "fast-select ReliefF": ("fast_select", _fast_relieff),
    "abess": ("abess", _abess),
}
# The one place that asks whether this perturbfs has the robust selector.
if hasattr(perturbfs, "RobustSelector"):
    WAYS = {"ours": ("perturbfs", _robust), **WAYS}
else:
    WAYS = {"ours": WAYS.pop("paper's method"), **WAYS}


def rows(
    *, quick: bool = False, sets: Sequence[str] | None = None, limit_s: float = LIMIT_S
) -> list[Row]:
    found = []
    chosen = sets or (("colon",) if quick else CLASSES)
    for name, X, y in catalogue_sets(chosen):
        data = f"{name} {X.shape[0]} x {X.shape[1]}"
        codes = np.unique(y, return_inverse=True)[1]
        for way, (package, select) in WAYS.items():
            if importlib.util.find_spec(package) is None:
                cost = Cost(note="not installed (extra bench)")
            else:
                cost = _measure_quietly(select, X, codes, min(limit_s, 10.0 if quick else limit_s))
            found.append(row(JOB, data, way, cost))
    return found


def _measure_quietly(select: Select, X: np.ndarray, y: np.ndarray, limit_s: float) -> Cost:
    def quietly(n_features: int) -> None:
        # Rivals print and warn; on standard output they would spoil the table.
        with (
            open(os.devnull, "w") as nowhere,
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            select(X[:, :n_features], y)

    # Imports and compilation count as warm-up; a few features are enough for them.
    return measure(
        lambda: quietly(X.shape[1]), warm_up=lambda: quietly(60), repeats=1, limit_s=limit_s
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", nargs="+", choices=CLASSES)
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="CPU seconds a selector")
    parser.add_argument("--quick", action="store_true", help="one set, ten seconds a selector")
    options = parser.parse_args()
    found = rows(quick=options.quick, sets=options.sets, limit_s=options.limit)
    show(found)
    keep("rivals", found)


if __name__ == "__main__":
    main()
