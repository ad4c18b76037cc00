import numpy as np
import pytest
from rival_helpers import make_curved_data, order_of

from perturbfs.baselines import HSICLassoSelector, LANDSelector
from perturbfs.baselines._hsic_lasso import (
    class_kernel,
    draw_blocks,
    gaussian_kernels,
)
from perturbfs.baselines._land import FactorTable, class_factor, kernel_factors
from perturbfs.baselines._preparation import standardize


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("n_wanted", [10, None])
@pytest.mark.parametrize("seed", range(2))
def test_with_all_samples_as_basis_it_is_hsic_lasso(task, n_wanted, seed):
    X, y = make_curved_data(task, seed)
    land = LANDSelector(n_wanted, n_basis=48, basis="samples").fit(X, y)
    full = HSICLassoSelector(n_wanted).fit(X, y)
    assert order_of(land) == order_of(full)
    # Inverse roots of eigenvalues down to 1e-14 cost half the digits.
    assert land.scores_ == pytest.approx(full.scores_, abs=1e-6)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_grid_of_twenty_points_orders_as_full_kernels_do(task):
    X, y = make_curved_data(task)
    assert order_of(LANDSelector(8).fit(X, y)) == order_of(HSICLassoSelector(8).fit(X, y))


def test_factors_multiply_to_the_kernels():
    X, y = make_curved_data()
    features = standardize(X).T
    blocks = draw_blocks(len(y), None, 1, 0)
    kernels = gaussian_kernels(features, blocks)
    table = FactorTable(features, features)
    assert table.gram_column(3) == pytest.approx(kernels @ kernels[3], abs=1e-7)
    products = table.inner(class_factor(y))
    assert products == pytest.approx(kernels @ class_kernel(y, blocks), abs=1e-7)


def test_a_factor_of_two_samples_is_worked_by_hand():
    # Any centered unit kernel of two different values is [[1, -1], [-1, 1]] / 2.
    values = np.array([[-1.0, 1.0]])
    factor = kernel_factors(values, values)[0]
    assert factor @ factor.T == pytest.approx(np.array([[0.5, -0.5], [-0.5, 0.5]]))
    factor = class_factor(np.array(["a", "b"]))
    assert factor @ factor.T == pytest.approx(np.array([[0.5, -0.5], [-0.5, 0.5]]))


def test_permuting_and_scaling_features_permutes_the_answer():
    X, y = make_curved_data()
    order = np.random.default_rng(1).permutation(X.shape[1])
    plain, moved = LANDSelector(8).fit(X, y), LANDSelector(8).fit(-20 * X[:, order] + 3, y)
    assert order[order_of(moved)].tolist() == order_of(plain)


@pytest.mark.parametrize("basis", ["grid", "samples"])
def test_copies_and_constant_features_are_not_taken(basis):
    X, y = make_curved_data()
    plain = LANDSelector(8, basis=basis).fit(X, y)
    more = np.hstack([np.full((48, 2), [0.1, 1e6]), X, 2 * X])
    wider = LANDSelector(8, basis=basis).fit(more, y)
    assert [(feature - 2) % 30 for feature in order_of(wider)] == order_of(plain)
    assert not wider.support_[:2].any()


def test_samples_drawn_follow_the_seed():
    X, y = make_curved_data()
    few = [
        LANDSelector(8, n_basis=3, basis="samples", random_state=seed).fit(X, y).scores_.tolist()
        for seed in (0, 0, 1)
    ]
    assert few[0] == few[1] != few[2]


def test_wide_data_give_exactly_as_many_features_as_asked_for():
    X, y = make_curved_data(n_samples=30, n_features=1500)
    assert LANDSelector(20).fit(X, y).support_.sum() == 20


def test_more_features_than_the_path_holds_are_refused():
    X, y = make_curved_data()
    with pytest.raises(ValueError, match="LANDSelector ranks only"):
        LANDSelector(30).fit(X, y)
