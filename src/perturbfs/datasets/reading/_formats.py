"""Choose the reader for a file by its extension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from perturbfs.datasets._errors import TableError

from ._arrays import read_mat, read_npy, read_npz, read_svmlight
from ._columnar import read_feather, read_h5ad, read_parquet
from ._excel import read_excel
from ._files import UTF_8, explained, find_unicode
from ._grid import Grid
from ._notation import describe_notation, find_notation, with_notation
from ._options import ReadOptions
from ._parts import Parts
from ._text import read_arff, read_delimited, read_gct

Reader = Callable[[Path, ReadOptions], Grid | Parts]

READERS: dict[str, Reader] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".txt": read_delimited,
    ".gct": read_gct,
    ".svmlight": read_svmlight,
    ".libsvm": read_svmlight,
    ".arff": read_arff,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".feather": read_feather,
    ".arrow": read_feather,
    ".xlsx": read_excel,
    ".xls": read_excel,
    ".h5ad": read_h5ad,
    ".npy": read_npy,
    ".npz": read_npz,
    ".mat": read_mat,
}
COMPRESSED = (".csv", ".tsv", ".txt", ".gct", ".svmlight", ".libsvm")
WITH_HEADER = (read_delimited, read_excel)
OF_TEXT = (read_delimited, read_gct, read_arff)
WINDOWS = "cp1252"  # what Western programs write that do not write Unicode; Latin-1 is part of it
# Compiled code, or compressed content: read in a child process with limits.
RISKY = frozenset(
    [
        *(".gz", ".svmlight", ".libsvm", ".parquet", ".pq", ".feather", ".arrow"),
        *(".xlsx", ".xls", ".h5ad", ".npz", ".mat"),
    ]
)
ARRAY_READERS = (read_npy, read_npz, read_mat, read_svmlight, read_h5ad)  # return Parts


def find_reader(path: Path) -> Reader:
    """Return the reader for a file, by its extension.

    Parameters
    ----------
    path : Path

    Returns
    -------
    reader : callable
        Takes the path and the options, returns a grid or its parts.

    Raises
    ------
    TableError
        For an unknown extension; the message lists the known ones.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"] and suffixes[-2:-1] and suffixes[-2] in COMPRESSED:
        return READERS[suffixes[-2]]
    if suffixes and suffixes[-1] in READERS:
        return READERS[suffixes[-1]]
    raise TableError(
        f"{path} has the extension {''.join(suffixes[-2:]) or '(none)'!r}, which is not the "
        f"extension of a supported format. Supported are {' '.join(READERS)}, and with .gz "
        f"{' '.join(COMPRESSED)}. Rename or convert the file."
    )


def is_risky(path: Path | None) -> bool:
    """Return whether a file is read in a child process, which may crash or be stopped."""
    return path is not None and path.suffix.lower() in RISKY


def read_file(path: Path, options: ReadOptions) -> Grid | Parts:
    """Read a file with the reader for its extension.

    Formats that name their samples, features and outcome themselves give `Parts`, all others
    a `Grid`.
    """
    reader = find_reader(path)
    _check_fit(path, reader, options)
    with explained(path):
        try:
            found = reader(path, options)
        except UnicodeDecodeError:
            options = replace(options, encoding=WINDOWS)
            found = reader(path, options)
        if not isinstance(found, Grid):
            return found
        notation = None
        if options.finds_notation and found.cells == options.cells:
            # The first rows had a decimal point only; the others are among the examples of text.
            notation = find_notation(found.examples.values(), is_text=reader in OF_TEXT)
        if notation is not None:
            cells = with_notation(options.cells, notation)
            found = reader(path, replace(options, cells=cells, finds_notation=False))
            assert isinstance(found, Grid)
        return replace(found, notes=(*_notes_on(path, reader, options, found), *found.notes))


def _notes_on(path: Path, reader: Reader, options: ReadOptions, found: Grid) -> list[str]:
    """Return sentences on the encoding of a file and on how it writes numbers."""
    notes = []
    if options.encoding is not None:
        notes.append("The text is not Unicode. It was read as Latin-1 (Windows-1252).")
    elif reader in OF_TEXT and find_unicode(path) != UTF_8:
        notes.append(f"The text was read as {find_unicode(path).upper()}.")
    if found.cells.has_marks:
        notes.append(describe_notation(found.cells))
    return notes


def _check_fit(path: Path, reader: Reader, options: ReadOptions) -> None:
    """Raise an error for an option that the format of a file does not have."""
    of_text = "only delimited text and Excel files may have or lack a header"
    reasons = (
        ("header", WITH_HEADER, of_text),
        ("skip_rows", WITH_HEADER, "rows are skipped in delimited text and Excel files only"),
        ("sheet", (read_excel,), "only Excel files have sheets"),
        ("layer", (read_h5ad,), "only .h5ad files have layers"),
    )
    for name, readers, reason in reasons:
        value = getattr(options, name)
        if value is not None and reader not in readers:
            raise TableError(f"{name}={value!r} was given for {path}, but {reason}. Leave it out.")
