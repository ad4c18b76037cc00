"""A rectangle of entries as a file has it, before samples and features are told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Dropped = tuple[tuple[str, str], ...]

# Compared without case, spaces and punctuation. A column of this name is never a feature:
# a repeated patient number would tell a model which samples belong together.
_EITHER = {"id", "ids", "identifier", "index", "indexlevel0", "unnamed0", "rowname", "rownames"}
SAMPLE_NAMES = frozenset(
    {"sample", "samples", "sampleid", "sampleids", "samplename", "samplenames", "barcode"}
    | {"subject", "subjectid", "patient", "patientid", "participant", "participantid"}
    | {"individualid", "caseid", "observationid", "cellid", "accession", "geoaccession"}
    | _EITHER
)
FEATURE_NAMES = frozenset(
    {"gene", "genes", "geneid", "genename", "genesymbol", "symbol", "idref", "name", "names"}
    | {"probe", "probeid", "probeset", "probesetid", "ensemblid", "transcript", "transcriptid"}
    | {"feature", "features", "featureid", "featurename"}
    | _EITHER
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller said of a file; None where the file shall tell."""

    target: str | int | None = None
    index: str | int | None = None  # False: no column holds names
    features_in_rows: bool | None = None
    header: bool | None = None
    as_written: tuple[int, ...] = ()  # columns whose entries are needed as text too


@dataclass(frozen=True, slots=True)
class Grid:
    """Entries of a file as numbers, and as written where they may be names or an outcome."""

    values: NDArray[Any]  # (n_rows, n_columns); NaN where an entry is missing or text
    column_names: list[str] | None = None
    row_names: list[str] | None = None
    column_texts: dict[int, list[str]] = field(default_factory=dict)  # column → its entries
    row_texts: dict[int, list[str]] = field(default_factory=dict)
    text_at: NDArray[np.intp] = field(default_factory=lambda: np.empty((0, 2), dtype=np.intp))
    examples: dict[tuple[int, int], str] = field(default_factory=dict)  # some of the text
    # Rows and columns that describe samples or features, where the format says so.
    annotation_rows: frozenset[int] = frozenset()
    annotation_columns: frozenset[int] = frozenset()
    default_target: int | None = None  # the column the format's custom makes the outcome
    features_in_rows: bool | None = None  # where the format fixes it
    dropped: Dropped = ()

    def transposed(self) -> Grid:
        """The same with rows and columns exchanged; the values are a view."""
        return replace(
            self,
            values=self.values.T,
            column_names=self.row_names,
            row_names=self.column_names,
            column_texts=self.row_texts,
            row_texts=self.column_texts,
            text_at=self.text_at[:, ::-1],
            examples={(column, row): text for (row, column), text in self.examples.items()},
            annotation_rows=self.annotation_columns,
            annotation_columns=self.annotation_rows,
            default_target=None,
        )

    def without_columns(self, removed: Sequence[int], *, dropped: Dropped = ()) -> Grid:
        """The same without some columns; a view where they are at the edges."""
        gone = set(removed)
        kept = [column for column in range(self.values.shape[1]) if column not in gone]
        place = {column: position for position, column in enumerate(kept)}
        text_at = self.text_at[~np.isin(self.text_at[:, 1], removed)]
        renumbered = np.searchsorted(np.array(kept, dtype=np.intp), text_at[:, 1])
        return replace(
            self,
            values=take_columns(self.values, kept),
            column_names=self.column_names and [self.column_names[column] for column in kept],
            column_texts={place[c]: t for c, t in self.column_texts.items() if c in place},
            row_texts={r: [t[c] for c in kept] for r, t in self.row_texts.items()},
            text_at=np.column_stack([text_at[:, 0], renumbered]),
            examples={(r, place[c]): t for (r, c), t in self.examples.items() if c in place},
            annotation_columns=frozenset(place[c] for c in self.annotation_columns - gone),
            default_target=None,
            dropped=self.dropped + dropped,
        )

    def column_name(self, column: int) -> str:
        """What to call a column in a sentence."""
        return self.column_names[column] if self.column_names else f"column {column + 1}"

    def column_entries(self, column: int) -> list[str] | NDArray[Any]:
        """Entries of a column as written where that was kept, as numbers otherwise."""
        entries = self.column_texts.get(column)
        return self.values[:, column] if entries is None else entries


def take_columns(values: NDArray[Any], kept: list[int]) -> NDArray[Any]:
    """Some columns of a matrix: a view where they are neighbors, which saves a copy."""
    if kept and kept[-1] - kept[0] + 1 == len(kept):
        return values[:, kept[0] : kept[-1] + 1]
    return values[:, kept]


def simplify(name: str) -> str:
    """A name without case, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def columns_to_keep(names: list[str] | None, width: int, wanted: Wanted) -> list[int]:
    """Columns whose entries are needed as written: possible names, and the outcome.

    All others are wanted as numbers only. Keeping the text of a wide table would take ten
    times the memory of its numbers.
    """
    keep = {0, *wanted.as_written}
    asked = [name for name in (wanted.target, wanted.index) if name is not None]
    keep.update(place % width for place in asked if isinstance(place, int))
    custom = SAMPLE_NAMES | FEATURE_NAMES
    for column, name in enumerate(names or []):
        if name in asked or simplify(name) in custom:
            keep.add(column)
    return sorted(keep)


def target_in_rows(names: list[str] | None, wanted: Wanted) -> str | int | None:
    """The target where it may be a row of the file, None where it cannot."""
    if wanted.features_in_rows is False:
        return None
    if wanted.features_in_rows is None and wanted.target in (names or []):
        return None
    return wanted.target
