"""What users pass by mistake gets one helpful sentence, and quickly."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from perturbfs import PerturbationSelector, RobustSelector, evaluate
from perturbfs.baselines import MRMRSelector

pd = pytest.importorskip("pandas")

Y = np.arange(30) % 2
X = np.random.default_rng(0).standard_normal((30, 20))


def frame(**columns):
    return pd.DataFrame(X, columns=[f"gene {j}" for j in range(20)]).assign(**columns)


def repeated():
    table = frame()
    table.columns = ["TP53", "TP53", "MYC", "MYC", *table.columns[4:]]
    return table


def survival():
    return np.array([(True, 3.0)] * 30, dtype=[("event", bool), ("time", float)])


def adata():
    return SimpleNamespace(X=X, obs=frame(), var=frame(), shape=X.shape)


@pytest.mark.parametrize(
    ("features", "outcome", "message"),
    [
        (adata(), Y, r"X is an .* Use perturbfs\.anndata\.select_genes\(adata, 'cell_type'\)"),
        (frame(), "diagnosis", "y is 'diagnosis', but one class or one number per sample"),
        (repeated(), Y, r"X has 2 repeated feature names: 'TP53', 'MYC'.*duplicated\(\)"),
        (frame(sex="male"), Y, "X holds text in 'sex'.*OneHotEncoder"),
        (frame(sex=pd.Categorical(["m", "f"] * 15)), Y, "X holds text in 'sex'"),
        (frame(day=pd.date_range("2026-01-01", periods=30)), Y, "X holds dates in 'day'.*days"),
    ],
)
@pytest.mark.parametrize("selector", [RobustSelector(3), PerturbationSelector(3)])
def test_a_mistake_is_named_with_what_to_do(selector, features, outcome, message):
    with pytest.raises(ValueError, match=message):
        selector.fit(features, outcome)


def test_a_survival_outcome_is_refused_by_selectors_that_take_none():
    message = r"fields 'event' and 'time'.*RobustSelector only.*pass one field.*y\['event'\]"
    with pytest.raises(ValueError, match=message):
        PerturbationSelector(3).fit(X, survival())


@pytest.mark.parametrize("selector", [RobustSelector(), PerturbationSelector(), MRMRSelector(3)])
def test_an_annotated_matrix_without_an_outcome_is_refused_too(selector):
    with pytest.raises(ValueError, match=r"perturbfs\.anndata\.select_genes"):
        selector.fit(adata())


def test_evaluate_refuses_an_annotated_matrix_at_once():
    with pytest.raises(ValueError, match=r"X is an .* Use perturbfs\.anndata\.select_genes"):
        evaluate({"robust": RobustSelector(3)}, adata(), Y)


def test_numbers_as_text_and_other_types_of_numbers_are_taken():
    table = frame(a=["1.5", "2.5"] * 15, b=pd.array([1, 2] * 15, dtype="Int64"), c=[True] * 30)
    assert RobustSelector(3).fit(table.astype({"c": bool}), Y).get_support().sum() == 3


def test_an_outcome_in_one_column_of_a_frame_is_taken():
    expected = RobustSelector(3).fit(X, Y).path_
    found = RobustSelector(3).fit(X, pd.DataFrame({"outcome": Y}))
    np.testing.assert_array_equal(found.path_, expected)
    assert found.direction_


def test_text_in_a_wide_frame_is_named_within_a_second():
    wide = pd.DataFrame(np.zeros((100, 20_000)), columns=[f"g{j}" for j in range(20_000)])
    wide["g5"] = "text"
    start = time.process_time()
    with pytest.raises(ValueError, match="X holds text in 'g5'"):
        RobustSelector(3).fit(wide, np.arange(100) % 2)
    assert time.process_time() - start < 1


def test_a_grid_search_keeps_the_selectors_that_it_tried():
    """numpy.ma takes an attribute `_data` or `_mask` of a value for the value itself."""
    model = make_pipeline(RobustSelector(3), LinearSVC())
    tried = [RobustSelector(2), PerturbationSelector(3)]
    search = GridSearchCV(model, {"robustselector": tried}, cv=2).fit(X, Y)
    assert list(search.cv_results_["param_robustselector"]) == tried
    for selector in tried:
        assert not {"_data", "data", "_mask", "mask"} & set(dir(selector.fit(X, Y)))
