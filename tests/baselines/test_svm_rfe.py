import numpy as np
import pytest
from sklearn.feature_selection import RFE
from sklearn.preprocessing import scale
from sklearn.svm import SVC, SVR

from perturbfs.baselines import SVMRFESelector
from perturbfs.baselines._svm_rfe import square_weights


@pytest.fixture
def problem():
    random = np.random.default_rng(0)
    features = scale(random.standard_normal((30, 12)))
    return features, (features[:, 0] - features[:, 1] + random.standard_normal(30) > 0)


class ScaledSVC(SVC):
    """Divides features as the selector does, so that C means the same at every step."""

    def fit(self, X, y):
        return super().fit(X / np.sqrt(X.shape[1]), y)


def test_one_by_one_it_is_the_elimination_of_scikit_learn(problem):
    features, y = problem
    slow = RFE(ScaledSVC(kernel="linear"), n_features_to_select=1).fit(features, y)
    assert SVMRFESelector(1).fit(features, y).ranking_.tolist() == slow.ranking_.tolist()


def test_weights_from_the_products_are_those_of_the_linear_machine(problem):
    features, _ = problem
    slow = SVR(kernel="linear").fit(features / np.sqrt(12), features[:, 0])
    squares = square_weights(features, features[:, :1], C=1.0, task="regression")
    # libsvm stops at a tolerance of 1e-3.
    assert squares == pytest.approx(slow.coef_[0] ** 2, abs=1e-3)


def test_halving_keeps_every_feature_in_the_order(problem):
    features, y = problem
    selector = SVMRFESelector(2, n_one_by_one=2).fit(features, y)
    assert sorted(selector.ranking_) == list(range(1, 13))
    assert selector.get_support(indices=True).tolist() == [0, 1]


def test_default_number_is_a_power_of_two(problem):
    features, y = problem
    assert SVMRFESelector().fit(features, y).support_.sum() in (1, 2, 4, 8)
