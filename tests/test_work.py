"""How much work is done, counted and not timed, so that a slow-down cannot land unnoticed."""

import tracemalloc
from collections import Counter

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

import perturbfs.paper._selector as fit_steps
import perturbfs.robust._table as large
from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.arrays import ColumnStore, DaskBlocks, _blocks, as_blocks
from perturbfs.arrays.dask import _worker
from perturbfs.arrays.files._store import read_part
from perturbfs.checks import _twins
from perturbfs.cli import app
from perturbfs.cluster import _partition, _points, canonical_order
from perturbfs.datasets import make_wide_classification, open_table
from perturbfs.datasets.checking import _samples
from perturbfs.evaluation import noise_robustness
from perturbfs.paper import (
    _choose,
    _group,
    _least_squares,
    _perturb_rank2,
    characterize_runs,
    code_target,
)
from perturbfs.robust import (
    WIDTH,
    PathProblem,
    Preparation,
    _forest,
    _path,
    _paths,
    _prepare,
    _search,
    rotate_targets,
    sieve_features,
    sizes_to_try,
    unit_targets,
)
from perturbfs.scoring import _importance, _products, _usual, by_products, default_predictors

FACTORIZATIONS = ("cholesky", "eigh", "eigvalsh", "inv", "lstsq", "pinv", "qr", "svd", "svdvals")


class CountedBlocks:
    """Blocks that know how often they were walked over."""

    def __init__(self, blocks):
        self._blocks, self.n_passes = blocks, 0
        self.shape, self.xp = blocks.shape, blocks.xp
        self.take, self.row_chunks = blocks.take, blocks.row_chunks
        self.gather = blocks.gather

    def map(self, function, *arrays, combine=None):
        self.n_passes += 1
        return self._blocks.map(function, *arrays, combine=combine)


class CountedTree(DecisionTreeClassifier):
    n_fits = 0

    def fit(self, X, y, sample_weight=None, check_input=True):
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight, check_input)


class CountedFolds(StratifiedKFold):
    n_calls = 0

    def split(self, X, y, groups=None):
        type(self).n_calls += 1
        return super().split(X, y, groups)


class AlwaysHalves(ClusterMixin, BaseEstimator):
    """Two clusters whatever is asked for, so that every k has the same subset."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        self.labels_ = (X[:, 1] > np.median(X[:, 1])).astype(int)
        return self


@pytest.fixture(autouse=True)
def start_from_zero():
    CountedTree.n_fits = CountedFolds.n_calls = 0


@pytest.fixture
def counts(monkeypatch):
    """Calls of everything that factors a matrix, by name."""
    found = Counter()

    def watch(owner, name):
        function = getattr(owner, name)

        def counted(*args, **kwargs):
            found[name] += 1
            return function(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)

    for name in FACTORIZATIONS:
        watch(np.linalg, name)
    watch(_least_squares, "triangle")
    watch(_perturb_rank2, "triangle")
    watch(_partition, "warm_sweep")
    return found


def wide(n_samples=30, n_features=400, *, is_ill=False):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_features))
    if is_ill:
        X[-1] = X[0] + 1e-7 * X[-1]
    return X, rng.integers(0, 2, n_samples)


def characterize_counted(n_runs, *, is_ill=False):
    X, y = wide(is_ill=is_ill)
    blocks = CountedBlocks(as_blocks(X))
    characterize_runs(blocks, code_target(y), n_runs=n_runs, random_state=0)
    return blocks.n_passes


@pytest.mark.parametrize("n_runs", [1, 10, 100])
def test_two_passes_and_two_factorizations_do_for_any_number_of_runs(counts, n_runs):
    assert characterize_counted(n_runs) == 2
    assert counts == {"eigvalsh": 1, "cholesky": 1}


@pytest.mark.parametrize("n_runs", [1, 10])
def test_ill_conditioned_data_take_one_more_pass_and_a_small_triangle_a_run(counts, n_runs):
    assert characterize_counted(n_runs, is_ill=True) == 3
    # Of all features once, and of a matrix as small as the samples for each run.
    assert counts["triangle"] == 1 + n_runs
    assert counts["svdvals"] == counts["eigvalsh"] == 1
    assert not counts["svd"] + counts["pinv"] + counts["lstsq"] + counts["qr"]


@pytest.mark.parametrize("n_repeats", [1, 4])
def test_a_fit_walks_over_the_data_three_times(monkeypatch, n_repeats):
    walked = []

    def counted(X):
        walked.append(CountedBlocks(as_blocks(X)))
        return walked[-1]

    monkeypatch.setattr(fit_steps, "as_blocks", counted)
    X, y = wide()
    PerturbationSelector(max_features=4, n_repeats=n_repeats, random_state=0).fit(X, y)
    # Two for the characteristics, and one to order what each feature stands for.
    assert [each.n_passes for each in walked] == [3]


def select_counted(**options):
    data = make_wide_classification(40, 200, random_state=0)
    options = {"clusterer": "warm", "n_repeats": 2, "random_state": 0} | options
    selector = PerturbationSelector(estimator=CountedTree(), cv=CountedFolds(4), **options)
    return selector.fit(data.X, data.y)


def test_every_distinct_candidate_is_fitted_once_a_fold():
    selector = select_counted(max_features=20)
    n_distinct = sum(
        len({each.features.tobytes() for each in run.candidates}) for run in selector.runs_
    )
    assert n_distinct <= sum(len(run.candidates) for run in selector.runs_)
    assert CountedTree.n_fits == 4 * n_distinct


def test_equal_candidates_are_fitted_once_though_they_fill_several_batches():
    n_candidates = 2 * _choose.BATCH + 2
    selector = select_counted(clusterer=AlwaysHalves(), max_features=n_candidates + 1)
    assert [len(run.candidates) for run in selector.runs_] == [n_candidates] * 2
    assert [each.k for each in selector.runs_[0].candidates] == list(range(2, n_candidates + 2))
    assert CountedTree.n_fits == 4 * len(selector.runs_)


def test_splits_are_made_once_a_run():
    select_counted(max_features=20, n_repeats=3)
    assert CountedFolds.n_calls == 3


def test_one_sweep_a_run_serves_every_k(counts):
    select_counted(max_features=20, n_repeats=3)
    assert counts["warm_sweep"] == 3 + 1  # and one for the groups of the chosen k


def test_a_fixed_number_of_features_needs_no_fit_and_no_split():
    select_counted(n_features_to_select=5)
    assert CountedTree.n_fits == CountedFolds.n_calls == 0


@pytest.mark.parametrize("clusterer", ["kmeans", "fuzzy"])
def test_the_points_of_a_run_are_sorted_once(monkeypatch, clusterer):
    n_sorts = Counter()

    def counted(points):
        n_sorts[len(points)] += 1
        return canonical_order(points)

    for module in (_group, _partition):
        monkeypatch.setattr(module, "canonical_order", counted)
    select_counted(max_features=6, n_repeats=3, clusterer=clusterer)
    assert n_sorts == {200: 3}


def test_a_given_number_of_features_takes_few_numbers_per_feature(monkeypatch):
    # Blocks are small, so that the arrays with one entry per feature decide.
    monkeypatch.setattr(_blocks, "BLOCK_BYTES", 2**17)
    monkeypatch.setattr(_points, "_BLOCK_ENTRIES", 2**12)
    n_features = 50_000
    X = np.random.default_rng(0).standard_normal((24, n_features), dtype=np.float32)
    y = np.arange(24) % 2
    PerturbationSelector(5, random_state=0).fit(X[:, :1000], y)
    tracemalloc.start()
    try:
        PerturbationSelector(20, random_state=0).fit(X, y)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # For 100 samples in single precision this is 0.4 times the data. With the k-means++ of
    # scikit-learn it is 27 numbers.
    assert peak < 21 * 8 * n_features


def path_problem(X, y, n_wanted):
    weights = np.full(len(y), 1 / len(y))
    targets = rotate_targets(unit_targets(y, weights, task="classification"))
    return PathProblem(Preparation(weights, WIDTH), targets, {1.0: n_wanted})


@pytest.mark.parametrize("n_wanted", [20, 40, 60])
def test_the_robust_path_takes_a_screen_and_a_pass_for_twenty_features(n_wanted):
    X, y = wide(80, 5000)
    blocks = CountedBlocks(as_blocks(X))
    sieved = sieve_features(blocks, [path_problem(X, y, n_wanted)], n_kept=200, least_cosine=0.8)
    assert sieved.n_passes == blocks.n_passes <= 1 + n_wanted / 20


def test_one_screen_serves_all_inner_splits(monkeypatch):
    monkeypatch.setattr(large, "LARGE_BYTES", 0)
    monkeypatch.setattr(large, "MOST_KEPT", 300)
    X, y = wide(40, 1500)
    blocks = CountedBlocks(as_blocks(X))
    monkeypatch.setattr(large, "as_blocks", lambda _: blocks)
    selector = RobustSelector(max_features=8).fit(X, y)
    assert len(selector.candidates_) == 8
    assert blocks.n_passes <= 3


def test_features_on_disk_are_walked_over_as_often_as_in_memory(tmp_path, monkeypatch):
    X, y = wide()
    np.save(tmp_path / "a.npy", np.asfortranarray(X))
    n_taken = []
    take = ColumnStore.take

    def counted(self, features):
        n_taken.append(len(features))
        return take(self, features)

    monkeypatch.setattr(ColumnStore, "take", counted)
    store = open_table(tmp_path / "a.npy", target=y).X
    blocks = CountedBlocks(store)
    monkeypatch.setattr(fit_steps, "as_blocks", lambda _: blocks)
    selector = PerturbationSelector(max_features=6, n_repeats=4, random_state=0).fit(store, y)
    # Two for the characteristics, and one to order what each feature stands for.
    assert blocks.n_passes == 3
    # All that is scored is gathered at once. Before that a few to compare samples by, and
    # afterwards those that were selected.
    assert len(n_taken) == 3
    assert n_taken[-1] == selector.support_.sum()


@pytest.fixture
def robust_counts(monkeypatch):
    """How much the robust selector does, by kind of work."""
    found = Counter()

    def watch(owner, name, key, amount=lambda *_: 1):
        function = getattr(owner, name)

        def counted(*args, **kwargs):
            found[key] += amount(*args)
            return function(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)

    watch(_search, "prepare_features", "features prepared", lambda blocks, *_: blocks.shape[1])
    watch(_forest, "prepare_features", "features prepared", lambda blocks, *_: blocks.shape[1])
    watch(_prepare, "median_and_deviation", "features sorted", lambda rows, *_: len(rows))
    watch(_paths, "find_rivals", "features checked", lambda rows, *_: len(rows))
    watch(_path, "_follow", "paths")
    watch(_path, "_solve", "fits")
    watch(_path.Products, "row", "products asked for")
    watch(_importance, "grow_tree", "trees of forests")
    watch(_usual, "grow_tree", "judging trees")
    watch(_usual, "fit_svm", "judging machines")
    return found


N_FEW = 3  # sizes at which noises are compared


@pytest.mark.parametrize("max_features", [10, 40])
def test_the_robust_selector_prepares_once_a_split_and_scores_nothing_twice(
    robust_counts, max_features
):
    data = make_wide_classification(60, 150, random_state=0)
    selector = RobustSelector(max_features=max_features, cv=4).fit(data.X, data.y)
    assert selector.noise_ == 1.0
    # Once for all samples and once a split, whatever the number of noises and sizes.
    assert robust_counts["features prepared"] == (1 + 4) * 150
    assert robust_counts["features sorted"] == (1 + 4) * 150
    # For three noises in each split, and with all samples.
    assert robust_counts["paths"] == 1 + 4 * 3
    n_sizes = len(sizes_to_try(max_features))
    # Every size for the noise that is used, and a few for the other two, at most.
    assert n_sizes * 4 <= robust_counts["judging trees"] <= (n_sizes + 2 * N_FEW) * 4
    assert robust_counts["judging machines"] == robust_counts["judging trees"]
    assert not robust_counts["trees of forests"]


def test_a_fixed_number_without_trees_prepares_once_and_fits_no_predictor(robust_counts):
    data = make_wide_classification(120, 60, random_state=0)
    RobustSelector(10, nonlinear=False).fit(data.X, data.y)
    assert robust_counts["features sorted"] == 60
    assert (robust_counts["paths"], robust_counts["fits"]) == (1, 10 + 1)  # and the coefficients
    assert not robust_counts["judging trees"] + robust_counts["trees of forests"]


def test_a_path_multiplies_few_features_a_step_and_all_of_them_once_or_twice(
    robust_counts, monkeypatch
):
    n_features, n_tried = 6000, 500
    monkeypatch.setattr(_paths, "N_NEAREST", n_tried)
    n_rows = []
    row = _path.Products.row
    monkeypatch.setattr(
        _path.Products,
        "row",
        lambda self, each: [n_rows.append(len(self.features)), row(self, each)][1],
    )
    data = make_wide_classification(80, n_features, random_state=0)
    RobustSelector(20, nonlinear=False).fit(data.X, data.y)
    assert robust_counts["features checked"] in (n_features, 2 * n_features)
    assert max(n_rows) <= 1.1 * n_tried
    assert len(n_rows) <= 20 * 3


def test_forests_stop_growing_when_the_path_is_ahead(robust_counts):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 400))
    y = (X[:, :8].sum(axis=1) > 0).astype(int)
    selector = RobustSelector(noise=1.0, cv=4, max_features=12).fit(X, y)
    assert not selector.nonlinear_
    # A few trees in three of the splits are enough.
    assert robust_counts["trees of forests"] in (3 * 10, 3 * 20)
    # Each feature once a split; a forest sorts the first of its order again, at every stage.
    n_ranks = 3 * 2
    assert robust_counts["features sorted"] <= (1 + 4) * 400 + n_ranks * 4 * 12
    # The forests' order is scored at the size that decides, once per stage.
    n_stages = {30: 1, 60: 2}[robust_counts["trees of forests"]]
    assert robust_counts["judging trees"] == 4 * len(sizes_to_try(12)) + 3 * n_stages


def test_a_forest_that_wins_is_grown_once_in_each_split(robust_counts):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 60))
    y = ((X[:, :3] ** 2).sum(axis=1) > 2.4).astype(int)  # no linear predictor finds this
    selector = RobustSelector(noise=1.0, cv=4, max_features=6).fit(X, y)
    assert selector.nonlinear_
    # Once per split, and once with all samples.
    assert robust_counts["trees of forests"] == (4 + 1) * 100


def test_a_forest_far_ahead_is_whole_only_for_the_answer_if_the_number_is_given(robust_counts):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 60))
    y = ((X[:, :3] ** 2).sum(axis=1) > 2.4).astype(int)
    selector = RobustSelector(3, noise=1.0).fit(X, y)
    assert selector.nonlinear_
    assert robust_counts["trees of forests"] == 3 * 20 + 100


@pytest.fixture
def small_csv(tmp_path):
    data = make_wide_classification(60, 150, random_state=0)
    rows = [",".join(["outcome", *map(str, data.feature_names)])]
    rows += [",".join(map(str, [y, *x])) for y, x in zip(data.y, data.X.round(4), strict=True)]
    path = tmp_path / "small.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def count_calls(monkeypatch, owner, name):
    """Return a list that gets one entry for each call of a function."""
    calls, function = [], getattr(owner, name)

    def counted(*args, **kwargs):
        calls.append(args)
        return function(*args, **kwargs)

    monkeypatch.setattr(owner, name, counted)
    return calls


@pytest.mark.parametrize("n_features", ["auto", "5"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_select_fits_once_to_all_samples_and_once_a_split(
    monkeypatch, robust_counts, small_csv, tmp_path, jobs, n_features
):
    fits = count_calls(monkeypatch, RobustSelector, "fit")
    searches = count_calls(monkeypatch, _search.Search, "__init__")
    twins = count_calls(monkeypatch, _twins, "twin_sets")
    twins_checked = count_calls(monkeypatch, _samples, "twin_sets")
    words = ["--splits", "3", "--jobs", jobs, "--n-features", n_features, "--no-noise-study"]
    call = ["select", str(small_csv), "--target", "outcome", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, [*call, *words])
    assert done.exit_code == 0, done.output
    assert len(fits) == len(searches) == 1 + 3
    # A given number needs no inner splits of so few samples, which trees are not tried for.
    n_inner = 5 if n_features == "auto" else 0
    assert robust_counts["features sorted"] == (1 + 3) * (1 + n_inner) * 150
    assert bool(robust_counts["judging trees"]) == (n_features == "auto")
    # The findings name near-identical samples; neither fit nor estimate looks for them again.
    assert (len(twins), len(twins_checked)) == (0, 1)


def test_the_study_of_noise_selects_once_a_level_and_once_without_noise(monkeypatch):
    fits = count_calls(monkeypatch, RobustSelector, "fit")
    data = make_wide_classification(60, 80, random_state=0)
    found = noise_robustness(
        RobustSelector(3), data.X, data.y, levels=(0.1, 0.2), n_repeats=2, random_state=0
    )
    assert [row.level for row in found.rows] == [0.0, 0.1, 0.2]
    assert len(fits) == 2 * 3


def test_inner_products_take_each_piece_of_the_features_once_a_fit(monkeypatch):
    X, y = wide(40, 2 * _products.PIECE + 1)
    machine = by_products(default_predictors("classification")["svm"], len(y))
    pieces = count_calls(monkeypatch, _products.StandardizedSVC, "_units")
    machine.fit(X, y)
    assert len(pieces) == 3
    machine.predict(X[:5])
    assert len(pieces) == 3 + 3 * 2  # of both sides


def test_one_factor_a_split_serves_every_number_of_features_from_300_samples_on(
    robust_counts, monkeypatch
):
    n_factors = []

    def counted(matrix):
        n_factors.append(len(matrix))
        return cholesky(matrix)

    cholesky = np.linalg.cholesky
    monkeypatch.setattr(np.linalg, "cholesky", counted)
    data = make_wide_classification(400, 60, random_state=0)
    options = {"noise": 1.0, "nonlinear": False, "max_features": 12, "cv": 4}
    RobustSelector(**options).fit(data.X, data.y)
    assert n_factors == [12] * 4
    assert not robust_counts["judging machines"]


def test_a_task_of_a_cluster_reads_its_features_once_a_pass(tmp_path, monkeypatch):
    pytest.importorskip("dask")
    X, y = wide()
    np.save(tmp_path / "a.npy", np.asfortranarray(X))
    reads = Counter()

    def counted(reader, rows, columns):
        reads[columns.start] += 1
        return read_part(reader, rows, columns)

    monkeypatch.setattr(_worker, "read_part", counted)
    store = open_table(tmp_path / "a.npy", target=y).X
    store.memory = 16 * 8 * 30 * 100  # a hundred features are read at a time
    characterize_runs(DaskBlocks.of_store(store), code_target(y), n_runs=3, random_state=0)
    assert reads == {0: 2, 100: 2, 200: 2, 300: 2}
