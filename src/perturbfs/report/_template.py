"""Values put into a template, every one of them escaped."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any


def render_template(name: str, values: dict[str, Any], *, data: Any = None) -> str:
    """A self-contained HTML page, which asks nothing of any server.

    Parameters
    ----------
    name : str
        Of the template.
    values : dict
        What it shows; text that is not marked as safe is escaped.
    data : object, optional
        For the script of the page, as JSON.

    Returns
    -------
    page : str
    """
    from jinja2 import Environment, FunctionLoader
    from markupsafe import Markup

    environment = Environment(
        autoescape=True, trim_blocks=False, loader=FunctionLoader(_read_file)
    )
    script = _read_file("page.js")
    own = {
        "css": Markup(_read_file("page.css")),
        "script": Markup(script),
        "script_hash": Markup(_fingerprint(script)),
        "data_json": None if data is None else Markup(_safe_json(data)),
    }
    return environment.get_template(name).render({**values, **own})


def _read_file(name: str) -> str:
    return files("perturbfs.report").joinpath(name).read_text(encoding="utf-8")


def _fingerprint(script: str) -> str:
    """What the page's policy allows to run: this script, to the letter, and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _safe_json(data: Any) -> str:
    """JSON in which no name can end the element that holds it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
