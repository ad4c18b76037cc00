"""Engines that compute delayed results: the workers of a dask cluster, or threads here."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from perturbfs._support.extras import import_extra
from perturbfs.arrays.files._store import unreadable
from perturbfs.exceptions import BlockReadError, ClusterError

from ._worker import BlockFailure, Shared

TASKS_PER_THREAD = 2  # of a cluster: one that runs and one that waits for it

LOST = (
    "The connection to the dask cluster was lost before the work was done. There is no result. "
    "Check that its scheduler is running, and start again."
)


@dataclass(frozen=True, slots=True)
class DelayedResult:
    """A result that is not computed yet, and the features (or samples) it belongs to."""

    span: slice
    delayed: Any


def dask_module(name: str) -> Any:
    """Import a module of dask, or raise an error that says how to install it."""
    return import_extra(f"dask.{name}", extra="dask", needed_by="A dask array")


def delayed(function: Callable[..., Any]) -> Any:
    """Return a function whose calls are delayed."""
    return dask_module("delayed").delayed(function, pure=False)


class Engine:
    """Threads of this process that compute delayed results.

    Attributes
    ----------
    n_in_flight : int
        Results that may be under way, so that few of them wait to be taken.
    is_remote : bool
        Whether results are sent between processes.
    """

    is_remote = False

    def __init__(self, pool: ThreadPoolExecutor, n_threads: int) -> None:
        self._pool, self.n_in_flight = pool, n_threads + 1

    def share(self, value: Any) -> Any:
        """Return what delayed calls get in place of a value that all of them need."""
        return Shared(value)

    def submit(self, delayed: Any) -> Any:
        """Return a future of a delayed result."""
        return self._pool.submit(delayed.compute, scheduler="synchronous")

    def cancel(self, futures: Iterable[Any]) -> None:
        """Cancel what is not needed any more."""
        for future in futures:
            future.cancel()


class ClusterEngine(Engine):
    """The workers of a dask cluster."""

    is_remote = True

    def __init__(self, client: Any) -> None:
        self._client = client
        with explained():
            n_threads = sum(client.nthreads().values())
        self.n_in_flight = TASKS_PER_THREAD * max(n_threads, 1)

    def share(self, value: Any) -> Any:
        # It is sent once. A task, not scattered data: if a worker is lost, it is computed again.
        with explained(), _large_graphs_allowed():
            return self._client.submit(Shared, value, pure=False)

    def submit(self, delayed: Any) -> Any:
        with explained(), _large_graphs_allowed():
            return self._client.compute(delayed)

    def cancel(self, futures: Iterable[Any]) -> None:
        if self._client.status == "running":
            self._client.cancel(list(futures))


@contextmanager
def open_engine() -> Iterator[Engine]:
    """Open an engine for one pass: the cluster whose client is active, or threads."""
    client = getattr(dask_module("base").get_scheduler(), "__self__", None)
    if client is not None:
        yield ClusterEngine(client)
        return
    config = dask_module("config")
    is_single = config.get("scheduler", None) in ("sync", "synchronous")
    n_threads = 1 if is_single else config.get("num_workers", None) or os.cpu_count() or 1
    pool = ThreadPoolExecutor(n_threads)
    try:
        yield Engine(pool, n_threads)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def results_in_order(
    tasks: Iterable[DelayedResult], engine: Engine, source: str
) -> Iterator[tuple[slice, Any]]:
    """Compute delayed results, only a limited number at a time.

    Parameters
    ----------
    tasks : iterable of DelayedResult
        Taken one by one as results are.
    engine : Engine
    source : str
        Where the values come from, for messages.

    Yields
    ------
    span, result : slice and result
    """
    waiting = iter(tasks)
    pending: deque[tuple[slice, Any]] = deque()
    try:
        while True:
            for task in islice(waiting, engine.n_in_flight - len(pending)):
                pending.append((task.span, engine.submit(task.delayed)))
            if not pending:
                return
            span, future = pending.popleft()
            yield span, _result(span, future, source)
    finally:
        if pending:
            engine.cancel(future for _, future in pending)


def _result(span: slice, future: Any, source: str) -> Any:
    try:
        with explained():
            return future.result()
    except BlockFailure as failure:
        raise failure.args[0] from None
    except (BlockReadError, ClusterError, MemoryError):
        raise
    except Exception as error:
        raise unreadable(source, span, error) from error


@contextmanager
def explained() -> Iterator[None]:
    """Turn the various errors of a lost cluster into one error with a one-sentence message."""
    try:
        yield
    except Exception as error:
        sentence = _describe(error)
        if sentence is None:
            raise
        raise ClusterError(sentence) from error


def _describe(error: Exception) -> str | None:
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    if isinstance(error, distributed.scheduler.KilledWorker):
        return (
            "A block of features made several workers of the cluster stop one after the other, "
            "most likely because it does not fit into their memory. Use smaller chunks, or "
            "workers with more memory."
        )
    is_lost = isinstance(error, (CancelledError, distributed.core.CommClosedError))
    if not is_lost and type(error).__name__ not in ("ClosedClientError", "FutureCancelledError"):
        return None
    return LOST


@contextmanager
def _large_graphs_allowed() -> Iterator[None]:
    """Suppress the warning of distributed about functions that hold some megabytes."""
    with dask_module("config").set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
        yield
