"""The reproduction as people read it: Markdown, a page, and the figure that tells the story."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._figure import BLUE, GRAY, GREEN, ORANGE, PURPLE, Series, dot_plot
from ._template import render_template

FIGURE = "story.svg"
LEAKS = (
    "This protocol leaks: features and their number were chosen with the rows they were then "
    "tested on. The numbers say nothing about new samples."
)
HONEST = (
    "Everything, the number of features included, was chosen on the training rows; the test rows "
    "were used once. Differences are to random subsets on the same splits, with the 95 % "
    "interval of the corrected resampled t-test (Nadeau and Bengio)."
)
_EXPLAIN = {"published": LEAKS, "honest": HONEST, "": ""}
_STORY = (
    ("published", "published (paper, mean of ten runs)", PURPLE, "diamond"),
    ("reproduced", "reproduced, published protocol (leaks)", BLUE, "circle"),
    ("random_published", "random subsets, published protocol (leaks)", GRAY, "square"),
    ("honest", "the method, honest protocol", ORANGE, "circle"),
    ("random_honest", "random subsets, honest protocol", GREEN, "ring"),
    ("all_honest", "all features, honest protocol", GREEN, "cross"),
)


def story_figure(summary: dict[str, Any]) -> str:
    """Published, reproduced, chance and honest accuracies of each data set, as SVG."""
    story = summary["story"]
    series = [
        Series(label, color, shape, [row[name] for row in story])
        for name, label, color, shape in _STORY
    ]
    return dot_plot(
        "Accuracy of PFS with a decision tree: published, reproduced, random subsets, honest",
        [row["dataset"] for row in story],
        series,
        unit="accuracy (mean recall of the classes, percent)",
        low=20,
    )


def render_reproduction(summary: dict[str, Any]) -> str:
    """A self-contained page.

    Parameters
    ----------
    summary : dict
        From `perturbfs.experiments.reproduce`.

    Returns
    -------
    page : str
    """
    from markupsafe import Markup

    values = {
        **summary,
        "figure": Markup(story_figure(summary)),  # made of escaped text
        "headline": headline(summary),
        "has_story": has_story(summary),
        "explain": _EXPLAIN,
        "lines": _cell_lines,
        "mark": _mark,
        "details": _details(summary),
    }
    return render_template("reproduction.html.j2", values)


def render_reproduction_markdown(summary: dict[str, Any]) -> str:
    """The same as Markdown, with the figure in a file beside it."""
    parts = ["# The paper's tables, published and reproduced", f"{summary['citation']}."]
    if has_story(summary):
        parts += _markdown_story(summary)
    parts.append(_how_to_read(summary))
    for table in summary["tables"]:
        parts += _markdown_section(table)
    parts.append("## How it was made")
    parts.append("\n".join(f"- {name}: {value}" for name, value in _details(summary)))
    return "\n\n".join(parts) + "\n"


def _markdown_story(summary: dict[str, Any]) -> list[str]:
    header = ["data set", *(label for _, label, _, _ in _STORY)]
    rows = (
        [row["dataset"], *(_number(row[name]) for name, *_ in _STORY)] for row in summary["story"]
    )
    figure = f"![Published, reproduced, random subsets, honest]({FIGURE})"
    return [headline(summary), figure, _markdown_table(header, rows)]


def _markdown_section(table: dict[str, Any]) -> list[str]:
    label = {"published": " (published protocol: LEAKS)", "honest": " (honest protocol)"}
    notes = [_EXPLAIN[table["protocol"]], table["note"]]
    rows = (
        [row["name"], *("<br>".join(_cell_lines(cell)) for cell in row["cells"])]
        for row in table["rows"]
    )
    return [
        f"## {table['title']}{label.get(table['protocol'], '')}",
        *filter(None, notes),
        _markdown_table(["", *table["columns"]], rows),
    ]


def has_story(summary: dict[str, Any]) -> bool:
    """Whether anything of what the figure compares has been run."""
    return any(row[name] is not None for row in summary["story"] for name, *_ in _STORY[1:])


def headline(summary: dict[str, Any]) -> str:
    """What the figure says, in numbers."""
    whole = [row for row in summary["story"] if all(row[name] is not None for name, *_ in _STORY)]
    if not whole:
        return "Not all of what the figure compares has been run."
    means = {name: sum(row[name] for row in whole) / len(whole) for name, *_ in _STORY}
    return (
        f"Mean accuracy of PFS with a decision tree over {len(whole)} data sets: published "
        f"{means['published']:.1f}, reproduced the published way {means['reproduced']:.1f}; "
        f"random subsets chosen the same way reach {means['random_published']:.1f}. Tested on "
        f"rows that chose nothing, the method reaches {means['honest']:.1f}, random subsets "
        f"{means['random_honest']:.1f} and all features {means['all_honest']:.1f}."
    )


def _how_to_read(summary: dict[str, Any]) -> str:
    tolerance = summary["tolerance"]
    return (
        "Each cell: the published value (mean of ten runs, the optimal run in brackets; rivals "
        "have one run), then ours (mean ± standard error, the optimal run in brackets, number of "
        f"runs), then the verdict. *agrees*: within {tolerance['accuracy']:g} points of accuracy, "
        f"or {100 * tolerance['n_features']:g} % of a number of features or a measure. *within "
        "chance*: within two standard errors of the difference. For PFS-SVM and PFS-kNN *inner* "
        "is the best that the inner classifier itself reaches on the rows that chose the features."
    )


def _cell_lines(cell: dict[str, Any]) -> list[str]:
    """Published, ours, verdict."""
    lines = []
    published = cell["published"]
    if published is not None:
        middle = published["single"] if published["mean"] is None else published["mean"]
        best = "" if published["optimal"] is None else f" [{published['optimal']:g}]"
        lines.append(f"published {middle:g}{best}")
    if cell["mean"] is not None:
        lines.append(_ours(cell))
        if cell["inner_mean"] is not None:
            lines.append(f"inner {_number(cell['inner_mean'])}")
    if cell["verdict"]:
        lines.append(cell["verdict"])
    return lines


def _ours(cell: dict[str, Any]) -> str:
    error = "" if cell["standard_error"] is None else f" ± {cell['standard_error']:.1f}"
    best = "" if cell["optimal"] is None else f" [{_number(cell['optimal'])}]"
    if cell["verdict"].startswith(("inside", "outside")):
        return f"ours {_number(cell['mean'])} (median of {cell['n_runs']} draws)"
    runs = f" ({cell['n_runs']} runs)" if cell["n_runs"] > 1 else ""
    return f"ours {_number(cell['mean'])}{error}{best}{runs}"


def _mark(cell: dict[str, Any]) -> str:
    """Class of a verdict, for its color."""
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


def _details(summary: dict[str, Any]) -> list[tuple[str, str]]:
    settings = summary["settings"]
    details = [
        ("seed", str(settings["random_state"])),
        ("kind", "quick: few runs" if settings["quick"] else "full"),
    ]
    details += [_other_runs(each) for each in summary["other_runs"]]
    details += [(f"{name} version", value) for name, value in settings["versions"].items()]
    details += [(f"SHA-256 of {name}", value) for name, value in settings["checksums"].items()]
    details += [(f"{name} left out", why) for name, why in settings["missing_datasets"].items()]
    return details


def _other_runs(rule: dict[str, Any]) -> tuple[str, str]:
    where = {"*": "all data sets"}.get(rule["dataset"], rule["dataset"])
    protocol = {"*": "both protocols"}.get(rule["protocol"], f"{rule['protocol']} protocol")
    count = f"{rule['runs']} ({rule['quick_runs']} if quick)"
    return f"runs of {rule['method']}, {where}, {protocol}", f"{count}: {rule['why']}"


def _markdown_table(header: list[str], rows: Iterable[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
