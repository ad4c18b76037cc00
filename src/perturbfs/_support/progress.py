"""Report the progress of a fit to callbacks, and with `verbose` in the terminal."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from typing import Any


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
