"""scikit-learn's own checks of the estimator contract."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs import RobustSelector

pytestmark = pytest.mark.slow

# Where the number is chosen, inner splits are made of samples. Copies of a sample may be on both
# sides of a split, and a sample of weight 2 is on one. Nearest neighbors take no weights either,
# so that weights that differ leave the linear model alone. A number that is given passes.
WEIGHTS = "copies of a sample and its weight are different things to the inner splits"
EXPECTED = {
    f"check_sample_weight_equivalence_on_{kind}_data": WEIGHTS for kind in ("dense", "sparse")
}


def expected_failures(estimator):
    return EXPECTED if estimator is AUTO else {}


AUTO = RobustSelector()


@parametrize_with_checks(
    [
        AUTO,
        RobustSelector(max_features=3),
        RobustSelector(1, nonlinear=True, clip=None, noise=0.5),
    ],
    expected_failed_checks=expected_failures,
)
def test_estimator_follows_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
