"""The whole characterization against the slow, obvious version."""

import numpy as np
import pytest
import scipy.sparse
import slow
from made_tables import KINDS, SHAPES, make_table

from perturbfs.arrays import as_blocks
from perturbfs.paper import characterize, characterize_runs, code_target


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("coding", ["codes", "indicators"])
def test_characteristics_agree_with_the_slow_version(shape, kind, coding):
    X, y, u = make_table(shape, kind)
    found = characterize(X, y, row_noise=u, target_coding=coding)
    N = slow.unit(X)
    target = y if coding == "codes" else code_target(y, coding=coding).columns
    sensitivity, to_target, without = slow.characteristics(N, slow.row_noise_matrix(N, u), target)
    # The slow version subtracts two pseudo-inverse solutions: its error is the larger one.
    scale = np.linalg.norm(slow.coefficients(N, target)) + np.linalg.norm(sensitivity)
    assert found.rank == np.linalg.matrix_rank(N)
    np.testing.assert_allclose(found.sensitivity, sensitivity, rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(found.angle_to_target, to_target, rtol=0, atol=1e-11)
    np.testing.assert_allclose(found.angle_without, without, rtol=0, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("perturbation", ["rank2", "box", "iid", "expected"])
@pytest.mark.parametrize("scaling", ["unit", "minmax"])
def test_every_namespace_gives_the_same(xp, shape, perturbation, scaling):
    X, y, _ = make_table(shape)
    X[:, 2] = 7.0
    options = {"perturbation": perturbation, "scaling": scaling, "random_state": 0}
    [expected] = characterize_runs(as_blocks(X), code_target(y), **options)
    [found] = characterize_runs(as_blocks(xp.asarray(X)), code_target(y), **options)
    np.testing.assert_allclose(np.asarray(found.matrix), expected.matrix, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("scaling", ["unit", "minmax"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("perturbation", ["rank2", "box", "iid", "expected"])
def test_sparse_and_dense_features_give_the_same(shape, perturbation, scaling):
    X, y, _ = make_table(shape)
    X[np.abs(X) < 1.0] = 0.0
    options = {"perturbation": perturbation, "scaling": scaling, "random_state": 0}
    dense = characterize(X, y, **options)
    for convert in (scipy.sparse.csr_array, scipy.sparse.csc_matrix):
        sparse = characterize(convert(X), y, **options)
        np.testing.assert_allclose(sparse.matrix, dense.matrix, rtol=1e-9, atol=1e-11)


def test_blocks_of_any_width_give_the_same(monkeypatch):
    X, y, u = make_table((20, 300))
    whole = characterize(X, y, row_noise=u).matrix
    iid = characterize(X, y, perturbation="iid", random_state=3).matrix
    monkeypatch.setattr("perturbfs.arrays._blocks.BLOCK_BYTES", 1)
    monkeypatch.setattr("perturbfs.arrays._blocks.MIN_BLOCK_WIDTH", 7)
    np.testing.assert_allclose(characterize(X, y, row_noise=u).matrix, whole, rtol=1e-10)
    again = characterize(X, y, perturbation="iid", random_state=3).matrix
    np.testing.assert_allclose(again, iid, rtol=1e-10)


def test_minmax_scales_features_and_codes_into_the_unit_interval():
    X, y, u = make_table((20, 60))
    found = characterize(X, y, row_noise=u, scaling="minmax")
    A, b = slow.unit_interval(X), slow.unit_interval(y)
    sensitivity, to_target, without = slow.characteristics(A, slow.row_noise_matrix(A, u), b)
    np.testing.assert_allclose(found.sensitivity, sensitivity, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.angle_to_target, to_target, rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.angle_without, without, rtol=0, atol=1e-10)


@pytest.mark.parametrize("perturbation", ["rank2", "expected"])
def test_permuting_features_permutes_the_paper_characteristics(perturbation):
    X, y, u = make_table((20, 60))
    order = np.random.default_rng(1).permutation(60)
    noise = u if perturbation == "rank2" else None
    plain = characterize(X, y, perturbation=perturbation, row_noise=noise)
    permuted = characterize(X[:, order], y, perturbation=perturbation, row_noise=noise)
    np.testing.assert_allclose(permuted.matrix, plain.matrix[order], rtol=1e-9)


def test_permuting_features_does_not_permute_the_released_characteristics():
    X, y, u = make_table((20, 60))
    order = np.random.default_rng(1).permutation(60)
    plain = characterize(X, y, definition="released", row_noise=u)
    permuted = characterize(X[:, order], y, definition="released", row_noise=u)
    np.testing.assert_allclose(permuted.matrix[:, 0], plain.matrix[order, 0], rtol=1e-9)
    assert np.max(np.abs(permuted.matrix[:, 1] - plain.matrix[order, 1])) > 1e-3


def test_scaling_a_feature_by_a_positive_number_changes_nothing():
    X, y, u = make_table((20, 60))
    factors = np.random.default_rng(1).uniform(0.01, 1000.0, size=60)
    plain = characterize(X, y, row_noise=u).matrix
    np.testing.assert_allclose(characterize(X * factors, y, row_noise=u).matrix, plain, rtol=1e-9)


def test_turning_the_sign_of_the_outcome_mirrors_the_angle_to_it():
    X, y, u = make_table((20, 60))
    plain, turned = characterize(X, y, row_noise=u), characterize(X, -y, row_noise=u)
    np.testing.assert_allclose(turned.angle_to_target, 180 - plain.angle_to_target)
    np.testing.assert_allclose(turned.angle_without, plain.angle_without)
    np.testing.assert_allclose(turned.sensitivity, plain.sensitivity)


def test_renumbering_classes_changes_nothing_with_indicators():
    X, y, u = make_table((20, 60))
    renamed = np.array(["zebra", "ape", "bee"])[y.astype(int) - 1]
    plain = characterize(X, y, row_noise=u, target_coding="indicators")
    found = characterize(X, renamed, row_noise=u, target_coding="indicators")
    np.testing.assert_allclose(found.matrix, plain.matrix, rtol=1e-10)
    codes = characterize(X, y, row_noise=u), characterize(X, renamed, row_noise=u)
    assert np.max(np.abs(codes[0].matrix - codes[1].matrix)) > 1


@pytest.mark.parametrize("factor", [1e300, 1e-300, 1e-160])
@pytest.mark.parametrize("scaling", ["unit", "minmax"])
def test_huge_and_tiny_values_give_right_answers(factor, scaling):
    X, y, u = make_table((20, 60))
    plain = characterize(X, y, row_noise=u, scaling=scaling).matrix
    found = characterize(X * factor, y, row_noise=u, scaling=scaling).matrix
    np.testing.assert_allclose(found, plain, rtol=1e-8)
    mixed = X.copy()
    mixed[:, ::2] *= factor
    found = characterize(mixed, y, row_noise=u, scaling=scaling).matrix
    np.testing.assert_allclose(found, plain, rtol=1e-8)


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_huge_and_tiny_outcomes_scale_the_coefficients(factor):
    X, y, u = make_table((20, 60))
    plain, found = characterize(X, y, row_noise=u), characterize(X, y * factor, row_noise=u)
    np.testing.assert_allclose(found.coefficients / factor, plain.coefficients, rtol=1e-9)
    np.testing.assert_allclose(found.sensitivity / factor, plain.sensitivity, rtol=1e-8)
    np.testing.assert_allclose(found.angle_without, plain.angle_without)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_zero_and_constant_features_take_no_part(shape):
    X, y, u = make_table(shape)
    plain = characterize(X, y, row_noise=u)
    column = np.ones((len(X), 1))
    padded = np.concatenate([0 * column, X, -3 * column], axis=1)
    found = characterize(padded, y, row_noise=u)
    assert found.informative.tolist() == [False] + [True] * shape[1] + [False]
    np.testing.assert_allclose(found.matrix[1:-1], plain.matrix, rtol=1e-9)
    for j in (0, -1):
        assert (found.coefficients[j], found.sensitivity[j]) == (0, 0)
        assert found.angle_to_target[j] == 90
        assert found.angle_without[j] == pytest.approx(found.base_angle, abs=1e-9)
    expected = characterize(padded, y, perturbation="expected")
    assert expected.sensitivity[[0, -1]].tolist() == [0, 0]


def test_positive_multiples_of_a_feature_have_equal_characteristics():
    X, y, u = make_table((20, 60))
    X[:, 7] = 5 * X[:, 2]
    matrix = characterize(X, y, row_noise=u).matrix
    np.testing.assert_allclose(matrix[7], matrix[2], rtol=1e-9)


def test_a_feature_equal_to_the_outcome_has_angle_zero():
    X, y, u = make_table((20, 60))
    X[:, 4], X[:, 5] = 3 * y, -y
    angles = characterize(X, y, row_noise=u).angle_to_target
    # By arccos, or by 1 - cos^2, the error would be near 1e-6 degrees.
    np.testing.assert_allclose(angles[[4, 5]], [0, 180], atol=1e-13)


def test_without_the_only_feature_nothing_is_left_of_the_fit():
    y = np.array([1.0, 2.0, 4.0])
    found = characterize(y[:, None], y, row_noise=np.ones(3))
    assert found.angle_without.tolist() == [90]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8, bool])
def test_dtype_and_layout_do_not_matter(dtype, order):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, size=(15, 40))
    y, u = rng.integers(0, 2, size=15), rng.uniform(size=15)
    expected = characterize(values.astype(float), y, row_noise=u).matrix
    X = np.asarray(values, dtype=dtype, order=order)
    X.flags.writeable = False
    # Equal numbers, so equal up to the order of summation, for float32 too.
    np.testing.assert_allclose(
        characterize(X, y, row_noise=u).matrix, expected, rtol=1e-9, atol=1e-12
    )
    strided = np.repeat(X, 2, axis=1)[:, ::2]
    np.testing.assert_allclose(
        characterize(strided, y, row_noise=u).matrix, expected, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize(
    ("option", "allowed"),
    [
        ("definition", "released-late"),
        ("perturbation", "iid"),
        ("scaling", "minmax"),
        ("target_coding", "indicators"),
    ],
)
def test_unknown_options_are_an_error_that_lists_the_known_ones(option, allowed):
    X, y, _ = make_table((20, 60))
    with pytest.raises(ValueError, match=f"{option}='nonsense' is not known.*{allowed}"):
        characterize(X, y, **{option: "nonsense"})


def test_row_noise_of_the_wrong_length_is_an_error():
    X, y, u = make_table((20, 60))
    with pytest.raises(
        ValueError, match=r"shape \(19,\), but one finite number for each of the 20"
    ):
        characterize(X, y, row_noise=u[:-1])


def test_features_that_are_all_constant_are_an_error():
    with pytest.raises(ValueError, match="All 2 features of X are constant"):
        characterize([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], [1, 2, 1])
