"""An evaluation in plain words and numbers: what the page and the terminal show."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from perturbfs.results import clip_interval, data_lines, metric_label, two_digits

from ._evaluation_pairs import describe_pairs
from ._evaluation_plots import Scale, draw_interval, draw_ranks, draw_scatter

DASH = "\N{EN DASH}"


def summarize_evaluation(document: dict[str, Any]) -> dict[str, Any]:
    """What there is to say about an evaluation.

    Parameters
    ----------
    document : dict
        What evaluation.json holds.

    Returns
    -------
    summary : dict
        With ``verdict``, ``measured`` (sentences), ``refusals``, ``left_out`` (lists of
        sentences), ``sizes`` (a title and rows for each number of features), ``beside`` (rows of
        all features and guessing), plots in coordinates, and pairs of label and text. Every
        other value is a string as people read it.
    """
    rows, overall = document["summary"], document["comparisons"][-1]
    look = _Look.at(document)
    return {
        "metric": metric_label(document["metric"]),
        "verdict": _verdict(overall, document["methods"]),
        "sizes": [
            _size(comparison, rows, look)
            for comparison in document["comparisons"]
            if comparison["requested"] != "every size"
        ],
        "beside": [_row(row, look) for row in rows if row["requested"] == "all"],
        "ticks": look.scale.ticks,
        "pairs": describe_pairs(document["comparisons"]),
        "ranks": draw_ranks(overall),
        "scatter": draw_scatter(rows, document["methods"]),
        "refusals": _refusals(document),
        "left_out": _left_out(document),
        "measured": _measured(document),
        "data": data_lines(document["data"]),
        "settings": _settings(document),
    }


@dataclass(frozen=True, slots=True)
class _Look:
    """What all rows of a page share."""

    metric: str
    scale: Scale
    guess: float  # mean score of guessing

    @classmethod
    def at(cls, document: dict[str, Any]) -> _Look:
        metric, rows = document["metric"], document["summary"]
        guess = next(row["mean"] for row in rows if row["method"] == "guessing")
        return cls(metric, Scale.for_rows(rows, metric), guess)


def _size(comparison: dict[str, Any], rows: list[dict[str, Any]], look: _Look) -> dict[str, Any]:
    """Title and rows of one number of features; all features and guessing come last."""
    requested = comparison["requested"]
    shown = [row for size in (requested, "all") for row in rows if row["requested"] == size]
    return {
        "title": _size_name(requested),
        "rows": [_row(row, look, comparison) for row in shown],
    }


def _row(
    row: dict[str, Any], look: _Look, comparison: dict[str, Any] | None = None
) -> dict[str, Any]:
    shown = clip_interval(row, look.metric)
    ranks = {} if comparison is None else comparison["mean_ranks"]
    rank = ranks.get(row["method"])
    return {
        "method": row["method"],
        "is_selection": row["requested"] != "all",
        "features": _features(row),
        "mean": DASH if row["mean"] is None else f"{row['mean']:.3f}",
        "interval": _interval(shown),
        "stability": DASH if row["stability"] is None else two_digits(row["stability"]),
        "stability_interval": _stability_interval(row),
        "seconds": f"{row['seconds']:.2f}" if row["seconds"] else DASH,
        "rank": DASH if rank is None else f"{rank:.1f}",
        "letters": DASH if rank is None else _letters(row["method"], comparison or {}),
        "by_predictor": [(name, f"{mean:.3f}") for name, mean in row["by_predictor"].items()],
        "plot": draw_interval(shown, look.scale, look.guess),
        "refusal": row["refusal"],
    }


def _interval(row: dict[str, Any]) -> str:
    return DASH if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}"


def _features(row: dict[str, Any]) -> str:
    """How many were asked for, and for a method's own choice how many it took on average."""
    if isinstance(row["requested"], int):
        return str(row["requested"])
    used = "" if row["n_features"] is None else f"{row['n_features']:.4g}"
    return used if row["requested"] == "all" else f"auto: {used or DASH}"


def _stability_interval(row: dict[str, Any]) -> str:
    if row["stability_low"] is None:
        return ""
    high = two_digits(min(row["stability_high"], 1.0))
    return f"{two_digits(row['stability_low'])} to {high}"


def _letters(method: str, comparison: dict[str, Any]) -> str:
    """A letter for each group that holds the method: those that share one are alike."""
    letters = [
        ascii_lowercase[place % 26] + (str(place // 26) if place >= 26 else "")
        for place, group in enumerate(comparison["groups"])
        if method in group
    ]
    return " ".join(letters)


def _size_name(requested: int | str) -> str:
    if requested == "auto":
        return "Each method's own number of features"
    return f"{requested} feature{'' if requested == 1 else 's'}"


def _verdict(comparison: dict[str, Any], methods: list[str]) -> str:
    ranks = comparison["mean_ranks"]
    best = next(iter(ranks))
    others = [name for name in ranks if name != best]
    if not others:
        return f"Only {best} could be scored, so there is nothing to compare it with."
    alike = [
        name
        for name in others
        if any({name, best} <= set(group) for group in comparison["groups"])
    ]
    behind = [name for name in others if name not in alike]
    requested = comparison["requested"]
    where = {"every size": "Over all numbers of features", "auto": "With its own choice"}.get(
        requested, f"With {requested} features"
    )
    text = f"{where}, {best} ranks first (mean rank {ranks[best]:.1f} of {len(ranks)})."
    if alike:
        text += f" These splits do not tell it apart from: {', '.join(alike)}."
    if behind:
        text += f" They do tell it apart from: {', '.join(behind)}."
    missing = [name for name in methods if name not in ranks]
    if missing:
        text += f" Not compared, because a score is missing: {', '.join(missing)}."
    return text


def _refusals(document: dict[str, Any]) -> list[str]:
    sentences = []
    for row in document["summary"]:
        if row["refusal"] is not None:
            key = (row["method"], row["requested"])
            mine = [r for r in document["refusals"] if (r["method"], r["requested"]) == key]
            size = "auto" if row["requested"] == "auto" else f"{row['requested']} features"
            sentences.append(
                f"{row['method']}, {size}: {DASH}, because in {len(mine)} of "
                f"{document['n_splits']} splits it could not select: {row['refusal']}"
            )
    return sentences


def _left_out(document: dict[str, Any]) -> list[str]:
    return [
        f"Class {label} was left out: it has {count} sample{'' if count == 1 else 's'}, and "
        f"at least {document['min_class_size']} were asked for."
        for label, count in document["left_out"].items()
    ]


def _measured(document: dict[str, Any]) -> str:
    share = document["test_share"]
    tested = 100 * share / (1 + share)
    groups = ""
    if document["groups"] is not None:
        groups = (
            f" No value of {document['groups']} ({document['n_groups']} of them) is on both sides "
            "of a split."
        )
    return (
        f"Mean over {document['n_splits']} random splits and the predictors "
        f"{', '.join(document['predictors'])}. In each split every method selected on the "
        f"training samples alone, and {tested:.0f} % of the samples were kept to test.{groups}"
    )


def _settings(document: dict[str, Any]) -> list[tuple[str, str]]:
    names = ("n_splits", "random_state", "predictors", "groups", "min_class_size")
    pairs = [(name, _as_text(document[name])) for name in names]
    pairs += [(f"{name} version", text) for name, text in document["versions"].items()]
    return [*pairs, ("data fingerprint", document["data"]["fingerprint"])]


def _as_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
