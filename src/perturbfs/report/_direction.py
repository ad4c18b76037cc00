"""In plain words: where a feature is high, and how often it came back."""

from __future__ import annotations

from typing import Any


def describe_direction(chosen: dict[str, Any] | None, classes: list[str] | None) -> dict[str, Any]:
    """Direction and frequency of a chosen feature, for its row.

    Parameters
    ----------
    chosen : dict or None
        An entry of ``details["chosen"]``.
    classes : list of str or None
        Names of the classes in sorted order.

    Returns
    -------
    row : dict
        ``direction`` (text), ``effects``, ``correlation``, ``n_again``, ``n_again_group``;
        nothing but None where there are no details.
    """
    names = ("effects", "correlation", "n_again", "n_again_group")
    if chosen is None:
        return {"direction": None, **dict.fromkeys(names)}
    return {
        "direction": _direction(chosen, classes or []),
        **{name: chosen[name] for name in names},
    }


def _direction(chosen: dict[str, Any], classes: list[str]) -> str:
    effects, correlation = chosen["effects"], chosen["correlation"]
    if effects is None:
        verb = "rises" if correlation > 0 else "falls"
        return f"{verb} with the outcome (r = {signed(correlation)})"
    highest, lowest = (effects.index(pick(effects)) for pick in (max, min))
    if len(effects) == 2:
        return f"higher in {classes[highest]} ({signed(effects[highest] - effects[lowest])} SD)"
    return (
        f"highest in {classes[highest]} ({signed(effects[highest])} SD), "
        f"lowest in {classes[lowest]} ({signed(effects[lowest])})"
    )


def signed(value: float) -> str:
    """A number with its sign, as typesetters write it; never minus zero."""
    text = f"{round(value, 2) + 0.0:+.2f}"
    return text.replace("-", "\N{MINUS SIGN}")
