"""The paper's tables, published and reproduced, as a page, as Markdown and as a figure."""

from __future__ import annotations

from typing import Any

from ._svg import STYLE, Axis, across, legend, mark, svg, text
from ._template import render_template

_EXPLAIN = {
    "published": (
        "This protocol leaks: features and their number were chosen with the rows that they were "
        "then tested on. The numbers say nothing about new samples."
    ),
    "honest": (
        "Everything, including the number of features, was chosen on the training rows; the test "
        "rows were used once. Differences are to random subsets on the same splits, with the 95 % "
        "interval of the corrected resampled t-test (Nadeau and Bengio). Not told apart does not "
        "mean equal: with few samples and splits the intervals are wide."
    ),
}
_STORY = (  # name, label, mark
    ("published", "published (paper, mean of ten runs)", ("diamond", "fill c3")),
    ("reproduced", "reproduced, published protocol (leaks)", ("circle", "fill c0")),
    ("random_published", "random subsets, published protocol (leaks)", ("square", "fill c6")),
    ("honest", "the method, honest protocol", ("circle", "fill c1")),
    ("random_honest", "random subsets, honest protocol", ("circle", "series c2")),
    ("all_honest", "all features, honest protocol", ("cross", "series c2")),
)
_QUANTITIES = {
    "n_features": "numbers of features",
    "accuracy": "accuracies",
    "measure": "measures",
}
ROW, TOP, LEFT, RIGHT, WIDTH = 44, 96.0, 120.0, 760.0, 790.0
LOWEST = 20.0  # percent


def story_figure(summary: dict[str, Any], *, style: str = STYLE) -> str:
    """Draw the published, reproduced, random and honest accuracies of each data set.

    Parameters
    ----------
    summary : dict
        From `perturbfs.experiments.reproduce`.
    style : str
        Style sheet of the figure; a page has its own.

    Returns
    -------
    svg : str
    """
    story = summary["story"]
    x = Axis(LOWEST, 100.0, LEFT, RIGHT)
    bottom = TOP + ROW * len(story)
    parts = [
        legend(((*look, label) for _, label, look in _STORY), 30, 18, n_columns=2, width=390),
        across(x, bottom, "accuracy (mean recall of the classes, percent)", x.ticks(8), top=TOP),
    ]
    for number, row in enumerate(story):
        middle = TOP + ROW * (number + 0.5)
        parts.append(text(LEFT - 10, middle + 4, row["dataset"], "end"))
        for place, (name, label, look) in enumerate(_STORY):
            if row[name] is not None:
                # Equal values stay visible: each kind has a height of its own.
                y = middle + (place - (len(_STORY) - 1) / 2) * ROW * 0.5 / len(_STORY)
                hint = f"{label}, {row['dataset']}: {row[name]:.1f}"
                parts.append(mark(look[0], x.at(row[name]), round(y, 1), look[1], hint))
    title = "Accuracy of PFS with a decision tree: published, reproduced, random subsets, honest"
    return svg(WIDTH, bottom + 50, title, parts, style=style)


def render_reproduction(summary: dict[str, Any]) -> str:
    """Return a self-contained HTML page of a reproduction.

    Parameters
    ----------
    summary : dict
        From `perturbfs.experiments.reproduce`.

    Returns
    -------
    page : str
    """
    values = {**_values(summary), "figure": story_figure(summary, style=""), "mark": _mark}
    return render_template("reproduction.html.j2", values)


def render_reproduction_markdown(summary: dict[str, Any]) -> str:
    """Return a reproduction as Markdown, which shows the figure from the file story.svg.

    Parameters
    ----------
    summary : dict
        From `perturbfs.experiments.reproduce`.

    Returns
    -------
    text : str
    """
    return render_template("reproduction.md.j2", _values(summary))


def _values(summary: dict[str, Any]) -> dict[str, Any]:
    """Return the values that both templates show."""
    names = [name for name, *_ in _STORY]
    return {
        **summary,
        "labels": [(name, label) for name, label, _ in _STORY],
        "has_story": any(row[name] is not None for row in summary["story"] for name in names[1:]),
        "headline": _headline(summary["story"], names),
        "explain": _EXPLAIN,
        "lines": _cell_lines,
        "number": _number,
        "counts": _counts(summary["verdicts"]),
        "quantities": _QUANTITIES,
        "details": _details(summary),
        "data_lines": _data_lines(summary["settings"]),
    }


def _headline(story: list[dict[str, Any]], names: list[str]) -> str:
    """Return the means over the data sets that have all numbers, as a sentence."""
    whole = [row for row in story if all(row[name] is not None for name in names)]
    if not whole:
        return "The runs for this figure are not complete."
    means = {name: sum(row[name] for row in whole) / len(whole) for name in names}
    return (
        f"Mean accuracy of PFS with a decision tree over {len(whole)} data sets: published "
        f"{means['published']:.1f}, reproduced in the published way {means['reproduced']:.1f}; "
        f"random subsets chosen in the same way reach {means['random_published']:.1f}. Tested on "
        f"rows that were not used to choose anything, the method reaches {means['honest']:.1f}, "
        f"random subsets {means['random_honest']:.1f} and all features {means['all_honest']:.1f}."
    )


def _cell_lines(cell: dict[str, Any]) -> list[str]:
    """Return the published value, ours and the verdict."""
    lines = []
    published, ours, inner = cell["published"], cell["ours"], cell["inner"]
    if published is not None:
        mean = published["single"] if published["mean"] is None else published["mean"]
        best = "" if published["optimal"] is None else f" [{published['optimal']:g}]"
        lines.append(f"published {mean:g}{best}")
    if ours is not None and inner is not None:
        lines.append(f"outer tree {_numbers(ours)}: {ours['agreement']}")
    elif ours is not None:
        is_draw = cell["verdict"].startswith(("inside", "outside"))
        lines.append(f"ours {_draws(ours) if is_draw else _numbers(ours)}")
    if cell["n_refused"]:
        what = "run" if cell["n_refused"] == 1 else "runs"
        lines.append(f"{cell['n_refused']} {what} without a result")
    if inner is not None:
        lines.append(f"inner {_numbers(inner)}: {inner['agreement']}")
    if cell["verdict"]:
        lines.append(cell["verdict"])
    return lines


def _draws(ours: dict[str, Any]) -> str:
    return f"{_number(ours['mean'])} (median of {ours['n_runs']} draws)"


def _numbers(ours: dict[str, Any]) -> str:
    error = "" if ours["standard_error"] is None else f" ± {ours['standard_error']:.1f}"
    best = "" if ours["optimal"] is None else f" [{_number(ours['optimal'])}]"
    runs = f" ({ours['n_runs']} runs)" if ours["n_runs"] > 1 else ""
    return f"{_number(ours['mean'])}{error}{best}{runs}"


def _mark(cell: dict[str, Any]) -> str:
    """Return the style class of a verdict."""
    verdict = cell["verdict"]
    if verdict.startswith(("agrees", "inside", "better")):
        return "good"
    return "bad" if verdict.startswith(("differs", "outside", "worse")) else "neutral"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    if value == round(value):
        return f"{value:.0f}"
    return f"{value:.3g}" if abs(value) < 10 or abs(value) >= 1000 else f"{value:.1f}"


def _counts(verdicts: dict[str, dict[str, int]]) -> list[tuple[str, str]]:
    """Return the verdicts of each protocol as text."""
    return [
        (
            protocol if protocol == "no protocol" else f"{protocol} protocol",
            ", ".join(f"{count} {kind}" for kind, count in counts.items()),
        )
        for protocol, counts in verdicts.items()
    ]


def _details(summary: dict[str, Any]) -> list[tuple[str, str]]:
    settings = summary["settings"]
    return [
        ("seed", str(settings["random_state"])),
        ("kind", "quick: few runs" if settings["quick"] else "full"),
        *(_other_runs(each) for each in summary["other_runs"]),
        *((f"{name} version", value) for name, value in settings["versions"].items()),
        *((f"SHA-256 of {name}", value) for name, value in settings["checksums"].items()),
    ]


def _data_lines(settings: dict[str, Any]) -> list[str]:
    """Return which data sets are left out and why, and what is to be known of others."""
    away, notes = settings["missing_datasets"], settings.get("dataset_notes", {})
    return [
        *(f"Left out, {name}: {why}" for name, why in away.items()),
        *(f"On {name}: {note}" for name, note in notes.items()),
    ]


def _other_runs(rule: dict[str, Any]) -> tuple[str, str]:
    where = "all data sets" if rule["dataset"] == "*" else rule["dataset"]
    protocol = "both protocols" if rule["protocol"] == "*" else f"{rule['protocol']} protocol"
    count = f"{rule['runs']} ({rule['quick_runs']} if quick)"
    return f"runs of {rule['method']}, {where}, {protocol}", f"{count}: {rule['why']}"
