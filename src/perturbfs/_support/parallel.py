"""Run independent calls in parallel through joblib: in processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

from joblib import Parallel, parallel_config
from joblib.parallel import get_active_backend
from threadpoolctl import ThreadpoolController

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]  # as joblib.delayed makes it
# Calls are sent to a worker in batches that take so many seconds; sending them takes less.
SHORTEST_BATCH, LONGEST_BATCH = 1.0, 4.0


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # takes milliseconds, so once a process


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which libraries use one thread, for work on a few dozen samples."""
    context: AbstractContextManager[Any] = _thread_pools().limit(limits=1)
    return context


@contextmanager
def spread_over(client: Any) -> Iterator[None]:
    """Run everything that goes through joblib on the workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
    """
    with parallel_config(backend="dask", client=client) as config:
        backend = config["backend"]
        backend.MIN_IDEAL_BATCH_DURATION = SHORTEST_BATCH
        backend.MAX_IDEAL_BATCH_DURATION = LONGEST_BATCH
        yield


def run_calls(
    calls: Iterable[Call], *, n_jobs: int | None, in_order: bool = True, batch_size: Any = "auto"
) -> Iterator[Any]:
    """Run calls and yield their results as soon as they are known.

    Parameters
    ----------
    calls : iterable of calls
        As `joblib.delayed` makes them. Large arrays among the arguments are sent once.
    n_jobs : int or None
        Number of processes. On a cluster all workers are used.
    in_order : bool, default=True
        Whether to yield results in the order of the calls.
    batch_size : int or "auto"
        Number of calls that are sent to a process at a time. On a cluster it is chosen so that
        a batch takes a second or more.

    Yields
    ------
    result : object
    """
    if _is_on_cluster():
        # A call runs on its worker only, because sending parts of it to others takes longer.
        calls = ((_alone, (function, *args), kwargs) for function, args, kwargs in calls)
        batch_size = "auto"
    order = "generator" if in_order else "generator_unordered"
    if not get_active_backend()[0].supports_return_generator:  # joblib's multiprocessing
        order = "list"
    yield from Parallel(n_jobs=n_jobs, return_as=order, batch_size=batch_size)(calls)


def _is_on_cluster() -> bool:
    return type(get_active_backend()[0]).__name__ == "DaskDistributedBackend"


def _alone(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    with parallel_config(backend="sequential"):
        return function(*args, **kwargs)
