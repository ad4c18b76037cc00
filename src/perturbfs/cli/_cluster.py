"""Commands that work on a dask cluster: its options, its client and what is said of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from perturbfs._support.extras import import_extra

from ._console import WrongUseError


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """Where a command is to work: an address, a number of workers, or neither."""

    scheduler: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.scheduler is not None and self.workers is not None:
            raise WrongUseError(
                f"--scheduler {self.scheduler} and --workers {self.workers} were given, but work "
                "is done on a running cluster or on workers started here. Give one of them."
            )

    @property
    def is_wanted(self) -> bool:
        """Whether there is to be a cluster."""
        return self.scheduler is not None or self.workers is not None


HERE = ClusterOptions()


@contextmanager
def cluster_of(options: ClusterOptions, *, memory: int | str = "auto") -> Iterator[Any]:
    """The client of the cluster that was asked for, or None.

    Parameters
    ----------
    options : ClusterOptions
    memory : int or str
        Limit of each worker that is started here.

    Yields
    ------
    client : distributed.Client or None
    """
    if not options.is_wanted:
        yield None
        return
    from perturbfs.arrays import open_cluster

    _silence_logs()
    with open_cluster(options.scheduler, n_workers=options.workers, memory=memory) as client:
        yield client


@contextmanager
def spread_calls(options: ClusterOptions) -> Iterator[str]:
    """Everything that goes through joblib on the cluster that was asked for, if one was.

    Yields what there is to say of it.
    """
    with cluster_of(options) as client:
        if client is None:
            yield ""
            return
        from perturbfs._support.parallel import spread_over
        from perturbfs.arrays import describe_workers

        text = f"Computed on {describe_workers(client)}."
        with spread_over(client):
            yield text


def _silence_logs() -> None:
    """Errors are one sentence of ours; the logs of distributed are pages of traces."""
    import_extra("distributed", extra="dask", needed_by="Working on a cluster")
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
