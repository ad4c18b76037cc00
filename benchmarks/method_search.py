"""Compare variants of the robust path, and the robust method with its rivals.

``python benchmarks/method_search.py variants`` scores the variants on eight data sets,
``rivals`` the rivals on nine, ``table`` prints everything found so far, and ``final`` writes
results/robust.csv. All results are kept (see `_protocol`), so a second call is fast.
"""

from __future__ import annotations

import sys
import time
from functools import lru_cache

import numpy as np
from _protocol import EIGHT, N_SPLITS, NINE, SIZES, TEST_SHARE, agreement, by_split, load, results
from _refinements import REFINEMENTS
from _table import show_and_keep
from _variants import VARIANTS

from perturbfs import RobustSelector
from perturbfs.robust._search import DECIDING_SIZE
from perturbfs.robust._selector import FEWEST_FOR_FOREST

RIVALS = (
    "mrmr",
    "group-lasso",
    "anova",
    "relieff",
    "forest",
    "l1-logistic",
    "random",
    "svm-rfe",
    "hsic-lasso",
)


N_OWN = 10  # splits if the method finds the number of features, which needs inner splits in each


def rival(method):
    """Return the order of a rival's features; a rival may rank fewer than are needed."""
    from perturbfs.evaluation import make_selector

    def order(X, y, split):
        wanted = max(SIZES)
        while True:
            selector = make_selector(method, wanted, random_state=split)
            try:
                selector.fit(X, y)
            except ValueError as error:
                left = str(error).rpartition("at most ")[2].rstrip(".")
                if not left.isdigit():
                    raise
                wanted = int(left)
                continue
            chosen = selector.get_support(indices=True)
            return chosen[np.argsort(selector.ranking_[chosen], kind="stable")]

    return order


def robust(X, y, _split):
    """Return the features of the robust selector: one path, unless a forest may be chosen."""
    if len(y) < FEWEST_FOR_FOREST:
        return RobustSelector(max(SIZES)).fit(X, y).path_
    # From DECIDING_SIZE on, the decision is the same and smaller subsets are in larger ones.
    longest = RobustSelector(max(SIZES)).fit(X, y).path_
    return {
        size: longest[:size] if size >= DECIDING_SIZE else RobustSelector(size).fit(X, y).path_
        for size in SIZES
    }


def robust_auto(X, y, _split):
    """Return the selection with the selector's own number of features."""
    return {"auto": RobustSelector().fit(X, y).get_support(indices=True)}


@lru_cache
def n_features(name):
    return load(name)[0].shape[1]


def summary(method, names, order=None):
    """Return the mean over the sets for each size and over all sizes, and the stability at 20."""
    means, stabilities = [], []
    for name in names:
        start = time.perf_counter()
        rows = results(method, order, name)
        if not rows:
            return None
        if time.perf_counter() - start > 5:
            print(f"  {method} on {name}: {time.perf_counter() - start:.0f} s", flush=True)
        means.append([by_split(rows, size).mean() for size in SIZES])
        stabilities.append(agreement(rows, n_features(name)))
    by_size = np.mean(means, axis=0)
    return [*by_size, by_size.mean(), float(np.mean(stabilities))]


def show(method, found):
    if found is not None:
        *scores, agree = found
        print(f"{method:45s}", *(f"{score:5.1f}" for score in scores), f"{agree:6.3f}", flush=True)


def search_variants():
    for name, order in {**VARIANTS, **REFINEMENTS}.items():
        show(name, summary(name, EIGHT, order))


def run_rivals():
    for name in RIVALS:
        show(name, summary(name, EIGHT, rival(name)))
        show(f"{name}, nine", summary(name, NINE, rival(name)))


def run_robust():
    show("robust", summary("robust", EIGHT, robust))
    show("robust, nine", summary("robust", NINE, robust))


def run_own_number():
    for name in NINE:
        rows = results("robust, own k", robust_auto, name, ("auto",), N_OWN)
        n_used = np.mean([int(row["n_features"]) for row in rows])
        print(
            f"{name:15s} {by_split(rows, 'auto').mean():.1f} ({n_used:.1f} features)", flush=True
        )


def print_table():
    for names in (EIGHT, NINE):
        print(f"{len(names)} sets, {N_SPLITS} splits")
        for name in ("robust", *RIVALS, *VARIANTS, *REFINEMENTS):
            show(name, summary(name, names))


def paired_difference(method, names):
    """Return the mean difference of the robust method to another over the sets, with its interval.

    The sets are independent, so the squares of their standard errors are added.
    """
    means, variances = [], []
    for name in names:
        ours, theirs = results("robust", None, name), results(method, None, name)
        apart = np.mean([by_split(ours, k) - by_split(theirs, k) for k in SIZES], axis=0)
        share = TEST_SHARE / (1 - TEST_SHARE)
        means.append(apart.mean())
        variances.append(apart.var(ddof=1) * (1 / len(apart) + share))
    half = 1.96 * np.sqrt(np.sum(variances)) / len(names)
    return np.mean(means), np.mean(means) - half, np.mean(means) + half


def write_final():
    rows = []
    for method in ("robust", *RIVALS):
        done = [name for name in NINE if results(method, None, name)]
        for name in done:
            found = results(method, None, name)
            agree = agreement(found, n_features(name))
            rows += [
                [method, name, k, f"{by_split(found, k).mean():.2f}", f"{agree:.3f}"]
                for k in SIZES
            ]
        for names in (EIGHT, NINE):
            if method != "robust" and set(names) <= set(done):
                mean, low, high = paired_difference(method, names)
                print(f"robust - {method}, {len(names)} sets: {mean:.1f} [{low:.1f}, {high:.1f}]")
    for name in NINE:
        found = results("robust, own k", None, name)
        if found:
            agree = agreement(found, n_features(name), "auto")
            size = np.mean([int(row["n_features"]) for row in found])
            mean = by_split(found, "auto").mean()
            rows.append(["robust, own k", name, f"{size:.1f}", f"{mean:.2f}", f"{agree:.3f}"])
    show_and_keep("robust", ["method", "set", "k", "balanced accuracy", "stability at 20"], rows)


PARTS = {
    "final": write_final,
    "variants": search_variants,
    "rivals": run_rivals,
    "robust": run_robust,
    "own": run_own_number,
    "table": print_table,
}


if __name__ == "__main__":
    print(f"{'':45s}", *(f"k={size:<3d}" for size in SIZES), "  all  stable")
    PARTS[sys.argv[1] if len(sys.argv) > 1 else "table"]()
