"""Kinds of features that are known by their names: identifiers, dates, patients, follow-up."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A whole name must match, after everything but letters and digits became a blank. Names of genes,
# and descriptions such as "programmed cell death 1", do not.
_NUMBER = r"( ?(id|nr|no|number|code|num))"
_PERSON = (
    r"(patient|subject|donor|participant|individual|person|case|mouse|animal|family|cell ?line)"
)
_LENGTH = r"(time|days|months|years|weeks|duration|length)"
_EVENT = r"(death|event|relapse|progression|recurrence|last (contact|visit|follow ?up))"
_KINDS = {
    "person": rf"{_PERSON}{_NUMBER}?",
    "identifier": rf"unnamed( \d+)?|index|id|uuid|row|rownames?|(row|sample|record|study|specimen|"
    rf"accession){_NUMBER}|barcode|accession|mrn",
    "date": r"(.* )?(date|datum|dob|timestamp|datetime|birthday)( .*)?|(.* )?year( of .*)?",
    "later": rf"({_LENGTH} (of |to )?|date of |last )?follow ?up( {_LENGTH}| date)?|"
    r"((overall|progression|disease|relapse|event|recurrence)( free)? )?"
    rf"survival( ?{_LENGTH}| status| event)?|{_LENGTH} to {_EVENT}|"
    rf"(os|pfs|dfs|rfs|efs) ?({_LENGTH}|status|event)|vital status|cause of death|date of death",
    "batch": r"(.* )?(batch|plate|lane|run|center|centre|site|scanner|platform|chip|array)"
    rf"{_NUMBER}?",
}
_PATTERNS = {kind: re.compile(pattern) for kind, pattern in _KINDS.items()}
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def kinds_of_names(names: Iterable[str]) -> dict[str, list[int]]:
    """Return the positions of the names of each kind: person, identifier, date, later, batch.

    Examples
    --------
    >>> found = kinds_of_names(["TP53", "Patient_ID", "date-of-birth", "follow-up (months)"])
    >>> found["person"], found["date"], found["later"]
    ([1], [2], [3])
    """
    found: dict[str, list[int]] = {kind: [] for kind in _PATTERNS}
    for place, name in enumerate(names):
        words = _SEPARATORS.sub(" ", name.lower()).strip()
        for kind, pattern in _PATTERNS.items():
            if pattern.fullmatch(words):
                found[kind].append(place)
    return found
