import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.preprocessing import scale

from perturbfs.baselines import RandomForestSelector
from perturbfs.datasets import make_wide_classification


def test_default_is_what_scikit_learn_selects_from_the_forest():
    data = make_wide_classification(60, 100, n_informative=2, random_state=0)
    forest = RandomForestClassifier(n_estimators=30, random_state=0)
    expected = SelectFromModel(forest).fit(scale(data.X), data.y).get_support()
    selector = RandomForestSelector(n_estimators=30, random_state=0).fit(data.X, data.y)
    assert np.array_equal(selector.support_, expected)
