"""`evaluate` with survival outcomes: concordance on test samples, refusals of other methods."""

import numpy as np
import pytest
from made_survival import make_survival

from perturbfs import PerturbationSelector, RobustSelector, evaluate
from perturbfs.baselines import LassoSelector
from perturbfs.evaluation import noise_robustness

OPTIONS = {"n_splits": 6, "random_state": 0}


def test_real_features_are_better_than_guessing_which_is_a_half():
    X, y = make_survival(150, 100)
    found = evaluate({"robust": RobustSelector()}, X, y, n_features=[4, "auto"], **OPTIONS)
    assert found.metric == "concordance"
    assert found.estimate("guessing", "all").mean == 0.5
    assert found.estimate("robust", "auto").low > 0.6
    assert found.estimate("robust", 4).mean > found.estimate("all features", "all").mean
    against = {each.against: each.difference for each in found.planned("robust", 4)}
    assert against["random"].low > 0


def test_on_outcomes_of_other_samples_it_is_a_half():
    X, y = make_survival(150, 200)
    shuffled = np.random.default_rng(0).permutation(y)
    found = evaluate({"robust": RobustSelector(5)}, X, shuffled, n_features=[5], **OPTIONS)
    assert found.estimate("robust", 5).low < 0.5 < found.estimate("robust", 5).high


def test_columns_of_time_and_event_score_as_the_structured_outcome():
    X, y = make_survival(80, 20)
    columns = np.column_stack([y["event"], y["time"]])
    first, second = (
        evaluate({"robust": RobustSelector()}, X, each, n_features=[3], task=task, **OPTIONS)
        for task, each in (("auto", y), ("survival", columns))
    )
    assert first.estimate("robust", 3) == second.estimate("robust", 3)


def test_groups_stay_together():
    X, y = make_survival(80, 20)
    found = evaluate(
        {"robust": RobustSelector()}, X, y, n_features=[3], groups=np.arange(80) // 2, **OPTIONS
    )
    assert 0 <= found.estimate("robust", 3).mean <= 1


def test_methods_that_take_no_survival_say_so_and_the_others_go_on():
    X, y = make_survival(80, 20)
    methods = {
        "robust": RobustSelector(),
        "lasso": LassoSelector(),
        "paper": PerturbationSelector(),
    }
    found = evaluate(methods, X, y, n_features=[3], **OPTIONS)
    for method in ("lasso", "paper"):
        assert "taken by RobustSelector only" in found.refusal(method, 3).reason
    assert found.refusal("robust", 3) is None


def test_another_task_and_classes_to_leave_out_are_refused():
    X, y = make_survival(40, 5)
    with pytest.raises(ValueError, match="y is a survival outcome"):
        evaluate({"robust": RobustSelector()}, X, y, task="regression")
    with pytest.raises(ValueError, match="is a survival, which has no classes"):
        evaluate({"robust": RobustSelector()}, X, y, min_class_size=3)


def test_noise_changes_risks_relative_to_their_spread():
    X, y = make_survival(100, 30)
    found = noise_robustness(
        RobustSelector(4), X, y, task="survival", n_repeats=2, random_state=0, levels=[0.01, 1.0]
    )
    assert found.rows[0].changed == 0
    assert found.rows[1].changed < 0.1 < found.rows[2].changed
    assert found.rows[0].score > 0.7
