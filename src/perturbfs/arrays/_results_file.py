"""Results of blocks in one file: arrays and plain values, never a pickle."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, Self

import numpy as np

from ._namespace import Array

PACKAGE = __name__.partition(".")[0]


class ResultsWriter:
    """Writes results one after the other; a ZIP archive of ``.npy`` and JSON files.

    A result is an array, a number, a string, None, or a list, tuple or dataclass of this package
    that is made of such.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_STORED)
        self._n_results = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def add(self, span: slice, result: Any) -> None:
        """Write the result of the features of a span."""
        arrays: list[Array] = []
        form = {"span": [span.start, span.stop], "result": _describe(result, arrays)}
        for place, array in enumerate(arrays):
            with self._archive.open(f"{self._n_results}.{place}.npy", "w", force_zip64=True) as to:
                np.lib.format.write_array(to, array, allow_pickle=False)
        self._archive.writestr(f"{self._n_results}.json", json.dumps(form))
        self._n_results += 1


def read_results(path: str | os.PathLike[str]) -> Iterator[tuple[slice, Any]]:
    """Results one after the other, as they were written."""
    with zipfile.ZipFile(path) as archive:
        n_results = sum(name.endswith(".json") for name in archive.namelist())
        for number in range(n_results):
            form = json.loads(archive.read(f"{number}.json"))
            yield slice(*form["span"]), _restore(form["result"], archive, number)


def _describe(value: Any, arrays: list[Array]) -> Any:
    """The value as JSON, with the places of its arrays, which are appended to the list."""
    if isinstance(value, (np.ndarray, np.generic)):
        arrays.append(np.asarray(value))
        return {"array": len(arrays) - 1, "is_scalar": isinstance(value, np.generic)}
    if value is None or isinstance(value, (str, bool, int, float)):
        return {"value": value}
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [_describe(each, arrays) for each in value]}
    of_class = type(value)
    if is_dataclass(value) and of_class.__module__.partition(".")[0] == PACKAGE:
        parts = {each.name: _describe(getattr(value, each.name), arrays) for each in fields(value)}
        return {"class": [of_class.__module__, of_class.__qualname__], "parts": parts}
    raise TypeError(f"A result of type {of_class.__name__} cannot be written to a file.")


def _restore(form: dict[str, Any], archive: zipfile.ZipFile, number: int) -> Any:
    if "value" in form:
        return form["value"]
    if "array" in form:
        with archive.open(f"{number}.{form['array']}.npy") as source:
            array = np.lib.format.read_array(source, allow_pickle=False)
        return array[()] if form["is_scalar"] else array
    if "class" in form:
        kind = _find_class(*form["class"])
        parts = form["parts"].items()
        return kind(**{name: _restore(part, archive, number) for name, part in parts})
    [(name, parts)] = form.items()
    values = [_restore(part, archive, number) for part in parts]
    return tuple(values) if name == "tuple" else values


def _find_class(module: str, name: str) -> Any:
    kind = None
    if module.partition(".")[0] == PACKAGE:
        kind = getattr(import_module(module), name, None)
    if not isinstance(kind, type) or not is_dataclass(kind):
        raise ValueError(f"The file names {module}.{name}, which is no class of results.")
    return kind
