"""scikit-learn's own checks of the estimator contract."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs import PerturbationSelector

pytestmark = pytest.mark.slow


# The data of the sparse checks repeat samples of zeros, which we warn of.
@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.DataWarning")
@parametrize_with_checks(
    [
        PerturbationSelector(n_repeats=2, random_state=0),
        PerturbationSelector(n_features_to_select=1),
        PerturbationSelector(n_repeats=1, definition="released", clusterer="warm", rule="one_se"),
    ]
)
def test_estimator_follows_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
