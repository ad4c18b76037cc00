import numpy as np
import pytest

from perturbfs import RobustSelector
from perturbfs.evaluation import noise_robustness


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).standard_normal((60, 30))


def test_more_noise_changes_more(X):
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    found = noise_robustness(
        RobustSelector(3), X, y, levels=(0.01, 3.0), n_repeats=4, random_state=0
    )
    still, little, much = found.rows
    assert (still.kept, still.changed) == (1.0, 0.0)
    assert little.kept > much.kept
    assert little.changed < much.changed
    assert still.score > much.score
    assert str(found).splitlines()[2].startswith("   1 %")


def test_change_of_a_quantity_is_relative_to_the_outcome(X):
    y = 100 * X[:, 0]
    [still, noisy] = noise_robustness(
        RobustSelector(1), X, y, levels=(0.1,), task="regression", n_repeats=3, random_state=0
    ).rows
    assert still.score == pytest.approx(1, abs=1e-3)
    # The one feature is the outcome, so noise of a tenth changes predictions by a tenth.
    assert noisy.changed == pytest.approx(0.1, abs=0.04)


def test_the_seed_decides(X):
    y = (X[:, 0] > 0).astype(int)
    first, second = (
        noise_robustness(RobustSelector(2), X, y, n_repeats=2, random_state=3) for _ in range(2)
    )
    assert first == second


def test_a_level_of_zero_is_refused(X):
    with pytest.raises(ValueError, match="must be positive"):
        noise_robustness(RobustSelector(2), X, X[:, 0] > 0, levels=[0.0])
