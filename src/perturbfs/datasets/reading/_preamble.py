"""The lines above a table: comments, titles, and the delimiter that Excel writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import IO

from perturbfs.datasets._errors import TableError

from ._grid import COMMENTS

Split = Callable[[str], list[str]]
MAX_TITLES = 10


def skip_lines(handle: IO[str], n_lines: int) -> None:
    """Skip the lines that the user does not want to be read."""
    if len(list(islice(handle, n_lines))) < n_lines:
        raise TableError(
            f"the file has fewer than {n_lines} lines, which were to be skipped. Give a smaller "
            "number of lines with --skip-rows (skip_rows)."
        )


def take_comments(handle: IO[str]) -> tuple[list[str], Iterator[str]]:
    """Return the comments above the first row, blank lines included, and the other lines."""
    comments: list[str] = []
    for line in handle:
        if not _is_comment(line):
            return comments, chain([line], handle)
        comments.append(line)
    return comments, iter(())


def _is_comment(line: str) -> bool:
    line = line.strip().lstrip('"')
    return not line or line.startswith(COMMENTS) or line.casefold().startswith("sep=")


def header_in_comments(comments: Sequence[str], below: str, split: Split) -> str | None:
    """Return the last comment if it is a header, as in '#OTU ID', without its mark.

    Parameters
    ----------
    comments : sequence of str
    below : str
        The first line below the comments.
    split : callable
        Returns the cells of a line.
    """
    line = comments[-1].strip("\r\n")
    if not line.startswith("#"):
        return None
    names, first = split(line.lstrip("#")), split(below)
    if not any(map(_is_number, first[1:])):
        return None
    is_header = len(names) == len(first) > 1 and not any(map(_is_number, names[1:]))
    return line.lstrip("#") + "\n" if is_header else None


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def count_titles(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of first rows that are titles.

    A title fills at most half of the cells of the row below the titles, and has no number.

    Examples
    --------
    >>> count_titles([["Table S1", "", ""], ["sample", "a", "b"], ["s1", "1", "2"]])
    1
    """
    filled = [[cell for cell in row if cell.strip()] for row in rows]
    width = max(map(len, filled), default=0)
    n_titles = 0
    for cells in filled[:MAX_TITLES]:
        if 2 * len(cells) > width or any(map(_is_number, cells)):
            break
        n_titles += 1
    return n_titles if n_titles < len(rows) - 1 else 0
