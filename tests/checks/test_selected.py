import sys

import numpy as np
import pytest

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.checks import absolute_correlations, describe_directions, find_near_copies
from perturbfs.evaluation import stability


@pytest.fixture(scope="module")
def frame():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    y, X = np.arange(60) % 3, rng.standard_normal((60, 40))
    X[:, :3] += 2.5 * np.eye(3)[y]
    X[:, 10] = X[:, 0] + 0.1 * rng.standard_normal(60)
    return pd.DataFrame(X, columns=[f"gene {j}" for j in range(40)]), np.array(list("abc"))[y]


@pytest.mark.parametrize("selector", [RobustSelector(5), PerturbationSelector(5, random_state=0)])
def test_the_selected_features_are_shown_as_a_frame_sorted_by_rank(frame, selector):
    X, y = frame
    found = selector.fit(X, y).to_frame()
    assert list(found.columns) == [
        *("rank", "name", "index", "score", "direction", "stands_for", "copy_of")
    ]
    assert found["rank"].tolist() == [1, 2, 3, 4, 5]
    assert set(found["name"]) == set(selector.get_feature_names_out())
    assert set(found["direction"]) <= {"highest in a", "highest in b", "highest in c"}
    assert list(selector.groups_by_name()) == found["name"].tolist()


def test_a_near_copy_is_named_and_counted_by_the_feature_that_it_copies(frame):
    X, y = frame
    selector = RobustSelector(5, max_correlation=None).fit(X, y)
    rows = selector.to_frame().set_index("name")
    [(copy, earlier)] = selector.copy_of_.items()
    assert {copy, earlier} == {0, 10}
    assert rows.loc[f"gene {copy}", "copy_of"] == f"gene {earlier}"
    assert rows.loc[f"gene {earlier}", "stands_for"] == [f"gene {copy}"]
    assert f"near copy of gene {earlier}" in selector._repr_mimebundle_()["text/html"]


def test_features_without_names_are_called_as_scikit_learn_calls_them(frame):
    X, y = frame
    selector = RobustSelector(3).fit(X.to_numpy(), y)
    assert set(selector.to_frame()["name"]) == set(selector.get_feature_names_out())


def test_a_missing_pandas_is_named_with_its_extra(frame, monkeypatch):
    selector = RobustSelector(3).fit(frame[0].to_numpy(), frame[1])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_frame needs .*perturbfs\[frames\]"):
        selector.to_frame()


def test_stability_is_the_same_measure_in_both_selectors(frame):
    X, y = frame
    paper = PerturbationSelector(n_repeats=3, max_features=4, random_state=0).fit(X, y)
    chosen = [run.chosen.features for run in paper.runs_]
    assert paper.stability_ == stability(chosen, 40)
    assert -1 <= RobustSelector(max_features=4).fit(X, y).stability_ <= 1


def test_directions_are_weighted_and_hold_for_huge_values():
    columns = 1e300 * np.array([[1.0, -1.0], [0.0, 0.0], [0.5, 0.5]])
    y = np.array(["no", "no", "yes"])
    weights = np.array([1.0, 0.0, 1.0])
    found = describe_directions(columns, y, weights, task="classification")
    assert found == ["higher in no", "higher in yes"]


def test_the_nearest_earlier_feature_is_the_one_that_is_copied():
    base = np.random.default_rng(0).standard_normal((50, 4))
    columns = np.column_stack([base[:, 0], base[:, 0] + 0.2 * base[:, 1], base[:, 2]])
    columns = np.column_stack([columns, -1e200 * (columns[:, 1] + 0.01 * base[:, 3])])
    copies = find_near_copies(absolute_correlations(columns), np.array([5, 2, 9, 4]))
    assert copies == {2: 5, 4: 2}
