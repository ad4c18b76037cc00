"""Read text files: delimited text (CSV, TSV), GCT, and ARFF, the format of Weka."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal

from perturbfs.datasets._errors import TableError

from ._files import open_text
from ._grid import Grid, Row, collect_grid
from ._layout import find_delimiter, grid_from_rows, peek, split_at_blanks
from ._names import CLASS_NAMES, simplify
from ._options import ReadOptions
from ._preamble import header_in_comments, skip_lines, take_comments
from ._series import is_series, read_series

# SciPy's reader of ARFF makes one record type of all attributes, which is too slow for wide
# tables, and has no string attributes.
ATTRIBUTE = re.compile(
    r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+\S""", re.IGNORECASE
)


def read_delimited(path: Path, options: ReadOptions) -> Grid:
    """Read delimited text, which may be a series matrix of GEO."""
    suffix = path.suffixes[-2] if path.suffix.lower() == ".gz" else path.suffix
    with open_text(path, options.encoding) as handle:
        skip_lines(handle, options.skip_rows or 0)
        comments, body = take_comments(handle)
        if is_series(comments):
            return read_series(comments, split_lines(body, "\t"), options)
        lines = peek(body, len)
        delimiter = find_delimiter(
            [line for line in lines if line.strip()] or [""], suffix.lower()
        )
        n_above = len(comments) + (options.skip_rows or 0)
        header = _header_above(comments, lines, delimiter)
        if header is not None:
            lines, n_above = [header, *lines], n_above - 1
            options = replace(options, header=True)
        rows = split_lines(chain(lines, body), delimiter)
        numbered = ((line + n_above, cells) for line, cells in rows)
        return grid_from_rows(numbered, options, comma_is_free=delimiter == ";")


def _header_above(comments: list[str], lines: list[str], delimiter: str | None) -> str | None:
    def split(line: str) -> list[str]:
        if delimiter is None:
            return split_at_blanks(line)
        return next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter), [])

    return header_in_comments(comments, lines[0], split) if comments and lines else None


def split_lines(
    lines: Iterable[str], delimiter: str | None, *, is_quoted: bool = True
) -> Iterator[Row]:
    """Yield line number and cells of each line that is not blank; None splits at white space."""
    if delimiter is None:
        split = ((line, split_at_blanks(text)) for line, text in enumerate(lines, 1))
        yield from ((line, cells) for line, cells in split if cells)
        return
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, strict=True, quoting=quoting)
    for cells in reader:
        if len(cells) > 1 or any(map(str.strip, cells)):
            yield reader.line_num, cells


def read_gct(path: Path, options: ReadOptions) -> Grid:
    """Read a GCT file of version 1.2 or 1.3, which has features in rows.

    Descriptions of features and samples are marked as annotation. In version 1.3 a description
    of the samples can be the target.
    """
    with open_text(path, options.encoding) as handle:
        version = handle.readline().strip()
        if version not in ("#1.2", "#1.3"):
            raise TableError(
                f"{path} starts with {version[:40]!r}, and a GCT file starts with #1.2 or #1.3. "
                "If it is plain tab-delimited text, give it the extension .tsv."
            )
        n_rows, n_columns, n_row_notes, n_column_notes = _gct_counts(handle.readline(), version)
        # In a GCT file a quote is an ordinary character, as in 5"-end.
        rows = split_lines(handle, "\t", is_quoted=False)
        names = next(rows, (3, []))[1]
        grid = collect_grid(
            ((line + 2, cells) for line, cells in rows),
            names,
            replace(options, features_in_rows=True),
            width=1 + n_row_notes + n_columns,
        )
    found = (grid.values.shape[0] - n_column_notes, len(names) - 1 - n_row_notes)
    if found != (n_rows, n_columns):
        raise TableError(
            f"{path} announces {n_rows} features and {n_columns} samples, but holds {found[0]} "
            f"and {found[1]}. It may be cut short: copy it again, or correct its second line."
        )
    return replace(
        grid,
        features_in_rows=True,
        annotation_columns=frozenset(range(1, 1 + n_row_notes)),
        annotation_rows=frozenset(range(n_column_notes)),
    )


def _gct_counts(line: str, version: str) -> tuple[int, int, int, int]:
    fields = line.split()
    if not all(field.isdecimal() for field in fields) or len(fields) < 2:
        raise TableError(
            f"line 2 is {line.strip()[:40]!r}, and a GCT file has the numbers of features and "
            "samples there. Export it again."
        )
    counts = [int(field) for field in fields]
    n_row_notes, n_column_notes = (1, 0) if version == "#1.2" else [*counts[2:], 0, 0][:2]
    return counts[0], counts[1], n_row_notes, n_column_notes


def read_arff(path: Path, options: ReadOptions) -> Grid:
    """Read an ARFF file.

    Its default target is the attribute called class (or target, outcome, label), or the last
    one.
    """
    with open_text(path, options.encoding) as handle:
        lines = ((number, line.strip()) for number, line in enumerate(handle, 1))
        lines = ((number, line) for number, line in lines if line and not line.startswith("%"))
        names = _read_attributes(lines)
        simple = [simplify(name) for name in names]
        usual = [simple.index(name) for name in CLASS_NAMES if name in simple]
        default = usual[0] if usual else len(names) - 1
        options = replace(
            options, features_in_rows=False, kept_columns=(*options.kept_columns, default)
        )
        grid = collect_grid(_split_arff(lines), names, options, width=len(names))
    return replace(grid, default_target=default, features_in_rows=False)


def _read_attributes(lines: Iterable[tuple[int, str]]) -> list[str]:
    """Return the names of the attributes; the lines are consumed up to ``@data``."""
    names: list[str] = []
    for number, line in lines:
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@data":
            if names:
                return names
            break
        if keyword == "@attribute":
            match = ATTRIBUTE.match(line)
            if match is None:
                raise TableError(
                    f"line {number} does not declare an attribute: {line[:60]!r}. It should read "
                    "@attribute NAME TYPE."
                )
            quoted = match[1] if match[1] is not None else match[2]
            names.append(match[3] if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        elif not keyword.startswith("@relation"):
            raise TableError(
                f"line {number} does not belong in the header of an ARFF file: {line[:60]!r}. If "
                "the file is plain comma-delimited text, call it .csv."
            )
    raise TableError("there are no attributes and @data, as an ARFF file has. Export it again.")


def _split_arff(lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """Yield line number and cells of the rows below ``@data``."""
    for number, line in lines:
        if line.startswith("{"):
            raise TableError(
                f"line {number} is a sparse row, which is not supported. Convert the file to "
                "dense ARFF, CSV or svmlight."
            )
        # Weka puts single quotes, other programs double ones.
        quote = "'" if "'" in line else '"'
        reader = csv.reader(
            [line], quotechar=quote, escapechar="\\", skipinitialspace=True, strict=True
        )
        yield number, next(reader)
