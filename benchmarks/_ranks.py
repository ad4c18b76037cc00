"""Compare methods over many data sets by their ranks: tests and a diagram."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import friedmanchisquare, rankdata, wilcoxon

from perturbfs.evaluation import holm_adjusted
from perturbfs.report._svg import STYLE, Axis, across, legend, line, mark, svg, text

LEFT, RIGHT, TOP, ROW = 130.0, 640.0, 90.0, 22.0
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Rival:
    """A method, and how it compares with ours."""

    name: str
    mean_rank: float  # 1 is the best; NaN without a result on every set
    difference: float  # mean of ours minus its score, over the sets where it has one
    n_sets: int
    p_adjusted: float  # Wilcoxon's signed-rank test, by Holm's procedure; NaN for ours


@dataclass(frozen=True, slots=True)
class RankTest:
    """Mean ranks, best first, and the tests; methods without a rank come last."""

    p_friedman: float  # that all ranked methods are alike
    n_sets: int
    rivals: tuple[Rival, ...]


def rank_methods(scores: Mapping[str, np.ndarray], ours: str) -> RankTest:
    """Return mean ranks over data sets, and the tests of Friedman and Wilcoxon.

    Parameters
    ----------
    scores : mapping of str to array of shape (n_sets,)
        Larger is better. NaN where a method has no result. Only methods with results on all sets
        are ranked: to rank a method last because it was stopped would flatter the others.
    ours : str
        The method that each other one is compared with.

    Returns
    -------
    test : RankTest
    """
    names = list(scores)
    table = np.array([scores[name] for name in names], dtype=float)
    n_sets = table.shape[1]
    is_whole = ~np.isnan(table).any(axis=1)
    whole, ranks = table[is_whole], np.full(len(names), np.nan)
    ranks[is_whole] = rankdata(-whole, axis=0).mean(axis=1)
    is_enough = n_sets > 1 and len(whole) > 2
    p_friedman = friedmanchisquare(*whole).pvalue if is_enough else np.nan
    mine = table[names.index(ours)]
    pairs = {name: mine - row for name, row in zip(names, table, strict=True) if name != ours}
    p_values = [_signed_rank(pair[~np.isnan(pair)]) for pair in pairs.values()]
    adjusted = dict(zip(pairs, holm_adjusted(p_values), strict=True))
    rivals = []
    for place in np.argsort(ranks, kind="stable"):
        name = names[place]
        apart = pairs.get(name, np.zeros(n_sets))
        known = apart[~np.isnan(apart)]
        mean = float(known.mean()) if len(known) else np.nan
        p_value = float(adjusted.get(name, np.nan))
        rivals.append(Rival(name, float(ranks[place]), mean, len(known), p_value))
    return RankTest(float(p_friedman), n_sets, tuple(rivals))


def _signed_rank(differences: np.ndarray) -> float:
    if not np.any(differences):
        return 1.0
    return float(wilcoxon(differences).pvalue)


def ranks_diagram(test: RankTest, ours: str, what: str) -> str:
    """Draw the mean ranks; methods that differ significantly from ours have another mark."""
    ranked = [rival for rival in test.rivals if not np.isnan(rival.mean_rank)]
    x = Axis(1.0, float(np.ceil(ranked[-1].mean_rank)), LEFT, RIGHT)
    bottom = TOP + ROW * len(ranked)
    kinds = {
        "ours": ("diamond", "fill c1", ours),
        "alike": ("circle", "series c2", f"no significant difference from {ours}"),
        "other": ("circle", "fill c0", f"significant difference (Holm, {LEVEL:g})"),
    }
    parts = [
        legend(kinds.values(), 20, 18),
        across(x, bottom, f"mean rank over {what}, 1 is best", x.ticks(8), top=TOP),
    ]
    for row, rival in enumerate(ranked):
        y = TOP + ROW * (row + 0.5)
        other = "other" if rival.p_adjusted <= LEVEL else "alike"
        shape, look, _ = kinds["ours" if rival.name == ours else other]
        at = x.at(rival.mean_rank)
        hint = f"{rival.name}: {rival.mean_rank:.1f}"
        parts += [line(LEFT, y, at, y), mark(shape, at, y, look, hint)]
        parts += [text(LEFT - 10, y + 4, rival.name, "end")]
        parts.append(text(at + 10, y + 4, f"{rival.mean_rank:.1f}"))
    return svg(RIGHT + 60, bottom + 50, f"Mean ranks over {what}", parts, style=STYLE)
