"""Check a table: measure its features once, and collect the findings, most serious first."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from perturbfs.arrays import Array, is_blocks, is_survival
from perturbfs.datasets.reading import Table
from perturbfs.scoring import check_groups

from ._columns import check_features
from ._confounding import check_confounding
from ._features import Features
from ._finding import SHOWN, Finding, count, listed
from ._measure import measure_features
from ._names import kinds_of_names
from ._outcome import check_outcome
from ._samples import check_samples

# The most misleading kinds first; findings of one kind keep their order.
_ORDER = (
    "one_value",
    "outcome_copy",
    "perfect_predictor",
    "missing_by_class",
    "confounded",
    "twins",
    "groups",
    "later",
    "identifier",
    "labels",
    "many_classes",
    "date",
    "batch",
    "empty_samples",
    "small_classes",
    "few_events",
    "few_values",
    "missing",
    "constant",
    "text",
)


def check_table(
    table: Table, groups: Any = None, *, batch: Any = None, **options: Any
) -> tuple[Finding, ...]:
    """Return what is suspicious in a table, before features are selected.

    Parameters
    ----------
    table : Table
        With or without an outcome. Of a table on disk only the outcome and the names are
        checked.
    groups : array of shape (n_samples,) or None
        Which samples belong together, for example the patient of each sample.
    batch : array of shape (n_samples,) or None
        The batch of each sample, for example its plate or site.
    **options
        For the batch: ``scoring``, ``n_splits``, ``random_state`` and ``min_class_size`` as
        `evaluate` has them.

    Returns
    -------
    findings : tuple of Finding
        Most serious first. Options in their advice are those of the command line; the
        parameters of `read_table` and `evaluate` have the same names.

    Notes
    -----
    It finds copies of the outcome and features that alone predict it perfectly while the others
    do not, near-identical samples, columns that name patients, identifiers, dates, quantities
    that are known only after the outcome, labels that differ only in case or blanks, small
    classes, classes that look like a quantity and the reverse, batches, a given batch that
    predicts the outcome, constant features and missing values.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table, check_table
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["healthy", "ill"], 15)
    >>> X = np.column_stack([rng.standard_normal((30, 4)), y == "ill"])
    >>> names = np.array(["a", "b", "c", "d", "diagnosis code"], dtype=object)
    >>> table = Table(X=X, y=y, feature_names=names, task="classification")
    >>> [finding] = check_table(table)
    >>> finding.message
    "'diagnosis code' is a copy of the outcome: one value in each class."
    """
    groups = None if groups is None else np.asarray(groups)
    found: list[Finding] = []
    if batch is not None:
        batch = check_groups(batch, table.n_samples, "batch")
        if table.y is not None and table.task is not None:
            found += check_confounding(batch, table.y, table.task, groups, **options)
    found += _findings(table, groups, batch)
    order = {kind: place for place, kind in enumerate(_ORDER)}
    return tuple(sorted(found, key=lambda each: (each.severity != "warning", order[each.kind])))


def _findings(table: Table, groups: Array | None, batch: Array | None) -> Iterator[Finding]:
    if table.y is not None and table.task is not None:
        yield from check_outcome(table.y, table.task)
    yield from _check_columns_left_out(
        table, has_groups=groups is not None, has_batch=batch is not None
    )
    if is_blocks(table.X):
        return
    features = _features(table)
    yield from check_features(features, has_groups=groups is not None)
    if table.y is not None and is_survival(table.y):
        # Copies of the time were found above, as the features that follow a quantity.
        event = replace(table, y=table.y["event"].astype(int), task="classification")
        for each in check_features(_features(event), has_groups=groups is not None):
            if each.kind in ("outcome_copy", "perfect_predictor"):
                yield each
    labels = [f"row {row + 1}" for row in range(table.n_samples)]
    if table.sample_names is not None:
        labels = list(map(str, table.sample_names.tolist()))
    yield from check_samples(features, labels, groups, batch)


def _features(table: Table) -> Features:
    codes = quantity = None
    if table.task == "classification" and table.y is not None:
        codes = np.unique(table.y, return_inverse=True)[1].reshape(-1)
    elif table.y is not None:
        # A copy of the time, in other units, gives a survival away.
        values = table.y["time"] if is_survival(table.y) else table.y
        quantity = np.asarray(values, dtype=np.float64)
    names = [f"feature {place + 1}" for place in range(table.n_features)]
    if table.feature_names is not None:
        names = list(map(str, table.feature_names.tolist()))
    return Features(
        table.X,
        names,
        has_names=table.feature_names is not None,
        measures=measure_features(table.X, codes, quantity),
        kinds=kinds_of_names(names),
        codes=codes,
        quantity=quantity,
    )


def _check_columns_left_out(
    table: Table, *, has_groups: bool, has_batch: bool
) -> Iterator[Finding]:
    """Yield findings about names of samples that repeat, and about columns of text."""
    names = table.sample_names
    if names is not None and not has_groups:
        n_names = len(set(names.tolist()))
        if n_names < len(names):
            column = next((name for name, why in table.dropped if "samples" in why), "COLUMN")
            yield Finding(
                "groups",
                f"There are {n_names:,} different names of samples for {len(names):,} samples.",
                "If samples with the same name come from one patient, keep them together in all "
                f"splits with --groups {shlex.quote(column)}. Otherwise give each sample its own "
                "name.",
                severity="warning",
            )
    yield from _text_columns(table, has_groups=has_groups, has_batch=has_batch)


def _text_columns(table: Table, *, has_groups: bool, has_batch: bool) -> Iterator[Finding]:
    """Yield findings about columns of text: patients, batches, and others."""
    texts = [name for name, why in table.dropped if why == "text"]
    if texts:
        people = [texts[place] for place in kinds_of_names(texts)["person"]]
        if people and not has_groups:
            yield Finding(
                "groups",
                f"The column {people[0]!r} holds text and is not used as a feature.",
                "If it tells which samples come from the same patient, keep them together in all "
                f"splits with --groups {shlex.quote(people[0])}.",
                (people[0],),
                "warning",
            )
        batches = [texts[place] for place in kinds_of_names(texts)["batch"]]
        if batches and not has_batch:
            yield Finding(
                "batch",
                f"The column {batches[0]!r} records, by its name, how the samples were processed.",
                f"To select within its values, give --batch {shlex.quote(batches[0])}.",
                (batches[0],),
            )
        texts = [name for name in texts if name not in (*people[:1], *batches[:1])]
    if texts:
        yield Finding(
            "text",
            f"{count(len(texts), 'column holds', 'columns hold')} text: {listed(texts)}.",
            "Only numbers can be selected. --drop-text leaves these columns out; name one as "
            "--target, --groups or --batch, or turn them into numbers.",
            tuple(texts[:SHOWN]),
        )
