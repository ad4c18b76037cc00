import numpy as np
import pytest

from perturbfs.scoring import make_splits, samples_to_keep


def split(y, groups=None, task="classification", n_splits=20, test_size=0.3, seed=0):
    return make_splits(
        np.asarray(y), groups=groups, task=task, n_splits=n_splits, test_size=test_size, seed=seed
    )


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_groups_are_whole_and_every_sample_is_on_one_side(task):
    rng = np.random.default_rng(0)
    groups, y = rng.integers(0, 15, 80), rng.integers(0, 2, 80)
    for train, test in split(y, groups, task):
        assert not set(groups[train]) & set(groups[test])
        assert sorted([*train, *test]) == list(range(80))


def test_groups_of_one_sample_are_split_as_samples_are():
    y = np.repeat([0, 1, 2], [20, 20, 10])
    for _, test in split(y, np.arange(50)):
        assert np.bincount(y[test]).tolist() == [6, 6, 3]


def test_with_uneven_groups_test_rows_have_nearly_their_share_of_each_class():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), rng.integers(1, 6, 40))
    y = (rng.random(40) < 0.3).astype(int)[groups]  # all samples of a patient are of one class
    shares = [np.bincount(y[test], minlength=2) / np.bincount(y) for _, test in split(y, groups)]
    assert np.mean(shares) == pytest.approx(0.3, abs=0.03)
    assert np.abs(np.array(shares) - 0.3).max() < 0.15


def test_every_group_of_usual_size_is_tested_on_some_time_and_splits_differ():
    groups = np.repeat(np.arange(12), 4)
    y = np.tile([0, 1], 24)
    tests = [tuple(np.unique(groups[test])) for _, test in split(y, groups, n_splits=30)]
    assert {group for test in tests for group in test} == set(range(12))
    assert len(set(tests)) > 20


def test_the_seed_decides_the_splits_of_groups():
    groups, y = np.repeat(np.arange(12), 4), np.tile([0, 1], 24)
    first, again, other = (
        [test.tolist() for _, test in split(y, groups, seed=seed)] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_two_groups_are_one_to_train_on_and_one_to_test():
    groups, y = np.repeat(["a", "b"], 5), np.tile([0, 1], 5)
    assert {len(test) for _, test in split(y, groups)} == {5}


@pytest.mark.parametrize(
    ("y", "groups", "message"),
    [
        ([0, 1] * 4, ["p"] * 8, "All samples of class 0 belong to one group"),
        ([0] * 4 + [1] * 4, [1, 2, 3, 4, 5, 5, 5, 5], "class 1 belong to one group"),
        # One group holds a half of one class and all but one sample of the other.
        ([0] * 6 + [1] * 6, [1, 1, 1, 1, 2, 2, 1, 1, 2, 2, 2, 2], None),
    ],
)
def test_classes_within_one_group_are_refused(y, groups, message):
    if message is None:
        assert len(split(y, np.array(groups))) == 20
        return
    with pytest.raises(ValueError, match=message):
        split(y, np.array(groups))


def test_one_group_of_a_quantity_is_refused():
    with pytest.raises(ValueError, match=r"at least 2 groups are needed"):
        split(np.arange(8.0), np.full(8, "p"), "regression")


def test_groups_that_cannot_be_split_are_refused_with_a_way_out():
    # Every class is in two groups, but whatever is tested on takes all of one class.
    groups = np.array([1, 1, 2, 2, 2, 3, 3, 3, 1])
    y = np.array([0, 1, 1, 2, 2, 2, 0, 0, 1])
    with pytest.raises(ValueError, match="No split of the 3 groups was found"):
        split(y, groups, test_size=0.5)


def test_every_class_is_on_both_sides_of_every_split_however_small():
    y = np.repeat([0, 1, 2, 3, 4], [30, 2, 2, 2, 3])
    for train, test in split(y, n_splits=50):
        assert set(y[train]) == set(y[test]) == set(range(5))
        assert sorted([*train, *test]) == list(range(len(y)))
    assert all(set(y[train]) == set(range(5)) for train, _ in split(y, test_size=0.8))


@pytest.mark.parametrize(("n_classes", "test_size"), [(3, 0.3), (4, 0.3), (4, 0.1), (4, 0.9)])
def test_two_samples_of_each_class_are_enough(n_classes, test_size):
    y = np.repeat(np.arange(n_classes), 2)
    for train, test in split(y, test_size=test_size):
        assert np.unique(y[train]).tolist() == np.unique(y[test]).tolist() == [*range(n_classes)]
        assert sorted([*train, *test]) == list(range(len(y)))


def test_small_classes_are_left_out_by_their_number_of_samples():
    y = np.array(["a", "b", "c", "a", "b", "a", "d"])
    kept, left_out = samples_to_keep(y, 2, task="classification")
    assert y[kept].tolist() == ["a", "b", "a", "b", "a"]
    assert left_out == {"c": 1, "d": 1}
    assert samples_to_keep(y, None, task="classification")[1] == {}


def test_leaving_out_all_but_one_class_is_refused():
    with pytest.raises(ValueError, match=r"leaves 1 class, .*have 3 and 2 samples\. Lower"):
        samples_to_keep(np.array(["a", "b", "a", "b", "a"]), 3, task="classification")


def test_too_few_samples_are_refused():
    with pytest.raises(ValueError, match="There are 4 samples, but at least 6"):
        split([0, 1, 0, 1])
