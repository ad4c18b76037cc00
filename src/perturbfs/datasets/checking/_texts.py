"""The sentences of findings about features: of one feature, of several, and the advice.

``{exclude}`` and ``{batch}`` stand for the options that leave the feature out and that select
within its values, if the features have names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a finding about features; their names come before `one` or `several`."""

    one: str
    several: str
    advice: str
    is_warning: bool = True


_TOGETHER = (
    "If samples come from the same patient, keep them together in all splits with --groups "
    "{name}. The column is then not used as a feature."
)

TEXTS = {
    "outcome_copy": Text(
        "is a copy of the outcome: {how}.",
        "are copies of the outcome: {how} each.",
        "Leave it out{exclude}. Otherwise it is selected, and the estimate is perfect and "
        "worthless.",
    ),
    "perfect_predictor": Text(
        "predicts the outcome perfectly without any other feature.{rest}",
        "each predict the outcome perfectly without any other feature.{rest}",
        "Check that it is known before the outcome and is not derived from it. If in doubt, leave "
        "it out{exclude}.",
    ),
    "perfect_predictor:nearly": Text(
        "predicts the outcome nearly perfectly without any other feature (AUC {auc}).{rest}",
        "each predict the outcome nearly perfectly without any other feature (AUC up to {auc})."
        "{rest}",
        "Check that it is known before the outcome and is not derived from it. If in doubt, leave "
        "it out{exclude}.",
    ),
    "identifier:telling": Text(
        "looks like an identifier that gives the outcome away: it numbers the samples and {how}.",
        "",
        "Leave it out{exclude}. The numbers go with the outcome, but those of new samples will "
        "not.",
    ),
    "missing_by_class": Text(
        "has values in some classes only, and none in the others.",
        "have values in some classes only, and none in the others.",
        "Leave it out{exclude}. Once its missing values are filled, it gives the class away.",
    ),
    "groups": Text(
        "has the same value in several samples and seems to tell which belong together.",
        "have the same values in several samples and seem to tell which belong together.",
        _TOGETHER,
    ),
    "later": Text(
        "is, by its name, known only after the outcome or together with it.",
        "are, by their names, known only after the outcome or together with it.",
        "Leave it out{exclude} unless it is known when the prediction is needed.",
    ),
    "identifier": Text(
        "looks like an identifier: it numbers the samples and does not describe them.",
        "look like identifiers: they number the samples and do not describe them.",
        "Leave it out{exclude}. If the samples are sorted by the outcome, it predicts the outcome "
        "perfectly.",
    ),
    "date": Text(
        "looks like a date.",
        "look like dates.",
        "Leave it out{exclude}, unless time itself is to predict the outcome.",
    ),
    "batch": Text(
        "separates the samples like a batch: {share} % of the features differ between its values, "
        "whatever the outcome is.",
        "",
        "If it records how the samples were processed, select within its values{batch}. It is "
        "then not used as a feature.",
    ),
    "batch:name": Text(
        "records, by its name, how the samples were processed.",
        "",
        "Select within its values{batch}, or leave it out{exclude} unless it is known for new "
        "samples too.",
        is_warning=False,
    ),
}
