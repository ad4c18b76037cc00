"""Rules that choose one of several candidates."""

from __future__ import annotations

from collections.abc import Sequence

from ._candidates import Candidate

RULES = ("accuracy", "measure", "one_se")


def measure(score: float, n_features: int) -> float:
    """Return the score in percent per feature, equation `measure` of the paper.

    A negative score, such as a negated error, is multiplied by the number of features instead, so
    that fewer features are still better.

    Examples
    --------
    >>> from perturbfs.scoring import measure
    >>> measure(0.9, 10)
    9.0
    """
    return 100 * score / n_features if score > 0 else 100 * score * n_features


def choose(candidates: Sequence[Candidate], *, rule: str) -> Candidate:
    """Return the best of several candidates by a rule.

    Parameters
    ----------
    candidates : sequence of Candidate
        Scored, at least one.
    rule : {"accuracy", "measure", "one_se"}
        The best score, and of equal ones the smallest subset; the best `measure`; or the
        smallest subset whose score is within one standard error of the best.

    Returns
    -------
    candidate : Candidate
    """
    best = max(candidates, key=lambda each: (each.score, -each.n_features))
    if rule == "accuracy":
        return best
    if rule == "measure":
        return max(
            candidates,
            key=lambda each: (measure(each.score, each.n_features), each.score, -each.n_features),
        )
    within = [each for each in candidates if each.score >= best.score - best.standard_error]
    return min(within, key=lambda each: (each.n_features, -each.score))
