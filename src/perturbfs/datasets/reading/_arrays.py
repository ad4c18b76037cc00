"""Read arrays from .npy, .npz, MATLAB .mat and svmlight files, and assign their roles."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from perturbfs.datasets._errors import TableError

from ._files import check_file, check_signature, explained, find_unicode, looks_like
from ._limits import check_claim
from ._names import find_place, quoted, simplify, unknown_name
from ._options import ReadOptions
from ._parts import Parts
from ._sparse import checked_sparse, is_sparse, sparse_from_arrays

FEATURE_VARIABLES = ("featurenames", "features", "genenames", "genes", "varnames")
SAMPLE_VARIABLES = ("samplenames", "samples", "sampleids", "obsnames", "rownames")
# Exceptions that broken zip archives and headers of arrays cause.
ZIP_ERRORS = (RuntimeError, KeyError, TypeError, SyntaxError, TokenError, ValueError)


def read_npy(path: Path, options: ReadOptions) -> Parts:
    """Read one matrix; the target is a column of it, by position."""
    return _parts_from_matrix(load_npy(path), options)


def load_npy(path: Path) -> Any:
    """Return the array in a .npy file."""
    from perturbfs.arrays import read_npy_header

    check_signature(path, (b"\x93NUMPY",), "a .npy file")
    with explained(path, *ZIP_ERRORS), path.open("rb") as handle, _no_pickle("its array"):
        read_npy_header(str(path))  # an error if it announces more than the file holds
        array = np.load(handle, allow_pickle=False)
    return _checked_text(array, f"The array in {path}")


def read_npz(path: Path, options: ReadOptions) -> Parts:
    """Read several arrays, or one sparse matrix as SciPy saves it."""
    check_signature(path, (b"PK\x03\x04", b"PK\x05\x06"), "a .npz file")
    # NumPy leaves a broken file open if it opens it itself.
    with explained(path, *ZIP_ERRORS), path.open("rb") as handle:
        archive = np.load(handle, allow_pickle=False)
        size = sum(each.file_size for each in archive.zip.infolist())
        check_claim(size, options.read_memory, "the unpacked arrays")
        arrays = {}
        for name in archive.files:
            with _no_pickle(f"variable {name!r}"):
                arrays[name] = archive[name]
            _checked_text(arrays[name], f"Variable {name!r} of {path}")
    others = [name for name, array in arrays.items() if not isinstance(array, np.ndarray)]
    if others:
        raise TableError(
            f"{path} has entries that are no arrays: {quoted(others)}. The file is damaged, or "
            "not one of NumPy. Save it again with numpy.savez."
        )
    if {"format", "shape", "data"} <= set(arrays):
        return _parts_from_matrix(sparse_from_arrays(arrays), options)
    return _parts_from_arrays(arrays, options)


def _checked_text(array: Any, what: str) -> Any:
    """Return an array; refuse text with characters that do not exist, which break Python."""
    if isinstance(array, np.ndarray) and array.dtype.kind == "U":
        codes = np.frombuffer(array.tobytes(), dtype=f"{array.dtype.byteorder}u4")
        if codes.size and codes.max() > sys.maxunicode:
            raise TableError(f"{what} holds text that is not Unicode. Copy the file again.")
    return array


@contextmanager
def _no_pickle(what: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise TableError(
                f"{what} is stored as Python objects (pickle), which can run any program and is "
                "never read. Save it again as numbers or, for names, with .astype(str)."
            ) from error
        raise TableError(f"{what} is cut short or damaged ({error}). Copy it again.") from error


def read_mat(path: Path, options: ReadOptions) -> Parts:
    """Read the variables of a MATLAB file up to version 7."""
    head = check_file(path)
    found = looks_like(head)
    if head.startswith(b"MATLAB 7.3") or (found and "HDF5" in found):
        raise TableError(
            f"{path} is of MATLAB version 7.3, which is not supported. Save it again in MATLAB "
            "with: save(file, variables, '-v7')"
        )
    if found:
        check_signature(path, (b"MATLAB",), "a MATLAB file")
    import scipy.io

    # SciPy's reader has no exception of its own for files that are not MATLAB files.
    with explained(path, Exception):
        variables = scipy.io.loadmat(path, spmatrix=False)
    arrays = {n: _from_cells(value) for n, value in variables.items() if not n.startswith("__")}
    return _parts_from_arrays(arrays, options)


def _from_cells(value: Any) -> Any:
    """Return a cell array of strings as an array of str, and all else as it is."""
    if is_sparse(value):
        return checked_sparse(value if value.format in ("csr", "csc") else value.tocsr())
    if value.dtype.kind != "O":
        return value
    cells = [np.asarray(cell) for cell in value.ravel()]
    if all(cell.dtype.kind == "U" and cell.size <= 1 for cell in cells):
        return np.array(["".join(cell.ravel()) for cell in cells], dtype=np.str_)
    return value


def read_svmlight(path: Path, options: ReadOptions) -> Parts:
    """Read a sparse matrix and its labels."""
    from sklearn.datasets import load_svmlight_file

    find_unicode(path)
    if options.target is not None or options.features_in_rows:
        raise TableError(
            f"{path} is in svmlight format, which fixes the labels and the orientation. Leave out "
            "target and features_in_rows."
        )
    with explained(path, ValueError, IndexError, OverflowError):
        X, y = load_svmlight_file(path)
    return Parts(X=checked_sparse(X), y=y)


def _parts_from_matrix(X: Any, options: ReadOptions) -> Parts:
    """Take the features from one matrix; the target is a column of it, by position."""
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise TableError(
            f"the array has shape {X.shape} and type {X.dtype}, and a table of numbers with two "
            "dimensions is needed."
        )
    if options.features_in_rows:
        X = X.T
    if options.target is None:
        return Parts(X=X)
    place = find_place(options.target, None, X.shape[1], what="target")
    rest = [column for column in range(X.shape[1]) if column != place]
    if is_sparse(X):
        X = X.tocsc()
        y = X[:, [place]].toarray().ravel()
    else:
        y = X[:, place]
    return Parts(X=X[:, rest], y=y, target_name=f"column {place + 1}")


def _parts_from_arrays(arrays: dict[str, Any], options: ReadOptions) -> Parts:
    """Take features, outcome and names from named arrays.

    The features are the variable X, or the only matrix. The outcome is the variable that the
    caller named, or Y, or y, or the only vector as long as X has rows or, if there is none,
    columns; then X is transposed. Names of features and samples are the variables with a usual
    name. An integer as target is a column of X.
    """
    X_name = _find_matrix(arrays)
    X, others = arrays[X_name], {n: a for n, a in arrays.items() if n != X_name}
    vectors = {n: np.ravel(a) for n, a in others.items() if _is_vector(a)}
    if isinstance(options.target, int):
        parts, y_name = _parts_from_matrix(X, options), None
    else:
        y_name = _find_vector(arrays, vectors, X.shape, options.target)
        y = None if y_name is None else vectors[y_name]
        parts = Parts(X=_oriented(X, y, options.features_in_rows), y=y, target_name=y_name)
    names = {n: v for n, v in vectors.items() if n != y_name and v.dtype.kind in "US"}
    feature_at = _find_names(names, FEATURE_VARIABLES, parts.X.shape[1])
    sample_at = _find_names(names, SAMPLE_VARIABLES, parts.X.shape[0])
    unused = [name for name in others if name not in (y_name, feature_at, sample_at)]
    return replace(
        parts,
        feature_names=None if feature_at is None else names[feature_at].astype(str).tolist(),
        sample_names=None if sample_at is None else names[sample_at].astype(str).tolist(),
        dropped=tuple((name, "variable not used") for name in unused),
    )


def _is_vector(array: Any) -> bool:
    if is_sparse(array) or array.dtype.kind not in "fiubUS":
        return False
    return array.ndim == 1 or (array.ndim == 2 and 1 in array.shape)


def _is_matrix(array: Any) -> bool:
    return array.ndim == 2 and array.dtype.kind in "fiub"


def _find_matrix(arrays: dict[str, Any]) -> str:
    for name in ("X", "x"):
        if name in arrays and _is_matrix(arrays[name]):
            return name
    found = [n for n, array in arrays.items() if _is_matrix(array) and not _is_vector(array)]
    if len(found) != 1:
        raise TableError(
            f"{len(found)} variables could be the features, and one is needed. There are: "
            f"{_shapes(arrays)}. Call the matrix X."
        )
    return found[0]


def _find_vector(
    arrays: dict[str, Any],
    vectors: dict[str, Any],
    shape: tuple[int, int],
    target: str | None,
) -> str | None:
    if target is not None:
        if target not in arrays:
            raise unknown_name(target, list(arrays), what="target")
        if target not in vectors:
            raise TableError(f"target={target!r} is not a vector. There are: {_shapes(arrays)}.")
        return target
    for name in ("Y", "y"):
        if name in vectors:
            return name
    usual = FEATURE_VARIABLES + SAMPLE_VARIABLES
    free = {n: v for n, v in vectors.items() if simplify(n) not in usual}
    found = [n for n, v in free.items() if v.size == shape[0]]
    found = found or [n for n, v in free.items() if v.size == shape[1]]
    if len(found) > 1:
        raise TableError(
            f"{len(found)} variables could be the target: {quoted(found)}. Name one of them with "
            f"target. There are: {_shapes(arrays)}."
        )
    return found[0] if found else None


def _oriented(X: Any, y: Any, in_rows: bool | None) -> Any:
    """Return X with samples in rows, as the caller or the length of the outcome says."""
    if in_rows is None:
        in_rows = y is not None and y.size != X.shape[0] and y.size == X.shape[1]
    X = X.T if in_rows else X
    if y is not None and y.size != X.shape[0]:
        raise TableError(
            f"the target has {y.size} entries and there are {X.shape[0]} samples. The two numbers "
            "must agree. If the features are in rows, state it with --features-in-rows "
            "(features_in_rows=True)."
        )
    return X


def _find_names(names: dict[str, Any], usual: tuple[str, ...], size: int) -> str | None:
    return next((n for n, v in names.items() if simplify(n) in usual and v.size == size), None)


def _shapes(arrays: dict[str, Any]) -> str:
    return ", ".join(f"{name} {getattr(array, 'shape', '')}" for name, array in arrays.items())
