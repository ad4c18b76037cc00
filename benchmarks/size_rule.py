"""Keep the inner scores of every number of features, and the test scores, of the sets in use.

``python benchmarks/size_rule.py collect colon lymphoma`` fits the splits of these sets that are
not kept yet and ends after a few minutes (see MOST_SECONDS), so it may have to be called again.
Any rule for the number of features can then be judged without a fit: ``rules`` prints how each
does, and ``left-out`` how those do that are chosen without one of the sets. ``quantities`` is for
the two sets with a quantity. ``confirm`` scores a few rules on eight sets with other splits, and
``made-up`` on tables in which one or two features matter. These two keep nothing and take minutes.

The fresh sets take no part.
"""

from __future__ import annotations

import csv
import sys
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from _measure import RESULTS
from _protocol import EIGHT, N_SPLITS, NINE, TEST_SHARE, load, score_on_test, splits
from _size_rules import FEW_RULES, PRESENT, Kept, all_rules, judge, preferred
from sklearn.model_selection import ShuffleSplit

from perturbfs import RobustSelector
from perturbfs.datasets import load_dataset
from perturbfs.scoring import default_predictors, mean_recall, r2

QUANTITIES = ("riboflavin", "gasoline")
SIZES = tuple(range(1, 41))
N_PREDICTORS = 3
FEW = {"madelon": 10}  # splits of a set whose fits take long
MOST_SECONDS = 400  # of one call
INNER, TEST, PATHS = (RESULTS / f"size-{part}.csv" for part in ("inner", "test", "paths"))
UNIT = 1e5  # scores are kept as whole numbers


class Observed(RobustSelector):
    """The selector with every size scored up to `max_features`; keeps the scores."""

    def _plan(self, n_samples):
        plan = super()._plan(n_samples)
        return replace(plan, sizes=tuple(range(1, plan.n_wanted + 1)))

    def _choose_size(self, scores, n_wanted):
        self.scores_ = scores
        return super()._choose_size(scores, n_wanted)


def data_and_splits(name, seed=0):
    """Return features, outcome, task and the outer splits."""
    if name in QUANTITIES:
        data = load_dataset(name, download=False)
        outer = ShuffleSplit(N_SPLITS, test_size=TEST_SHARE, random_state=seed).split(data.X)
        return np.asarray(data.X, dtype=np.float64), data.y, "regression", list(outer)
    X, y = load(name)
    return X, y, "classification", splits(y, seed)[: FEW.get(name, N_SPLITS)]


def observe(X, y, train, test, task):
    """Return the inner scores, the test scores and the paths of one outer split."""
    found = Observed(max_features=SIZES[-1], n_jobs=1).fit(X[train], y[train])
    usual = RobustSelector(n_jobs=1).fit(X[train], y[train])
    n_same = int(np.argmin(np.r_[found.path_[: len(usual.path_)] == usual.path_, False]))
    judge = r2 if task == "regression" else mean_recall
    by_size = []
    for size in SIZES:
        chosen = found.path_[:size]
        scores = [
            score_on_test(predictor, X[:, chosen], y, train, test, judge)
            for predictor in default_predictors(task).values()
        ]
        by_size.append(np.mean(scores))
    n_classes = 1 if task == "regression" else len(np.unique(y))
    known = [len(train), n_classes, len(usual.path_), n_same, int(usual.support_.sum())]
    return found.scores_.scores, by_size, [*known, *found.path_]


def collect(names):
    """Fit the splits that are not kept yet, and add them to the files."""
    start = time.perf_counter()
    kept = {(row[0], int(row[1])) for row in _read(TEST)}
    for name in names:
        X, y, task, outer = data_and_splits(name)
        for split, (train, test) in enumerate(outer):
            if (name, split) in kept:
                continue
            if time.perf_counter() - start > MOST_SECONDS:
                print("call again for the rest")
                return
            inner, by_size, path = observe(X, y, train, test, task)
            for fold, by_predictor in enumerate(inner):
                for scores in by_predictor:
                    _add(INNER, [name, split, fold, *_whole(scores)])
            _add(PATHS, [name, split, *path])
            _add(TEST, [name, split, *_whole(by_size)])
            print(name, split, f"{time.perf_counter() - start:.0f} s", flush=True)


def read_kept(names):
    """Return what is kept of each split of some sets."""
    inner, test = {}, {}
    for name, split, _fold, *scores in _read(INNER):
        inner.setdefault((name, split), []).append(np.array(scores, dtype=int) / UNIT)
    for name, split, *scores in _read(TEST):
        test[name, split] = np.array(scores, dtype=int) / UNIT
    kept = {name: [] for name in names}
    for name, split, n_train, n_classes, _n_path, _n_same, taken, *_path in _read(PATHS):
        if name in kept:
            by_fold = np.array(inner[name, split])
            kept[name].append(
                Kept(
                    int(n_train),
                    int(n_classes),
                    by_fold.reshape(-1, N_PREDICTORS, len(SIZES)),
                    test[name, split],
                    int(taken),
                )
            )
    return kept


def show_rules():
    """Print how each rule does, and the fixed numbers, best first."""
    sets = read_kept(NINE)
    for k in SIZES:
        _show(f"always {k}", *_fixed(sets, k))
    own = [np.mean([each.test[each.taken - 1] for each in s]) for s in sets.values()]
    n_own = np.mean([np.mean([each.taken for each in s]) for s in sets.values()])
    _show("RobustSelector()", 100 * np.array(own), n_own, 0.0)
    judged = [judge(rule, sets) for rule in all_rules()]
    for each in sorted(judged, key=lambda each: -each.score.mean()):
        mark = "*" if each.rule == PRESENT else ""
        _show(f"{each.rule}{mark}", each.score, each.n_features.mean(), each.spread.mean())


def show_quantities():
    """Print how a few rules do on quantities; the score is R^2 in percent."""
    _show_few(read_kept(QUANTITIES))


def show_left_out():
    """Print the rules that the other sets choose, and how they do on the set left out."""
    sets = read_kept(NINE)
    for title, rules in (("all rules", all_rules()), ("a few rules", FEW_RULES)):
        print(f"\n{title}")
        _show_left_out(list(sets), [judge(rule, sets) for rule in rules], judge(PRESENT, sets))


def _show_left_out(names, judged, present):
    gains = []
    for position, name in enumerate(names):
        found = preferred(judged, np.arange(len(names)) != position)
        gains.append(found.score[position] - present.score[position])
        print(
            f"{name:15s} {found.rule!s:50s} {found.score[position]:5.1f} "
            f"{found.n_features[position]:5.1f}   present {present.score[position]:5.1f} "
            f"{present.n_features[position]:5.1f}   gain {gains[-1]:5.2f}"
        )
    print(f"mean gain {np.mean(gains):.2f}, smallest {min(gains):.2f}")
    print("chosen on all sets:", preferred(judged, np.ones(len(names), dtype=bool)).rule)


def confirm(seed=1):
    """Print how a few rules do on other splits of eight sets."""
    sets = {}
    for name in EIGHT:
        X, y, task, outer = data_and_splits(name, seed)
        sets[name] = [_observed(X, y, train, test, task) for train, test in outer]
    _show_few(sets)
    for k in SIZES:
        _show(f"always {k}", *_fixed(sets, k))


def show_made_up(n_tables=8):
    """Print how a few rules do on tables in which one or two of 300 features matter."""
    sets = {}
    for kind, n_train in product(("line", "noisy line", "two classes", "one gene"), (60, 150)):
        rows = np.arange(n_train + 600)
        sets[kind, n_train] = [
            _observed(*_made_up(kind, len(rows), seed, rows[:n_train], rows[n_train:]))
            for seed in range(n_tables)
        ]
    print(*sets)
    _show_few(sets)


def _made_up(kind, n_samples, seed, train, test):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, 300))
    signal, noise = X[:, 0] + X[:, 1], rng.standard_normal(n_samples)
    if kind == "two classes":
        return X, (signal + 0.5 * noise > 0).astype(int), train, test, "classification"
    if kind == "one gene":
        y = np.arange(n_samples) % 2
        X[:, 0] += 2 * y
        return X, y, train, test, "classification"
    return X, signal + (1.5 if kind == "noisy line" else 0.3) * noise, train, test, "regression"


def _observed(X, y, train, test, task):
    inner, by_size, (n_train, n_classes, _, _, taken, *_) = observe(X, y, train, test, task)
    return Kept(n_train, n_classes, inner, np.array(by_size), taken)


def _show_few(sets):
    for rule in FEW_RULES:
        found = judge(rule, sets)
        _show(str(rule), found.score, found.n_features.mean(), found.spread.mean())


def _fixed(sets, k):
    scores = [100 * np.mean([each.test[k - 1] for each in kept]) for kept in sets.values()]
    return np.array(scores), k, 0.0


def _show(name, scores, n_features, spread):
    by_set = " ".join(f"{score:5.1f}" for score in scores)
    print(f"{name:55s} {scores.mean():6.2f} {n_features:5.1f} {spread:4.1f}   {by_set}")


def _whole(scores):
    return np.round(np.array(scores) * UNIT).astype(int).tolist()


def _read(path: Path):
    if not path.exists():
        return []
    with path.open() as file:
        return list(csv.reader(file))


def _add(path: Path, row):
    with path.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(row)


PARTS = {
    "rules": show_rules,
    "quantities": show_quantities,
    "left-out": show_left_out,
    "confirm": confirm,
    "made-up": show_made_up,
}


if __name__ == "__main__":
    part, *wanted = sys.argv[1:]
    if part == "collect":
        collect(wanted or (*NINE, *QUANTITIES))
    else:
        PARTS[part]()
