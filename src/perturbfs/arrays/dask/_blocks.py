"""Features in a dask array: functions go to where the features are, small results come back."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from perturbfs.arrays._blocks import (
    BlockFunction,
    Combine,
    FeatureSource,
    block_width,
    each_once,
    spans,
)
from perturbfs.arrays._finite import refuse_bad_values
from perturbfs.arrays._namespace import Array, Namespace
from perturbfs.arrays.files._store import (
    ColumnReader,
    ColumnStore,
    GatheredFeatures,
    read_part,
    to_float64,
)
from perturbfs.exceptions import StorageWarning

from ._cluster import Engine, Task, dask_module, find_engine, results_in_order
from ._worker import ChunkWork, combine_all, pick_columns, read_chunk, work_on

GATHERED_BYTES = 64 * 2**20  # of a chunk that is put together from chunks of samples
FAN_IN = 8  # results that one task combines


class DaskBlocks:
    """Blocks of a dask array, worked on by the workers of a cluster or by threads.

    Parameters
    ----------
    array : dask.array.Array of shape (n_samples, n_features)
        Chunked by features; chunks of samples are put together, with a warning.
    source : str
        Where the values come from, for messages.
    feature_names : array of str, optional

    Attributes
    ----------
    shape : tuple of int
    dtype : dtype
        As stored; blocks are float64.

    Notes
    -----
    With a `distributed.Client` active its workers do the work, otherwise threads of this process
    do. Values are checked for NaN and infinity in the first pass, where they are.
    """

    def __init__(
        self, array: Any, *, source: str = "the dask array", feature_names: Array | None = None
    ) -> None:
        self.array, self._given = _by_features(array), array
        self.source, self.feature_names = source, feature_names
        self.shape: tuple[int, int] = array.shape
        self.dtype = np.dtype(array.dtype)
        self.xp: Namespace = np
        self.memory = 0  # bytes of the features that may be brought here: none
        self._is_checked = False
        self._reader: ColumnReader | None = None

    @classmethod
    def of_store(cls, store: ColumnStore) -> DaskBlocks:
        """Blocks of a file that every worker can read."""
        height, width = store.shape
        widths = tuple(span.stop - span.start for span in spans(width, store.read_width()))
        array = dask_module("array").map_blocks(
            read_chunk,
            store.reader,
            chunks=((height,), widths),
            dtype=store.dtype,
            meta=np.empty((0, 0), dtype=store.dtype),
        )
        blocks = cls(array, source=store.reader.source, feature_names=store.feature_names)
        blocks._reader = store.reader
        return blocks

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """One pass, as `FeatureBlocks.map` says."""
        with find_engine() as engine:
            tasks = self._tasks(engine.share((function, combine)), arrays)
            if combine is None:
                for _, results in results_in_order(tasks, engine, self.source):
                    yield from results
            else:
                grouped = self._grouped(tasks, engine, combine)
                yield from results_in_order(grouped, engine, self.source)
        self._is_checked = True

    def row_chunks(self) -> Iterator[Array]:
        """Dense float64 chunks of samples, in order."""
        step = max(1, GATHERED_BYTES // (8 * self.shape[1]))
        tasks = (
            Task(span, self._given[span].rechunk(-1).to_delayed().ravel()[0])
            for span in spans(self.shape[0], step)
        )
        with find_engine() as engine:
            for _, values in results_in_order(tasks, engine, self.source):
                refuse_bad_values(values, self.feature_names)
                yield to_float64(values)

    def take(self, features: Array) -> Array:
        """The named features as a dense float64 array; no others travel."""
        wanted, place = each_once(features)
        columns = np.empty((self.shape[0], len(wanted)))
        with find_engine() as engine:
            for span, values in results_in_order(self._columns(wanted), engine, self.source):
                first, last = np.searchsorted(wanted, [span.start, span.stop])
                columns[:, first:last] = values
        return columns[:, place]

    def gather(self, features: Array) -> FeatureSource:
        """These features, held in memory here."""
        features = np.unique(features)
        return GatheredFeatures(features, self.take(features))

    def _chunks(self) -> Iterator[tuple[slice, Any]]:
        stops = np.cumsum(self.array.chunks[1]).tolist()
        found = [slice(*ends) for ends in zip([0, *stops[:-1]], stops, strict=True)]
        if self._reader is None:
            parts = self.array.to_delayed()[0]
            # Each with its own part of the graph only, which else would be sent with every chunk.
            yield from zip(found, (_culled(part) for part in parts), strict=True)
            return
        read = dask_module("delayed").delayed(read_part, pure=False)
        for span in found:
            yield span, read(self._reader, slice(0, self.shape[0]), span)

    def _tasks(self, shared: Any, arrays: Sequence[Array | None]) -> Iterator[Task]:
        """A task a chunk."""
        work = dask_module("delayed").delayed(work_on, pure=False)
        for span, part in self._chunks():
            parts = tuple(None if each is None else each[span, ...] for each in arrays)
            names = None if self._is_checked else self.feature_names
            names = None if names is None else names[span]
            chunk = ChunkWork(span.start, parts, self._is_checked, names)
            yield Task(span, work(part, shared, chunk))

    def _grouped(self, tasks: Iterator[Task], engine: Engine, combine: Combine) -> Iterator[Task]:
        """Tasks whose results are combined before they travel.

        So many that the combined result, m x m say, is no larger than what is found of each
        feature: what comes back is a few values a feature, whatever the number of samples.
        """
        enough = max(1, self.shape[0] ** 2 // 4) if engine.is_remote else 1
        held: list[Task] = []
        for task in tasks:
            held.append(task)
            if task.span.stop - held[0].span.start >= enough or task.span.stop == self.shape[1]:
                span = slice(held[0].span.start, task.span.stop)
                yield Task(span, _tree([each.delayed for each in held], combine))
                held = []

    def _columns(self, wanted: Array) -> Iterator[Task]:
        """A task for each chunk that holds some of the features, which are given in order."""
        pick = dask_module("delayed").delayed(pick_columns, pure=False)
        for span, part in self._chunks():
            inside = wanted[(wanted >= span.start) & (wanted < span.stop)]
            if len(inside):
                yield Task(span, pick(part, inside - span.start, span.start))


def _culled(part: Any) -> Any:
    graph = part.dask.cull([part.key])
    return type(part)(part.key, graph, layer=next(iter(graph.layers)))


def _tree(results: list[Any], combine: Combine) -> Any:
    join = dask_module("delayed").delayed(combine_all, pure=False)
    while len(results) > 1:
        results = [
            join(results[first : first + FAN_IN], combine)
            for first in range(0, len(results), FAN_IN)
        ]
    return results[0]


def _by_features(array: Any) -> Any:
    """The array in chunks of whole features, none of them too narrow to be worth a task."""
    n_samples, n_features = array.shape
    width = block_width(n_samples)
    if array.numblocks[0] > 1:
        warnings.warn(
            f"The dask array is cut into {array.numblocks[0]} chunks of samples, so every block "
            "of features is put together from all of them in every pass. Rechunk it before, "
            "X.rechunk({0: -1, 1: 'auto'}), and store it so.",
            StorageWarning,
            stacklevel=2,
        )
        return array.rechunk((n_samples, max(width, GATHERED_BYTES // (8 * n_samples))))
    if array.numblocks[1] * width > 2 * n_features + width:
        return array.rechunk((n_samples, width))
    return array
