"""Read a survival outcome: one column of times, and one that says whether the event happened.

Nothing here loads scikit-learn, so that a wrong column is refused at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from perturbfs.arrays import Array, survival_outcome
from perturbfs.datasets import Table, TableError, take_samples

from ._options import Reading

# Words in lower case, also after a code and a colon, as in 1:DECEASED.
EVENTS = frozenset(
    (
        *("1", "true", "yes", "y", "event", "dead", "died", "deceased", "death", "relapse"),
        *("relapsed", "recurred", "recurrence", "progressed", "progression", "failed", "failure"),
    )
)
CENSORED = frozenset(
    (
        *("0", "false", "no", "n", "none", "censored", "alive", "living", "survived", "lost"),
        *("disease free", "disease-free", "diseasefree", "no event", "no relapse"),
    )
)
MOST_NAMED = 10  # values of the event column that an error names
HAPPENED = "says whether the event happened"  # why the column is left out


def read_survival(
    reading: Reading,
    read: Callable[[Reading], Table],
    read_column: Callable[[str, str], Table],
    without: Callable[[Table, str | None, Array, str], Table],
) -> Table:
    """Read a table whose outcome is a time and an event.

    Parameters
    ----------
    reading : Reading
        With the columns of both.
    read : callable
        Reads the table with other options.
    read_column : callable
        Reads the table as if a column, given by an option, were the outcome.
    without : callable
        Leaves a column out of a table, whose role is given.

    Returns
    -------
    table : Table
        Its outcome is a structured array with the fields ``event`` and ``time``.
    """
    assert reading.time is not None
    assert reading.event is not None
    found, times = read_column("event", reading.event), read_column("time", reading.time)
    name, time_name = found.target_name or "event", times.target_name or "time"
    if np.asarray(times.y).dtype.kind not in "if":
        values = np.unique(np.asarray(times.y)).tolist()
        raise TableError(
            f"--time {reading.time} needs numbers, but the column {time_name!r} holds "
            f"{_listed([each for each in values if not _is_number(each)])}. Give a column of "
            "times, such as days."
        )
    event, note = find_events(np.asarray(found.y), name=name, value=reading.event_value)
    table = _without_event(read, reading, times, found.target_name)
    table, event = _joined(table, found, event, drops=reading.unlabelled == "drop")
    table = without(table, found.target_name, event.astype(np.float64), "event")
    try:
        y = survival_outcome(event, np.asarray(table.y))
    except ValueError as error:
        raise TableError(f"--time {time_name} --event {name}: {error} {note}") from error
    return replace(
        table,
        y=y,
        task="survival",
        target_name=f"{time_name}, {name}",
        notes=(*table.notes, note),
    )


def _without_event(
    read: Callable[[Reading], Table], reading: Reading, times: Table, name: str | None
) -> Table:
    """Read the table with the time as the outcome, and without the column of the event.

    The column may hold text or miss values, which would be errors in a feature.
    """
    exclude = list(reading.exclude or [])
    names = set() if times.feature_names is None else set(times.feature_names.tolist())
    is_there = name in names | {each for each, reason in times.dropped if reason == "text"}
    if name is not None and is_there:
        exclude.append(name)
    table = read(
        replace(
            reading,
            target=reading.time,
            task="regression",
            time=None,
            event=None,
            event_value=None,
            exclude=exclude or None,
        )
    )
    dropped = [(each, HAPPENED if each == name else reason) for each, reason in table.dropped]
    return replace(table, dropped=tuple(dropped))


def find_events(values: Array, *, name: str, value: str | None = None) -> tuple[Array, str]:
    """Return whether the event happened, and a sentence that says which value means that.

    Parameters
    ----------
    values : array of shape (n_samples,)
        Text or numbers.
    name : str
        Of their column.
    value : str or None
        The one that stands for the event. None finds it: 1, true, or a word such as dead,
        beside 0, false, or a word such as alive.

    Returns
    -------
    event : array of bool of shape (n_samples,)
    note : str

    Examples
    --------
    >>> import numpy as np
    >>> event, note = find_events(np.array(["dead", "alive"]), name="status")
    >>> event.tolist(), note
    ([True, False], "In 'status', 'dead' was taken as the event and 'alive' as censored.")
    """
    shown = [_shown(each) for each in values.tolist()]
    known = sorted(set(shown))
    if value is not None:
        meant = [each for each in known if each == value.strip()]
        if not meant:
            raise TableError(
                f"--event-value {value} does not occur in the column {name!r}, which holds "
                f"{_listed(known)}. Give one of its values."
            )
    else:
        meant = [each for each in known if _core(each) in EVENTS]
        rest = [each for each in known if _core(each) in CENSORED]
        if len(known) > 2 or len(meant) > 1 or len(meant) + len(rest) < len(known):
            raise TableError(
                f"The column {name!r} holds {_listed(known)}, which does not say in which samples "
                "the event happened. Give the value that stands for the event with --event-value, "
                f"such as --event-value {known[-1]}. All other values then mean censored."
            )
    others = _listed([each for each in known if each not in meant])
    if not meant:
        note = f"In {name!r}, {others} means censored."
    elif not others:
        note = f"In {name!r}, {meant[0]!r} was taken as the event, so no sample is censored."
    else:
        note = f"In {name!r}, {meant[0]!r} was taken as the event and {others} as censored."
    return np.isin(shown, meant), note


def _joined(table: Table, found: Table, event: Array, *, drops: bool) -> tuple[Table, Array]:
    """Return the samples that have a time and an event, and their events."""
    names, known = table.sample_names, found.sample_names
    if names is None or known is None:
        if drops:
            raise TableError(
                "--unlabelled drop was given, but the samples have no names, so it cannot be told "
                "which of them have both a time and an event. Add a column with names and give it "
                "with --index, or leave these samples out of the file."
            )
        if len(event) != table.n_samples:
            raise TableError(
                f"There are {len(event)} events and {table.n_samples} times, and no names of "
                "samples to join them. Add a column with names and give it with --index."
            )
        return table, event
    if names.tolist() == known.tolist():
        return table, event
    place_of = {name: place for place, name in enumerate(known.tolist())}
    kept = np.flatnonzero([name in place_of for name in names.tolist()])
    if not len(kept) or len(place_of) < len(known):
        raise TableError(
            "The times and the events have different samples, which cannot be joined by their "
            "names. Give every sample a name of its own, a time and an event."
        )
    table = take_samples(table, kept)
    assert table.sample_names is not None
    return table, event[[place_of[name] for name in table.sample_names.tolist()]]


def _shown(value: object) -> str:
    """Return a value as the file has it, without the fraction of a whole number."""
    return f"{value:g}" if isinstance(value, float) else str(value).strip()


def _core(value: str) -> str:
    """Return the word or the number that says whether the event happened."""
    code, colon, word = value.partition(":")
    if colon and code.strip() in ("0", "1"):
        return code.strip()
    return (word if colon else value).strip().casefold()


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True


def _listed(values: list[str]) -> str:
    shown = [repr(value) for value in values[:MOST_NAMED]]
    if len(values) > MOST_NAMED:
        return f"{', '.join(shown)} and {len(values) - MOST_NAMED} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
