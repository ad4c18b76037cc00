"""`reproduce`: run the experiments that are missing and keep their results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from joblib import delayed

from perturbfs._support.files import atomic_path
from perturbfs._support.parallel import run_calls
from perturbfs.datasets import DownloadError, find_dataset, load_dataset
from perturbfs.results import versions

from ._paper import PROTOCOLS, PaperTable, load_paper
from ._plan import plan_experiments, run_experiment, wanted_keys
from ._records import Key, Store, write_records
from ._summary import summarize_reproduction

SETTINGS = "settings.json"


def reproduce(
    directory: str | Path,
    *,
    tables: Sequence[str] = (),
    protocols: Sequence[str] = PROTOCOLS,
    quick: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    on_plan: Callable[[int], None] | None = None,
    on_experiment: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Compute the paper's tables; resume an interrupted call.

    Parameters
    ----------
    directory : path
        For the results: ``results.jsonl`` with one line per result, and at the end
        ``results.csv`` and ``settings.json``.
    tables : sequence of str
        Ids of tables; all by default.
    protocols : sequence of {"published", "honest"}
        ``"published"`` chooses on the test rows, as the released program does, so its numbers
        say nothing about new samples. ``"honest"`` uses the test rows only to test.
    quick : bool, default=False
        Two runs of most methods instead of ten or twenty. A full run can resume from there.
    random_state : int, default=0
    n_jobs : int or None
        Experiments in parallel. The results do not depend on it.
    on_plan : callable, optional
        Called with the number of experiments before the first.
    on_experiment : callable, optional
        Called when an experiment is finished and on disk.

    Returns
    -------
    summary : dict
        Tables with the published numbers and ours, and a comparison of the protocols.
    """
    paper = load_paper()
    wanted_ids = {paper.find(table).id for table in tables}
    chosen = [table for table in paper.tables if table.id in wanted_ids or not wanted_ids]
    away = _missing_datasets(chosen)
    circumstances = {
        "random_state": random_state,
        "versions": versions(),
        "checksums": {name: find_dataset(name).sha256 for name in _all_datasets()},
    }
    store = Store(Path(directory), circumstances)
    wanted = [
        key
        for protocol in protocols
        for key in wanted_keys(chosen, protocol, quick=quick)
        if key.dataset not in away
    ]
    _compute(store, wanted, random_state, n_jobs, on_plan, on_experiment)
    settings = {**circumstances, "quick": quick, "missing_datasets": away}
    write_records(Path(directory) / "results.csv", store.records.values())
    with atomic_path(Path(directory) / SETTINGS) as temporary:
        temporary.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    return summarize_reproduction(chosen, protocols, list(store.records.values()), settings)


def _compute(
    store: Store,
    wanted: Iterable[Key],
    random_state: int,
    n_jobs: int | None,
    on_plan: Callable[[int], None] | None,
    on_experiment: Callable[[], None] | None,
) -> None:
    missing = [key for key in wanted if key not in store.records]
    experiments = plan_experiments(missing, random_state)
    if on_plan is not None:
        on_plan(len(experiments))
    # Unordered, so that a finished experiment is kept at once.
    calls = (delayed(run_experiment)(each) for each in experiments)
    arriving = run_calls(calls, n_jobs=n_jobs, in_order=False, batch_size=1)
    for records in arriving:
        store.add(records)
        if on_experiment is not None:
            on_experiment()


def _all_datasets() -> list[str]:
    paper = load_paper()
    return [*paper.datasets.values(), *paper.fs_svm_datasets.values()]


def _missing_datasets(tables: Iterable[PaperTable]) -> dict[str, str]:
    """Return the data sets that cannot be loaded, and why; raise if none can."""
    needed = list(
        dict.fromkeys(
            name for table in tables if table.methods for name in table.datasets.values()
        )
    )
    away = {}
    for name in needed:
        try:
            load_dataset(name)
        except (FileNotFoundError, DownloadError) as error:
            away[name] = str(error)
    if needed and len(away) == len(needed):
        raise FileNotFoundError(
            f"None of the data sets {', '.join(needed)} can be had. For the first: "
            f"{next(iter(away.values()))}"
        )
    return away
