import numpy as np

from perturbfs.robust import NestedScores, SizeRule, choose_size


def rule_of(by_split, sizes, *, usual=1, n_found=99):
    scores = NestedScores(sizes, np.array(by_split)[:, None, :], [])
    return choose_size(scores, usual=usual, n_found=n_found)


def test_the_fewest_are_taken_that_the_same_splits_do_not_tell_from_the_best():
    # Splits differ much, sizes within a split little: size 2 is as good as 3, 1 is worse.
    level = np.array([0.5, 0.7, 0.9, 0.6])[:, None, None]
    steps = np.array([[-0.2, 0.01, 0.0], [-0.2, -0.02, 0.0], [-0.3, 0.0, 0.0], [-0.1, 0.0, 0.0]])
    found = NestedScores((1, 2, 3), level + steps[:, None, :], [])
    assert choose_size(found, usual=1, n_found=3).n_features == 2


def test_fewer_than_usual_are_taken_only_where_more_clearly_hurt_or_change_nothing():
    sizes = (1, 2, 8, 12)

    def fewest(scores, usual):
        found = NestedScores(sizes, np.array(scores)[:, None, :], [])
        return choose_size(found, usual=usual, n_found=12).n_features

    same = [[0.5, 0.8, 0.8, 0.8], [0.6, 0.9, 0.9, 0.9], [0.5, 1.0, 1.0, 1.0]]
    assert fewest(same, 8) == 2
    worse = [[0.5, 0.8, 0.7, 0.7], [0.6, 0.9, 0.8, 0.85], [0.5, 1.0, 0.9, 0.9]]
    assert fewest(worse, 8) == 2
    unclear = [[0.5, 0.8, 0.7, 0.7], [0.6, 0.9, 1.0, 0.9], [0.5, 1.0, 0.9, 0.9]]
    assert fewest(unclear, 1) == 2
    assert fewest(unclear, 8) == 8


def test_the_rule_names_the_numbers_that_are_as_good_as_the_best():
    scores = [[0.5, 0.8, 0.7, 0.7], [0.6, 0.9, 1.0, 0.9], [0.5, 1.0, 0.9, 0.9]]
    rule = rule_of(scores, (1, 2, 8, 12), usual=8)
    assert (rule.best, rule.as_good, rule.least, rule.n_features) == (2, (2, 8), 8, 8)
    assert "at least 8 are taken" in rule.explain()


def test_the_usual_number_does_not_apply_where_all_numbers_from_it_on_are_clearly_worse():
    scores = [[0.8, 0.7, 0.7], [0.9, 0.8, 0.85], [1.0, 0.9, 0.9]]
    rule = rule_of(scores, (2, 8, 12), usual=8)
    assert rule == SizeRule(n_features=2, best=2, as_good=(2,), least=2, most=12)
    assert rule.explain() == (
        "The score is best with 2 features, and no other number is as good to within one standard "
        "error. So 2 features are taken."
    )


def test_numbers_beyond_the_path_of_all_samples_are_not_considered():
    rule = rule_of([[0.5, 0.8, 0.9], [0.5, 0.7, 0.9]], (1, 2, 3), n_found=2)
    assert (rule.best, rule.most) == (2, 2)


def test_the_explanation_lists_the_numbers():
    rule = SizeRule(n_features=3, best=9, as_good=(3, 4, 9), least=1, most=20)
    assert rule.explain() == (
        "The score is best with 9 features, and 3 and 4 are as good to within one standard error. "
        "The smallest of these numbers, 3, is taken."
    )
