"""Tell callbacks, and with `verbose` the terminal, how far a fit has come."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from typing import Any


def report_runs(
    estimator: Any, runs: Iterable[Any], n_runs: int, *, verbose: int
) -> Iterator[Any]:
    """Pass runs on and report each one, to callbacks where scikit-learn has them.

    Parameters
    ----------
    estimator : estimator
        Whose fit it is.
    runs : iterable of objects with an attribute `chosen`
    n_runs : int
        How many there will be.
    verbose : int
        1 prints a line a run.

    Yields
    ------
    run : object
    """
    root = None
    if hasattr(estimator, "_init_callback_context"):
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
