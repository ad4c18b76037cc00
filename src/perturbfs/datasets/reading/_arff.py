"""ARFF, the format of Weka: attributes declared first, one row of data a line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ._grid import Grid, Wanted, columns_to_keep, simplify
from ._open import open_text
from ._rows import collect_grid
from ._table import TableError

# SciPy's reader makes one record type of all attributes, which does not scale to wide
# tables, and knows no string attributes.
ATTRIBUTE = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+\S""", re.IGNORECASE
)
CLASS_NAMES = ("class", "target", "outcome", "label")


def read_arff(path: Path, wanted: Wanted) -> Grid:
    """The entries of an ARFF file.

    Parameters
    ----------
    path : Path
    wanted : Wanted

    Returns
    -------
    grid : Grid
        Its default target is the attribute called class (or target, outcome, label), or the
        last one.
    """
    with open_text(path) as handle:
        lines = enumerate(handle, 1)
        names = read_attributes(lines)
        default = default_target(names)
        keep = set(columns_to_keep(names, len(names), wanted)) | {default}
        grid = collect_grid(
            split_data(lines),
            width=len(names),
            names=names,
            keep_columns=sorted(keep),
            row_target=None,
        )
    return replace(grid, default_target=default, features_in_rows=False)


def read_attributes(lines: Iterable[tuple[int, str]]) -> list[str]:
    """Names of the attributes; the lines are read up to ``@data``."""
    names: list[str] = []
    for number, line in lines:
        line = line.strip()
        keyword = line.split(maxsplit=1)[0].lower() if line else "%"
        if keyword == "@data":
            if names:
                return names
            break
        if keyword == "@attribute":
            match = ATTRIBUTE.match(line)
            if match is None:
                raise TableError(
                    f"line {number} declares no attribute: {line[:60]!r}. It should read "
                    "@attribute NAME TYPE."
                )
            quoted = match[1] if match[1] is not None else match[2]
            names.append(match[3] if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        elif not keyword.startswith(("%", "@relation")):
            raise TableError(
                f"line {number} does not belong in the head of an ARFF file: {line[:60]!r}. If "
                "the file is plain comma-delimited text, call it .csv."
            )
    raise TableError("there are no attributes and @data, as an ARFF file has. Export it again.")


def default_target(names: list[str]) -> int:
    """The attribute that custom makes the outcome."""
    for custom in CLASS_NAMES:
        for column, name in enumerate(names):
            if simplify(name) == custom:
                return column
    return len(names) - 1


def split_data(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields of the rows below ``@data``."""
    for number, line in lines:
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if line.startswith("{"):
            raise TableError(
                f"line {number} is a sparse row, which is not read. Convert the file to dense "
                "ARFF, CSV or svmlight."
            )
        # Weka puts single quotes, other programs double ones.
        quote = "'" if "'" in line else '"'
        fields = csv.reader(
            [line], quotechar=quote, escapechar="\\", skipinitialspace=True, strict=True
        )
        yield number, next(fields)
