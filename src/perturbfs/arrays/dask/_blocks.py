"""Features in a dask array: functions are sent to the features, and small results come back."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from perturbfs.arrays._block import to_float64
from perturbfs.arrays._blocks import BlockFunction, Combine, FeatureBlocks, block_width, each_once
from perturbfs.arrays._finite import refuse_bad_values
from perturbfs.arrays._namespace import Array, spans
from perturbfs.arrays.files._store import ColumnStore
from perturbfs.exceptions import StorageWarning

from ._cluster import DelayedResult, Engine, delayed, open_engine, results_in_order
from ._worker import ChunkWork, FilePart, combine_all, pick_columns, values_of, work_on

GATHERED_BYTES = 64 * 2**20  # of a chunk that is joined from chunks of samples
FAN_IN = 8  # results that one task combines


class DaskBlocks(FeatureBlocks):
    """Blocks of a dask array, processed by the workers of a cluster or by threads.

    Parameters
    ----------
    array : dask.array.Array of shape (n_samples, n_features)
        Chunked by features; chunks of samples are joined, with a warning.
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
    If a `distributed.Client` is active, its workers process the blocks, otherwise threads of this
    process do. They also check the values for NaN and infinity, in the first pass.
    """

    def __init__(
        self, array: Any, *, source: str = "the dask array", feature_names: Array | None = None
    ) -> None:
        self.array, self._given = _by_features(array), array
        self.source, self.feature_names = source, feature_names
        self.shape, self.dtype, self.xp = array.shape, np.dtype(array.dtype), np
        self.memory = 0  # bytes of features that may be copied into this process: none
        self._is_checked = False

    @classmethod
    def of_store(cls, store: ColumnStore) -> DaskBlocks:
        """Return the blocks of a file that every worker can read."""
        return _FileBlocks(store)

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """Call a function with every block, as `FeatureBlocks.map` does."""
        with open_engine() as engine:
            tasks = self._tasks(engine.share((function, combine)), arrays)
            if combine is None:
                for _, results in results_in_order(tasks, engine, self.source):
                    yield from results
            else:
                tasks = self._grouped(tasks, engine, combine)
                yield from results_in_order(tasks, engine, self.source)
        self._is_checked = True

    def row_chunks(self) -> Iterator[Array]:
        step = max(1, GATHERED_BYTES // (8 * self.shape[1]))
        tasks = (DelayedResult(span, self._samples(span)) for span in spans(self.shape[0], step))
        with open_engine() as engine:
            for _, values in results_in_order(tasks, engine, self.source):
                refuse_bad_values(values, self.feature_names)
                yield to_float64(values)

    def take(self, features: Array) -> Array:
        """Return features as a dense float64 array; no other features are sent."""
        wanted, place = each_once(features)
        columns = np.empty((self.shape[0], len(wanted)))
        with open_engine() as engine:
            for span, values in results_in_order(self._columns(wanted), engine, self.source):
                first, last = np.searchsorted(wanted, [span.start, span.stop])
                columns[:, first:last] = values
        return columns[:, place]

    def _samples(self, span: slice) -> Any:
        """Return all features of some samples, delayed."""
        return self._given[span].rechunk(-1).to_delayed().ravel()[0]

    def _chunks(self) -> Iterator[tuple[slice, Any]]:
        """Iterate over the spans of features, and what a task gets for the values of each."""
        stops = np.cumsum(self.array.chunks[1]).tolist()
        chunks = self.array.to_delayed()[0]
        for start, stop, chunk in zip([0, *stops[:-1]], stops, chunks, strict=True):
            # Without the parts of the graph for other chunks, which would be sent with every one.
            graph = chunk.dask.cull([chunk.key])
            layer = next(iter(graph.layers))
            yield slice(start, stop), type(chunk)(chunk.key, graph, layer=layer)

    def _tasks(self, shared: Any, arrays: Sequence[Array | None]) -> Iterator[DelayedResult]:
        """Iterate over the delayed results of each chunk."""
        work = delayed(work_on)
        for span, part in self._chunks():
            parts = tuple(None if each is None else each[span, ...] for each in arrays)
            names = None if self._is_checked else self.feature_names
            names = None if names is None else names[span]
            chunk = ChunkWork(span.start, parts, self._is_checked, names)
            yield DelayedResult(span, work(part, shared, chunk))

    def _grouped(
        self, tasks: Iterator[DelayedResult], engine: Engine, combine: Combine
    ) -> Iterator[DelayedResult]:
        """Combine the results of neighboring chunks before they are sent back.

        A combined result is often an n_samples x n_samples matrix. Enough chunks are combined to
        send back only a few values per feature, whatever the number of samples.
        """
        enough = max(1, self.shape[0] ** 2 // 4) if engine.is_remote else 1
        held: list[DelayedResult] = []
        for task in tasks:
            held.append(task)
            if task.span.stop - held[0].span.start >= enough or task.span.stop == self.shape[1]:
                span = slice(held[0].span.start, task.span.stop)
                yield DelayedResult(span, _tree([each.delayed for each in held], combine))
                held = []

    def _columns(self, wanted: Array) -> Iterator[DelayedResult]:
        """Iterate over the columns of features in increasing order, one result per chunk."""
        pick = delayed(pick_columns)
        for span, part in self._chunks():
            inside = wanted[(wanted >= span.start) & (wanted < span.stop)]
            if len(inside):
                yield DelayedResult(span, pick(part, inside - span.start, span.start))


class _FileBlocks(DaskBlocks):
    """Blocks of a file; each task reads its own part."""

    def __init__(self, store: ColumnStore) -> None:
        self._store, self.source, self.feature_names = (
            store,
            store.reader.source,
            store.feature_names,
        )
        self.shape, self.dtype, self.xp = store.shape, store.dtype, np
        self.memory, self._is_checked = 0, False

    def _samples(self, span: slice) -> Any:
        return delayed(values_of)(self._part(span, slice(0, self.shape[1])))

    def _chunks(self) -> Iterator[tuple[slice, Any]]:
        for span in spans(self.shape[1], self._store.read_width()):
            yield span, self._part(slice(0, self.shape[0]), span)

    def _part(self, rows: slice, columns: slice) -> FilePart:
        return FilePart(self._store.reader, rows, columns)


def _tree(results: list[Any], combine: Combine) -> Any:
    join = delayed(combine_all)
    while len(results) > 1:
        results = [
            join(results[first : first + FAN_IN], combine)
            for first in range(0, len(results), FAN_IN)
        ]
    return results[0]


def _by_features(array: Any) -> Any:
    """Return the array in chunks of whole features, joined where they are very narrow."""
    n_samples, n_features = array.shape
    width = block_width(n_samples)
    if array.numblocks[0] > 1:
        warnings.warn(
            f"The dask array has {array.numblocks[0]} chunks of samples, so every block of "
            "features is joined from all of them in every pass. Rechunk it first with "
            "X.rechunk({0: -1, 1: 'auto'}), and store the result.",
            StorageWarning,
            stacklevel=2,
        )
        return array.rechunk((n_samples, max(width, GATHERED_BYTES // (8 * n_samples))))
    if array.numblocks[1] * width > 2 * n_features + width:
        return array.rechunk((n_samples, width))
    return array
