"""A finding of the check: what was seen, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SHOWN = 10  # names that a finding keeps
Severity = Literal["warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the data that may mislead.

    Attributes
    ----------
    kind : str
        A word for programs, such as ``"twins"``.
    message : str
        One or two sentences on what was found, with the number of features, samples or classes.
    advice : str
        What to do. Options are named as on the command line.
    names : tuple of str
        Features, samples or classes concerned, the first ten at most.
    severity : {"warning", "note"}
        A warning is probably a mistake, or makes the estimate too good. A note is worth knowing.

    Examples
    --------
    >>> from dataclasses import asdict
    >>> from perturbfs.datasets import Finding
    >>> finding = Finding("constant", "3 features never vary.", "No action is needed.", ("g1",))
    >>> asdict(finding)["severity"]
    'note'
    """

    kind: str
    message: str
    advice: str
    names: tuple[str, ...] = ()
    severity: Severity = "note"


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """Return a number with its noun in the singular or the plural, such as "1 feature".

    Examples
    --------
    >>> count(1, "feature"), count(1200, "class", "classes")
    ('1 feature', '1,200 classes')
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def listed(names: Sequence[str]) -> str:
    """Return the first ten names in a row, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["g"] * 12)
    ('a and b', 'g, g, g, g, g, g, g, g, g, g and 2 more')
    """
    if len(names) > SHOWN:
        return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
