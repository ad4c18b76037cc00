import numpy as np

from perturbfs.baselines import GBMSelector
from perturbfs.baselines._ranking import rank_by_importance
from perturbfs.datasets import make_wide_classification


def test_default_is_every_feature_with_influence():
    data = make_wide_classification(60, 100, n_informative=2, random_state=0)
    selector = GBMSelector(n_estimators=10, random_state=0).fit(data.X, data.y)
    assert np.array_equal(selector.support_, selector.scores_ > 0)
    assert 1 < selector.support_.sum() < 100


def test_features_without_importance_are_not_ranked():
    ranking = rank_by_importance(np.array([0.0, 0.3, 0.0, 0.7]), threshold=0.5)
    assert ranking.order.tolist() == [3, 1]
    assert ranking.n_default == 1


def test_one_feature_is_ranked_where_none_matters():
    assert rank_by_importance(np.zeros(3)).order.tolist() == [0]
