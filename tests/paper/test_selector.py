"""PerturbationSelector as its users meet it."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import slow
from joblib import parallel_config
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    AffinityPropagation,
    AgglomerativeClustering,
    BisectingKMeans,
    MeanShift,
)
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedShuffleSplit,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from perturbfs import PerturbationSelector, characterize
from perturbfs.cluster import without_rounding_noise
from perturbfs.datasets import make_wide_classification
from perturbfs.exceptions import DataWarning
from perturbfs.paper._limit import effective_rank
from perturbfs.scoring import measure

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 200, n_classes=3, random_state=0)


@pytest.fixture(scope="module")
def fitted(data):
    return quick().fit(data.X, data.y)


def quick(**options):
    """Return a selector that takes half a second or less."""
    return PerturbationSelector(
        **{"n_repeats": 3, "max_features": 12, "cv": 3, "random_state": 0, **options}
    )


def chosen(selector):
    return np.flatnonzero(selector.support_).tolist()


# What comes out


def test_runs_hold_a_candidate_for_every_number_of_clusters(fitted):
    assert len(fitted.runs_) == 3
    for run in fitted.runs_:
        assert [each.k for each in run.candidates] == list(range(2, 13))
        assert run.chosen in run.candidates
        assert run.chosen.score == max(each.score for each in run.candidates)


def test_selection_is_the_run_with_the_best_score_per_feature(fitted):
    measures = [measure(run.chosen.score, run.chosen.n_features) for run in fitted.runs_]
    best = fitted.runs_[int(np.argmax(measures))]
    assert chosen(fitted) == best.chosen.features.tolist()
    assert fitted.candidates_ == best.candidates
    assert fitted.optimal_score_ == best.chosen.score
    assert fitted.optimal_n_features_ == fitted.support_.sum()


def test_averages_are_over_the_runs(fitted):
    assert fitted.average_score_ == np.mean([run.chosen.score for run in fitted.runs_])
    sizes = [run.chosen.n_features for run in fitted.runs_]
    assert fitted.average_n_features_ == np.mean(sizes)
    assert -1 <= fitted.stability_ <= 1


def test_groups_divide_all_features_among_the_selected(fitted, data):
    assert sorted(fitted.groups_) == chosen(fitted)
    members = np.concatenate(list(fitted.groups_.values()))
    assert sorted(members.tolist()) == list(range(data.X.shape[1]))
    units = slow.unit(data.X)
    for feature, group in fitted.groups_.items():
        assert group[0] == feature
        likeness = np.abs(units[:, group[1:]].T @ units[:, feature])
        assert np.all(np.diff(likeness) <= 1e-12)


def test_ranking_puts_selected_features_first_and_small_angles_before_large(fitted):
    order = np.argsort(fitted.ranking_)
    n_selected = fitted.support_.sum()
    assert sorted(order[:n_selected].tolist()) == chosen(fitted)
    from_axis = np.minimum(fitted.angle_to_target_, 180 - fitted.angle_to_target_)[order]
    assert np.all(np.diff(from_axis[:n_selected]) >= 0)
    assert np.all(np.diff(from_axis[n_selected:]) >= 0)
    assert sorted(fitted.ranking_.tolist()) == list(range(1, 201))


def test_characteristics_have_one_entry_per_feature(fitted):
    for name in ("sensitivity_", "angle_to_target_", "angle_without_"):
        assert getattr(fitted, name).shape == (200,)
    assert fitted.coef_.shape == (1, 200)
    assert fitted.n_features_ == fitted.support_.sum()
    assert fitted.rank_ == 40
    assert fitted.task_ == "classification"


@pytest.mark.parametrize("clusterer", ["kmeans", "fuzzy", "warm", "ward", BisectingKMeans()])
@pytest.mark.parametrize("k", [1, 2, 17, 40])
def test_a_number_of_features_is_returned_exactly(data, k, clusterer):
    selector = PerturbationSelector(k, clusterer=clusterer, random_state=0).fit(data.X, data.y)
    assert selector.transform(data.X).shape == (40, k)
    assert len(selector.groups_) == k
    assert np.isnan(selector.optimal_score_)


def test_the_effective_rank_bounds_the_search_and_changes_no_candidate(data):
    whole, bounded = (
        quick(max_features=each, n_repeats=1).fit(data.X, data.y) for each in (None, "effective")
    )
    largest = effective_rank(characterize(data.X, data.y).singular_values)
    assert [each.k for each in bounded.candidates_] == list(range(2, largest + 1))
    assert largest < whole.rank_ == len(whole.candidates_) + 1
    for one, other in zip(bounded.candidates_, whole.candidates_, strict=False):
        np.testing.assert_array_equal(one.features, other.features)
        assert one.score == other.score


def test_a_number_of_features_needs_no_scoring(data):
    class Untouchable(DecisionTreeClassifier):
        def fit(self, *_):
            raise AssertionError("nothing should be fitted")

    selector = PerturbationSelector(5, estimator=Untouchable(), cv=99).fit(data.X, data.y)
    assert selector.support_.sum() == 5


@pytest.mark.parametrize("definition", ["paper", "released", "released-late"])
@pytest.mark.parametrize("perturbation", ["rank2", "box", "iid", "expected"])
@pytest.mark.parametrize("target_coding", ["codes", "indicators"])
def test_all_definitions_perturbations_and_codings_select(
    data, definition, perturbation, target_coding
):
    selector = quick(
        definition=definition,
        perturbation=perturbation,
        target_coding=target_coding,
        n_repeats=1,
        max_features=4,
    ).fit(data.X, data.y)
    assert 2 <= selector.support_.sum() <= 4


@pytest.mark.parametrize(
    "options",
    [
        {"perturbation": "box", "scaling": "minmax"},
        {"perturbation": "iid", "strength": 2.0},
        {"perturbation": "expected", "strength": 2.0},
        {"lower_divisor": 10.0, "upper_divisor": 5.0},
    ],
)
def test_the_perturbation_is_the_one_of_characterize(data, options):
    selector = PerturbationSelector(5, random_state=0, **options).fit(data.X, data.y)
    state = np.random.RandomState(0)
    state.randint(2**31 - 1, size=1)  # the seed of the run comes first
    expected = characterize(data.X, data.y, random_state=state, **options)
    np.testing.assert_array_equal(selector.sensitivity_, expected.sensitivity)


@pytest.mark.parametrize(
    "clusterer", ["fuzzy", "warm", "ward", AgglomerativeClustering(), BisectingKMeans()]
)
@pytest.mark.parametrize("representative", ["centroid", "relevance"])
def test_all_clusterers_and_representatives_select(data, clusterer, representative):
    selector = quick(clusterer=clusterer, representative=representative).fit(data.X, data.y)
    assert 2 <= selector.support_.sum() <= 12


OWN_NUMBER = [
    DBSCAN(eps=0.7, min_samples=2),
    HDBSCAN(min_cluster_size=3, copy=True),
    MeanShift(bandwidth=2.0),
    AffinityPropagation(),
    AgglomerativeClustering(n_clusters=None, distance_threshold=20.0),
]


@pytest.mark.parametrize("clusterer", OWN_NUMBER, ids=lambda each: type(each).__name__)
def test_the_number_that_a_clusterer_finds_is_the_answer(data, clusterer):
    found = characterize(data.X, data.y, perturbation="expected")
    points = without_rounding_noise(found.matrix)
    selector = quick(
        clusterer=clusterer, max_features=None, perturbation="expected", n_repeats=1
    ).fit(data.X, data.y)
    order = np.lexsort(points.T[::-1])
    labels = clone(clusterer).fit(points[order]).labels_
    assert selector.support_.sum() == len(np.unique(labels[labels >= 0])) >= 2
    assert [len(run.candidates) for run in selector.runs_] == [1]
    assert np.isfinite(selector.optimal_score_)
    groups = {frozenset(order[labels == label].tolist()) for label in range(labels.max() + 1)}
    assert {frozenset(group.tolist()) for group in selector.groups_.values()} == groups


def test_noise_is_neither_selected_nor_stood_for(data):
    clusterer = DBSCAN(eps=3.0, min_samples=4)
    options = {"perturbation": "expected", "n_repeats": 1, "max_features": None}
    selector = quick(clusterer=clusterer, **options).fit(data.X, data.y)
    points = np.column_stack(
        [selector.sensitivity_, selector.angle_to_target_, selector.angle_without_]
    )
    noise = np.flatnonzero(clone(clusterer).fit(points).labels_ == -1)
    assert len(noise) > 0
    stood_for = np.concatenate(list(selector.groups_.values()))
    assert not selector.support_[noise].any()
    assert not np.isin(noise, stood_for).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_features_to_select": 5, "max_features": None}, "n_features_to_select=5 was given"),
        ({"max_features": 12}, "max_features=12 was given"),
    ],
)
def test_a_number_is_refused_where_the_clusterer_finds_it(data, options, message):
    with pytest.raises(ValueError, match=f"{message}, but clusterer=DBSCAN.* finds the number"):
        quick(clusterer=DBSCAN(), **options).fit(data.X, data.y)


@pytest.mark.parametrize("rule", ["accuracy", "measure", "one_se"])
@pytest.mark.parametrize("estimator", ["tree", "svm", "knn", RandomForestClassifier(5)])
def test_all_rules_and_estimators_select(data, rule, estimator):
    selector = quick(rule=rule, estimator=estimator, max_features=5).fit(data.X, data.y)
    assert 2 <= selector.support_.sum() <= 5


def test_one_standard_error_never_takes_more_features_than_the_best_score(data):
    best, frugal = (quick(rule=rule).fit(data.X, data.y) for rule in ("accuracy", "one_se"))
    for first, second in zip(best.runs_, frugal.runs_, strict=True):
        assert second.chosen.n_features <= first.chosen.n_features
        assert second.chosen.score >= first.chosen.score - first.chosen.standard_error


@pytest.mark.parametrize("screen", ["auto", 0.3])
def test_screened_features_are_neither_selected_nor_stood_for(data, screen):
    selector = quick(screen=screen).fit(data.X, data.y)
    stood_for = np.concatenate(list(selector.groups_.values()))
    sizes = np.abs(selector.coef_[0])
    assert 12 <= len(stood_for) < 150
    assert sizes[stood_for].min() >= np.delete(sizes, stood_for).max()


def test_relevance_takes_the_feature_of_the_largest_correlation(data):
    X = data.X + 20.0  # so that angles without means taken away say nothing
    selector = PerturbationSelector(10, representative="relevance", clusterer="warm")
    selector.fit(X, data.y)
    codes = np.unique(data.y, return_inverse=True)[1]
    correlation = np.abs(np.corrcoef(X.T, codes)[-1, :-1])
    for chosen, group in selector.groups_.items():
        assert correlation[chosen] == pytest.approx(correlation[group].max())


def test_signatures_put_copies_of_a_feature_into_one_group(data):
    X = np.hstack([data.X, 3.0 * data.X[:, :30]])
    selector = PerturbationSelector(12, cluster_by="signatures", clusterer="warm").fit(X, data.y)
    group_of = {j: chosen for chosen, group in selector.groups_.items() for j in group}
    n_features = data.X.shape[1]
    assert all(group_of[j] == group_of[n_features + j] for j in range(30))
    assert selector.support_.sum() == 12


def test_signatures_need_wide_data(data):
    selector = PerturbationSelector(2, cluster_by="signatures")
    with pytest.raises(ValueError, match="needs at least as many features as samples"):
        selector.fit(data.X[:, :20], data.y)


def test_quantities_are_selected_for_too(data):
    y = data.X[:, 0] - data.X[:, 1]
    selector = quick().fit(data.X, y)
    assert selector.task_ == "regression"
    assert (
        quick(estimator=Ridge(), scoring="neg_mean_squared_error").fit(data.X, y).optimal_score_
        < 0
    )


def test_a_regressor_makes_whole_numbers_a_quantity(data):
    y = np.arange(40)
    assert quick(estimator=Ridge()).fit(data.X, y).task_ == "regression"


def test_constant_and_zero_features_are_never_selected(data):
    X = data.X.copy()
    X[:, 3], X[:, 8] = 0.0, 2.5
    selector = quick().fit(X, data.y)
    stood_for = np.concatenate(list(selector.groups_.values()))
    assert not selector.support_[[3, 8]].any()
    assert not np.isin([3, 8], stood_for).any()


def test_of_repeated_features_at_most_the_first_is_selected(data):
    X = np.concatenate([data.X, 3 * data.X[:, :30], 7 * data.X[:, :30]], axis=1)
    selector = PerturbationSelector(40, random_state=0).fit(X, data.y)
    assert not selector.support_[200:].any()


# The same answer


def test_same_seed_same_answer_for_any_number_of_jobs_and_threads(data):
    answers = []
    for n_jobs, threads in [(None, 1), (None, 2), (2, 1), (2, 2)]:
        with threadpool_limits(threads):
            selector = quick(n_jobs=n_jobs, max_features=6).fit(data.X, data.y)
        answers.append((chosen(selector), [run.chosen.k for run in selector.runs_]))
    assert all(answer == answers[0] for answer in answers)


def test_other_seeds_give_other_answers(data):
    answers = {tuple(chosen(quick(random_state=seed).fit(data.X, data.y))) for seed in range(4)}
    assert len(answers) > 1


@pytest.mark.parametrize("perturbation", ["rank2", "expected"])
@pytest.mark.parametrize("clusterer", ["kmeans", "fuzzy", "warm", "ward"])
def test_permuting_features_permutes_the_answer_of_the_paper(data, clusterer, perturbation):
    order = np.random.default_rng(0).permutation(200)
    # Trees try features in column order; the nearest neighbor does not care.
    options = {"clusterer": clusterer, "perturbation": perturbation, "estimator": "knn"}
    plain = quick(**options).fit(data.X, data.y)
    permuted = quick(**options).fit(data.X[:, order], data.y)
    assert sorted(order[chosen(permuted)].tolist()) == chosen(plain)


def test_permuting_features_changes_the_answer_as_released(data):
    order = np.random.default_rng(0).permutation(200)
    plain = PerturbationSelector(12, definition="released", random_state=0).fit(data.X, data.y)
    permuted = clone(plain).fit(data.X[:, order], data.y)
    assert sorted(order[chosen(permuted)].tolist()) != chosen(plain)


@pytest.mark.parametrize("estimator", ["tree", "svm", "knn"])
def test_scaling_features_changes_nothing(data, estimator):
    factors = 2.0 ** np.random.default_rng(0).integers(-20, 20, size=200)
    plain = quick(estimator=estimator).fit(data.X, data.y)
    scaled = quick(estimator=estimator).fit(data.X * factors, data.y)
    assert chosen(scaled) == chosen(plain)
    np.testing.assert_allclose(scaled.sensitivity_, plain.sensitivity_)


def test_renumbering_classes_changes_nothing_with_indicators(data):
    renamed = np.array(["z", "x", "y"])[np.unique(data.y, return_inverse=True)[1]]
    options = {"target_coding": "indicators", "estimator": "knn"}
    first, second = (quick(**options).fit(data.X, labels) for labels in (data.y, renamed))
    assert chosen(first) == chosen(second)
    codes = [PerturbationSelector(12, random_state=0).fit(data.X, y) for y in (data.y, renamed)]
    assert chosen(codes[0]) != chosen(codes[1])


def test_the_kind_of_array_does_not_matter(data):
    X = np.round(data.X * 4).astype(np.int16)
    X[np.abs(X) < 3] = 0
    options = {"n_repeats": 2, "max_features": 8}
    expected = chosen(quick(**options).fit(X.astype(float), data.y))
    read_only = X.astype(float)
    read_only.flags.writeable = False
    others = [
        X,
        X.astype(np.float32),
        np.asfortranarray(X),
        read_only,
        np.repeat(X, 2, axis=0)[::2],
        scipy.sparse.csr_array(X.astype(float)),
        scipy.sparse.csc_matrix(X.astype(float)),
    ]
    for other in others:
        assert chosen(quick(**options).fit(other, data.y)) == expected


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_huge_and_tiny_values_give_the_same_answer(data, factor):
    X = data.X.copy()
    X[:, ::2] *= factor
    assert chosen(quick().fit(X, data.y)) == chosen(quick().fit(data.X, data.y))


# Among others


def test_frames_keep_their_names(data):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    for module, X in [
        ("pandas", pandas.DataFrame(data.X, columns=data.feature_names)),
        ("polars", polars.DataFrame(data.X, schema=data.feature_names.tolist())),
    ]:
        selector = quick(n_features_to_select=5).set_output(transform=module).fit(X, data.y)
        assert selector.feature_names_in_.tolist() == data.feature_names.tolist()
        names = selector.get_feature_names_out().tolist()
        assert names == data.feature_names[selector.support_].tolist()
        assert list(selector.transform(X).columns) == names


def test_it_works_in_pipelines_and_searches(data):
    pipeline = make_pipeline(StandardScaler(), quick(max_features=5), LogisticRegression())
    assert len(cross_validate(pipeline, data.X, data.y, cv=3)["test_score"]) == 3
    grid = {"perturbationselector__n_features_to_select": [3, 6]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(data.X, data.y)
    assert search.best_estimator_[1].support_.sum() in (3, 6)


def test_copies_and_pickles_are_equal(fitted, data):
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(data.X), fitted.transform(data.X))
    assert clone(fitted).get_params() == fitted.get_params()
    assert not hasattr(clone(fitted), "support_")


def test_only_rows_given_to_fit_are_used(data):
    # Leak-free: rows that are kept back cannot change the selection.
    first = quick().fit(data.X[:30], data.y[:30])
    X, y = data.X.copy(), data.y.copy()
    X[30:], y[30:] = 1e6, "class 1"
    assert chosen(quick().fit(X[:30], y[:30])) == chosen(first)


def test_any_scoring_and_splitter_can_be_used(data):
    calls = []

    def score(y_true, y_pred):
        calls.append(len(y_true))
        return float(np.mean(y_true == y_pred))

    cv = StratifiedShuffleSplit(2, test_size=0.25, random_state=0)
    selector = quick(scoring=make_scorer(score), cv=cv, n_repeats=1, max_features=3)
    selector.fit(data.X, data.y)
    assert calls == [10] * 4


def test_groups_of_samples_are_never_torn_apart(data):
    groups = np.arange(40) // 2
    seen = []

    class Watching(GroupKFold):
        def split(self, X, y=None, groups=None):
            for train, test in super().split(X, y, groups):
                seen.append(set(groups[train]) & set(groups[test]))
                yield train, test

    quick(cv=Watching(4)).fit(data.X, data.y, groups=groups)
    assert seen == [set()] * 12
    with config_context(enable_metadata_routing=True):
        cv = GroupKFold(4)
        selector = quick(cv=cv, n_repeats=1).fit(data.X, data.y, groups=groups)
        assert chosen(selector)
        pipeline = make_pipeline(StandardScaler(), selector)
        pipeline.fit(data.X, data.y, groups=groups)


def test_sample_weights_reach_the_inner_estimator(data):
    totals = []

    class Weighing(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            totals.append(len(X) == len(sample_weight))
            return super().fit(X, y, sample_weight=sample_weight)

    weights = np.ones(40)
    options = {"n_repeats": 1, "max_features": 4}
    quick(estimator=Weighing(), **options).fit(data.X, data.y, sample_weight=weights)
    assert totals
    assert all(totals)
    totals.clear()
    with config_context(enable_metadata_routing=True):
        estimator = Weighing().set_fit_request(sample_weight=True)
        quick(estimator=estimator, **options).fit(data.X, data.y, sample_weight=weights)
    assert totals


def test_verbose_prints_one_line_per_run(data, capsys):
    quick(verbose=1, max_features=4).fit(data.X, data.y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("[PerturbationSelector] run 3 of 3: ")
    quick(max_features=4).fit(data.X, data.y)
    assert capsys.readouterr().out == ""


def test_callbacks_hear_of_every_run(data):
    pytest.importorskip("sklearn.callback")
    events = []

    class Recorder:
        def setup(self, estimator, context):
            events.append("setup")

        def on_fit_task_begin(self, estimator, context):
            events.append(f"begin {context.task_name} {context.task_id}")

        def on_fit_task_end(self, estimator, context):
            events.append(f"end {context.task_name} {context.task_id}")

        def teardown(self, estimator, context):
            events.append("teardown")

    quick(n_repeats=2).set_callbacks(Recorder()).fit(data.X, data.y)
    runs = ["begin run 0", "end run 0", "begin run 1", "end run 1"]
    assert events == ["setup", "begin fit 0", *runs, "end fit 0", "teardown"]


@pytest.mark.parametrize(("n_classes", "n_rows"), [(2, 1), (3, 3)])
def test_coefficients_of_indicators_have_the_shape_that_scikit_learn_uses(data, n_classes, n_rows):
    y = np.arange(len(data.y)) % n_classes
    found = PerturbationSelector(4, target_coding="indicators", random_state=0).fit(data.X, y)
    assert found.coef_.shape == (n_rows, data.X.shape[1])


def test_parameters_of_fit_that_nothing_would_use_are_refused(data):
    weights = np.ones(len(data.y))
    with pytest.raises(ValueError, match="fit got sample_weight, but with n_features_to_select=5"):
        PerturbationSelector(5).fit(data.X, data.y, sample_weight=weights)


def test_a_generator_of_splits_serves_every_run_once(data):
    def splits():
        return KFold(3, shuffle=True, random_state=0).split(data.X)

    options = {"n_repeats": 2, "max_features": 4, "random_state": 0}
    expected = PerturbationSelector(cv=list(splits()), **options).fit(data.X, data.y)
    found = PerturbationSelector(cv=splits(), **options).fit(data.X, data.y)
    assert chosen(found) == chosen(expected)
    with pytest.raises(ValueError, match="There are no inner splits"):
        found.fit(data.X, data.y)


def test_the_backend_multiprocessing_gives_the_same(data):
    selector = PerturbationSelector(max_features=4, n_repeats=2, random_state=0)
    expected = chosen(selector.fit(data.X, data.y))
    with parallel_config(backend="multiprocessing", n_jobs=2):
        assert chosen(selector.fit(data.X, data.y)) == expected


def test_whole_numbers_are_a_quantity_on_request(data):
    ages = np.arange(len(data.y)) % 41 + 30
    with pytest.warns(DataWarning, match=r"pass task='regression'"):
        assert PerturbationSelector(4).fit(data.X, ages).task_ == "classification"
    assert PerturbationSelector(4, task="regression").fit(data.X, ages).task_ == "regression"
