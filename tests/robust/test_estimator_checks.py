"""scikit-learn's own checks of the estimator contract."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs import RobustSelector

pytestmark = pytest.mark.slow


@parametrize_with_checks(
    [
        RobustSelector(max_features=3),
        RobustSelector(1, nonlinear=True, clip=None, noise=0.5),
    ]
)
def test_estimator_follows_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
