"""The outcomes that the form offers, and the likely one among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from perturbfs.datasets.reading import simplify

# Usual names of an outcome, the surest first.
USUAL = (
    *("class", "classes", "diagnosis", "outcome", "target", "label", "labels"),
    *("group", "status", "state", "response", "condition", "type", "y"),
)
MOST_CLASSES = 10  # of a column of text that is proposed without a usual name

Outline = dict[str, Any]  # of a file, as the child process reports it


@dataclass(frozen=True, slots=True)
class Offer:
    """An outcome that the form offers."""

    value: str  # of the field
    label: str
    about: dict[str, Any] = field(default_factory=dict)  # entry of the outline; empty without
    n_samples: int = 0


def offered_outcomes(outlines: Sequence[Outline], labels_name: str | None) -> list[Offer]:
    """Return the outcomes that a file and a second file offer.

    Parameters
    ----------
    outlines : sequence of dict
        Outlines of the files that could be read.
    labels_name : str or None
        Name of the second file, if there is one.

    Returns
    -------
    offers : list of Offer
        Those of the second file first, because it was added for its outcome.
    """
    table, labels = [*outlines, None, None][:2]
    offers = []
    if labels_name is not None and _has_one_column(labels):
        about = labels["candidates"][0] if labels and labels["candidates"] else {}
        offers.append(Offer("labels", f"Second file {labels_name}, its only column", about))
    elif labels_name is not None and labels is not None:
        offers += [
            _offer(f"labels:{number}", f"Second file {labels_name}, column ", each, labels)
            for number, each in enumerate(labels["candidates"])
        ]
    if table is not None:
        are_samples = columns_are_samples(table, labels)
        offers += [
            _offer(f"candidate:{number}", "", each, table)
            for number, each in enumerate(table["candidates"])
            if not (are_samples and each["place"] == "column")
        ]
    return offers


def _offer(value: str, start: str, about: dict[str, Any], outline: Outline) -> Offer:
    n_samples = outline["n_columns" if about["place"] == "row" else "n_rows"]
    return Offer(value, f"{start}{about['label'] or 'column 1'}", about, n_samples)


def _has_one_column(labels: Outline | None) -> bool:
    """Return whether a file has one column besides the names of the samples."""
    if labels is None:  # it could not be outlined, and the command says why
        return True
    return bool(labels["n_columns"] - (labels["names_column"] is not None) == 1)


def columns_are_samples(table: Outline, labels: Outline | None) -> bool:
    """Return whether the names in a second file are those of the columns of the table."""
    names = labels["row_names"] if labels is not None else ()
    return bool(names) and set(names) <= set(table["names"])


def likely_outcome(offers: Sequence[Offer]) -> str:
    """Return the value of the likely outcome, or an empty text if no offer stands out.

    Likely are, in this order: the only column of a second file, the outcome that the file itself
    names, a column with a usual name, and the only column of text with few different entries.
    """
    for each in offers:
        if each.value == "labels" or each.about["place"] == "file":
            return each.value
    possible = [each for each in offers if _may_be_outcome(each)]
    for words_of in (_whole_name, _words):
        for name in USUAL:
            found = [each.value for each in possible if name in words_of(each)]
            if found:
                return found[0]
    texts = [each for each in possible if _is_text(each)]
    few = [each.value for each in texts if each.about["n_distinct"] <= MOST_CLASSES]
    return few[0] if len(few) == 1 else ""


def _whole_name(offer: Offer) -> list[str]:
    return [simplify(offer.about["label"])]


def _words(offer: Offer) -> list[str]:
    return re.split(r"[\W_]+", offer.about["label"].casefold())


def _may_be_outcome(offer: Offer) -> bool:
    """Return whether there are two or more values and, in text, repeated ones."""
    n_distinct = offer.about["n_distinct"] or 0
    return n_distinct >= 2 and (not _is_text(offer) or n_distinct <= offer.n_samples / 2)


def _is_text(offer: Offer) -> bool:
    return not all(map(_is_number, offer.about["examples"]))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
