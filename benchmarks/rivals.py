"""Measure the CPU seconds of all selectors for twenty features: same data, one thread.

    python benchmarks/rivals.py [--sets colon leukemia] [--limit 60] [--add]
    python benchmarks/rivals.py --few      # two rivals on every set, into rivals-few.csv

Rivals that are not installed in the interpreter are left out with a note (extra `bench`).
`ours` is the whole automatic selection of `RobustSelector`, which also finds the number of
features. The rivals are told to select twenty, or find the number themselves (RFECV, boruta).
They have the default settings of their packages and one job. RFECV is measured twice: it drops
one feature per step (its default), or a tenth of them.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import warnings
from collections.abc import Callable, Sequence
from typing import Literal

from _measure import RESULTS, Cost, Row, keep, load, measure, row, show  # isort: skip  (threads)
import numpy as np
from _data import FRESH, QUANTITIES, SETS, catalogue_sets
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectFromModel, SequentialFeatureSelector
from sklearn.linear_model import Lasso
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC, SVR, LinearSVC

import perturbfs

JOB = "20 features"
N_FEATURES = 20
LIMIT_S = 3.0
ALL = (*SETS, *FRESH)
TIMES_OURS = 4  # the limit is never less than this many times our seconds
# Features, outcome, and whether that is a quantity.
Select = Callable[[np.ndarray, np.ndarray, bool], object]


def _robust(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    return perturbfs.RobustSelector(task=_task(is_quantity)).fit(X, y)


def _robust_fixed(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    return perturbfs.RobustSelector(N_FEATURES, task=_task(is_quantity)).fit(X, y)


def _task(is_quantity: bool) -> Literal["regression", "classification"]:
    return "regression" if is_quantity else "classification"


def _paper(X: np.ndarray, y: np.ndarray, _: bool) -> object:
    return perturbfs.PerturbationSelector(N_FEATURES, random_state=0).fit(X, y)


def _paper_warm(X: np.ndarray, y: np.ndarray, _: bool) -> object:
    return perturbfs.PerturbationSelector(N_FEATURES, clusterer="warm", random_state=0).fit(X, y)


def _paper_automatic(X: np.ndarray, y: np.ndarray, _: bool) -> object:
    return perturbfs.PerturbationSelector(random_state=0).fit(X, y)


def _our_mrmr(X: np.ndarray, y: np.ndarray, _: bool) -> object:
    from perturbfs.baselines import MRMRSelector

    return MRMRSelector(N_FEATURES).fit(X, y)


def _rfecv(X: np.ndarray, y: np.ndarray, is_quantity: bool, step: float = 1) -> object:
    model = SVR(kernel="linear") if is_quantity else SVC(kernel="linear")
    return RFECV(model, step=step, min_features_to_select=N_FEATURES).fit(X, y)


def _rfecv_by_tenths(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    return _rfecv(X, y, is_quantity, step=0.1)


def _sequential(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    model = KNeighborsRegressor(3) if is_quantity else KNeighborsClassifier(3)
    return SequentialFeatureSelector(model, n_features_to_select=N_FEATURES).fit(X, y)


def _from_forest(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    forest = RandomForestRegressor if is_quantity else RandomForestClassifier
    model = forest(random_state=0)
    return SelectFromModel(model, max_features=N_FEATURES, threshold=-np.inf).fit(X, y)


def _from_l1(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    model = Lasso(alpha=0.01) if is_quantity else LinearSVC(penalty="l1", random_state=0)
    return SelectFromModel(model, max_features=N_FEATURES, threshold=-np.inf).fit(X, y)


def _mrmr(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    import pandas
    from mrmr import mrmr_classif, mrmr_regression

    select = mrmr_regression if is_quantity else mrmr_classif
    frame, outcome = pandas.DataFrame(X), pandas.Series(y)
    return select(frame, outcome, K=N_FEATURES, n_jobs=1, show_progress=False)


def _hsic_lasso(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    from pyHSICLasso import HSICLasso

    model = HSICLasso()
    model.input(X, y)
    fit = model.regression if is_quantity else model.classification
    return fit(N_FEATURES, n_jobs=1)


def _boruta(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    from boruta import BorutaPy

    forest = (
        RandomForestRegressor(max_depth=5, random_state=0)
        if is_quantity
        else RandomForestClassifier(max_depth=5, class_weight="balanced", random_state=0)
    )
    return BorutaPy(forest, n_estimators="auto", random_state=0).fit(X, y)


def _skrebate(X: np.ndarray, y: np.ndarray, _: bool) -> object:
    from skrebate import ReliefF

    return ReliefF(n_features_to_select=N_FEATURES, n_jobs=1).fit(X, y)


def _fast_relieff(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    from fast_select import ReliefF

    if is_quantity:
        raise NotImplementedError("classes only")
    return ReliefF(N_FEATURES, backend="cpu", n_jobs=1).fit(X, y)


def _abess(X: np.ndarray, y: np.ndarray, is_quantity: bool) -> object:
    from abess import LinearRegression, LogisticRegression, MultinomialRegression

    of_classes = LogisticRegression if len(np.unique(y)) == 2 else MultinomialRegression
    model = LinearRegression if is_quantity else of_classes
    return model(support_size=N_FEATURES).fit(X, y)


OURS = ("ours", "RobustSelector, 20 features asked for")
# What `--few` measures: the two rivals that our selections must not be slower than.
FEW = (*OURS, "RFECV, linear SVM, a tenth a step", "mrmr_selection")
# Way → package it needs, function.
WAYS: dict[str, tuple[str, Select]] = {
    "ours": ("perturbfs", _robust),
    "RobustSelector, 20 features asked for": ("perturbfs", _robust_fixed),
    "paper's method": ("perturbfs", _paper),
    "paper's method, warm k-means": ("perturbfs", _paper_warm),
    "paper's method, automatic k, ten runs": ("perturbfs", _paper_automatic),
    "perturbfs.baselines.MRMRSelector": ("perturbfs", _our_mrmr),
    "SelectFromModel, forest": ("sklearn", _from_forest),
    "SelectFromModel, L1": ("sklearn", _from_l1),
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


def rows(
    *,
    quick: bool = False,
    sets: Sequence[str] | None = None,
    limit_s: float = LIMIT_S,
    ways: Sequence[str] | None = None,
) -> list[Row]:
    found = []
    for each in sets or (("colon",) if quick else ALL):
        for name, X, y in catalogue_sets([each]):
            data = f"{name} {X.shape[0]} x {X.shape[1]}"
            is_quantity = each in QUANTITIES
            outcome = y if is_quantity else np.unique(y, return_inverse=True)[1]
            found += _compare(data, X, outcome, is_quantity, limit_s, ways or tuple(WAYS))
    return found


def _compare(
    data: str,
    X: np.ndarray,
    y: np.ndarray,
    is_quantity: bool,
    limit_s: float,
    ways: Sequence[str],
) -> list[Row]:
    found = []
    for way in ways:
        package, select = WAYS[way]
        if importlib.util.find_spec(package) is None:
            cost = Cost(note="not installed (extra bench)")
        else:
            is_ours = way in OURS  # what others are compared with: no limit, the median of three
            call = _quiet(select, X, y, is_quantity)
            cost = measure(
                lambda call=call: call(X.shape[1]),
                # The warm-up pays for imports and compilation; a few features are enough.
                warm_up=lambda call=call: call(60),
                repeats=3 if is_ours else 1,
                limit_s=None if is_ours else limit_s,
            )
        if way == "ours":
            limit_s = max(limit_s, TIMES_OURS * cost.cpu_s)
        found.append(row(JOB, data, way, cost))
    return found


def _quiet(
    select: Select, X: np.ndarray, y: np.ndarray, is_quantity: bool
) -> Callable[[int], None]:
    def quietly(n_features: int) -> None:
        # Rivals print and warn; this must not go into the table.
        with (
            open(os.devnull, "w") as nowhere,
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            select(X[:, :n_features], y, is_quantity)

    return quietly


def _merged(name: str, new: list[Row]) -> list[Row]:
    """Return the rows kept earlier, but with the new rows for the same data."""
    path = RESULTS / f"{name}.csv"
    measured = {each.data for each in new}
    kept = [each for each in load(path) if each.data not in measured] if path.exists() else []
    return kept + new


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", nargs="+", choices=ALL)
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="CPU seconds per selector")
    parser.add_argument("--quick", action="store_true", help="one set")
    parser.add_argument(
        "--add", action="store_true", help="keep the last results of the other sets"
    )
    parser.add_argument("--few", action="store_true", help="two rivals, into rivals-few.csv")
    options = parser.parse_args()
    ways = FEW if options.few else None
    found = rows(quick=options.quick, sets=options.sets, limit_s=options.limit, ways=ways)
    show(found)
    name = "rivals-few" if options.few else "rivals"
    keep(name, _merged(name, found) if options.add else found)


if __name__ == "__main__":
    main()
