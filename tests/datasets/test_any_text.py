"""Any text, any bytes and any options give a table that keeps its promises, or one sentence."""

import numpy as np
import pytest
from any_tables import FEW, QUICK, attempt, tables
from hypothesis import given
from hypothesis import strategies as st

from perturbfs.datasets import (
    Table,
    check_table,
    convert_table,
    dataset_checksum,
    find_dataset,
    list_datasets,
    load_dataset,
    make_synth_data,
    make_wide_classification,
    make_wide_regression,
    open_table,
    read_table,
    take_samples,
    where,
)
from perturbfs.datasets.reading import outline_file

pytestmark = pytest.mark.slow

ENDINGS = (".csv", ".tsv", ".txt", ".gct", ".arff", ".svmlight")
cells = st.sampled_from(
    ["1", "-2.5", "3,5", "1e400", "nan", "NA", "", " ", "a", "id", '"', "'", "#x", "1:2", "@data"]
) | st.text(max_size=5)
lines = st.lists(cells, max_size=5).flatmap(
    lambda row: st.sampled_from([",", ";", "\t", " "]).map(lambda mark: mark.join(row))
)
texts = st.lists(lines, max_size=8).map("\n".join) | st.text(max_size=60)


def check_read(table):
    """Check what every table promises."""
    n_samples, n_features = table.X.shape
    assert min(n_samples, n_features) > 0
    values = table.X.data if hasattr(table.X, "tocsr") else table.X
    assert not np.isinf(values).any()
    assert int(np.isnan(values).sum()) == table.n_missing
    for found, size in ((table.y, n_samples), (table.feature_names, n_features)):
        assert found is None or found.shape == (size,)
    if table.y is not None and table.y.dtype.kind == "f":
        assert np.isfinite(table.y).all()


@QUICK
@given(
    texts,
    st.sampled_from(ENDINGS),
    st.sampled_from(["utf-8", "utf-16", "latin-1"]),
    st.sampled_from([None, 0, -1, "a", "id"]),
    st.booleans(),
)
def test_text_gives_a_table_or_one_sentence(tmp_path, text, ending, encoding, target, is_lenient):
    path = tmp_path / f"table{ending}"
    path.write_bytes(text.encode(encoding, "replace"))
    options = {"missing": "allow", "drop_text": "all"} if is_lenient else {}
    table = attempt(lambda: read_table(path, target, **options))
    if table is not None:
        check_read(table)
        attempt(check_table, table)
    attempt(outline_file, path)


@QUICK
@given(
    st.binary(max_size=80),
    st.sampled_from([b"", b"\x93NUMPY\x01\x00", b"PK\x03\x04", b"\x89HDF\r\n\x1a\n", b"PAR1"]),
    st.sampled_from([".npy", ".npz", ".mat", ".h5", ".parquet", ".xlsx", ".csv.gz"]),
)
def test_bytes_give_one_sentence(tmp_path, content, start, ending):
    path = tmp_path / f"table{ending}"
    path.write_bytes(start + content)
    for read in (read_table, open_table, outline_file):
        attempt(read, path)


@FEW
@given(tables())
def test_a_converted_table_holds_the_same(tmp_path, table):
    pytest.importorskip("zarr")
    X, _ = table
    np.save(tmp_path / "table.npy", X)
    out = tmp_path / f"out-{len(list(tmp_path.iterdir()))}.zarr"
    convert_table(tmp_path / "table.npy", out)
    np.testing.assert_array_equal(open_table(out).X.take(np.arange(X.shape[1])), X)


@QUICK
@given(tables(), st.data())
def test_findings_are_sentences_and_samples_are_taken_whole(table, data):
    X, y = table
    whole = Table(X=np.asarray(X, dtype=float), y=y, task="classification")
    groups = data.draw(st.none() | st.lists(st.integers(0, 2), min_size=len(y), max_size=len(y)))
    for finding in check_table(whole, None if groups is None else np.array(groups)):
        assert finding.message.endswith((".", ")", "?"))
        assert finding.advice.endswith((".", ")", "?"))
    samples = np.array(data.draw(st.lists(st.sampled_from(range(len(y))), min_size=1)))
    taken = take_samples(whole, samples)
    np.testing.assert_array_equal(taken.X, whole.X[samples])
    np.testing.assert_array_equal(taken.y, y[samples])


@QUICK
@given(
    st.integers(-1, 30),
    st.integers(-1, 40),
    st.fixed_dictionaries(
        {
            "n_informative": st.integers(-1, 4),
            "n_copies": st.integers(-1, 4),
            "copy_noise": st.floats(-1, 5),
            "block_size": st.integers(0, 50),
            "block_correlation": st.floats(-0.5, 1.5),
        }
    ),
    st.sampled_from([make_wide_classification, make_wide_regression]),
)
def test_made_tables_are_finite_and_as_large_as_asked(n_samples, n_features, options, make):
    found = attempt(lambda: make(n_samples, n_features, **options, random_state=0))
    if found is not None:
        assert found.X.shape == (n_samples, n_features)
        assert np.isfinite(found.X).all()
        assert len(found.y) == n_samples
        assert set(found.informative) <= set(range(n_features))


@QUICK
@given(st.integers(-1, 40), st.booleans())
def test_the_made_table_of_the_paper_is_finite(n_samples, symmetric):
    found = attempt(lambda: make_synth_data(n_samples, symmetric=symmetric, random_state=0))
    if found is not None:
        assert np.isfinite(found[0]).all()
        assert np.isfinite(found[1]).all()
        assert len(found[0]) == len(found[1]) == n_samples


@QUICK
@given(st.text(max_size=12))
def test_a_name_of_no_data_set_is_refused_with_those_there_are(name):
    found = attempt(find_dataset, name)
    assert found is None or found in list_datasets()
    if found is None:
        for function in (where, dataset_checksum, lambda name: load_dataset(name, download=False)):
            assert attempt(function, name) is None
