import numpy as np
import scipy.sparse

from perturbfs.arrays import as_blocks
from perturbfs.paper import order_groups
from perturbfs.paper._survey import survey


def test_members_follow_their_representative_by_similarity():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    X[:, 1] = -X[:, 0] + 0.1 * X[:, 1]  # opposite, but very similar
    X[:, 2] = X[:, 0] + 2.0 * X[:, 2]
    group = np.array([0, 0, 0, 1, 1, -1])
    scaling = survey(as_blocks(X)).scaling
    for convert in (np.asarray, scipy.sparse.csc_array):
        found = order_groups(as_blocks(convert(X)), scaling, np.array([0, 4]), group)
        assert {key: value.tolist() for key, value in found.items()} == {0: [0, 1, 2], 4: [4, 3]}


def test_a_representative_comes_before_its_exact_copies():
    X = np.repeat(np.array([[1.0], [2.0], [4.0]]), 3, axis=1)
    scaling = survey(as_blocks(X)).scaling
    found = order_groups(as_blocks(X), scaling, np.array([1]), np.zeros(3, dtype=int))
    assert found[1].tolist() == [1, 0, 2]
