"""Choose on inner splits: the noise, the path or the forest, and score every size."""

from __future__ import annotations

from dataclasses import dataclass, replace

from perturbfs.scoring import is_clearly_better

from ._nested import NestedScorer, NestedScores
from ._rankers import ForestRanker, PathRanker

OTHER_NOISES = (0.5, 2.0)  # as multiples of the usual one
DECIDING_SIZE = 10  # one size suffices to compare path and forest
FEW_SPLITS = 3  # suffice to compare them if the number of features is given
FEW_SIZES = (5, 10, 20)  # suffice to compare noises


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """Choices that are made on the inner splits.

    Attributes
    ----------
    ranker : PathRanker
        With the usual noise and the length of the path.
    noises : tuple of float
        Noises to compare, the usual one first.
    sizes : tuple of int
        Numbers of features to score; empty if the number is given.
    nonlinear : bool or None
        Whether the forest ranks; None compares it with the path.
    """

    ranker: PathRanker
    noises: tuple[float, ...]
    sizes: tuple[int, ...]
    nonlinear: bool | None

    @property
    def n_splits(self) -> int | None:
        """How many inner splits are needed; None for all of them."""
        if self.sizes:
            return None
        return FEW_SPLITS if self.nonlinear is None else 0

    @property
    def deciding_size(self) -> int:
        """The number of features at which path and forest are compared."""
        sizes = self.sizes or (min(DECIDING_SIZE, self.ranker.n_wanted),)
        return min(sizes, key=lambda size: abs(size - DECIDING_SIZE))


def sizes_to_try(most: int, fewest: int = 1) -> list[int]:
    """Return every number up to 10, then numbers in steps of about a fifth."""
    sizes = [fewest]
    while sizes[-1] < most:
        step = 1 if sizes[-1] < 10 else max(2, sizes[-1] // 5)
        sizes.append(min(most, sizes[-1] + step))
    return sizes


def choose_ranker(
    plan: SearchPlan, scorer: NestedScorer, *, n_seen: int | None
) -> tuple[PathRanker | ForestRanker, NestedScores | None]:
    """Return the best ranker, and its scores at every size if the number is not given.

    Parameters
    ----------
    plan : SearchPlan
    scorer : NestedScorer
        On the inner splits; not used if the plan needs none.
    n_seen : int or None
        Features that the trees may see; None for all.
    """
    linear = replace(plan.ranker, noise=_best_noise(plan, scorer))
    ranker = _path_or_forest(plan, scorer, linear, ForestRanker(linear, n_seen))
    return ranker, scorer.score([ranker], plan.sizes)[0] if plan.sizes else None


def _best_noise(plan: SearchPlan, scorer: NestedScorer) -> float:
    """Return the usual noise, unless another one is clearly better."""
    best, *others = plan.noises
    if not others:
        return best
    sizes = sorted({min(size, plan.ranker.n_wanted) for size in FEW_SIZES})
    rankers = [replace(plan.ranker, noise=noise) for noise in plan.noises]
    usual, *found = (each.scores.mean(axis=(1, 2)) for each in scorer.score(rankers, sizes))
    best_score = float(usual.mean())
    for noise, scores in zip(others, found, strict=True):
        is_better = is_clearly_better(scores, usual, test_share=scorer.test_share)
        if is_better and scores.mean() > best_score:
            best, best_score = noise, float(scores.mean())
    return best


def _path_or_forest(
    plan: SearchPlan, scorer: NestedScorer, linear: PathRanker, forest: ForestRanker
) -> PathRanker | ForestRanker:
    if plan.nonlinear is not None:
        return forest if plan.nonlinear else linear
    size = plan.deciding_size
    ours, rival = (each.by_split(size) for each in scorer.score([linear, forest], [size]))
    is_better = is_clearly_better(rival, ours, test_share=scorer.test_share)
    return forest if is_better else linear
