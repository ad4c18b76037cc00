"""Select features of a table that was read, and print the answers as soon as they are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from perturbfs._support.parallel import jobs_within
from perturbfs._support.progress import following
from perturbfs.arrays import is_blocks
from perturbfs.checks import twins_once
from perturbfs.datasets import Finding, Table
from perturbfs.results import (
    SelectedFeature,
    SelectionResult,
    count_of,
    default_splits,
    describe_details,
    feature_row,
    select_features,
)

from ._cluster import cluster_of, spread_calls
from ._console import Terminal, with_progress
from ._disk import describe_reading, journaled
from ._findings import find_and_show, show_data
from ._requests import SelectRequest
from ._selected import show_estimate, write_results
from ._tables import Groups, values_of

DEFAULT_REPEATS = 10
STEPS = 20  # that a bar shows of work without runs
PREPARED_BYTES = 2**30  # that a split takes beside its part of the table, at most


@twins_once(was_given=True)  # the findings name near-identical samples
def select_in_memory(
    terminal: Terminal,
    request: SelectRequest,
    table: Table,
    groups: Groups | None,
    batch: Groups | None,
) -> None:
    """Select features of a table in memory, with a page that has figures."""
    n_jobs = request.computing.jobs
    if n_jobs is None:
        n_jobs = jobs_within(_bytes_of_split(table))
    show_data(terminal, table, request.reading.impute, groups, batch)
    findings = _check(terminal, request, table, groups, batch)
    with spread_calls(request.computing) as where:
        result = _select(terminal, request, table, groups, findings, n_jobs, batch)
    details = None
    if request.details:
        with (
            terminal.progress(**{"preparing the page": STEPS}) as (step_done,),
            following(_in_steps(step_done, STEPS)),
        ):
            details = describe_details(
                result.table, result, noise=request.noise_study, n_jobs=n_jobs
            )
    _finish(terminal, request, result, details, where)


@twins_once(was_given=True)
def select_in_blocks(
    terminal: Terminal, request: SelectRequest, opened: Table, groups: Groups | None
) -> None:
    """Select features of a table that stays on disk; its page has no figures."""
    show_data(terminal, opened, request.reading.impute, groups)
    findings = _check(terminal, request, opened, groups)
    with (
        cluster_of(request.computing, memory=request.memory or "auto") as client,
        journaled(terminal, opened, request.out, resume=request.resume, client=client) as table,
    ):
        result = _select(terminal, request, table, groups, findings, request.computing.jobs)
        where = describe_reading(opened, client)
        _finish(terminal, request, result, None, where)


def _bytes_of_split(table: Table) -> int:
    """Return about how much memory a split of the estimate takes."""
    values = getattr(table.X, "data", table.X)
    return int(values.nbytes) + min(16 * table.n_samples * table.n_features, PREPARED_BYTES)


def _check(
    terminal: Terminal,
    request: SelectRequest,
    table: Table,
    groups: Groups | None,
    batch: Groups | None = None,
) -> tuple[Finding, ...]:
    return find_and_show(
        terminal,
        table,
        values_of(groups),
        values_of(batch),
        min_class_size=request.samples.min_class_size,
        n_splits=request.splits,
        random_state=request.random_state,
    )


def _select(
    terminal: Terminal,
    request: SelectRequest,
    table: Table,
    groups: Groups | None,
    findings: Sequence[Finding],
    n_jobs: int | None,
    batch: Groups | None = None,
) -> SelectionResult:
    n_runs = (request.repeats or DEFAULT_REPEATS) if request.has_runs else STEPS
    options: dict[str, Any] = {"n_repeats": n_runs} if request.has_runs else {}
    options |= request.paper.given
    n_splits = request.splits or default_splits(table.n_samples)
    at_once = 1 if is_blocks(table.X) else request.computing.at_once(n_jobs)
    with terminal.progress(selecting=n_runs, estimating=n_splits, at_once=at_once) as (
        run_done,
        split_done,
    ):
        advance_to = _in_steps(run_done, STEPS)

        def show(features: Sequence[SelectedFeature]) -> None:
            if not request.has_runs:
                advance_to(1.0)
            _show_features(terminal, features, table.n_features)

        return select_features(
            table,
            method=request.method,
            n_features=request.size,
            groups=values_of(groups),
            groups_name=None if groups is None else groups.name,
            batch=values_of(batch),
            batch_name=None if batch is None else batch.name,
            min_class_size=request.samples.min_class_size,
            impute=request.reading.impute,
            n_splits=n_splits,
            n_jobs=n_jobs,
            random_state=request.random_state,
            prepare=with_progress(run_done),
            on_selected=show,
            on_share=None if request.has_runs else advance_to,
            on_split=split_done,
            findings=findings,
            **options,
        )


def _in_steps(advance: Callable[[], None], n_steps: int) -> Callable[[float], None]:
    """Return a function that advances a bar of so many steps to a share of it."""
    n_done = 0

    def advance_to(share: float) -> None:
        nonlocal n_done
        while n_done < int(share * n_steps):
            n_done += 1
            advance()

    return advance_to


def _show_features(
    terminal: Terminal, features: Sequence[SelectedFeature], n_features: int
) -> None:
    """Print the selected features, before the estimate is known."""
    verb = "was" if len(features) == 1 else "were"
    terminal.say(f"{len(features)} of {count_of(n_features, 'feature')} {verb} selected:\n")
    header = ["rank", "feature", "score", "stands for"]
    cells = map(_feature_cells, map(feature_row, features))
    if features[0].origin is not None:
        header.insert(2, "origin")
    terminal.show(header, cells)
    terminal.say("")


def _feature_cells(row: dict[str, Any]) -> list[str]:
    members = "itself"
    if row["n_stands_for"]:
        members = f"{row['n_stands_for']}: {', '.join(row['stands_for'][:3])}"
        members += ", …" if row["n_stands_for"] > 3 else ""
    if row["copy_of"] is not None:
        members = f"near copy of {row['copy_of']}"
    score = "-" if row["score"] is None else f"{row['score']:.3f}"
    origin = [row["origin"]] if "origin" in row else []
    return [str(row["rank"]), row["name"], *origin, score, members]


def _finish(
    terminal: Terminal,
    request: SelectRequest,
    result: SelectionResult,
    details: dict[str, Any] | None,
    where: str,
) -> None:
    """Write the files and print the estimate."""
    with terminal.waiting(f"writing {request.out}"):
        summary = write_results(request, result, details)
    show_estimate(terminal, summary)
    terminal.say(
        f"Written to {request.out}: selection.json (the result), features.csv (the list), "
        "groups.csv (what each feature stands for), selected.csv (the reduced table), "
        "report.html (the page), summary.json (the values shown on it)."
    )
    terminal.finish(result.selection.to_json(), where=where)
