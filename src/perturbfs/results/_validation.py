"""Results of a selection that is tried on a second cohort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from perturbfs.arrays import Array
from perturbfs.datasets import Finding
from perturbfs.scoring import Estimate

from ._cohort import Cohort
from ._shift import Shift

Conclusion = Literal["holds", "partly", "unclear", "fails"]


@dataclass(frozen=True, slots=True)
class SecondCohort:
    """The samples of the second cohort that are scored, and what is predicted for them.

    Attributes
    ----------
    X : array of shape (n_samples, n_selected)
        The selected features, sorted by rank, without missing values.
    y : array of shape (n_samples,)
        Classes as text, or a quantity as float64.
    feature_names : list of str
        The name of a stand-in says which feature it replaces.
    sample_names : list of str
        Numbers from 1 if the table has no names.
    predicted : array of shape (n_samples,)
    decision : array of shape (n_samples,) or (n_samples, n_classes) or None
        Decision values of the predictor: with two classes, positive for the second one. None for
        a quantity.
    source_name, target_name : str or None
    """

    X: Array
    y: Array
    feature_names: list[str]
    sample_names: list[str]
    predicted: Array
    decision: Array | None
    source_name: str | None = None
    target_name: str | None = None


@dataclass(frozen=True, slots=True)
class CohortScores:
    """How well a selection predicts a second cohort.

    Attributes
    ----------
    metric : str
        Balanced accuracy or R^2, as scikit-learn calls it.
    estimated : Estimate
        What was estimated on the first cohort when the features were selected.
    second : Estimate
        Of the predictor that was trained on the first cohort.
    guessing : float
    p_value : float
        Probability of such a score if the predictions have nothing to do with the outcome.
    standardized : Estimate
        Of the same predictor, with each feature standardized within its cohort.
    refit : Estimate or None
        Of the predictor trained again in each of many splits of the second cohort; None if it is
        too small.
    auc : Estimate or None
        Area under the ROC curve, if both cohorts have the same two classes.
    correlation : Estimate or None
        Of the prediction with a quantity.
    """

    metric: str
    estimated: Estimate
    second: Estimate
    guessing: float
    p_value: float
    standardized: Estimate
    refit: Estimate | None
    auc: Estimate | None
    correlation: Estimate | None


@dataclass(frozen=True, slots=True)
class Validation:
    """A selection on a second cohort.

    Attributes
    ----------
    first : Cohort
        The selection, and the cohort that it was made on.
    second : SecondCohort
    scores : CohortScores
    classes : tuple of str or None
        The classes of the first cohort, sorted; None for a quantity.
    shifts : tuple of Shift
        How each selected feature differs between the cohorts.
    findings : tuple of Finding
        What may mislead, such as features that are shifted or samples in both cohorts.
    notes : tuple of str
        Sentences on how the second cohort was read and its features found.
    conclusion : {"holds", "partly", "unclear", "fails"}
    verdict : str
        One sentence for the conclusion.
    comment : str
        A sentence on what the other scores say about it; may be empty.
    random_state : int or None
    """

    first: Cohort
    second: SecondCohort
    scores: CohortScores
    classes: tuple[str, ...] | None
    shifts: tuple[Shift, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    conclusion: Conclusion
    verdict: str
    comment: str
    random_state: int | None = 0

    @property
    def shifted_features(self) -> list[str]:
        """The features that are distributed differently in the two cohorts."""
        return [each.name for each in self.shifts if each.is_shifted]

    @property
    def confusion(self) -> Array | None:
        """True class by predicted class, in the order of `classes`; None for a quantity."""
        if self.classes is None:
            return None
        labels = np.array(self.classes)
        counts = np.zeros((len(labels), len(labels)), dtype=int)
        places = [np.searchsorted(labels, each) for each in (self.second.y, self.second.predicted)]
        np.add.at(counts, tuple(places), 1)
        return counts
