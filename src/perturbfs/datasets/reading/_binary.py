"""Arrays without a table around them: .npy, .npz, MATLAB .mat and svmlight."""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse

from ._arrays import parts_from_arrays, parts_from_matrix
from ._grid import Wanted
from ._open import check_file, check_signature, check_text, explained, looks_like
from ._parts import Parts
from ._table import TableError

# What zip archives and headers of arrays raise where they are broken.
ZIP_ERRORS = (RuntimeError, KeyError, TypeError, SyntaxError, MemoryError, TokenError)


def read_npy(path: Path, wanted: Wanted) -> Parts:
    """One matrix; the target is a column of it, by position."""
    return parts_from_matrix(load_npy(path), wanted)


def load_npy(path: Path) -> Any:
    """The array in a .npy file."""
    check_signature(path, check_file(path), (b"\x93NUMPY",), "a .npy file")
    with explained(path, *ZIP_ERRORS), path.open("rb") as handle:
        return _unpickled(lambda: np.load(handle, allow_pickle=False), "its array")


def read_npz(path: Path, wanted: Wanted) -> Parts:
    """Several arrays, or one sparse matrix as SciPy saves it."""
    check_signature(path, check_file(path), (b"PK\x03\x04", b"PK\x05\x06"), "a .npz file")
    # NumPy leaves a broken file open if it opens it itself.
    with explained(path, *ZIP_ERRORS), path.open("rb") as handle:
        archive = np.load(handle, allow_pickle=False)
        arrays = {name: _load_variable(archive, name) for name in archive.files}
        if {"format", "shape", "data"} <= set(arrays):
            handle.seek(0)
            return parts_from_matrix(scipy.sparse.load_npz(handle), wanted)
    return parts_from_arrays(arrays, wanted)


def _load_variable(archive: Any, name: str) -> Any:
    return _unpickled(lambda: archive[name], f"variable {name!r}")


def _unpickled(load: Any, what: str) -> Any:
    try:
        return load()
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise TableError(
                f"{what} is stored as Python objects (pickle), which can run any program and is "
                "never read. Save it again as numbers or, for names, with .astype(str)."
            ) from error
        raise TableError(f"{what} is cut short or damaged ({error}). Copy it again.") from error


def read_mat(path: Path, wanted: Wanted) -> Parts:
    """Variables of a MATLAB file up to version 7."""
    head = check_file(path)
    found = looks_like(head)
    if head.startswith(b"MATLAB 7.3") or (found and "HDF5" in found):
        raise TableError(
            f"{path} is of MATLAB version 7.3, which is not read. Save it again in MATLAB with: "
            "save(file, variables, '-v7')"
        )
    if found and not head.startswith(b"MATLAB"):
        check_signature(path, head, (b"MATLAB",), "a MATLAB file")
    # SciPy's reader has no exception of its own for junk: it stumbles where it stumbles.
    damage = (ValueError, TypeError, KeyError, IndexError, MemoryError, NotImplementedError)
    with explained(path, *damage, scipy.io.matlab.MatReadError):
        variables = scipy.io.loadmat(path, spmatrix=False)
    arrays = {name: value for name, value in variables.items() if not name.startswith("__")}
    with explained(path):
        return parts_from_arrays({name: _from_cells(a) for name, a in arrays.items()}, wanted)


def _from_cells(value: Any) -> Any:
    """A cell array of strings as an array of str; all else as it is."""
    if scipy.sparse.issparse(value) or value.dtype.kind != "O":
        return value
    cells = [np.asarray(cell) for cell in value.ravel()]
    if all(cell.dtype.kind == "U" and cell.size <= 1 for cell in cells):
        return np.array(["".join(cell.ravel()) for cell in cells], dtype=np.str_)
    return value


def read_svmlight(path: Path, wanted: Wanted) -> Parts:
    """A sparse matrix and its labels."""
    from sklearn.datasets import load_svmlight_file

    check_text(path, is_compressed=path.suffix.lower() == ".gz")
    if wanted.target is not None or wanted.features_in_rows:
        raise TableError(
            f"{path} is in svmlight format, which has its labels and its orientation. Leave out "
            "target and features_in_rows."
        )
    with explained(path, ValueError, IndexError, OverflowError):
        X, y = load_svmlight_file(path)
    return Parts(X=X, y=y)
