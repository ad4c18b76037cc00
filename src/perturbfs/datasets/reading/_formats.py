"""Choose the reader for a file by its extension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from perturbfs.datasets._errors import TableError

from ._arrays import read_mat, read_npy, read_npz, read_svmlight
from ._columnar import read_excel, read_feather, read_h5ad, read_parquet
from ._files import explained
from ._grid import Grid
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


def read_file(path: Path, options: ReadOptions) -> Grid | Parts:
    """Read a file with the reader for its extension.

    Formats that name their samples, features and outcome themselves give `Parts`, all others
    a `Grid`.
    """
    reader = find_reader(path)
    if options.header is not None and reader not in WITH_HEADER:
        raise TableError(
            f"header={options.header} was given for {path}, but only delimited text and Excel "
            "files may have or lack a header. Leave it out."
        )
    with explained(path):
        return reader(path, options)
