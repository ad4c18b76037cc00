"""Tables of any shape, type and scale: the invariants hold, or one sentence says why not."""

import warnings

import numpy as np
import pytest
from any_tables import FEW, QUICK, attempt, check_selected, tables
from hypothesis import assume, example, given
from hypothesis import strategies as st

from perturbfs import PerturbationSelector, RobustSelector, characterize, evaluate
from perturbfs.arrays import check_positions
from perturbfs.datasets import TableError, open_table, read_table

pytestmark = pytest.mark.slow


@QUICK
@given(tables(), st.integers(1, 4), st.sampled_from(["paper", "released"]))
def test_the_papers_selector(table, n_features, definition):
    X, y = table
    selector = PerturbationSelector(n_features, definition=definition, random_state=0)
    if attempt(selector.fit, X, y) is not None:
        check_selected(selector, X)


@QUICK
@given(tables(), st.integers(1, 4))
def test_the_robust_selector(table, n_features):
    X, y = table
    selector = RobustSelector(n_features)
    if attempt(selector.fit, X, y) is not None:
        check_selected(selector, X)


@FEW
@given(tables(most_samples=24))
def test_the_robust_selector_that_chooses_the_number(table):
    X, y = table
    selector = RobustSelector(nonlinear=False)
    if attempt(selector.fit, X, y) is not None:
        check_selected(selector, X)


@QUICK
@given(tables(), st.sampled_from(["rank2", "iid", "expected"]))
def test_characteristics_are_finite_and_within_their_ranges(table, perturbation):
    X, y = table
    found = attempt(lambda: characterize(X, y, perturbation=perturbation, random_state=0))
    if found is None:
        return
    assert np.isfinite(found.matrix).all()
    assert np.all(found.sensitivity >= 0)
    for angles in (found.angle_to_target, found.angle_without):
        assert np.all((angles >= 0) & (angles <= 180))


@FEW
@given(tables(most_samples=24), st.integers(1, 3))
def test_an_evaluation_has_scores_or_refusals(table, n_features):
    X, y = table
    selectors = {"paper": PerturbationSelector(n_features, random_state=0)}
    found = attempt(lambda: evaluate(selectors, X, y, n_features=[n_features], n_splits=2))
    if found is not None:
        assert len(found.scores) + len(found.refusals) > 0
        assert all(np.isfinite(row.score) for row in found.scores)


names = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=12)


@QUICK
@example(["a:b", "ü"], [[1.0, -0.0], [1e-300, 1e300]])
@given(
    st.lists(names.map(lambda name: f"f{name}").filter(str.isprintable), min_size=1, max_size=6,
             unique_by=str.strip),
    st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=6, max_size=6),
             min_size=2, max_size=6),
)  # fmt: skip
def test_text_is_read_as_it_was_written(tmp_path, header, rows):
    import csv

    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *header])
        writer.writerows([f"s{at}", *row[: len(header)]] for at, row in enumerate(rows))
    try:
        table = read_table(path, index="id")
    except TableError:  # such as names of features that mean an index
        assume(False)
    np.testing.assert_array_equal(table.X, [row[: len(header)] for row in rows])
    assert [name.strip() for name in table.feature_names] == [name.strip() for name in header]
    assert table.n_missing == 0


@QUICK
@given(tables(), st.sampled_from("CF"))
def test_arrays_on_disk_are_those_in_memory(tmp_path, table, order):
    X, y = table
    path = tmp_path / "table.npy"
    np.save(path, np.asarray(X, order=order))
    whole = attempt(read_table, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        blocks = attempt(lambda: open_table(path, y if len(np.unique(y)) > 1 else None))
    np.testing.assert_array_equal(whole.X, X)
    np.testing.assert_array_equal(blocks.X.take(np.arange(X.shape[1])), X)


@QUICK
@given(
    st.lists(st.integers(-2, 6), max_size=8),
    st.lists(st.integers(-1, 9), min_size=1, max_size=6),
    st.integers(0, 5),
)
def test_positions_are_right_if_each_of_them_exists(indices, indptr, length):
    n_lines = len(indptr) - 1
    is_right = indptr[0] == 0 and sorted(indptr) == indptr and indptr[-1] <= len(indices)
    is_right = is_right and all(0 <= each < length for each in indices)
    places = np.array(indices, dtype=np.int64), np.array(indptr, dtype=np.int64)
    if is_right:
        check_positions(*places, (n_lines, length))
    else:
        with pytest.raises(ValueError, match=r"position|lines"):
            check_positions(*places, (n_lines, length))
