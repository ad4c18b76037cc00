"""Escape shapes such as ``(n_features_in_,)`` in docstrings, which would be read as links."""

from __future__ import annotations

import re
from typing import Any

SHAPE = re.compile(r"(?<![\w`])\([a-z_]+,[a-z_, ]*\)")


def setup(app: Any) -> dict[str, bool]:
    """Register the change of docstrings with Sphinx, after numpydoc."""
    app.connect("autodoc-process-docstring", _escape_shapes, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _escape_shapes(
    _app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]
) -> None:
    lines[:] = [SHAPE.sub(_escape, line) for line in lines]


def _escape(shape: re.Match[str]) -> str:
    return re.sub(r"_(?=\W)", r"\\_", shape.group())
