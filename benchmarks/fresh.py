"""Evaluate every method on data sets that tuned nothing, and test their ranks.

    python benchmarks/fresh.py run [--sets yale pcmac] [--methods robust mrmr] [--limit 60]
    python benchmarks/fresh.py tables

`run` follows the protocol of the README (see `_protocol`): the same twenty splits for all methods,
features from the training part only. Finished splits are appended to results/fresh/SET.csv, so a
run that was stopped continues where it was, and two processes can work on different sets. A method
that takes more than the limit of CPU seconds for one answer is not tried on further splits of that
set, and the tables say so. Its own number of features has a limit of its own, which is lower since
it does not take part in the ranks. A fresh set is only evaluated if all changes of the package are
committed, and the commit is kept with each result.

`tables` writes, for the groups of sets below, results/fresh-GROUP.csv (means over the sets),
fresh-GROUP-sets.csv, fresh-GROUP-ranks.csv (Friedman's test, and Wilcoxon's with Holm's correction
against our method) and fresh-GROUP-ranks.svg. Scores are balanced accuracies in percent; for a
quantity 100 times the coefficient of determination. Sets without results are left out.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from _measure import RESULTS, cpu_seconds  # isort: skip  (pins the threads first)
import numpy as np
from _fresh_results import (
    HEADER,
    PREDICTORS,
    STABILITY_SIZE,
    STOPPED,
    Results,
    Row,
    append,
    cut_half_a_line,
    read_rows,
)
from _fresh_tables import write_group
from _limited import call_limited, limited
from _protocol import N_SPLITS, NINE, SIZES, TEST_SHARE, load, splits
from method_search import rival
from sklearn.base import clone
from sklearn.linear_model import ElasticNetCV, enet_path
from sklearn.metrics import r2_score
from sklearn.model_selection import ShuffleSplit
from sklearn.preprocessing import StandardScaler

from perturbfs._support.names import METHODS, REPEATED
from perturbfs.datasets import list_datasets, load_dataset
from perturbfs.evaluation import make_selector
from perturbfs.scoring import default_predictors, mean_recall

OURS, NET = "robust", "elastic-net"
TASKS = ("classification", "regression")
LIMIT_S = 60.0
AUTO_LIMIT_S = 10.0
FRESH = tuple(entry.name for entry in list_datasets() if entry.collection == "fresh")
REGRESSION = tuple(entry.name for entry in list_datasets() if entry.task == "regression")
FRESH_CLASSES = tuple(name for name in FRESH if name not in REGRESSION)
GROUPS = {
    "classes": FRESH_CLASSES,
    "regression": REGRESSION,
    "tuned": NINE,
    "all": (*FRESH_CLASSES, *NINE),
}
# Their answers to different numbers are no parts of one order.
ONE_BY_ONE = (OURS, *REPEATED)

# Takes features, outcome and split; returns the features for each size asked for.
Answer = Callable[[np.ndarray, np.ndarray, int], dict[int | str, np.ndarray]]
Table = tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, np.ndarray]]]


def task_of(name: str) -> str:
    return "regression" if name in REGRESSION else "classification"


def methods_for(task: str) -> list[str]:
    """Return the methods of the registry that can do a task, and the elastic net."""
    able = [name for name in METHODS if task in getattr(make_selector(name, 1), "_tasks", TASKS)]
    return [*able, NET] if task == "regression" else able


def questions(
    method: str, *, own_number: bool = True
) -> Iterator[tuple[tuple[int | str, ...], Answer]]:
    """Yield the sizes that a method is asked for at once, and how it answers."""
    if method in ONE_BY_ONE:
        yield from (((size,), partial(select, method, size)) for size in SIZES)
    else:
        yield SIZES, partial(first_ones, net_order if method == NET else rival(method))
    if own_number and method != "random":
        yield ("auto",), net_own if method == NET else partial(select, method, "auto")


def select(method, size, X, y, split):
    """Return the features in the order of the method, on which ties in a tree depend."""
    selector = make_selector(method, size, random_state=split).fit(X, y)
    chosen = selector.get_support(indices=True)
    return {size: chosen[np.argsort(selector.ranking_[chosen], kind="stable")]}


def first_ones(order, X, y, split):
    found = order(X, y, split)
    return {size: found[:size] for size in SIZES}


def net_order(X, y, _split):
    """Return features by when they enter the path of the elastic net."""
    scaled = StandardScaler().fit_transform(X)
    _, coefficients, _ = enet_path(scaled, y - y.mean(), l1_ratio=0.5, eps=1e-2)
    is_in = coefficients != 0
    entry = np.where(is_in.any(axis=1), is_in.argmax(axis=1), is_in.shape[1])
    order = np.lexsort((-np.abs(coefficients[:, -1]), entry))
    return order[entry[order] < is_in.shape[1]]


def net_own(X, y, _split):
    """Return the features of the elastic net at the penalty of cross-validation."""
    model = ElasticNetCV(l1_ratio=0.5, eps=1e-2, cv=5).fit(StandardScaler().fit_transform(X), y)
    return {"auto": np.flatnonzero(model.coef_)}


def table_of(name: str) -> Table:
    """Return features, outcome and splits."""
    if task_of(name) == "classification":
        X, y = load(name)
        return X, y, splits(y)
    data = load_dataset(name, download=False)
    splitter = ShuffleSplit(N_SPLITS, test_size=TEST_SHARE, random_state=0)
    # Selectors take whole numbers for classes, but no selection and no R^2 depends on the unit.
    return data.X, data.y / np.pi, list(splitter.split(data.X))


def run_set(
    name: str,
    methods: Sequence[str],
    n_splits: int,
    limits: tuple[float, float],
    folder: Path,
    *,
    own_number: bool = True,
) -> None:
    """Append the missing results on a data set to its file."""
    commit = commit_for(name)
    X, y, parts = table_of(name)
    path = folder / f"{name}.csv"
    folder.mkdir(parents=True, exist_ok=True)
    cut_half_a_line(path)
    kept = read_rows(path)
    for method in methods:
        for sizes, answer in questions(method, own_number=own_number):
            limit_s = limits[sizes == ("auto",)]
            before = kept[method, str(sizes[0])]
            done = {row["split"] for row in before}
            is_stopped = any(row["note"].startswith(STOPPED) for row in before)
            for split, (train, test) in enumerate(parts[:n_splits]):
                if is_stopped:
                    break
                if str(split) not in done:
                    job = partial(play, answer, X, y, train, test, split, limit_s, task_of(name))
                    outcome = call_limited(job)
                    is_stopped = outcome.is_stopped
                    note = f"{STOPPED} {limit_s:g} CPU s" if is_stopped else outcome.error
                    row = {"method": method, "split": split, "note": note, "commit": commit}
                    append(path, [_row(row, size, outcome.value) for size in sizes])
        print(f"{name}: {method}", flush=True)


def play(answer, X, y, train, test, split, limit_s, task):
    """Return features and scores for each size, and the CPU seconds of the selection."""
    start = cpu_seconds()
    with limited(limit_s):
        found = answer(X[train], y[train], split)
    seconds = cpu_seconds() - start
    judge = r2_score if task == "regression" else mean_recall
    scored = {}
    for size, chosen in found.items():
        X_train, X_test = X[np.ix_(train, chosen)], X[np.ix_(test, chosen)]
        models = [clone(each).fit(X_train, y[train]) for each in default_predictors(task).values()]
        scored[size] = chosen, [judge(y[test], model.predict(X_test)) for model in models]
    return scored, seconds


def _row(row: Row, size: int | str, value: Any) -> Row:
    row = dict.fromkeys(HEADER, "") | row | {"size": size}
    if value is not None:
        scored, seconds = value
        chosen, scores = scored[size]
        row |= {name: f"{score:.6f}" for name, score in zip(PREDICTORS, scores, strict=True)}
        row |= {"n_features": len(chosen), "cpu_s": f"{seconds:.3f}"}
        if size == STABILITY_SIZE:
            row["features"] = " ".join(map(str, chosen))
    return row


def commit_for(name: str) -> str:
    """Return the commit of the package; refuse a fresh set if there are other changes."""
    changes = _git("status", "--porcelain", "src")
    if changes and name in FRESH:
        raise SystemExit(
            f"{name} is a fresh set, but src has changes that are not committed. Commit them: the "
            "settings must be fixed before a fresh set is evaluated."
        )
    return _git("rev-parse", "--short=12", "HEAD") + ("+" if changes else "")


def _git(*words: str) -> str:
    root = Path(__file__).parent.parent
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write_tables(folder: Path, out: Path, n_splits: int) -> None:
    """Write the tables of every group of data sets with results."""
    results = Results(folder, n_splits)
    for group, wanted in GROUPS.items():
        names = [name for name in wanted if (folder / f"{name}.csv").exists()]
        if names:
            write_group(results, group, names, methods_for(task_of(names[0])), OURS, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=("run", "tables"))
    known = tuple(dict.fromkeys((*FRESH, *REGRESSION, *NINE)))
    wanted = tuple(dict.fromkeys((*FRESH, *REGRESSION)))
    parser.add_argument("--sets", nargs="+", choices=known, default=wanted)
    parser.add_argument("--methods", nargs="+", choices=(*METHODS, NET))
    parser.add_argument("--splits", type=int, default=N_SPLITS)
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="CPU seconds per answer")
    parser.add_argument("--auto", type=float, default=AUTO_LIMIT_S, help="the same for its own k")
    parser.add_argument("--fixed", action="store_true", help="fixed numbers of features only")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of all results")
    options = parser.parse_args()
    folder = options.out / "fresh"
    if options.part == "tables":
        write_tables(folder, options.out, options.splits)
        return
    for name in options.sets:
        able = methods_for(task_of(name))
        methods = [each for each in options.methods or able if each in able]
        limits = (options.limit, options.auto)
        run_set(name, methods, options.splits, limits, folder, own_number=not options.fixed)


if __name__ == "__main__":
    main()
