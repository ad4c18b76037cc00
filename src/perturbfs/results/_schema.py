"""Check JSON documents against the fields that ``documents.json`` describes.

A kind is one of

- ``text``, ``whole number``, ``number``, ``boolean``, ``null`` and ``anything``;
- the name of another entry of ``documents.json``;
- several of these, joined by ``or``; ``absent`` as the last means that the field may be missing;
- an array with one kind, for an array with any number of entries of this kind;
- an array with several kinds, for an array with exactly these entries;
- an object with the kind of each field, or with the one field ``any name``.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from perturbfs._support.text import shorten

_KINDS = json.loads(files(__package__).joinpath("documents.json").read_text(encoding="utf-8"))
_SIMPLE: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "whole number": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "anything": object,
}
ABSENT = " or absent"
_LONGEST = 60  # letters of a wrong value that an error shows
_MOST_DIGITS = 18  # of a whole number


class DocumentError(ValueError):
    """A JSON file that perturbfs did not write, or that is damaged."""


def read_document(
    path: str | os.PathLike[str],
    kind: str,
    *,
    version: int,
    upgrade: Callable[[dict[str, Any]], None],
    advice: str,
    error: type[DocumentError] = DocumentError,
) -> dict[str, Any]:
    """Read a JSON document and check every field.

    Parameters
    ----------
    path : path
    kind : {"selection", "summary", "evaluation", "validation"}
    version : int
        The newest ``schema_version``.
    upgrade : callable
        Adds the fields of the newest version to a document of version 1.
    advice : str
        What the user can do; the last sentence of every error.
    error : type, default=DocumentError
        The error to raise.

    Returns
    -------
    document : dict
    """
    if not Path(path).is_file():
        raise error(f"{path} is not a file. {advice}")
    try:
        content = _parse(Path(path).read_text(encoding="utf-8"))
    except ValueError as problem:  # no JSON, or no UTF-8
        raise error(f"{path} is not JSON ({problem}). {advice}") from problem
    except RecursionError as problem:
        raise error(f"{path} is nested too deeply to be a {kind}. {advice}") from problem
    if not isinstance(content, dict) or "schema_version" not in content:
        raise error(f"{path} has no schema_version. {advice}")
    found = content["schema_version"]
    if isinstance(found, bool) or found not in (1, version):
        raise error(
            f"{path} has schema_version {found!r}, but this perturbfs reads 1 to {version}. "
            f"{advice}"
        )
    if found == 1:
        upgrade(content)
        content["schema_version"] = version
    sentence = next(_problems(content, kind, ""), None)
    if sentence is not None:
        raise error(f"{path}: {shorten(sentence)} {advice}")
    return content


def _parse(text: str) -> Any:
    """Return a JSON document without what JSON or this package cannot write."""
    content = json.loads(
        text, parse_constant=_refuse_constant, parse_float=_parse_float, parse_int=_parse_int
    )
    # An escape can name half of a character, which no page and no terminal can show.
    json.dumps(content, ensure_ascii=False).encode()
    return content


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _parse_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:_LONGEST]} is too large")
    return number


def _parse_int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"the number {text[:_MOST_DIGITS]}… is too large")
    return int(text)


def _problems(value: Any, kind: Any, field: str) -> Iterator[str]:
    """Yield a sentence for each field that is missing, unknown or of the wrong kind."""
    names = kind.removesuffix(ABSENT).split(" or ") if isinstance(kind, str) else [kind]
    kinds = [_KINDS.get(name, name) if isinstance(name, str) else name for name in names]
    fitting = next((each for each in kinds if _fits(value, each)), None)
    if fitting is None:
        found = json.dumps(value, ensure_ascii=False)
        found = found if len(found) <= _LONGEST else f"{found[: _LONGEST - 1]}…"
        yield f"{field} is {found}, but {' or '.join(map(_describe, kinds))} is needed."
    elif isinstance(fitting, list):
        entries = fitting if len(fitting) > 1 else fitting * len(value)
        for place, (each, entry) in enumerate(zip(value, entries, strict=True)):
            yield from _problems(each, entry, f"{field}[{place}]")
    elif isinstance(fitting, dict):
        yield from _field_problems(value, fitting, f"{field}." if field else "")


def _field_problems(value: dict[str, Any], fields: dict[str, Any], start: str) -> Iterator[str]:
    if "any name" in fields:
        fields = dict.fromkeys(value, fields["any name"])
    for name in value:
        if name not in fields:
            yield f"{start}{name} is not a known field; the fields are {', '.join(fields)}."
    for name, kind in fields.items():
        if name in value:
            yield from _problems(value[name], kind, f"{start}{name}")
        elif not _may_be_absent(kind):
            yield f"{start}{name} is missing."


def _may_be_absent(kind: Any) -> bool:
    return isinstance(kind, str) and kind.endswith(ABSENT)


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a kind, whatever its fields and entries are."""
    if isinstance(kind, list):
        return isinstance(value, list) and len(kind) in (1, len(value))
    if isinstance(kind, dict):
        return isinstance(value, dict)
    if isinstance(value, bool):  # which Python counts among the whole numbers
        return kind in ("boolean", "anything")
    return isinstance(value, _SIMPLE[kind])


def _describe(kind: Any) -> str:
    if isinstance(kind, list):
        return "an array" if len(kind) == 1 else f"an array of {len(kind)} entries"
    if isinstance(kind, dict):
        return "an object"
    return kind if kind == "null" else f"a {kind}"
