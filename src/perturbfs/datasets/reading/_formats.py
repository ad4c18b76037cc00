"""Which reader an extension calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ._arff import read_arff
from ._binary import read_mat, read_npy, read_npz, read_svmlight
from ._columnar import read_excel, read_feather, read_h5ad, read_parquet
from ._grid import Grid, Wanted
from ._open import explained
from ._parts import Parts
from ._table import TableError
from ._text import read_delimited, read_gct

Reader = Callable[[Path, Wanted], Grid | Parts]

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
ARRAY_READERS = (read_npy, read_npz, read_mat, read_svmlight, read_h5ad)  # return Parts


def find_reader(path: Path) -> Reader:
    """The reader for a file, by its extension.

    Parameters
    ----------
    path : Path

    Returns
    -------
    reader : callable
        Takes the path and what is wanted, returns a grid or its parts.

    Raises
    ------
    TableError
        For an unknown extension, with those that are known.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"] and suffixes[-2:-1] and suffixes[-2] in COMPRESSED:
        return READERS[suffixes[-2]]
    if suffixes and suffixes[-1] in READERS:
        return READERS[suffixes[-1]]
    raise TableError(
        f"{path} has the extension {''.join(suffixes[-2:]) or '(none)'!r}, which says no format "
        f"known here. Known are {' '.join(READERS)}, and with .gz {' '.join(COMPRESSED)}. Rename "
        "or convert it."
    )


def read_with(reader: Reader, path: Path, wanted: Wanted) -> Grid | Parts:
    """What a reader finds; a header may be asked for only where a format may lack one."""
    if wanted.header is not None and reader not in WITH_HEADER:
        raise TableError(
            f"header={wanted.header} was given for {path}, but only delimited text and Excel can "
            "be with or without. Leave it out."
        )
    with explained(path):
        return reader(path, wanted)
