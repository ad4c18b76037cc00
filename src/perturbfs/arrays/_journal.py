"""Results of finished passes on disk, so that a job that was stopped does not repeat them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from zipfile import ZipFile

import joblib
import numpy as np

from ._blocks import BlockFunction, Combine, FeatureBlocks, WrappedBlocks
from ._namespace import Array
from ._passes import FORMAT, PassFiles
from ._source import SourceFiles

# Blocks whose results are combined before they are written, if they can be combined. Otherwise
# one n_samples x n_samples matrix per block could take more space than the data.
COMBINED = 32


class JournaledBlocks(WrappedBlocks):
    """Blocks that write the results of each pass to a file, or read them if the file exists.

    Parameters
    ----------
    blocks : FeatureBlocks
    passes : PassFiles
    source : SourceFiles
        The files that the blocks are read from.

    Notes
    -----
    The name of a file is a hash of all that the pass depends on: data, function and arguments.
    So a file of other data or parameters is never read, and passes may come in any order. A file
    is either complete or absent.

    A file is a ZIP archive of ``.npy`` and JSON files, never a pickle, and names no class. The
    type of the results is the return annotation of the function of the pass.
    """

    def __init__(self, blocks: FeatureBlocks, passes: PassFiles, source: SourceFiles) -> None:
        super().__init__(blocks)
        self._passes, self._source = passes, source

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """Call a function with every block, as `FeatureBlocks.map` does, or read its results."""
        key, kind = self._key(function, arrays), _result_type(function)
        path = self._passes.find(key)
        if path is not None:
            yield from _read_results(path, kind)
            return
        found = self.blocks.map(function, *arrays, combine=combine)
        if combine is not None:
            found = _combined(found, combine)
        with self._passes.adding(key) as temporary:
            with ZipFile(temporary, "w") as archive:
                for number, (span, result) in enumerate(found):
                    yield span, _write_result(archive, number, span, result, kind)
            self._source.refuse_change()

    def take(self, features: Array) -> Array:
        """Return features, given by position, as a dense float64 array."""
        columns = super().take(features)
        self._source.refuse_change()
        return columns

    def _key(self, function: BlockFunction, arrays: tuple[Array | None, ...]) -> str:
        parts = (FORMAT, version("perturbfs"), np.__version__, self._source.content, self.shape)
        return str(joblib.hash((parts, type(function).__qualname__, function, arrays), "sha1"))


def _combined(found: Iterator[tuple[slice, Any]], combine: Combine) -> Iterator[tuple[slice, Any]]:
    """Combine the results of every `COMBINED` blocks."""
    for first, held in found:
        stop = first.stop
        for span, result in islice(found, COMBINED - 1):
            held, stop = combine([held, result]), span.stop
        yield slice(first.start, stop), held


def _result_type(function: Any) -> Any:
    """Return the annotated type of the results of a function, or of the function it calls."""
    while hasattr(function, "function"):
        function = function.function
    call = function if isinstance(function, FunctionType) else type(function).__call__
    return get_type_hints(call).get("return", Any)


def _write_result(archive: ZipFile, number: int, span: slice, result: Any, kind: Any) -> Any:
    """Write a result, and return it as it will be read."""
    arrays: list[Array] = []
    plain = _to_plain(result, arrays)
    again = _from_plain(plain, kind, arrays)
    for place, array in enumerate(arrays):
        with archive.open(f"{number}.{place}.npy", "w", force_zip64=True) as file:
            np.lib.format.write_array(file, array, allow_pickle=False)
    content = {"span": [span.start, span.stop], "n_arrays": len(arrays), "result": plain}
    archive.writestr(f"{number}.json", json.dumps(content))
    return again


def _read_results(path: Path, kind: Any) -> Iterator[tuple[slice, Any]]:
    with ZipFile(path) as archive:
        for number in range(sum(name.endswith(".json") for name in archive.namelist())):
            content, arrays = json.loads(archive.read(f"{number}.json")), []
            for place in range(content["n_arrays"]):
                with archive.open(f"{number}.{place}.npy") as file:
                    arrays.append(np.lib.format.read_array(file, allow_pickle=False))
            yield slice(*content["span"]), _from_plain(content["result"], kind, arrays)


def _to_plain(value: Any, arrays: list[Array]) -> Any:
    """Return a value as JSON can hold it; its arrays are appended to the list."""
    if isinstance(value, (np.ndarray, np.generic)):
        arrays.append(np.asarray(value))
        return {"array": len(arrays) - 1}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if is_dataclass(value):
        value = [getattr(value, each.name) for each in fields(value)]
    if isinstance(value, (list, tuple)):
        return [_to_plain(each, arrays) for each in value]
    raise TypeError(f"A result of type {type(value).__name__} cannot be written to a file.")


def _from_plain(plain: Any, kind: Any, arrays: list[Array]) -> Any:
    """Return the value of a type, from what `_to_plain` made of it."""
    if isinstance(plain, dict):
        return arrays[plain["array"]][()]  # a scalar, where the array has no dimensions
    if not isinstance(plain, list):
        return plain
    if get_origin(kind) in (Union, UnionType):  # a type or None
        [kind] = set(get_args(kind)) - {NoneType}
    if get_origin(kind) is list:
        return [_from_plain(each, get_args(kind)[0], arrays) for each in plain]
    kinds = get_type_hints(kind).values() if is_dataclass(kind) else get_args(kind)
    if get_origin(kind) is not tuple and not is_dataclass(kind):
        raise TypeError(
            f"A function of a pass returns several values, but its return annotation is {kind}. "
            "Annotate it with a dataclass, list[...] or tuple[...]."
        )
    values = (_from_plain(*each, arrays) for each in zip(plain, kinds, strict=True))
    return tuple(values) if get_origin(kind) is tuple else kind(*values)
