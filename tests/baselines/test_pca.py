import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale

from perturbfs.baselines import PCASelector
from perturbfs.baselines._pca import score_by_loadings


def test_scores_agree_with_the_components_of_scikit_learn():
    features = scale(np.random.default_rng(0).standard_normal((15, 30)))
    slow = PCA(14).fit(features)
    expected = sum(
        share * np.abs(loadings)
        for share, loadings in zip(slow.explained_variance_ratio_, slow.components_, strict=True)
    )
    selector = PCASelector(share=1.0).fit(features, np.arange(15) % 2)
    assert selector.scores_ == pytest.approx(expected)
    assert selector.support_.sum() == 14


def test_default_number_is_that_of_the_components_that_count():
    X = np.repeat(np.random.default_rng(0).standard_normal((40, 3)), 5, axis=1)
    assert PCASelector().fit(X, np.arange(40) % 2).support_.sum() == 3


def test_outcome_plays_no_part():
    X = np.random.default_rng(0).standard_normal((20, 10))
    first = PCASelector().fit(X, np.arange(20) % 2)
    assert np.array_equal(first.ranking_, PCASelector().fit(X, np.arange(20) % 3).ranking_)


def test_nothing_varies():
    scores, n_components = score_by_loadings(np.zeros((4, 3)), share=0.9)
    assert scores.tolist() == [0, 0, 0]
    assert n_components == 0
