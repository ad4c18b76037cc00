"""The steps of a fit are reported to whoever follows it, and to nobody else."""

import numpy as np
import pytest

from perturbfs import RobustSelector
from perturbfs._support.progress import Steps, following
from perturbfs.datasets import make_wide_classification
from perturbfs.robust import _table


def test_steps_are_shares_of_their_number_and_never_more_than_one():
    shares = []
    with following(shares.append):
        steps = Steps(4)
        steps.done()
        steps.done(0.5)
        for _ in range(4):
            steps.done()
    assert shares == [0.25, 0.375, 0.625, 0.875, 1.0, 1.0]


def test_without_a_follower_nothing_happens():
    Steps(2).done()
    with following(None):
        Steps(2).done()


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("is_large", [False, True])
def test_a_fit_of_the_robust_selector_reports_each_of_its_splits(monkeypatch, is_large, n_jobs):
    if is_large:
        monkeypatch.setattr(_table, "LARGE_BYTES", 0)
    data = make_wide_classification(60, 300, random_state=0)
    shares = []
    with following(shares.append):
        RobustSelector(max_features=6, cv=4, n_jobs=n_jobs).fit(data.X, data.y)
    assert len(shares) >= 4 + 4
    assert np.all(np.diff(shares) >= 0)
    assert shares[-1] == 1.0
