"""Read the vectors of an R data file (.RData, .rda) without R."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs.arrays import Array

_OPENERS = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress, b"\xfd7": lzma.decompress}
# Codes of the format, from the manual "R Internals", section "Serialization Formats".
_SYMBOL, _PAIRS, _CHARS, _STRINGS, _ANY_LIST, _EXPRESSION = 1, 2, 9, 16, 19, 20
_LOGICAL, _INTEGER, _REAL = 10, 13, 14
_NUMBERS = {_LOGICAL: ">i4", _INTEGER: ">i4", _REAL: ">f8"}
_ALTERNATIVE, _NULL, _REFERENCE = 238, 254, 255
_HAS_ATTRIBUTES, _HAS_TAG = 1 << 9, 1 << 10
_MISSING_TEXT = -1


@dataclass(slots=True)
class RVector:
    """A vector of R: numbers, texts or other vectors, with its attributes."""

    values: Any  # array of numbers, or list of str or of RVector
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Names of the elements."""
        found = self.attributes.get("names")
        return [] if found is None else found.values

    @property
    def column_names(self) -> list[str]:
        """Column names of a matrix or of a data frame."""
        labels = self.attributes.get("dimnames")
        return self.names if labels is None else labels.values[1].values

    def __getitem__(self, name: str) -> Any:
        """Return the element with a name."""
        return self.values[self.names.index(name)]

    def as_array(self) -> Array:
        """Return numbers or texts in the shape that the attribute dim gives."""
        shape = self.attributes.get("dim")
        array = np.asarray(self.values)
        # R stores a matrix column by column.
        return array if shape is None else array.reshape(shape.values, order="F")

    def as_matrix(self) -> Array:
        """Return a matrix, or the columns of a data frame, as a matrix."""
        if isinstance(self.values, list):
            return np.column_stack([column.as_array() for column in self.values])
        return self.as_array()


def read_rdata(path: str | os.PathLike[str]) -> dict[str, RVector]:
    """Return the objects of an R data file by their names.

    Parameters
    ----------
    path : path
        Written by R's ``save`` in its binary format, compressed or not. Vectors, matrices, lists
        and data frames are read; functions and environments are not.

    Returns
    -------
    objects : dict of str to RVector

    Raises
    ------
    ValueError
        If the file is no R data file, or has something else in it.
    """
    content = Path(path).read_bytes()
    content = _OPENERS.get(content[:2], bytes)(content)
    if content[:7] not in (b"RDX2\nX\n", b"RDX3\nX\n"):
        raise ValueError(f"{path} is not an R data file in the binary format of R's save.")
    return _Reader(content, 7).objects()


class _Reader:
    """Reads one item after another, and keeps the symbols that later items refer to."""

    def __init__(self, content: bytes, place: int) -> None:
        self.content, self.place = content, place
        self.symbols: list[str] = []
        version, _, _ = (self.integer() for _ in range(3))
        if version == 3:
            self.take(self.integer())  # name of the native encoding

    def objects(self) -> dict[str, RVector]:
        found = self.item()
        return found if isinstance(found, dict) else {}

    def item(self) -> Any:
        flags = self.integer()
        kind = flags & 255
        if kind == _NULL:
            return None
        if kind == _REFERENCE:
            return self.symbols[(flags >> 8) - 1]
        if kind == _SYMBOL:
            self.symbols.append(self.item())
            return self.symbols[-1]
        if kind == _CHARS:
            length = self.integer()
            return "" if length == _MISSING_TEXT else self.take(length).decode("utf-8", "replace")
        if kind == _PAIRS:
            return self.pairs(flags)
        if kind == _ALTERNATIVE:
            return self.alternative()
        vector = RVector(self.values(kind))
        if flags & _HAS_ATTRIBUTES:
            vector.attributes = self.item() or {}
        return vector

    def values(self, kind: int) -> Any:
        if kind not in (*_NUMBERS, _STRINGS, _ANY_LIST, _EXPRESSION):
            raise ValueError(f"The R data file has an item of kind {kind}, which is no vector.")
        length = self.integer()
        if kind in _NUMBERS:
            numbers = np.dtype(_NUMBERS[kind])
            stored = np.frombuffer(self.take(length * numbers.itemsize), numbers)
            return stored.astype(numbers.newbyteorder("="))
        return [self.item() for _ in range(length)]

    def pairs(self, flags: int) -> dict[str, Any]:
        """Return a list of pairs, which ends with a null."""
        found = {}
        while flags & 255 == _PAIRS:
            if flags & _HAS_ATTRIBUTES:
                self.item()
            name = self.item() if flags & _HAS_TAG else ""
            found[name] = self.item()
            flags = self.integer()
        return found

    def alternative(self) -> RVector:
        """Return a sequence that is stored as length, start and step; R's short form."""
        self.item()  # its class
        state = self.item()
        self.item()  # its attributes
        length, start, step = (int(value) for value in state.values)
        return RVector(np.arange(length) * step + start)

    def integer(self) -> int:
        return int(struct.unpack(">i", self.take(4))[0])

    def take(self, length: int) -> bytes:
        start, self.place = self.place, self.place + length
        if self.place > len(self.content):
            raise ValueError("The R data file ends too early.")
        return self.content[start : self.place]
