import numpy as np
import pytest

from perturbfs import RobustSelector
from perturbfs.baselines import AnovaSelector, RandomSelector
from perturbfs.checks import resolve_number


@pytest.mark.parametrize(
    ("asked", "number"),
    [("auto", None), (None, None), (7, 7), (np.int64(7), 7), (0.5, 20), (0.99, 39), (1e-9, 1)],
)
def test_numbers_and_shares_of_forty_features(asked, number):
    assert resolve_number(asked, 40) == number


def test_one_is_one_feature_and_one_point_zero_all():
    assert resolve_number(1, 40) == 1
    assert resolve_number(1.0, 40) == 40


@pytest.mark.parametrize("selector", [RobustSelector, AnovaSelector, RandomSelector])
def test_auto_and_none_mean_the_same(selector):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 12)), np.arange(40) % 2
    found = [selector(number) for number in ("auto", None)]
    for each in found:
        if "random_state" in each.get_params():
            each.set_params(random_state=0)
        each.fit(X, y)
    assert found[0].support_.tolist() == found[1].support_.tolist()
    assert found[0].n_features_ == found[0].support_.sum()


@pytest.mark.parametrize("number", [0, -1, 0.0, 1.5, "all"])
def test_other_numbers_are_refused(number):
    with pytest.raises(ValueError, match="n_features_to_select"):
        RobustSelector(number).fit(np.eye(6), [0, 1] * 3)
