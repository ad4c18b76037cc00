"""Read several tables of the same samples, and join them into one."""

from __future__ import annotations

import glob
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from perturbfs.arrays import SourceFiles
from perturbfs.datasets import Table, TableError, join_tables
from perturbfs.datasets.reading import UnknownNameError, loosened

from ._command import WrongUseError
from ._options import Layout, Reading
from ._orientation import read_either_way
from ._requests import CheckRequest, EvaluateRequest, SelectRequest
from ._shown import as_shown
from ._tables import ROLES, Groups, check_outcome, read_column, read_for_work, read_source

PACKED = {".gz", ".bz2", ".xz"}


def name_tables(sources: Sequence[str]) -> dict[str, str]:
    """Return the files by the names of their tables, which are those of the files.

    Examples
    --------
    >>> name_tables(["data/genes.csv.gz", "data/methylation.csv"])
    {'genes': 'data/genes.csv.gz', 'methylation': 'data/methylation.csv'}
    >>> name_tables(["genes/values.csv", "methylation/values.csv"])
    {'genes/values': 'genes/values.csv', 'methylation/values': 'methylation/values.csv'}
    """
    repeated = [source for place, source in enumerate(sources) if source in sources[:place]]
    if repeated:
        raise WrongUseError(
            f"{repeated[0]} is given twice. Give each table once; each needs its own file."
        )
    names = [_stem(Path(as_shown(source))) for source in sources]
    if len(set(names)) < len(names):
        names = [
            f"{Path(as_shown(source)).resolve().parent.name}/{name}"
            for source, name in zip(sources, names, strict=True)
        ]
    if len(set(names)) < len(names):
        raise WrongUseError(
            f"the tables are called by their files, and {', '.join(sources)} give equal names: "
            f"{', '.join(names)}. Rename one of the files."
        )
    return dict(zip(names, sources, strict=True))


def _stem(path: Path) -> str:
    return Path(path.stem).stem if path.suffix.lower() in PACKED else path.stem


def list_sources(request: CheckRequest | SelectRequest | EvaluateRequest) -> str:
    """Return the files of a request, for a sentence."""
    return " and ".join((request.source, *(request.more or ())))


def read_requested(
    request: SelectRequest | EvaluateRequest,
) -> tuple[Table, Groups | None, Groups | None]:
    """Read the table of a request, or its tables as one, with an outcome, groups and batches.

    Raises
    ------
    BlockReadError
        If a file changes meanwhile.
    """
    if not request.more:
        return read_for_work(request.source, request.reading, request.samples)
    sources = (request.source, *request.more)
    known = [SourceFiles(source) for source in sources if Path(source).exists()]
    missing: Literal["error", "allow"] = "error" if request.reading.impute is None else "allow"
    columns = {"groups": request.samples.groups, "batch": request.samples.batch}
    table, found = read_several(sources, request.reading, columns, missing=missing)
    check_outcome(table, list_sources(request))
    for each in known:
        each.refuse_change()
    return table, found.get("groups"), found.get("batch")


def read_several(
    sources: Sequence[str],
    reading: Reading,
    columns: Mapping[str, str | None] | None = None,
    *,
    missing: Literal["error", "allow"] = "allow",
) -> tuple[Table, dict[str, Groups]]:
    """Read several tables of the same samples, and return them as one.

    Parameters
    ----------
    sources : sequence of str
        Paths. The outcome, groups and batches are in one of the files, or in files of their own.
        A position among the columns counts in the first file.
    reading : Reading
        For every file.
    columns : mapping of str to str or None, optional
        As in `read_with_columns`.
    missing : {"error", "allow"}
        What to do about missing values.

    Returns
    -------
    table : Table
        Of the samples that are in all files.
    found : dict of str to Groups
    """
    named = name_tables(sources)
    if reading.is_survival:
        raise WrongUseError(
            f"--time and --event are for one table, but {len(sources)} were given. Join them in "
            "Python with perturbfs.datasets.join_tables, and save one file."
        )
    for source in sources:
        if not Path(source).exists():
            raise TableError(
                f"{source} does not exist. Several tables are read from files: give the path of "
                "each, and name the outcome with --target."
            )
    given = {role: column for role, column in (columns or {}).items() if column is not None}
    read = {role: _find_column(sources, reading, role, each) for role, each in given.items()}
    names = tuple(each.target_name for each in read.values() if each.target_name is not None)
    reader = _Reader(named, reading, missing, names)
    table = join_tables(_read_all(reader), match_names=spelling(reading.match_names))
    reader.refuse_unknown()
    key = loosened if reading.match_names == "loose" else str
    found = {}
    for role, each in read.items():
        name = each.target_name or given[role]
        dropped = [pair for pair in table.dropped if pair != (name, "excluded")]
        table = replace(table, dropped=(*dropped, (name, ROLES[role])))
        found[role] = Groups(name, _values_by_name(each, table, f"--{role} {given[role]}", key))
    return table, found


def spelling(match_names: str | None) -> Literal["exact", "loose"]:
    """Return how names are compared; exactly by default."""
    return "loose" if match_names == "loose" else "exact"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one of several files; a feature to leave out need not be in each of them."""

    named: Mapping[str, str]  # the files by the names of their tables
    reading: Reading
    missing: Literal["error", "allow"]
    apart: Sequence[str]  # columns of groups and batches
    found: set[str] = field(default_factory=set)  # patterns of --exclude that a file has

    def read(self, name: str, **changes: Any) -> Table:
        """Read a table with some options changed."""
        patterns = self._patterns_for(name)
        while True:
            options = replace(self.reading, **changes, exclude=list(patterns) or None)
            try:
                table = read_source(self.named[name], options, missing=self.missing)
            except UnknownNameError as error:
                lacking = [each for each in patterns if f"exclude={each!r}" in str(error)]
                if not lacking:
                    raise
                del patterns[lacking[0]]
            else:
                self.found.update(patterns.values())
                return table

    def _patterns_for(self, name: str) -> dict[str, str]:
        """Return what to leave out of a table: patterns as in its file, and as they were given."""
        patterns = {}
        for given in self.reading.exclude or ():
            table, _, own = given.partition(": ")
            if table not in self.named:
                patterns[given] = given
            elif table == name:
                patterns[own] = given
        return patterns | {glob.escape(each): "" for each in self.apart}

    def refuse_unknown(self) -> None:
        """Refuse names to leave out that no file has."""
        unknown = [each for each in self.reading.exclude or () if each not in self.found]
        if unknown:
            raise TableError(f"--exclude {unknown[0]!r} was not found in any of the files.")


def _read_all(reader: _Reader) -> dict[str, Table]:
    """Read every table; the one with the outcome says what the names of the samples are."""
    first, answered = _read_with_outcome(reader)
    return {
        name: answered if name == first else _read_beside(name, reader, answered)
        for name in reader.named
    }


def _read_with_outcome(reader: _Reader) -> tuple[str, Table]:
    """Read the first table that has the outcome; the first table if no outcome is asked for."""
    failures = []
    for name in reader.named:
        try:
            return name, reader.read(name)
        except UnknownNameError as error:
            failures.append(error)
    raise _in_no_file(failures)


def _in_no_file(failures: Sequence[UnknownNameError]) -> UnknownNameError:
    return UnknownNameError(" ".join(map(str, failures)))


def _read_beside(name: str, reader: _Reader, answered: Table) -> Table:
    """Read a further table; a column with the name of the outcome is the outcome again."""
    if reader.reading.target is not None and answered.target_name is not None:
        try:
            return reader.read(name, target=answered.target_name)
        except UnknownNameError:
            pass
    known = _spelled_loosely(answered)

    def read(layout: Layout) -> Table:
        return reader.read(name, target=None, task=None, layout=layout)

    def count_shared(table: Table) -> int:
        return len(known & _spelled_loosely(table))

    return read_either_way(read, reader.reading.layout, count_shared, enough=len(known) // 2)


def _spelled_loosely(table: Table) -> set[str]:
    """Return the names of the samples; how they are spelled does not show where features are."""
    return (
        set() if table.sample_names is None else set(map(loosened, map(str, table.sample_names)))
    )


def _find_column(sources: Sequence[str], reading: Reading, role: str, column: str) -> Table:
    """Return the first table that has the groups or batches, with them as its outcome."""
    failures = []
    for source in sources:
        try:
            return read_column(source, reading, role, column)
        except UnknownNameError as error:
            failures.append(error)
    raise _in_no_file(failures)


def _values_by_name(column: Table, table: Table, option: str, key: Callable[[str], str]) -> Any:
    """Return the groups or batches of the samples of the joined table."""
    names = column.sample_names
    if names is None:
        raise TableError(
            f"{option} has no names of samples, so it cannot be matched with several tables. Add "
            "a column with the names, or give that column with --index."
        )
    place_of = {key(str(name)): place for place, name in enumerate(names.tolist())}
    assert table.sample_names is not None
    wanted = list(map(str, table.sample_names))
    lacking = [name for name in wanted if key(name) not in place_of]
    if lacking:
        raise TableError(
            f"{option} has no value for {len(lacking):,} of {table.n_samples:,} samples, "
            f"such as {lacking[0]!r}. Use the same names in all files."
        )
    return np.asarray(column.y)[[place_of[key(name)] for name in wanted]]
