"""The features of a table with their measures, and findings about some of them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.arrays import Array, to_dense

from ._finding import SHOWN, Finding, listed
from ._measure import Measures
from ._texts import TEXTS


@dataclass(frozen=True, slots=True)
class Features:
    """Features with their names and measures, and the outcome that they are compared with."""

    X: Any
    names: Sequence[str]
    has_names: bool  # whether the names are in the file
    measures: Measures
    kinds: dict[str, list[int]]  # from `kinds_of_names`
    codes: Array | None  # classes from 0
    quantity: Array | None

    def column(self, place: int) -> Array:
        """Return the values of one feature."""
        return np.asarray(to_dense(self.X[:, [place]]), dtype=np.float64).ravel()

    def first_names(self, places: Sequence[int] | Array) -> tuple[str, ...]:
        """Return the names of the first ten of some features."""
        return tuple(self.names[place] for place in places[:SHOWN])

    def quoted(self, places: Sequence[int] | Array) -> str:
        """Return the names of the first ten of some features in a row, and how many more."""
        return listed([repr(self.names[place]) for place in places])

    def finding(self, text: str, places: Sequence[int] | Array, **values: Any) -> Finding:
        """Return a finding about some features.

        Parameters
        ----------
        text : str
            Key of `TEXTS`; what is before the colon is the kind.
        places : sequence of int
        **values
            What the text has in braces.

        Returns
        -------
        finding : Finding
        """
        chosen, name = TEXTS[text], shlex.quote(self.names[places[0]])
        option = f" with --exclude {name}" if len(places) == 1 else " with --exclude"
        values |= {"exclude": option if self.has_names else "", "name": name}
        values["batch"] = f" with --batch {name}" if self.has_names else ""
        says = chosen.one if len(places) == 1 else chosen.several
        return Finding(
            text.partition(":")[0],
            f"{self.quoted(places)} {says.format(**values)}",
            chosen.advice.format(**values),
            self.first_names(places),
            "warning" if chosen.is_warning else "note",
        )
