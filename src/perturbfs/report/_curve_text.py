"""Sentences on how the number of features was chosen."""

from __future__ import annotations

from typing import Any

from perturbfs.results import count_of


def curve_sentences(curve: dict[str, Any]) -> list[str]:
    """Return sentences that say which number was chosen, and by which rule.

    Parameters
    ----------
    curve : dict
        ``summary["details"]["curve"]``.

    Returns
    -------
    sentences : list of str

    Examples
    --------
    >>> curve = {"chosen": 8, "best": 21, "rule": "one_se", "equal": [5, 8, 21], "least": 8}
    >>> for sentence in curve_sentences(curve):
    ...     print(sentence)
    The best score is that of 21 features.
    The numbers 5, 8 and 21 count as equal to it: their scores are at most one standard error of
    the difference lower.
    Of these, the smallest number that is at least 8 was chosen.
    A selection of fewer than 8 features was often worse on new samples although its inner score
    was as good.
    """
    chosen, best, equal, least = (curve[name] for name in ("chosen", "best", "equal", "least"))
    if not equal:  # of an older version, which did not keep it
        return [f"The number chosen is {chosen}; the best score is that of {best}."]
    if curve["rule"] == "measure":
        return [f"The number with the best score per feature was chosen: {chosen}."]
    if curve["rule"] != "one_se":
        return [f"The number with the best score was chosen: {chosen}."]
    sentences = [f"The best score is that of {count_of(best, 'feature')}."]
    if set(equal) <= {best}:
        return [*sentences, f"No other number counts as equal to it, so {chosen} was chosen."]
    error = "of the difference " if least is not None else ""
    sentences.append(
        f"The numbers {_listed(equal)} count as equal to it: their scores are at most one "
        f"standard error {error}lower."
    )
    if least is None or least <= 1:
        smallest = "the smallest number " if chosen == min(equal) else ""
        return [*sentences, f"Of these, {smallest}{chosen} was chosen."]
    if chosen in equal:
        sentences.append(f"Of these, the smallest number that is at least {least} was chosen.")
    else:
        sentences.append(f"But at least {least} features are taken, so {chosen} was chosen.")
    sentences.append(
        f"A selection of fewer than {least} features was often worse on new samples although its "
        "inner score was as good."
    )
    return sentences


def _listed(sizes: list[int], most: int = 12) -> str:
    """Return numbers in words, with their range where they are many."""
    if len(sizes) > most:
        return f"from {sizes[0]} to {sizes[-1]} that are marked"
    *first, last = map(str, sizes)
    return f"{', '.join(first)} and {last}" if first else last
