"""The cells of a file, before its rows and columns get their roles."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs.datasets._errors import TableError

from ._cells import PLAIN, CellFormat
from ._names import FEATURE_NAMES, SAMPLE_NAMES, simplify
from ._options import ReadOptions

Dropped = tuple[tuple[str, str], ...]  # what is left out, and why
Row = tuple[int, list[str]]  # line number, for messages, and cells
Places = NDArray[np.intp]  # (n, 2): row and column

MAX_EXAMPLES = 1000
COMMENTS = ("#", "!")  # how a line of comments starts


def no_places() -> Places:
    """Return an array for the places of no cells."""
    return np.empty((0, 2), dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a file as numbers, and as text where they may be names or an outcome."""

    values: NDArray[Any]  # (n_rows, n_columns); NaN where a cell is missing or text
    column_names: list[str] | None = None
    row_names: list[str] | None = None
    column_texts: dict[int, list[str]] = field(default_factory=dict)  # column → its cells
    row_texts: dict[int, list[str]] = field(default_factory=dict)
    text_at: Places = field(default_factory=lambda: no_places())
    token_at: Places = field(default_factory=lambda: no_places())  # text for missing values
    examples: dict[tuple[int, int], str] = field(default_factory=dict)  # some of the text
    # Rows and columns that describe samples or features, where the format says so.
    annotation_rows: frozenset[int] = frozenset()
    annotation_columns: frozenset[int] = frozenset()
    default_target: int | None = None  # column that is the outcome by a rule of the format
    features_in_rows: bool | None = None  # where the format fixes it
    dropped: Dropped = ()
    notes: tuple[str, ...] = ()  # sentences on how the file was read
    cells: CellFormat = PLAIN  # how it writes numbers

    def transposed(self) -> Grid:
        """Return the grid with rows and columns exchanged; the values are a view."""
        return replace(
            self,
            values=self.values.T,
            column_names=self.row_names,
            row_names=self.column_names,
            column_texts=self.row_texts,
            row_texts=self.column_texts,
            text_at=self.text_at[:, ::-1],
            token_at=self.token_at[:, ::-1],
            examples={(column, row): text for (row, column), text in self.examples.items()},
            annotation_rows=self.annotation_columns,
            annotation_columns=self.annotation_rows,
            default_target=None,
        )

    def without_columns(self, reasons: Mapping[int, str | None]) -> Grid:
        """Return the grid without some columns; a view if the rest are neighbors.

        Parameters
        ----------
        reasons : dict of int to str or None
            The columns, and why each is dropped. With None a column is not reported.
        """
        kept = [column for column in range(self.values.shape[1]) if column not in reasons]
        place = {column: position for position, column in enumerate(kept)}
        is_run = bool(kept) and kept[-1] - kept[0] + 1 == len(kept)  # then a view saves a copy
        dropped = tuple(
            (self.column_name(column) or f"column {column + 1}", reason)
            for column, reason in reasons.items()
            if reason is not None
        )
        return replace(
            self,
            values=self.values[:, kept[0] : kept[-1] + 1] if is_run else self.values[:, kept],
            column_names=self.column_names and [self.column_names[column] for column in kept],
            column_texts={place[c]: t for c, t in self.column_texts.items() if c in place},
            row_texts={r: [t[c] for c in kept] for r, t in self.row_texts.items()},
            text_at=_renumbered(self.text_at, kept),
            token_at=_renumbered(self.token_at, kept),
            examples={(r, place[c]): t for (r, c), t in self.examples.items() if c in place},
            annotation_columns=frozenset(place[c] for c in self.annotation_columns if c in place),
            default_target=None,
            dropped=self.dropped + dropped,
        )

    def column_name(self, column: int) -> str:
        """Return the name of a column, or its position where the file has no names."""
        return self.column_names[column] if self.column_names else f"column {column + 1}"

    def column_entries(self, column: int) -> list[str] | NDArray[Any]:
        """Return the cells of a column as text where it was kept, otherwise as numbers."""
        entries = self.column_texts.get(column)
        return self.values[:, column] if entries is None else entries


def _renumbered(places: Places, kept: list[int]) -> Places:
    """Return the places of cells in the columns that are kept, with their new numbers."""
    columns = np.array(kept, dtype=np.intp)
    places = places[np.isin(places[:, 1], columns)]
    return np.column_stack([places[:, 0], np.searchsorted(columns, places[:, 1])])


def _as_places(pairs: array[int]) -> Places:
    return np.frombuffer(pairs, dtype=np.int64).reshape(-1, 2).astype(np.intp)


def collect_grid(
    rows: Iterable[Row], names: list[str] | None, options: ReadOptions, *, width: int
) -> Grid:
    """Convert rows of text, one at a time, to a grid.

    Parameters
    ----------
    rows : iterable of (line, cells)
    names : list of str or None
        Names of the columns.
    options : ReadOptions
    width : int
        Number of cells that every row must have. Empty cells beyond it are ignored, and so are
        comments and rows without any entry.

    Returns
    -------
    grid : Grid

    Notes
    -----
    No table library is used for text. Those that read column by column allocate memory for
    each of 100,000 columns. Converting a row and forgetting its text needs little more memory
    than the numbers. `benchmarks/reading.py` has the figures.
    """
    numbers, text_at, token_at = array("d"), array("q"), array("q")
    column_texts: dict[int, list[str]] = {
        column: [] for column in columns_to_keep(names, width, options)
    }
    row_texts: dict[int, list[str]] = {}
    examples: dict[tuple[int, int], str] = {}
    row_target = _target_in_rows(names, options)
    suspects = set(column_texts)
    row = 0
    for line, cells in rows:
        cells = _with_width(cells, width, line)
        if not cells:
            continue
        values, text, tokens = options.cells.parse_row(cells, suspects)
        numbers.frombytes(values.tobytes())
        for column, entries in column_texts.items():
            entries.append(cells[column])
        for found, columns in ((text_at, text), (token_at, tokens)):
            found.extend(chain.from_iterable((row, column) for column in columns))
        for column in islice(chain(text, tokens), MAX_EXAMPLES - len(examples)):
            examples[row, column] = cells[column]
        if row_target is not None and (cells[0] == row_target or 2 * len(text) >= width):
            row_texts[row] = cells
        row += 1
    return Grid(
        values=np.frombuffer(numbers, dtype=np.float64).reshape(row, width),
        column_names=names,
        column_texts=column_texts,
        row_texts=row_texts,
        text_at=_as_places(text_at),
        token_at=_as_places(token_at),
        examples=examples,
        cells=options.cells,
    )


def _with_width(cells: list[str], width: int, line: int) -> list[str]:
    """Return the cells of a row; none for a comment and for a row without any entry."""
    if len(cells) == width:
        return cells if any(map(str.strip, cells)) or width == 1 else []
    if cells[0].lstrip().startswith(COMMENTS):
        return []
    if len(cells) > width and not any(map(str.strip, cells[width:])):
        return cells[:width]
    raise TableError(
        f"line {line} has {len(cells)} fields where {width} are expected. Correct that "
        "line, or put quotes around entries that contain the delimiter. If it is the "
        "last line, the file may be cut short."
    )


def columns_to_keep(names: list[str] | None, width: int, options: ReadOptions) -> list[int]:
    """Return the columns whose text is needed: those that may be names or the outcome.

    Only the numbers of the others are kept. The text of a wide table would take ten times the
    memory of its numbers.
    """
    keep = {0, *options.kept_columns}
    asked = [name for name in (options.target, options.index) if name is not None]
    keep.update(place % width for place in asked if isinstance(place, int))
    usual = SAMPLE_NAMES | FEATURE_NAMES
    for column, name in enumerate((names or [])[:width]):
        if name in asked or simplify(name) in usual:
            keep.add(column)
    return sorted(keep)


def _target_in_rows(names: list[str] | None, options: ReadOptions) -> str | int | None:
    """Return the target if it may be a row of the file.

    Rows of this name, and rows that are mostly text, are then kept as text.
    """
    is_column = options.features_in_rows is None and options.target in (names or [])
    return None if options.features_in_rows is False or is_column else options.target
