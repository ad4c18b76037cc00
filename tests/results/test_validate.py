"""A selection on a second cohort: what is scored, what is refused, what is said."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, r2_score

from perturbfs.datasets import Table, make_wide_classification, make_wide_regression
from perturbfs.exceptions import DataWarning
from perturbfs.results import (
    SelectionError,
    describe_validation,
    first_cohort,
    load_validation,
    select_features,
    validate_selection,
)
from perturbfs.scoring import named_predictors

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "datasets"
NAMES = np.array([f"g{place}" for place in range(60)], dtype=object)


def take(data, rows, task):
    return Table(
        X=data.X[rows],
        y=data.y[rows],
        feature_names=NAMES,
        sample_names=np.array([f"S{row}" for row in range(200)], dtype=object)[rows],
        task=task,
        target_name="state",
        source="second.csv",
    )


@pytest.fixture(scope="module")
def classes():
    """A selection on half of the samples, and the other half."""
    data = make_wide_classification(120, 60, random_state=0)
    tables = [take(data, rows, "classification") for rows in (slice(0, 60), slice(60, 120))]
    found = select_features(tables[0], method="anova", n_features=5, n_splits=3)
    return found, tables[1]


@pytest.fixture(scope="module")
def quantities():
    data = make_wide_regression(120, 60, random_state=0)
    tables = [take(data, rows, "regression") for rows in (slice(0, 60), slice(60, 120))]
    return select_features(tables[0], method="lasso", n_features=5, n_splits=3), tables[1]


@pytest.fixture(scope="module")
def validated(classes):
    return validate_selection(*classes)


def chosen(result):
    return [each.index for each in result.selection.features]


def test_the_score_is_that_of_the_predictor_fitted_to_the_first_cohort(classes, validated):
    first, second = classes
    model = named_predictors(["svm"], "classification")["svm"]
    model.fit(first.table.X[:, chosen(first)], first.table.y)
    predicted = model.predict(second.X[:, chosen(first)])
    assert validated.second.predicted.tolist() == predicted.tolist()
    assert validated.scores.second.mean == pytest.approx(
        balanced_accuracy_score(second.y, predicted)
    )
    assert validated.confusion.tolist() == confusion_matrix(second.y, predicted).tolist()
    assert validated.second.decision == pytest.approx(
        model.decision_function(second.X[:, chosen(first)])
    )


def test_a_second_cohort_of_the_same_kind_confirms_the_selection(validated):
    assert validated.conclusion == "holds"
    assert validated.verdict.startswith("The selection holds on the second cohort: balanced acc")
    assert (validated.comment, validated.shifted_features, validated.findings) == ("", [], ())
    assert validated.scores.refit.mean > 0.6


def test_a_quantity_is_scored_by_r2(quantities):
    first, second = quantities
    validation = validate_selection(first, second)
    model = named_predictors(["ridge"], "regression")["ridge"]
    model.fit(first.table.X[:, chosen(first)], first.table.y)
    predicted = model.predict(second.X[:, chosen(first)])
    assert validation.scores.second.mean == pytest.approx(r2_score(second.y, predicted))
    assert (validation.confusion, validation.classes, validation.scores.auc) == (None, None, None)
    assert validation.scores.correlation.mean > 0.5
    assert validation.scores.guessing == 0.0


def test_labels_in_random_order_make_the_selection_fail(classes):
    first, second = classes
    y = np.random.default_rng(3).permutation(second.y)
    validation = validate_selection(first, dataclasses.replace(second, y=y))
    assert validation.conclusion == "fails"
    assert "is not clearly better than guessing (0.50)" in validation.verdict
    assert "do not predict there either" in validation.comment


def test_few_samples_cannot_tell(classes):
    first, second = classes
    rows = np.r_[
        np.flatnonzero(second.y == "class 1")[:2], np.flatnonzero(second.y != "class 1")[:2]
    ]
    few = dataclasses.replace(
        second, X=second.X[rows], y=second.y[rows], sample_names=second.sample_names[rows]
    )
    validation = validate_selection(first, few)
    assert validation.conclusion == "unclear"
    assert "with 4 samples" in validation.verdict
    assert validation.scores.refit is None


def test_another_unit_is_warned_of_and_standardized_features_hold(classes):
    first, second = classes
    moved = dataclasses.replace(second, X=second.X * 4 + 30)
    validation = validate_selection(first, moved)
    assert validation.conclusion == "fails"
    assert "the two cohorts are on different scales" in validation.comment
    [finding] = [each for each in validation.findings if each.kind == "shifted"]
    assert "5 of 5 features are distributed differently" in finding.message
    same = validate_selection(first, second).scores.standardized
    assert validation.scores.standardized == same


def test_samples_of_both_cohorts_are_named(classes):
    first, second = classes
    X, names = second.X.copy(), second.sample_names.copy()
    X[:2], names[0] = first.table.X[5:7], "S5"
    validation = validate_selection(first, dataclasses.replace(second, X=X, sample_names=names))
    [finding] = [each for each in validation.findings if each.kind == "shared_samples"]
    assert finding.names == ("S5", "S61 (sample S6 of the first)")
    assert finding.severity == "warning"


def test_unknown_classes_are_refused_with_both_sets_or_left_out(classes):
    first, second = classes
    y = second.y.astype(object)
    y[:3] = "class 9"
    other = dataclasses.replace(second, y=y)
    with pytest.raises(SelectionError, match=r"'class 9', but the first has 'class 1', 'class 2'"):
        validate_selection(first, other)
    validation = validate_selection(first, other, unknown_classes="drop")
    assert len(validation.second.y) == len(validation.second.sample_names) == 57
    assert any("3 samples of the class 'class 9' were left out" in n for n in validation.notes)
    with pytest.raises(SelectionError, match=r"only these can be predicted. Rename them\.$"):
        validate_selection(
            first, dataclasses.replace(second, y=np.full(60, "z")), unknown_classes="drop"
        )


def test_one_class_only_is_refused(classes):
    first, second = classes
    with pytest.raises(SelectionError, match="All 60 samples of the second cohort have the class"):
        validate_selection(first, dataclasses.replace(second, y=np.full(60, "class 1")))


def test_missing_values_without_medians_are_refused(classes):
    first, second = classes
    X = second.X.copy()
    X[3, chosen(first)[0]] = np.nan
    with pytest.raises(
        SelectionError, match=r"has missing values in 'g\d+' \(1\), and no medians"
    ):
        validate_selection(first, dataclasses.replace(second, X=X))


def test_missing_values_are_filled_with_the_medians_of_the_first_cohort():
    data = make_wide_classification(90, 60, random_state=0)
    data.X[np.arange(60) % 40, np.arange(60)] = np.nan  # one in every feature
    tables = [take(data, rows, "classification") for rows in (slice(0, 60), slice(60, 90))]
    first = select_features(tables[0], method="anova", n_features=3, n_splits=2, impute="median")
    column = chosen(first)[0]
    median = np.nanmedian(tables[0].X[:, column])
    tables[1].X[3, column] = np.nan
    validation = validate_selection(first, tables[1])
    assert validation.second.X[3, 0] == median
    assert not np.isnan(validation.first.X).any()
    assert any("1 missing value was filled" in note for note in validation.notes)


def test_stand_ins_are_taken_on_request_with_a_warning(classes):
    first, second = classes
    [lost, *_] = first.selection.features
    lost = dataclasses.replace(lost, stands_for=("twin",))
    selection = dataclasses.replace(
        first.selection, features=(lost, *first.selection.features[1:])
    )
    result = dataclasses.replace(first, selection=selection)
    names = np.where(lost.name == NAMES, "twin", NAMES)
    other = dataclasses.replace(second, feature_names=names)
    with pytest.raises(SelectionError, match="Pass stand_ins=True"):
        validate_selection(result, other)
    validation = validate_selection(result, other, stand_ins=True)
    assert [each.kind for each in validation.findings] == ["stand_ins"]
    assert validation.second.feature_names[0] == f"twin (for {lost.name})"


def test_another_task_is_refused(classes):
    first, second = classes
    data = first.selection.data | {"task": "survival"}
    selection = dataclasses.replace(first.selection, data=data)
    cohort = dataclasses.replace(first, selection=selection)
    with pytest.raises(SelectionError, match="'survival', but a second cohort can be scored only"):
        validate_selection(cohort, second)


def test_text_as_a_quantity_and_no_outcome_are_refused(quantities):
    first, second = quantities
    with pytest.raises(SelectionError, match="is a quantity, but that of the second is text"):
        validate_selection(first, dataclasses.replace(second, y=np.full(60, "a")))
    with pytest.raises(SelectionError, match=r"second\.csv has no outcome"):
        validate_selection(first, dataclasses.replace(second, y=None, task=None))


def test_a_missing_class_is_noted_and_scored_without(classes):
    data = make_wide_classification(150, 60, n_classes=3, random_state=1)
    tables = [take(data, rows, "classification") for rows in (slice(0, 75), slice(75, 150))]
    first = select_features(tables[0], method="anova", n_features=6, n_splits=2)
    kept = tables[1].y != "class 3"
    second = dataclasses.replace(
        tables[1],
        X=tables[1].X[kept],
        y=tables[1].y[kept],
        sample_names=tables[1].sample_names[kept],
    )
    validation = validate_selection(first, second)
    assert [each.kind for each in validation.findings] == ["missing_classes"]
    recalls = [
        np.mean(validation.second.predicted[second.y == label] == label)
        for label in ("class 1", "class 2")
    ]
    assert validation.scores.second.mean == pytest.approx(np.mean(recalls))
    assert validation.scores.guessing == 0.5
    document = describe_validation(validation)
    assert document["confusion"]["by_class"][2]["sensitivity"] is None
    assert validation.second.decision.shape == (kept.sum(), 3)


@pytest.mark.parametrize("kind", ["classes", "quantities"])
def test_the_document_passes_its_own_check(kind, request, tmp_path):
    validation = validate_selection(*request.getfixturevalue(kind))
    document = describe_validation(validation, command="perturbfs validate a b", date="2026-03-31")
    path = tmp_path / "validation.json"
    path.write_text(json.dumps(document, allow_nan=False))
    assert load_validation(path) == json.loads(path.read_text())
    assert document["verdict"] == validation.verdict
    again = describe_validation(validate_selection(*request.getfixturevalue(kind)))
    assert again == document | {"command": None, "date": None}


def test_whole_numbers_are_the_same_classes_in_any_type(classes):
    first, second = classes
    table = dataclasses.replace(first.table, y=np.where(first.table.y == "class 1", 1, 2))
    first = dataclasses.replace(first, table=table)
    y = np.where(second.y == "class 1", 1.0, 2.0)
    assert validate_selection(first, dataclasses.replace(second, y=y)).classes == ("1", "2")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the developers' data are not here")
def test_the_leukemias_of_golub_are_told_apart_in_the_second_cohort():
    path = SHARED / "leukemia_golub.npz"
    with np.load(path) as data:
        X, y, split = data["X"].astype(np.float64), data["Y"].astype(int), data["split"]
    tables = [
        Table(X=X[split == k], y=y[split == k], task="classification", source=str(path))
        for k in (0, 1)
    ]
    first = select_features(tables[0], method="anova", n_features=10, n_splits=2)
    with pytest.warns(DataWarning, match="by position"):
        validation = validate_selection(first, tables[1])
    assert validation.conclusion == "holds"
    assert validation.scores.second.mean > 0.8
    assert not [each for each in validation.findings if each.kind == "shared_samples"]


def test_a_cohort_in_memory_is_taken_as_it_is(classes):
    cohort = first_cohort(classes[0])
    assert first_cohort(cohort) is cohort
    assert cohort.sample_names[:2] == ["S0", "S1"]
