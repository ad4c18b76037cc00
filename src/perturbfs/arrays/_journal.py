"""Results of finished passes on disk, so that a job that was stopped does not repeat them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from perturbfs._support.files import atomic_path

from ._blocks import BlockFunction, Combine, FeatureBlocks, FeatureSource
from ._namespace import Array
from ._results_file import ResultsWriter, read_results
from ._wrapped import WrappedBlocks

# Blocks whose results are combined before they are written, where they can be: matrices as wide
# as the samples would take more than the data otherwise.
COMBINED = 32


class JournaledBlocks(WrappedBlocks):
    """Blocks that write the results of each pass to a file, and read them where it is there.

    Parameters
    ----------
    blocks : FeatureBlocks
    directory : path
        For the files, one a pass; made where it is missing.
    fingerprint : str
        Of the data, see `fingerprint_files`.

    Notes
    -----
    A file is named by what the pass computes: data, function and all it gets. So a file of
    other data or other parameters is never read, and passes may come in any order. A file is
    there whole or not at all.
    """

    def __init__(
        self, blocks: FeatureBlocks, directory: str | os.PathLike[str], fingerprint: str
    ) -> None:
        super().__init__(blocks)
        self.directory, self._fingerprint = Path(directory), fingerprint

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """One pass, as `FeatureBlocks.map` says, or what is known of it."""
        path = self.directory / f"{self._key(function, arrays)}.zip"
        if path.exists():
            yield from read_results(path)
            return
        self.directory.mkdir(parents=True, exist_ok=True)
        found = self.blocks.map(function, *arrays, combine=combine)
        if combine is not None:
            found = _combined(found, combine)
        with atomic_path(path) as temporary, ResultsWriter(temporary) as writer:
            for span, result in found:
                writer.add(span, result)
                yield span, result

    def row_chunks(self) -> Iterator[Array]:
        """As the blocks have them."""
        return self.blocks.row_chunks()

    def take(self, features: Array) -> Array:
        """As the blocks have them."""
        return self.blocks.take(features)

    def gather(self, features: Array) -> FeatureSource:
        """As the blocks have them."""
        return self.blocks.gather(features)

    def _key(self, function: BlockFunction, arrays: tuple[Array | None, ...]) -> str:
        parts = (version("perturbfs"), np.__version__, self._fingerprint, self.shape)
        return str(joblib.hash((parts, type(function).__qualname__, function, arrays), "sha1"))


def _combined(found: Iterator[tuple[slice, Any]], combine: Combine) -> Iterator[tuple[slice, Any]]:
    """Results of so many blocks made one."""
    start, stop, n_held, held = 0, 0, 0, None
    for span, result in found:
        held, n_held = (combine([held, result]) if n_held else result), n_held + 1
        stop = span.stop
        if n_held == COMBINED:
            yield slice(start, stop), held
            start, n_held, held = stop, 0, None
    if n_held:
        yield slice(start, stop), held


def fingerprint_files(path: str | os.PathLike[str]) -> str:
    """Of a file or of all files in a directory: names, sizes and times, not the contents."""
    root = Path(path)
    files = sorted(each for each in root.rglob("*") if each.is_file()) if root.is_dir() else [root]
    digest = hashlib.sha256()
    for file in files:
        known = file.stat()
        name = file.relative_to(root).as_posix()
        digest.update(f"{name}\x00{known.st_size}\x00{known.st_mtime_ns}\n".encode())
    return digest.hexdigest()
