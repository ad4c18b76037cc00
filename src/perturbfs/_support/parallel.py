"""Independent calls beside each other: in processes, or on a cluster through joblib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from joblib import Parallel, parallel_config
from joblib.parallel import get_active_backend

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]  # as joblib.delayed makes it
# Seconds that calls sent to a worker together shall take: less is spent on sending them.
SHORTEST_BATCH, LONGEST_BATCH = 1.0, 4.0


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
    """Results of calls, one after the other as they are there.

    Parameters
    ----------
    calls : iterable of calls
        As `joblib.delayed` makes them. Large arrays are sent once if they are arguments.
    n_jobs : int or None
        Processes; on a cluster all its workers are used.
    in_order : bool, default=True
        Whether results come in the order of the calls.
    batch_size : int or "auto"
        Calls sent to a process together. On a cluster always such that they take a second or
        more together.

    Yields
    ------
    result : anything
    """
    if _is_on_cluster():
        # What a worker calls stays on it: sending parts of it on would take longer.
        calls = ((_alone, (function, *args), kwargs) for function, args, kwargs in calls)
        batch_size = "auto"
    order = "generator" if in_order else "generator_unordered"
    yield from Parallel(n_jobs=n_jobs, return_as=order, batch_size=batch_size)(calls)


def _is_on_cluster() -> bool:
    return type(get_active_backend()[0]).__name__ == "DaskDistributedBackend"


def _alone(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    with parallel_config(backend="sequential"):
        return function(*args, **kwargs)
