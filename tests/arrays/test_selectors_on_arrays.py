"""Arrays of torch and of the array API standard: the same features as from NumPy."""

import numpy as np
import pytest

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.arrays import DeviceBlocks, to_host
from perturbfs.datasets import load_dataset, make_wide_classification
from perturbfs.exceptions import DataWarning
from perturbfs.paper import characterize

pytestmark = pytest.mark.slow

array_api_strict = pytest.importorskip("array_api_strict")
# The strict library has made-up devices, and refuses to mix arrays of two.
ELSEWHERE = array_api_strict.Device("device1")


def strict(values):
    return array_api_strict.asarray(np.array(values), device=ELSEWHERE)


def torch_tensor(values):
    return pytest.importorskip("torch").asarray(np.array(values))


LIBRARIES = {"strict": strict, "torch": torch_tensor}
SELECTORS = {
    "paper, 8": PerturbationSelector(8, random_state=0),
    "paper, auto": PerturbationSelector(max_features=5, n_repeats=2, random_state=0),
    "screened": PerturbationSelector(4, screen="auto", target_coding="indicators", random_state=0),
    "released": PerturbationSelector(6, definition="released", scaling="minmax", random_state=0),
    "signatures": PerturbationSelector(
        5, cluster_by="signatures", representative="relevance", random_state=0
    ),
    "robust, 8": RobustSelector(8),
    "robust, auto": RobustSelector(max_features=6, noise=1.0, cv=3, estimator="knn"),
}


@pytest.fixture(params=LIBRARIES.values(), ids=LIBRARIES)
def library(request):
    return request.param


@pytest.fixture(scope="module")
def data():
    made = make_wide_classification(n_features=300, random_state=0)
    return made.X, np.unique(made.y, return_inverse=True)[1]


def assert_near(found, expected):
    """Equal to 1e-8 of the norm."""
    found, expected = to_host(found), np.asarray(expected)
    assert np.linalg.norm(found - expected) <= 1e-8 * np.linalg.norm(expected)


@pytest.mark.parametrize("width", [300, 30], ids=["wide", "tall"])
@pytest.mark.parametrize("definition", ["paper", "released", "released-late"])
@pytest.mark.parametrize("perturbation", ["rank2", "iid", "expected"])
@pytest.mark.parametrize(("coding", "scaling"), [("codes", "minmax"), ("indicators", "unit")])
def test_characteristics_agree(library, data, width, definition, perturbation, coding, scaling):
    X, y = data[0][:, :width].copy(), data[1]
    X[:, 4], X[:, 5] = 7.0, 2 * X[:, 6]
    options = {
        "definition": definition,
        "perturbation": perturbation,
        "target_coding": coding,
        "scaling": scaling,
        "random_state": 0,
    }
    found = characterize(library(X), library(y), **options)
    expected = characterize(X, y, **options)
    assert found.rank == expected.rank
    for column in range(3):
        assert_near(found.matrix[:, column], expected.matrix[:, column])
    assert_near(found.coefficients, expected.coefficients)
    assert found.matrix.device == found.scaling.scale.device == library(X).device


@pytest.mark.parametrize("selector", SELECTORS.values(), ids=SELECTORS)
def test_selectors_find_the_same(library, data, selector):
    X, y = data
    expected = selector.fit(X, y).__dict__.copy()
    selector.fit(library(X), library(y))
    np.testing.assert_array_equal(selector.support_, expected["support_"])
    np.testing.assert_array_equal(selector.ranking_, expected["ranking_"])
    assert {k: v.tolist() for k, v in selector.groups_.items()} == {
        k: list(v) for k, v in expected["groups_"].items()
    }
    for name in ("coef_", "angle_to_target_", "sensitivity_", "angle_without_"):
        if name in expected:
            assert_near(getattr(selector, name), expected[name])
    assert [each.score for each in selector.candidates_] == pytest.approx(
        [each.score for each in expected["candidates_"]], nan_ok=True
    )


@pytest.mark.parametrize("kind", [PerturbationSelector, RobustSelector])
def test_what_is_fitted_lies_on_the_host_and_transform_stays_on_the_device(library, data, kind):
    X, y = library(data[0]), data[1]
    selector = kind(5).fit(X, y)
    arrays = [each for each in vars(selector).values() if hasattr(each, "shape")]
    assert arrays
    assert all(isinstance(each, np.ndarray) for each in arrays)
    reduced = selector.transform(X)
    assert type(reduced) is type(X)
    assert (reduced.device, reduced.dtype) == (X.device, X.dtype)
    np.testing.assert_array_equal(to_host(reduced), data[0][:, selector.support_])
    # Fitted by one library, used by another.
    np.testing.assert_array_equal(selector.transform(data[0]), to_host(reduced))
    with pytest.raises(ValueError, match=r"X has 9 features, but \w+ is expecting 300"):
        selector.transform(X[:, :9])


@pytest.mark.parametrize("kind", [PerturbationSelector, RobustSelector])
def test_float32_is_taken_as_it_is(library, data, kind):
    X = data[0].astype(np.float32)
    selector = kind(5, **({"random_state": 0} if kind is PerturbationSelector else {}))
    expected = selector.fit(X, data[1]).support_
    found = selector.fit(library(X), data[1])
    np.testing.assert_array_equal(found.support_, expected)
    assert "float32" in str(found.transform(library(X)).dtype)
    characteristics = characterize(library(X), data[1], random_state=0)
    assert "float64" in str(characteristics.sensitivity.dtype)
    assert_near(characteristics.matrix, characterize(X, data[1], random_state=0).matrix)


@pytest.mark.parametrize("width", [16, 77])
def test_the_width_of_blocks_does_not_matter(monkeypatch, library, data, width):
    X, y = data
    names = ("paper, 8", "robust, 8")
    expected = {name: SELECTORS[name].fit(X, y).support_.copy() for name in names}
    made = DeviceBlocks.__init__

    def narrow(self, values):
        made(self, values)
        self.width = width

    monkeypatch.setattr(DeviceBlocks, "__init__", narrow)
    for name in names:
        found = SELECTORS[name].fit(library(X), y).support_
        np.testing.assert_array_equal(found, expected[name])


def test_weights_and_row_noise_may_be_on_the_device(library, data):
    X, y = data
    weights = np.arange(len(y)) % 3
    expected = RobustSelector(5).fit(X, y, sample_weight=weights).path_
    found = RobustSelector(5).fit(library(X), library(y), sample_weight=library(weights)).path_
    assert found.tolist() == expected.tolist()
    noise = np.random.default_rng(0).uniform(size=len(y))
    found = characterize(library(X), y, row_noise=library(noise)).sensitivity
    assert_near(found, characterize(X, y, row_noise=noise).sensitivity)


def test_contradictory_samples_are_noticed(library, data):
    X, y = data[0].copy(), data[1].copy()
    X[1], y[1] = X[0], 1 - y[0]
    with pytest.warns(DataWarning, match="2 of 80 samples repeat the features of another"):
        PerturbationSelector(3, random_state=0).fit(library(X), y)


def refused(X, y, message):
    for fit in (characterize, PerturbationSelector(2).fit, RobustSelector(2).fit):
        with pytest.raises(ValueError, match=message):
            fit(X, y)


def test_refusals_are_those_of_numpy_arrays(library, data):
    X, y = data
    bad = X.copy()
    bad[3, 7] = bad[4, 7] = np.nan
    bad[0, 250] = np.inf
    for values, outcome, message in (
        (bad, y, "X contains NaN: 3 values, in column 7, column 250. Impute them first"),
        (np.where(np.isnan(bad), 0, bad), y, "X contains infinity: 1 values, in column 250"),
        (X + 1j, y, "Complex data not supported: X has dtype .*complex128"),
        (X[:, 0], y, "Expected 2D array, got 1D array"),
        (X[None], y, r"Found array with dim 3|Expected 2D array|expected <= 2"),
        (X[:1], y[:1], r"1 sample\(s\).*minimum of 2 is required"),
        (X[:, :0], y, r"0 feature\(s\)"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (np.ones_like(X), y, "constant|varies"),
    ):
        refused(values, outcome, message)
        refused(library(values), library(outcome), message)


@pytest.mark.usefixtures("developers_data")
@pytest.mark.parametrize("name", ["colon", "leukemia", "glioma", "gasoline"])
def test_features_of_real_data_are_the_same(library, name):
    data = load_dataset(name, download=False)
    X, y = (
        data.X,
        data.y if data.y.dtype.kind == "f" else np.unique(data.y, return_inverse=True)[1],
    )
    for selector in (RobustSelector(20), PerturbationSelector(10, random_state=0)):
        expected = selector.fit(X, y).support_
        np.testing.assert_array_equal(selector.fit(library(X), y).support_, expected)
    found = characterize(library(X), y, random_state=0).matrix
    assert_near(found, characterize(X, y, random_state=0).matrix)
