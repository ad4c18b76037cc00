"""The tree of a group, and the small bars that show a feature's direction, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._svg import N_COLORS, Axis, cut_to, line, svg, text

ROW, TOP, LEFT, RIGHT, WIDTH = 19.0, 10.0, 16.0, 250.0, 560.0


def tree_figure(tree: dict[str, Any]) -> str:
    """Features of a group as a tree: the farther right two join, the more alike they are.

    Parameters
    ----------
    tree : dict
        An entry of ``summary["details"]["groups"]``.

    Returns
    -------
    svg : str
    """
    members, joins = tree["members"], tree["joins"]
    farthest = max([0.05, *(height for _, _, height in joins)])
    x = Axis(-farthest, 0.0, LEFT, RIGHT)  # of minus the distance
    order = leaf_order(len(members), joins)
    height = {leaf: TOP + ROW * (place + 0.5) for place, leaf in enumerate(order)}
    reach = dict.fromkeys(range(len(members)), 0.0)
    parts = []
    for number, (first, second, distance) in enumerate(joins, start=len(members)):
        at = x.at(-distance)
        parts += [
            line(at, height[child], x.at(-reach[child]), height[child], "branch")
            for child in (first, second)
        ]
        parts.append(line(at, height[first], at, height[second], "branch"))
        height[number], reach[number] = (height[first] + height[second]) / 2, distance
    for leaf, name in enumerate(members):
        words = f"{cut_to(name, 32)}  (r = {tree['correlation'][leaf]:.2f})"
        parts.append(text(RIGHT + 8, height[leaf] + 4, words, kind="strong" if leaf == 0 else ""))
    bottom = TOP + ROW * len(members) + 4
    parts.append(line(LEFT, bottom, RIGHT, bottom, "axis"))
    for value, words in Axis(1 - farthest, 1.0, 0, 1).ticks(4):
        place = LEFT + (RIGHT - LEFT) * value
        parts += [line(place, bottom, place, bottom + 4, "tick")]
        parts.append(text(place, bottom + 17, words, "middle"))
    parts.append(
        text(RIGHT + 30, bottom + 17, "absolute correlation at which they join", kind="soft")
    )
    title = f"Tree of {len(members)} features by correlation; {members[0]} was chosen"
    return svg(WIDTH, bottom + 26, title, parts, "tree")


def leaf_order(n_leaves: int, joins: Sequence[Sequence[float]]) -> list[int]:
    """Leaves such that no branches cross."""
    below: dict[int, list[int]] = {leaf: [leaf] for leaf in range(n_leaves)}
    for number, (first, second, _) in enumerate(joins, start=n_leaves):
        below[number] = below.pop(int(first)) + below.pop(int(second))
    return [leaf for leaves in below.values() for leaf in leaves]


def effect_figure(effects: Sequence[float], classes: Sequence[str]) -> str:
    """A small bar for each class: up where the feature is high in it, down where it is low."""
    width = 9.0 if len(effects) <= 12 else 108.0 / len(effects)
    parts = [line(0, 15, width * len(effects), 15, "axis")]
    for place, effect in enumerate(effects):
        size = min(abs(effect) / 1.5, 1.0) * 14
        top = 15 - size if effect > 0 else 15
        parts.append(
            f'<rect class="fill c{place % N_COLORS}" x="{place * width + 1:g}" y="{top:.1f}" '
            f'width="{width - 2:g}" height="{size:.1f}"></rect>'
        )
    said = ", ".join(
        f"{name} {effect:+.2f}" for name, effect in zip(classes, effects, strict=True)
    )
    return svg(
        width * len(effects), 30, f"Standard deviations from the mean: {said}", parts, "mini"
    )
