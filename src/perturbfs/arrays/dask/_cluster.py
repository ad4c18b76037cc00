"""Where tasks of dask run: on the workers of a cluster, or in threads of this process."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, Self

from perturbfs._support.extras import import_extra
from perturbfs.arrays.files._store import unreadable
from perturbfs.exceptions import BlockReadError, ClusterError

# Tasks a thread of the cluster that are under way: one in work, one that waits for it.
TASKS_A_THREAD = 2

LOST = (
    "The connection to the dask cluster was lost before the work was done. There is no result. "
    "Check that its scheduler is running, and start again."
)


class BlockFailure(Exception):
    """An error of our own function, told apart from one of reading; it is the only argument."""


@dataclass(frozen=True, slots=True)
class Task:
    """A delayed task, and the features (or samples) its result belongs to."""

    span: slice
    delayed: Any


class Shared:
    """Holds what all tasks of a pass need; dask leaves it as it is."""

    def __init__(self, value: Any) -> None:
        self.value = value


def dask_module(name: str) -> Any:
    """A module of dask, or an error that says how to install it."""
    return import_extra(f"dask.{name}", extra="dask", needed_by="A dask array")


class Engine(Protocol):
    """Somewhere to run the tasks of one pass."""

    n_in_flight: int  # tasks that may be under way, so that few results wait to be taken
    is_remote: bool  # whether results travel

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def share(self, value: Any) -> Any:
        """What stands for a `Shared` value in tasks; it is sent once."""

    def submit(self, delayed: Any) -> Any:
        """A future of a delayed task."""

    def cancel(self, futures: Iterable[Any]) -> None:
        """Forget what is not needed any more."""


def find_engine() -> Engine:
    """The cluster whose client is active, or threads of this process."""
    client = getattr(dask_module("base").get_scheduler(), "__self__", None)
    return _Threads() if client is None else _Cluster(client)


class _Threads:
    """Threads of this process."""

    is_remote = False

    def __init__(self) -> None:
        config = dask_module("config")
        is_single = config.get("scheduler", None) in ("sync", "synchronous")
        n_threads = 1 if is_single else config.get("num_workers", None) or os.cpu_count() or 1
        self.n_in_flight = n_threads + 1
        self._pool = ThreadPoolExecutor(n_threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def share(self, value: Any) -> Any:
        return Shared(value)

    def submit(self, delayed: Any) -> Any:
        return self._pool.submit(delayed.compute, scheduler="synchronous")

    def cancel(self, futures: Iterable[Any]) -> None:
        for future in futures:
            future.cancel()


class _Cluster:
    """The workers of a cluster."""

    is_remote = True

    def __init__(self, client: Any) -> None:
        self._client = client
        with explained():
            n_threads = sum(client.nthreads().values())
        self.n_in_flight = TASKS_A_THREAD * max(n_threads, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """The client is not ours to close."""

    def share(self, value: Any) -> Any:
        # A task rather than scattered data: what a lost worker held is made again.
        with explained(), _large_graphs_allowed():
            return self._client.submit(Shared, value, pure=False)

    def submit(self, delayed: Any) -> Any:
        with explained(), _large_graphs_allowed():
            return self._client.compute(delayed)

    def cancel(self, futures: Iterable[Any]) -> None:
        if self._client.status == "running":
            self._client.cancel(list(futures))


def results_in_order(
    tasks: Iterable[Task], engine: Engine, source: str
) -> Iterator[tuple[slice, Any]]:
    """The results of tasks, of which only so many are under way at a time.

    Parameters
    ----------
    tasks : iterable of Task
        Taken one by one as results are.
    engine : Engine
    source : str
        Where the values come from, for messages.

    Yields
    ------
    span, result : slice and anything
    """
    pending: deque[tuple[slice, Any]] = deque()
    try:
        for task in tasks:
            pending.append((task.span, engine.submit(task.delayed)))
            if len(pending) >= engine.n_in_flight:
                span, future = pending.popleft()
                yield span, _result(span, future, source)
        while pending:
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
    """Turn the many errors of a cluster that is gone into one sentence."""
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
            "A block of features ended several workers of the cluster one after the other, most "
            "likely because it does not fit into their memory. Use smaller chunks, or workers "
            "with more memory."
        )
    is_lost = isinstance(error, (CancelledError, distributed.core.CommClosedError))
    if not is_lost and type(error).__name__ not in ("ClosedClientError", "FutureCancelledError"):
        return None
    return LOST


@contextmanager
def _large_graphs_allowed() -> Iterator[None]:
    """Without the warning that a function holds some megabytes, which it may."""
    with dask_module("config").set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
        yield
