"""The selector chooses neither too many features nor near copies, and says how it chose."""

import numpy as np
import pytest
from troubles.robust_files import (
    write_28_samples,
    write_neighboring_wavelengths,
    write_one_marker_four_times,
    write_ten_samples,
    write_two_perfect_genes,
)

from perturbfs import RobustSelector
from perturbfs.datasets import read_table


def fit(path, *arguments, **options):
    table = read_table(path, target="outcome")
    return RobustSelector(*arguments, **options).fit(table.X, table.y), table


@pytest.mark.parametrize("write", [write_neighboring_wavelengths, write_one_marker_four_times])
def test_no_selected_feature_is_a_near_copy_of_another(tmp_path, write):
    selector, table = fit(write(tmp_path))
    chosen = table.X[:, selector.get_support()]
    likeness = np.abs(np.corrcoef(chosen.T)) - np.eye(chosen.shape[1])
    assert likeness.max() < 0.96  # the limit of 0.95 holds after outliers are compressed


def test_a_marker_that_is_measured_four_times_is_selected_once(tmp_path):
    selector, _ = fit(write_one_marker_four_times(tmp_path), 8)
    marker = {7, 20, 21, 22} & set(selector.path_.tolist())
    assert len(marker) == 1
    assert set(selector.groups_[marker.pop()]) == {7, 20, 21, 22}


def test_without_the_limit_a_copy_is_selected_and_marked(tmp_path):
    selector, _ = fit(write_one_marker_four_times(tmp_path), 8, max_correlation=None)
    assert selector.copy_of_
    for copy, earlier in selector.copy_of_.items():
        assert {copy, earlier} <= {7, 20, 21, 22}
        assert selector.ranking_[earlier] < selector.ranking_[copy]


@pytest.mark.parametrize(("write", "n_samples"), [(write_28_samples, 28), (write_ten_samples, 10)])
def test_never_more_than_a_third_of_the_samples_unless_asked(tmp_path, write, n_samples):
    selector, _ = fit(write(tmp_path))
    assert selector.size_rule_.most == n_samples // 3
    assert selector.get_support().sum() <= n_samples // 3
    assert fit(write(tmp_path), max_features=10)[0].size_rule_.most == 10
    assert fit(write(tmp_path), 10)[0].get_support().sum() == 10


def test_two_genes_suffice_where_more_gain_nothing(tmp_path):
    selector, _ = fit(write_two_perfect_genes(tmp_path))
    assert selector.path_.tolist() in ([0, 1], [1, 0]) or selector.get_support()[:2].all()
    assert selector.get_support().sum() == 2
    rule = selector.size_rule_
    assert (rule.n_features, rule.best, rule.as_good[0]) == (2, 2, 2)
    assert "2" in rule.explain()
