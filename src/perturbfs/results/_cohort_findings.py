"""Find what may mislead when a selection is tried on a second cohort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from perturbfs.arrays import Array
from perturbfs.datasets import Finding

from ._cohort import Cohort
from ._rescale import advise_units
from ._shift import FEWEST, Shift, Strata
from ._validation import SecondCohort
from ._wording import count_of, shorten

SHOWN = 10  # names of a finding


def findings_on(
    first: Cohort,
    second: SecondCohort,
    strata: Strata,
    shifts: Sequence[Shift],
    shared: Sequence[tuple[int, int]],
    replaced: Sequence[str],
) -> Iterator[Finding]:
    """Yield what may mislead in the scores of a second cohort.

    Parameters
    ----------
    first : Cohort
    second : SecondCohort
    strata : Strata
        The samples that were compared.
    shifts : sequence of Shift
    shared : sequence of (int, int)
        Positions of samples that are in both cohorts.
    replaced : sequence of str
        Names of the stand-ins.
    """
    if shared:
        yield _describe_shared(first, second, shared)
    yield from _describe_shifts(first, second, strata, shifts)
    if replaced:
        yield Finding(
            "stand_ins",
            f"{count_of(len(replaced), 'selected feature')} had to be replaced: "
            f"{_listed(replaced)}.",
            "The predictor was trained with the values of the selected feature, not of its "
            "stand-in. The refit, which was trained with the stand-in, is the fairer score.",
            tuple(replaced[:SHOWN]),
            "warning",
        )
    is_quantity = first.selection.data["task"] == "regression"
    if not is_quantity:
        yield from _describe_missing_classes(first.y, second.y)
    if not shifts:
        part = "range of the outcome" if is_quantity else "class"
        yield Finding(
            "not_compared",
            f"No {part} has at least {FEWEST} samples in both cohorts.",
            "The distributions of the features could not be compared.",
        )


def _describe_shared(
    first: Cohort, second: SecondCohort, shared: Sequence[tuple[int, int]]
) -> Finding:
    names = [_pair(first.sample_names[i], second.sample_names[j]) for i, j in shared]
    are = "is" if len(shared) == 1 else "are"
    return Finding(
        "shared_samples",
        f"{len(shared)} of {count_of(len(second.y), 'sample')} of the second cohort {are} nearly "
        f"identical to a sample of the first: {_listed(names)}.",
        "If they are the same patients or specimens, the score is too good: the features were "
        "selected and the predictor was trained on them. Leave them out of the second cohort.",
        tuple(names[:SHOWN]),
        "warning",
    )


def _pair(mine: str, other: str) -> str:
    return mine if mine == other else f"{other} (sample {mine} of the first)"


def _describe_shifts(
    first: Cohort, second: SecondCohort, strata: Strata, shifts: Sequence[Shift]
) -> Iterator[Finding]:
    shifted = [each.name for each in shifts if each.is_shifted]
    if not shifted:
        return
    verb = "is" if len(shifted) == 1 else "are"
    advice = advise_units(first.X, second.X, strata, shifts)
    if advice is None:
        advice = (
            "The cohorts may have been measured or normalized in different ways, or differ in "
            "age, tissue or treatment. Look at the pictures of these features, and compare with "
            "the score of standardized features and with the refit."
        )
    yield Finding(
        "shifted",
        f"{len(shifted)} of {count_of(len(shifts), 'feature')} {verb} distributed differently in "
        f"the two cohorts: {_listed(shifted)}.",
        advice,
        tuple(shifted[:SHOWN]),
        "warning",
    )


def _describe_missing_classes(y_first: Array, y_second: Array) -> Iterator[Finding]:
    missing = np.setdiff1d(y_first, y_second).tolist()
    if missing:
        which = "class" if len(missing) == 1 else "classes"
        yield Finding(
            "missing_classes",
            f"The second cohort has no sample of the {which} {_listed(missing)}.",
            "The scores are means over the other classes and say nothing about "
            f"{'it' if len(missing) == 1 else 'them'}.",
            tuple(missing[:SHOWN]),
        )


def _listed(names: Sequence[str]) -> str:
    shown = [shorten(str(name)) for name in names[:SHOWN]]
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return f"{', '.join(shown)}{more}"
