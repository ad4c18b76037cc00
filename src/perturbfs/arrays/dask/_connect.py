"""Clients of dask clusters: of a running one, or of one that is started on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from perturbfs._support.extras import import_extra
from perturbfs.exceptions import ClusterError

from ._cluster import LOST, explained

# Workers that we start have no other tasks. So they collect no statistics, and the C library
# keeps the memory of one block for the next. By default it returns the memory to the system, and
# a third of the time is spent on new pages. (32 MiB is the largest threshold that it accepts.)
_OURS = {
    # Every node serves pages with its state over HTTP, without a password.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.nanny.pre-spawn-environ.MALLOC_ARENA_MAX": 1,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 32 * 2**20,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 256 * 2**20,
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
    # They hold one block and small results, so there is nothing to spill to disk. A worker that
    # pauses to wait for that would wait forever. One that needs too much is still stopped.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
}


@contextmanager
def open_cluster(
    scheduler: str | None = None,
    *,
    n_workers: int | None = None,
    memory: int | str = "auto",
    timeout: float = 10.0,
) -> Iterator[Any]:
    """Open a client of a running cluster, or of one that is started on this machine.

    Parameters
    ----------
    scheduler : str, optional
        Address of a scheduler, such as ``"tcp://host:8786"``.
    n_workers : int, optional
        Workers of one thread each to start on this machine, if no address is given.
    memory : int or str, default="auto"
        Memory limit of each worker that is started. By default all memory is shared equally.
    timeout : float, default=10
        Seconds to wait for the scheduler, and for its first worker.

    Yields
    ------
    client : distributed.Client
        Active: dask uses it by default.

    Raises
    ------
    ClusterError
        If the cluster cannot be reached, or is lost.

    Notes
    -----
    Whoever can talk to a scheduler can run code on its workers. A cluster that is started here
    listens on 127.0.0.1 only, and all its connections are encrypted and need the key of a
    certificate that is made for it. The key is never stored in a file that others can read. The
    cluster has no dashboard.
    """
    distributed = import_extra("distributed", extra="dask", needed_by="Working on a cluster")
    if scheduler is None:
        config = import_extra("dask.config", extra="dask", needed_by="Working on a cluster")
        import_extra("cryptography", extra="dask", needed_by="Starting a cluster")
        with (
            config.set(_OURS),
            distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                memory_limit=memory,
                security=distributed.Security.temporary(),
                host="tls://127.0.0.1",
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
            ) as cluster,
            distributed.Client(cluster, direct_to_workers=True) as client,
        ):
            yield from _watched(client)
        return
    try:
        client = distributed.Client(scheduler, timeout=timeout)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"There is no dask scheduler at {scheduler!r} ({type(error).__name__}). Pass the "
            "address that dask scheduler prints, such as tcp://host:8786."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=timeout)
        except TimeoutError as error:
            raise ClusterError(
                f"The dask scheduler at {scheduler} had no worker within {timeout:g} seconds. "
                f"Start some with: dask worker {scheduler}"
            ) from error
        yield from _watched(client)


def _watched(client: Any) -> Iterator[Any]:
    """Yield the client; any error after the loss of its cluster becomes a `ClusterError`."""
    try:
        with explained():
            yield client
    except ClusterError:
        raise
    except Exception as error:
        if client.status == "running":
            raise
        raise ClusterError(LOST) from error


def describe_workers(client: Any) -> str:
    """Return a phrase with the number of workers of a cluster and their memory."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    limits = [worker["memory_limit"] for worker in workers]
    text = f"{len(limits)} worker{'s' * (len(limits) != 1)}"
    if all(limits):
        text += f" with {sum(limits) / 1e9:.1f} GB in total"
    return text
