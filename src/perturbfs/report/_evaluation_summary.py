"""The words and numbers of an evaluation that the page and the terminal show."""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_lowercase
from typing import Any

from perturbfs.results import (
    REFERENCES,
    clip_interval,
    count_of,
    data_lines,
    metric_label,
    two_digits,
    verdict_sentence,
)

from ._evaluation_figures import interval_figure, row_axis, score_limits, ticks_figure
from ._planned import planned_rows, probability, signed
from ._svg import Axis

DASH = "\N{EN DASH}"
EVERY_SIZE = "every size"
PLANNED = ("random", "all features")


def summarize_evaluation(document: dict[str, Any]) -> dict[str, Any]:
    """Describe an evaluation in words and numbers.

    Parameters
    ----------
    document : dict
        Content of evaluation.json.

    Returns
    -------
    summary : dict
        ``source_name``, ``verdict`` and ``measured`` (sentences), ``planned`` (a title and rows
        per number of features), ``refusals`` and ``left_out`` (lists of
        sentences), ``sizes`` (a title and rows per number of features), ``references`` (the rows
        of all features and of guessing), ``pairs`` (a title and rows per number of features), and
        ``data`` and ``settings`` (pairs of label and text). The ``plot`` of a row is a figure
        below ``ticks``; other values are text as the page shows it.
    """
    rows, metric, comparisons = document["summary"], document["metric"], document["comparisons"]
    axis = row_axis(*score_limits(rows, metric))
    guess = next(row["mean"] for row in rows if row["method"] == "guessing")
    shown: dict[int | str, list[dict[str, Any]]] = {}
    for row in rows:
        shown.setdefault(row["requested"], []).append(_row(row, metric, axis, guess))
    references = shown.pop("all", [])
    return {
        "source_name": document["data"]["source_name"],
        "metric": metric_label(metric),
        "verdict": _verdict(document),
        "planned": _planned_sections(document["planned"]),
        "sizes": [
            {
                "title": _title(comparison["requested"]),
                "rows": [
                    row | _ranking(row["method"], comparison)
                    for row in [*shown.get(comparison["requested"], []), *references]
                ],
            }
            for comparison in comparisons
            if comparison["requested"] != EVERY_SIZE
        ],
        "references": references,
        "ticks": ticks_figure(axis),
        # The comparison over all sizes comes first.
        "pairs": [
            _pairs(comparison)
            for comparison in sorted(comparisons, key=lambda c: c["requested"] != EVERY_SIZE)
            if comparison["pairs"]
        ],
        "refusals": [_refusal(row, document) for row in rows if row["refusal"] is not None],
        "left_out": [
            f"Class {label} was left out: it has {count_of(count, 'sample')}, and "
            f"at least {document['min_class_size']} are required."
            for label, count in document["left_out"].items()
        ],
        "measured": _measured(document),
        "data": data_lines(document["data"]),
        "settings": _settings(document),
    }


def _row(row: dict[str, Any], metric: str, axis: Axis, guess: float) -> dict[str, Any]:
    """Return the numbers of a method at one number of features as text, with their plot."""
    low, high = (clip_interval(row, metric)[end] for end in ("low", "high"))
    return {
        "method": row["method"],
        "is_selection": row["requested"] != "all",
        "features": _features(row),
        "mean": _number(row["mean"], 3),
        "interval": DASH if low is None else f"{low:.3f} to {high:.3f}",
        "stability": DASH if row["stability"] is None else two_digits(row["stability"]),
        "stability_interval": _stability_interval(row),
        "seconds": _number(row["seconds"] or None, 2),
        "by_predictor": [(name, _number(mean, 3)) for name, mean in row["by_predictor"].items()],
        "plot": interval_figure(axis, row["mean"], low, high, guess),
        "refusal": row["refusal"],
    }


def _number(value: float | None, digits: int) -> str:
    return DASH if value is None else f"{value:.{digits}f}"


def _features(row: dict[str, Any]) -> str:
    """Return the number asked for; for a method's own choice, the mean number that it chose."""
    if isinstance(row["requested"], int):
        return str(row["requested"])
    used = "" if row["n_features"] is None else f"{row['n_features']:.4g}"
    return used if row["requested"] == "all" else f"auto: {used or DASH}"


def _stability_interval(row: dict[str, Any]) -> str:
    if row["stability_low"] is None:
        return ""
    return f"{two_digits(row['stability_low'])} to {two_digits(min(row['stability_high'], 1.0))}"


def _ranking(method: str, comparison: dict[str, Any]) -> dict[str, str]:
    """Return the mean rank, and a letter for each group of similar methods that has the method."""
    rank = comparison["mean_ranks"].get(method)
    letters = [
        ascii_lowercase[place % 26] + (str(place // 26) if place >= 26 else "")
        for place, group in enumerate(comparison["groups"])
        if method in group
    ]
    return {"rank": _number(rank, 1), "letters": DASH if rank is None else " ".join(letters)}


def _title(requested: int | str) -> str:
    titles = {
        EVERY_SIZE: "Over all numbers of features",
        "auto": "Each method's own number of features",
    }
    if isinstance(requested, str):
        return titles[requested]
    return count_of(requested, "feature")


def _pairs(comparison: dict[str, Any]) -> dict[str, Any]:
    """Return the title, the rows and the scale of all pairs of methods."""
    pairs = comparison["pairs"]
    ends = [abs(pair[end]) for pair in pairs for end in ("low", "high", "difference")]
    reach = max(ends) or 1.0
    axis = row_axis(-reach, reach)
    return {
        "title": _title(comparison["requested"]),
        "rows": [_pair(pair, axis) for pair in pairs],
        "ticks": ticks_figure(axis),
    }


def _pair(pair: dict[str, Any], axis: Axis) -> dict[str, Any]:
    difference, low, high = (pair[name] for name in ("difference", "low", "high"))
    return {
        "first": pair["first"],
        "second": pair["second"],
        "difference": signed(difference),
        "value": round(difference, 6),
        "interval": f"{signed(low)} to {signed(high)}",
        "p_value": probability(pair["p_value"]),
        "p_adjusted": probability(pair["p_adjusted"]),
        "verdict": "significant" if pair["is_significant"] else "not significant",
        "is_significant": pair["is_significant"],
        "plot": interval_figure(axis, difference, low, high, 0.0),
    }


def _planned_sections(planned: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the planned comparisons by number of features; over all sizes first."""
    sections: dict[int | str, list[dict[str, Any]]] = {}
    for each in planned:
        found = {
            row["against"]: shown
            for row, shown in zip(
                each["comparisons"], planned_rows(each["comparisons"]), strict=True
            )
        }
        sections.setdefault(each["requested"], []).append(
            {
                "method": each["method"],
                "features": "all sizes"
                if each["requested"] == EVERY_SIZE
                else str(each["requested"]),
                "score": f"{each['score']:.3f}",
                **{against: found.get(against) for against in REFERENCES},
            }
        )
    order = sorted(sections, key=lambda size: size != EVERY_SIZE)
    return [{"title": _title(size), "rows": sections[size]} for size in order]


def _verdict(document: dict[str, Any]) -> str:
    """Return sentences about the first method: its planned comparisons, then all pairs."""
    comparison = document["comparisons"][-1]
    requested, ranks = comparison["requested"], comparison["mean_ranks"]
    by_method = {
        row["method"]: row for row in document["planned"] if row["requested"] == requested
    }
    best = next((by_method[name] for name in ranks if name in by_method), None)
    if best is None:
        return _pairs_sentence(comparison, document["methods"])
    where = {
        EVERY_SIZE: "(mean over all numbers of features)",
        "auto": "with its own number of features",
    }
    size = where.get(requested, f"with {_title(requested)}")
    subject = f"{best['method']} {size}"
    sentence = verdict_sentence(subject, document["metric"], best["score"], best["comparisons"])
    # The planned comparisons answer for these two, without a correction for the number of pairs.
    return f"{sentence} {_pairs_sentence(comparison, document['methods'], PLANNED)}"


def _pairs_sentence(
    comparison: dict[str, Any], methods: list[str], unnamed: Collection[str] = ()
) -> str:
    """Return a sentence about the first method, and those that differ from it."""
    ranks = comparison["mean_ranks"]
    best, *others = ranks
    if not others:
        return f"Only {best} could be scored, so there is no comparison."
    named = [name for name in others if name not in unnamed]
    similar = {name for group in comparison["groups"] if best in group for name in group}
    requested = comparison["requested"]
    where = {EVERY_SIZE: "Over all numbers of features", "auto": "With its own choice"}.get(
        requested, f"With {_title(requested)}"
    )
    sentences = [f"{where}, {best} ranks first (mean rank {ranks[best]:.1f} of {len(ranks)})."]
    for opening, names in (
        ("No significant difference from", [name for name in named if name in similar]),
        ("Significantly different from", [name for name in named if name not in similar]),
        (
            "Not compared, because a score is missing",
            [name for name in methods if name not in ranks],
        ),
    ):
        if names:
            sentences.append(f"{opening}: {', '.join(names)}.")
    return " ".join(sentences)


def _refusal(row: dict[str, Any], document: dict[str, Any]) -> str:
    key = (row["method"], row["requested"])
    n_splits = sum((each["method"], each["requested"]) == key for each in document["refusals"])
    size = "auto" if row["requested"] == "auto" else _title(row["requested"])
    return (
        f"{row['method']}, {size}: no score, because it could not select in {n_splits} of "
        f"{document['n_splits']} splits: {row['refusal']}"
    )


def _measured(document: dict[str, Any]) -> str:
    share = document["test_share"]  # of the training samples
    groups = ""
    if document["groups"] is not None:
        groups = (
            f" No value of {document['groups']} ({document['n_groups']} values) is on both sides "
            "of a split."
        )
    batch = "" if document["batch"] is None else f" {document['batch']['sentence']}"
    return (
        f"Mean over {document['n_splits']} random splits and the predictors "
        f"{', '.join(document['predictors'])}. In each split, every method selected on the "
        f"training samples only; {100 * share / (1 + share):.0f} % of the samples were kept for "
        f"testing.{groups}{batch}"
    )


def _settings(document: dict[str, Any]) -> list[tuple[str, str]]:
    names = ("n_splits", "random_state", "predictors", "groups", "min_class_size")
    pairs = [(name, _as_text(document[name])) for name in names]
    pairs += [(f"{name} version", text) for name, text in document["versions"].items()]
    return [*pairs, ("data fingerprint", document["data"]["fingerprint"])]


def _as_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
