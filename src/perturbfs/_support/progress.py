"""Report the progress of a fit to callbacks, and with `verbose` in the terminal."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_on_share: ContextVar[Callable[[float], None] | None] = ContextVar("_on_share", default=None)


@contextmanager
def following(on_share: Callable[[float], None] | None) -> Iterator[None]:
    """Call a function with the share that is done of each fit in the block that counts its steps.

    Fits in other threads are not followed.
    """
    before = _on_share.set(on_share)
    try:
        yield
    finally:
        _on_share.reset(before)


class Steps:
    """The steps of a fit, reported to `following`, and printed if they have a name.

    Parameters
    ----------
    n_steps : int
    name : str or None, default=None
        What printed lines begin with; None prints nothing.
    """

    def __init__(self, n_steps: int, *, name: str | None = None) -> None:
        self._n_steps, self._n_done = n_steps, 0.0
        self._name, self._start = name, time.perf_counter()
        self._on_share = _on_share.get()

    def done(self, n_steps: float = 1.0, *, result: str = "") -> None:
        """Report that one more step is done, or a part of one, and its result if there is one."""
        self._n_done += n_steps
        if self._on_share is not None:
            self._on_share(min(self._n_done / self._n_steps, 1.0))
        if self._name is not None and result:
            seconds = time.perf_counter() - self._start
            print(f"[{self._name}] {result}, {seconds:.1f} s so far")


def report_runs(
    estimator: Any, runs: Iterable[Any], n_runs: int, *, verbose: int
) -> Iterator[Any]:
    """Yield runs and report each one, also to callbacks if scikit-learn supports them.

    Parameters
    ----------
    estimator : estimator
        The estimator that is fitted.
    runs : iterable of objects with an attribute `chosen`
    n_runs : int
        Their number.
    verbose : int
        1 prints one line per run.

    Yields
    ------
    run : object
    """
    root = None
    if hasattr(estimator, "_init_callback_context"):  # scikit-learn 1.9 and later
        root = estimator._init_callback_context(task_name="fit", max_subtasks=n_runs)
        root.call_on_fit_task_begin(estimator=estimator)
    start, arriving = time.perf_counter(), iter(runs)
    for number in range(1, n_runs + 1):
        task = root.subcontext(task_name="run") if root is not None else None
        if task is not None:
            task.call_on_fit_task_begin(estimator=estimator)
        run = next(arriving)
        if task is not None:
            task.call_on_fit_task_end(estimator=estimator)
        if verbose:
            seconds = time.perf_counter() - start
            score = "" if math.isnan(run.chosen.score) else f"score {run.chosen.score:.3f}, "
            print(
                f"[{type(estimator).__name__}] run {number} of {n_runs}: "
                f"{run.chosen.n_features} features, {score}{seconds:.1f} s so far"
            )
        yield run
    if root is not None:
        root.call_on_fit_task_end(estimator=estimator)
