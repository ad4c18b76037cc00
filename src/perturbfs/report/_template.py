"""Values put into a template, every one of them escaped."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def render_template(name: str, values: dict[str, Any]) -> str:
    """A self-contained HTML page, which asks nothing of any server."""
    from jinja2 import Environment, FunctionLoader

    environment = Environment(
        autoescape=True, trim_blocks=False, loader=FunctionLoader(_read_template)
    )
    environment.filters["percent"] = _percent
    return environment.get_template(name).render(values)


def _read_template(name: str) -> str:
    return files("perturbfs.report").joinpath(name).read_text(encoding="utf-8")


def _percent(value: float) -> float:
    """Position on a scale from 0 to 1, in percent, within its ends."""
    return round(100 * min(max(value, 0.0), 1.0), 1)
