"""Statistics of any scores are numbers in their range, or one sentence says why not."""

import math

import numpy as np
import pytest
from any_tables import FEW, QUICK, attempt, tables
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from perturbfs import RobustSelector
from perturbfs.evaluation import (
    compare_methods,
    compare_paired,
    corrected_interval,
    holm_adjusted,
    make_selector,
    named_predictors,
    noise_robustness,
    stability,
    stability_interval,
)

numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 0.1, 0.5, 1.0])
anything = numbers | st.floats(-1e150, 1e150) | st.sampled_from([np.nan, np.inf, -np.inf])


def all_scores(elements=numbers, least=1):
    return st.integers(least, 8).flatmap(lambda n: arrays(float, n, elements=elements))


@QUICK
@given(all_scores(), st.floats(0, 10), st.floats(0.01, 0.99))
def test_an_interval_holds_its_mean(scores, test_share, level):
    found = corrected_interval(scores, test_share=test_share, level=level)
    assert found.low <= found.mean <= found.high
    assert math.isclose(found.mean, scores.mean(), rel_tol=1e-9, abs_tol=1e-9)
    wider = corrected_interval(scores, test_share=test_share, level=(level + 1) / 2)
    assert wider.low <= found.low
    assert found.high <= wider.high


@QUICK
@given(all_scores(), st.data())
def test_a_comparison_does_not_depend_on_who_is_first(scores, data):
    others = data.draw(arrays(float, len(scores), elements=numbers))
    there, back = (
        compare_paired(*pair, test_share=0.4) for pair in ((scores, others), (others, scores))
    )
    assert 0 <= there.p_value <= 1
    assert there.p_value == back.p_value
    assert (there.mean, there.low, there.high) == (-back.mean, -back.high, -back.low)
    assert compare_paired(scores, scores, test_share=0.4).p_value == 1


@QUICK
@given(st.integers(1, 6), st.integers(0, 6), st.data())
def test_methods_are_in_groups_and_ranks_add_up(n_splits, n_methods, data):
    scores = {
        f"m{place}": data.draw(arrays(float, n_splits, elements=numbers))
        for place in range(n_methods)
    }
    found = compare_methods(scores, test_share=0.4)
    assert set(found.mean_ranks) == set(scores)
    assert math.isclose(sum(found.mean_ranks.values()), n_methods * (n_methods + 1) / 2)
    assert len(found.pairs) == n_methods * (n_methods - 1) / 2
    assert all(pair.difference.p_value <= pair.p_adjusted <= 1 for pair in found.pairs)
    assert {name for group in found.groups for name in group} == set(scores)


@QUICK
@given(all_scores(st.floats(0, 1), least=0))
def test_adjusted_p_values_are_larger_and_in_the_same_order(p_values):
    adjusted = holm_adjusted(p_values)
    assert ((p_values <= adjusted) & (adjusted <= 1)).all()
    assert (np.diff(adjusted[np.argsort(p_values, kind="stable")]) >= 0).all()
    # Holm's procedure itself, for the level of each adjusted value.
    order = np.argsort(p_values, kind="stable")
    for level in adjusted:
        rejected = 0
        for place in order:
            if p_values[place] * (len(order) - rejected) > level:
                break
            rejected += 1
        assert (adjusted <= level).sum() >= rejected or level == 1


@QUICK
@given(all_scores(anything, least=0), all_scores(anything, least=0), st.floats(), st.floats())
def test_what_is_no_score_is_refused_in_a_sentence(first, second, test_share, level):
    attempt(lambda: corrected_interval(first, test_share=test_share, level=level))
    for found in (
        attempt(lambda: corrected_interval(first, test_share=test_share)),
        attempt(lambda: compare_paired(first, second, test_share=test_share)),
    ):
        assert found is None or not math.isnan(found.mean + found.low)
    attempt(lambda: compare_methods({"a": first, "b": second}, test_share=test_share, level=level))
    adjusted = attempt(holm_adjusted, first)
    assert adjusted is None or not np.isnan(adjusted).any()


selections = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=10), max_size=6)


@QUICK
@given(selections, st.integers(10, 40), st.randoms(use_true_random=False))
def test_stability_is_at_most_one_and_forgets_names_and_order(found, n_features, chance):
    value = stability(found, n_features)
    names = list(range(n_features))
    chance.shuffle(names)
    others = [[names[each] for each in chance.sample(one, len(one))] for one in found]
    chance.shuffle(others)
    assert math.isclose(value, stability(others, n_features), abs_tol=1e-12) or math.isnan(value)
    estimate = stability_interval(found, n_features)
    if len(found) < 2 or {len(one) for one in found} in ({0}, {n_features}):
        assert math.isnan(value)
        return
    assert -1 <= value <= 1 + 1e-12
    assert estimate.low <= estimate.mean == value <= estimate.high
    assert stability([found[0]] * 3, n_features) == 1 or len(found[0]) in (0, n_features)


@QUICK
@given(st.lists(st.lists(st.integers(-5, 12), max_size=4), max_size=4), st.integers(-2, 9))
def test_positions_that_no_feature_has_are_refused(found, n_features):
    are_right = n_features > 0 and all(0 <= each < n_features for one in found for each in one)
    for function in (stability, stability_interval):
        said = attempt(function, found, n_features)
        assert (said is not None) == are_right


@QUICK
@given(st.text(max_size=8), st.sampled_from(["classification", "regression"]))
def test_names_that_are_not_known_list_the_known_ones(name, task):
    for function, args in ((make_selector, (name, 3)), (named_predictors, ([name], task))):
        attempt(function, *args)


@pytest.mark.slow
@FEW
@given(tables(most_samples=24))
def test_effects_of_noise_are_shares_and_scores(table):
    X, y = table
    found = attempt(
        lambda: noise_robustness(
            RobustSelector(2),
            X,
            y,
            levels=[0.1],
            n_repeats=2,
            random_state=0,
            task="classification" if y.dtype.kind != "f" else "regression",
        )
    )
    if found is not None:
        assert [row.level for row in found.rows] == [0, 0.1]
        assert all(0 <= row.kept <= 1 and row.changed >= 0 for row in found.rows)
        assert all(math.isfinite(row.score) for row in found.rows)
