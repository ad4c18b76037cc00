"""What is done with blocks can be done elsewhere: it is pickled, and small."""

import pickle

import numpy as np
import pytest
import scipy.sparse

import perturbfs.paper._selector as fit_steps
import perturbfs.robust._table as large
from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.arrays import DenseBlocks, SparseBlocks


class ElsewhereBlocks(DenseBlocks):
    """Blocks that get functions and send results by pickle."""

    most_sent = 0

    def map(self, function, *arrays, combine=None):
        sent = pickle.dumps((function, combine))
        type(self).most_sent = max(self.most_sent, len(sent))
        function, combine = pickle.loads(sent)
        found = [
            (span, pickle.loads(pickle.dumps(result)))
            for span, result in super().map(function, *arrays)
        ]
        if combine is not None:
            yield slice(0, self.shape[1]), combine([result for _, result in found])
        else:
            yield from found


@pytest.mark.parametrize(
    ("selector", "options"),
    [
        (PerturbationSelector, {}),
        (PerturbationSelector, {"scaling": "minmax", "target_coding": "indicators"}),
        (PerturbationSelector, {"perturbation": "iid"}),
        (PerturbationSelector, {"perturbation": "expected"}),
        (RobustSelector, {}),
    ],
)
def test_functions_and_results_can_be_sent(selector, options, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((25, 2500)), np.arange(25) % 3
    X[24] = X[0] + 1e-7 * X[24]  # so that the triangle is needed too
    seeded = options if selector is RobustSelector else {**options, "random_state": 0}
    expected = selector(4, **seeded).fit(X, y)
    monkeypatch.setattr(large, "LARGE_BYTES", 0)
    monkeypatch.setattr(large, "MOST_KEPT", 200)
    for module in (large, fit_steps):
        monkeypatch.setattr(module, "as_blocks", ElsewhereBlocks)
    monkeypatch.setattr(ElsewhereBlocks, "most_sent", 0)
    found = selector(4, **seeded).fit(X, y)
    np.testing.assert_array_equal(found.support_, expected.support_)
    # Nothing in it is as long as the features.
    assert 0 < ElsewhereBlocks.most_sent < 2500 * 8


@pytest.mark.parametrize("convert", [scipy.sparse.csc_array, scipy.sparse.csr_array])
def test_sparse_matrices_are_never_filled_as_a_whole(convert, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.round(rng.standard_normal((30, 3000)) * (rng.random((30, 3000)) < 0.2), 1)
    y = np.arange(30) % 2
    X[:, 5] += 2.0 * y
    robust = RobustSelector(8).fit(X, y)
    paper = PerturbationSelector(8, random_state=0).fit(X, y)
    monkeypatch.setattr(large, "LARGE_SPARSE_BYTES", 0)
    monkeypatch.setattr(large, "MOST_KEPT", 200)
    filled = []
    for kind in (scipy.sparse.csc_array, scipy.sparse.csr_array):
        monkeypatch.setattr(kind, "toarray", _watched(kind.toarray, filled))
    monkeypatch.setattr("perturbfs.arrays._blocks.MIN_BLOCK_WIDTH", 500)
    monkeypatch.setattr("perturbfs.arrays._blocks.BLOCK_BYTES", 1)
    sparse = convert(X)
    assert next(iter(SparseBlocks(sparse))).span.stop == 500
    found = RobustSelector(8).fit(sparse, y)
    np.testing.assert_array_equal(found.path_, robust.path_)
    np.testing.assert_allclose(found.coef_, robust.coef_, atol=1e-10)
    np.testing.assert_allclose(found.angle_to_target_, robust.angle_to_target_, atol=1e-10)
    again = PerturbationSelector(8, random_state=0).fit(sparse, y)
    np.testing.assert_array_equal(again.support_, paper.support_)
    np.testing.assert_allclose(again.sensitivity_, paper.sensitivity_, atol=1e-10)
    assert max(filled) <= 500


def _watched(method, filled):
    def toarray(self, *args, **kwargs):
        filled.append(self.shape[-1])
        return method(self, *args, **kwargs)

    return toarray
