"""Fill HTML templates; every value is escaped."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

FILTERS = {
    "signed": lambda value: f"{value:+.3g}".replace("-", "\N{MINUS SIGN}"),
    "p": lambda value: f"{value:.2g}".replace("e-", "e\N{MINUS SIGN}"),
    "r": lambda value: f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
}


def render_template(name: str, values: dict[str, Any], *, data: Any = None) -> str:
    """Return a self-contained HTML page, which makes no network requests.

    Parameters
    ----------
    name : str
        File name of the template.
    values : dict
        What the page shows. Text is escaped, `Markup` is not.
    data : object, optional
        Data for the script of the page, inserted as JSON.

    Returns
    -------
    page : str
    """
    environment = _environment()
    css, script = (_source(environment, file) for file in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template(name).render(
        **values,
        css=Markup(css),
        script=Markup(script),
        # The policy of the page allows this script only.
        script_hash=Markup(f"sha256-{digest}"),
        data_json=None if data is None else Markup(_json_in_html(data)),
    )


@cache
def _environment() -> Environment:
    environment = Environment(autoescape=True, loader=PackageLoader("perturbfs.report", ""))
    environment.filters.update(FILTERS)
    return environment


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _json_in_html(data: Any) -> str:
    """Return JSON that cannot end the HTML element around it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
