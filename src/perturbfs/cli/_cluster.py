"""Work on a dask cluster where a command is asked to."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from perturbfs._support.extras import import_extra
from perturbfs._support.parallel import spread_over
from perturbfs.arrays import describe_workers, open_cluster

from ._options import Computing


@contextmanager
def cluster_of(computing: Computing, *, memory: int | str = "auto") -> Iterator[Any]:
    """Open the cluster that the user names or asks for.

    Parameters
    ----------
    computing : Computing
    memory : int or str
        Limit of each worker that is started here.

    Yields
    ------
    client : distributed.Client or None
        None without a cluster.
    """
    if not computing.is_on_cluster:
        yield None
        return
    _silence_logs()
    with open_cluster(computing.scheduler, n_workers=computing.workers, memory=memory) as client:
        yield client


@contextmanager
def spread_calls(computing: Computing) -> Iterator[str]:
    """Run everything that uses joblib on the cluster, if there is one.

    Yields
    ------
    where : str
        A sentence about the cluster; empty without one.
    """
    with cluster_of(computing) as client:
        if client is None:
            yield ""
        else:
            text = f"Computed on {describe_workers(client)}."
            with spread_over(client):
                yield text


def _silence_logs() -> None:
    """Hide the logs of distributed: an error is one sentence instead of pages of tracebacks."""
    import_extra("distributed", extra="dask", needed_by="Working on a cluster")
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
