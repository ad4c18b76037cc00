"""The largest number of groups to try."""

import numpy as np
import pytest

from perturbfs.paper._limit import effective_rank, limit_groups

VALUES = np.array([9.0, 3.0, 2.0, 1.0, 0.5])


def limit(wanted, *, rank=5, n_kept=100, screen=None):
    return limit_groups(
        wanted, "max_features", singular_values=VALUES, rank=rank, n_kept=n_kept, screen=screen
    )


def test_equal_singular_values_count_fully_and_the_first_one_always_once():
    assert effective_rank([1.0, 1.0, 1.0, 1.0]) == 4
    assert effective_rank([50.0, 1.0, 1.0, 1.0]) == 4


def test_effective_rank_by_hand():
    # Shares 3/4 and 1/4: entropy 0.5623, and exp(0.5623) = 1.755.
    assert effective_rank([7.0, 3.0, 1.0]) == 3
    # Shares 0.99 and 0.01: entropy 0.0560, and exp(0.0560) = 1.058.
    assert effective_rank([7.0, 0.99, 0.01]) == 2


@pytest.mark.parametrize("values", [[3.0], [3.0, 0.1]])
def test_few_singular_values_have_their_number_as_effective_rank(values):
    assert effective_rank(values) == len(values)


def test_effective_rank_depends_on_no_scale_and_lies_below_the_rank():
    values = np.sort(np.random.default_rng(0).exponential(size=50))[::-1]
    assert effective_rank(values) == effective_rank(1e6 * values)
    assert 1 < effective_rank(values) < 50


def test_values_below_the_rank_do_not_count():
    assert limit("effective", rank=2) == 2
    assert limit("effective") == effective_rank(VALUES) < 5


def test_none_is_the_rank_or_what_screening_leaves():
    assert limit(None) == 5
    assert limit(None, n_kept=3) == 3
    assert limit("effective", n_kept=3) == 3


def test_numbers_that_cannot_be_are_an_error():
    with pytest.raises(ValueError, match="max_features=6 exceeds the rank of X, which is 5"):
        limit(6)
    with pytest.raises(ValueError, match=r"max_features=4, but screen=0.1 leaves 3 features"):
        limit(4, n_kept=3, screen=0.1)
