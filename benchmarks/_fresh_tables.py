"""Write the tables, rank tests and diagrams of `fresh`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from _fresh_results import STABILITY_SIZE, Results
from _protocol import SIZES
from _ranks import rank_methods, ranks_diagram
from _table import show_and_keep

MEANS = (
    *("group", "sets", "method", *map(str, SIZES), "mean", "auto", "features of auto"),
    *("stability", "CPU s", "without a result"),
)
RANKS = ("method", "mean rank", "ours minus it", "sets", "p (Wilcoxon, Holm)")


def write_group(
    results: Results,
    group: str,
    names: Sequence[str],
    methods: Sequence[str],
    ours: str,
    out: Path,
) -> None:
    """Write the means over the data sets, the scores by data set, and the ranks."""
    tried = [each for each in methods if any(results.is_tried(name, each) for name in names)]
    commits = sorted(set().union(*(results.commits(name) for name in names)))
    print(f"\n{group}: {', '.join(names)}; commit {', '.join(commits)}")
    means = [[group, len(names), each, *_means(results, names, each)] for each in tried]
    show_and_keep(f"fresh-{group}", MEANS, means, out)
    by_set = [[each, *(_cell(results, name, each) for name in names)] for each in tried]
    show_and_keep(f"fresh-{group}-sets", ["method", *names], by_set, out)
    scores = {each: np.array([results.over_sizes(name, each) for name in names]) for each in tried}
    if ours in scores and len(scores) > 1:
        _write_ranks(scores, ours, group, out)


def _means(results: Results, names: Sequence[str], method: str) -> list[str]:
    by_size = [_mean(results.score(name, method, size) for name in names) for size in SIZES]
    own = _mean(results.score(name, method, "auto") for name in names)
    number = _mean(results.mean(name, method, "auto", "n_features") for name in names)
    agreement = _mean(results.agreement(name, method) for name in names)
    seconds = _mean(results.mean(name, method, STABILITY_SIZE, "cpu_s") for name in names)
    lacking = [
        f"{name}: {results.why_not(name, method)}"
        for name in names
        if np.isnan(results.over_sizes(name, method))
    ]
    shown = [*by_size, float(np.mean(by_size)), own, number]
    last = (_digits(agreement, ".2f"), _digits(seconds, ".2g"), "; ".join(lacking))
    return [*(_digits(value, ".1f") for value in shown), *last]


def _mean(values: Iterable[float]) -> float:
    """Return the mean over the sets; NaN if one is missing, or means are not comparable."""
    return float(np.mean(list(values)))


def _digits(value: float, how: str) -> str:
    return "-" if np.isnan(value) else format(value, f"z{how}")  # no minus before a zero


def _cell(results: Results, name: str, method: str) -> str:
    value = results.over_sizes(name, method)
    return results.why_not(name, method) if np.isnan(value) else f"{value:.1f}"


def _write_ranks(scores: dict[str, np.ndarray], ours: str, group: str, out: Path) -> None:
    test = rank_methods(scores, ours)
    print(f"Friedman p = {test.p_friedman:.2g}")
    rows = [
        [
            rival.name,
            *(_digits(value, ".2f") for value in (rival.mean_rank, rival.difference)),
            *(rival.n_sets, _digits(rival.p_adjusted, ".3g")),
        ]
        for rival in test.rivals
    ]
    show_and_keep(f"fresh-{group}-ranks", RANKS, rows, out)
    what = f"{test.n_sets} data sets ({group}), Friedman p = {test.p_friedman:.2g}"
    (out / f"fresh-{group}-ranks.svg").write_text(
        ranks_diagram(test, ours, what), encoding="utf-8"
    )
