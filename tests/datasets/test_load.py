import hashlib
import io
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
import scipy.io

from perturbfs.datasets import (
    ClassCount,
    DataFile,
    Derivation,
    Layout,
    _load,
    cache_directory,
    dataset_checksum,
    find_dataset,
    load_dataset,
    where,
)
from perturbfs.datasets._download import file_checksum
from perturbfs.datasets._read_file import Contents
from perturbfs.exceptions import DataWarning

X = np.array([[1, -2, 300], [4, 5, -6]], dtype=np.int16)
LABELS = [-1, 1]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """An empty cache, no directory of data, and loopback without a proxy."""
    monkeypatch.delenv("PERTURBFS_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache" / "perturbfs"


def packed(file, X, outcome, **more):
    """Return the bytes of a file, and where its parts are."""
    stream = io.BytesIO()
    y = "y" if np.asarray(outcome).dtype.kind == "f" else "Y"
    if file.endswith(".csv"):
        np.savetxt(stream, np.column_stack([X, outcome]), delimiter=",")
    elif file.endswith(".mat"):
        scipy.io.savemat(stream, {"X": X, y: np.reshape(outcome, (-1, 1))})
    else:
        np.savez(stream, X=X, **{y: outcome}, **more)
    return stream.getvalue(), Layout("X", y, *more)


@pytest.fixture
def small(monkeypatch):
    """Put a small file's entry in the place of a catalogued one; return the file's bytes."""

    def install(name, file, outcome=LABELS, urls=(), **more):
        content, layout = packed(file, X, outcome, **more)
        checksum = hashlib.sha256(content).hexdigest()
        entry = replace(
            find_dataset(name),
            files=(DataFile(file, checksum, len(content), urls, layout),),
            shape=X.shape,
            classes=() if layout.y == "y" else (ClassCount(-1, None, 1), ClassCount(1, None, 1)),
            values=Contents(X.astype(float), np.asarray(outcome, float), None).checksum(),
        )
        monkeypatch.setattr(_load, "find_dataset", lambda _: entry)
        return content

    return install


def put(directory, file, content):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / file).write_bytes(content)
    return directory / file


# Where files are found


def test_the_named_directory_comes_before_the_cache(small, cache, tmp_path, monkeypatch):
    content = small("colon", "colon.mat")
    put(cache, "colon.mat", b"never looked at")
    named = put(tmp_path / "data", "colon.mat", content)
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path / "data"))
    assert where("colon") == named
    assert load_dataset("colon").X.shape == (2, 3)


def test_the_cache_is_used_where_the_named_directory_lacks_the_file(
    small, cache, tmp_path, monkeypatch
):
    path = put(cache, "colon.mat", small("colon", "colon.mat"))
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path))
    assert where("colon") == path
    assert load_dataset("colon", download=False).name == "colon"


def test_a_file_that_is_nowhere_has_no_path():
    assert where("colon") is None


def test_a_named_directory_that_is_none_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path / "mistyped"))
    with pytest.raises(FileNotFoundError, match=r"PERTURBFS_DATA is .*mistyped"):
        load_dataset("colon")


@pytest.mark.parametrize(
    ("platform", "standard"),
    [
        ("linux", ".cache/perturbfs"),
        ("darwin", "Library/Caches/perturbfs"),
        ("win32", "AppData/Local/perturbfs"),
    ],
)
@pytest.mark.parametrize("named", ["", "relative/path"])
def test_the_cache_is_where_the_system_keeps_caches(monkeypatch, platform, standard, named):
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert cache_directory(platform) == Path.home() / standard


# Files of one's own


def test_another_file_with_the_same_values_is_used_and_the_warning_says_so(small, cache):
    small("colon", "colon.mat")
    path = put(cache, "colon.csv", b"1,-2,300,-1\n4,5,-6,1\n")
    with pytest.warns(DataWarning, match="differs .* so results are the same") as caught:
        loaded = load_dataset("colon")
    assert f"'colon' is read from {path}, whose sha256 {file_checksum(path)}" in str(
        caught[0].message
    )
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(loaded.X, X)
    assert loaded.y.tolist() == LABELS


@pytest.mark.parametrize("file", ["colon.mat", "colon.csv"])
def test_a_file_with_other_values_is_used_and_the_warning_says_what_follows(small, cache, file):
    small("colon", "colon.mat")
    put(cache, file, packed(file, X + 1, LABELS)[0])
    with pytest.warns(DataWarning, match="values differ too, so results may differ"):
        loaded = load_dataset("colon")
    np.testing.assert_array_equal(loaded.X, X + 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1,2\n", "it has 1 samples, 1 features, classes 2: 1, .* 2 samples, 3 features"),
        (b"1,-2,300,0\n4,5,-6,1\n", "classes 0: 1, 1: 1, the catalogue .* classes -1: 1, 1: 1"),
        (b"a,b\n1,2\n", "or is damaged: it cannot be read .ValueError: "),
        (b"", "or is damaged: it cannot be read"),
    ],
)
def test_a_file_of_another_table_is_named_and_not_used(small, cache, content, message):
    small("colon", "colon.mat")
    path = put(cache, "colon.csv", content)
    with pytest.raises(ValueError, match=message) as caught:
        load_dataset("colon")
    assert f"The file {path} is not the data set 'colon'" in str(caught.value)
    assert "It was not used. Remove it" in str(caught.value)


def test_a_damaged_file_is_named_and_not_used(small, cache):
    put(cache, "colon.mat", small("colon", "colon.mat")[:100])
    with pytest.raises(ValueError, match="or is damaged: it cannot be read"):
        load_dataset("colon")


def test_the_checksum_is_that_of_the_file_that_would_be_loaded(small, cache):
    content = small("colon", "colon.mat")
    catalogued = hashlib.sha256(content).hexdigest()
    assert dataset_checksum("colon") == catalogued
    path = put(cache, "colon.csv", b"1,2\n")
    assert dataset_checksum("colon") == file_checksum(path)
    put(cache, "colon.mat", content)
    assert dataset_checksum("colon") == catalogued


# A set that is made of another


def test_a_derived_set_takes_the_most_variable_features_of_some_classes(small, cache, monkeypatch):
    put(cache, "set.csv", small("colon", "set.csv", outcome=[2, 3]))
    source = _load.find_dataset("colon")
    source = replace(source, classes=(ClassCount(2, None, 1), ClassCount(3, None, 1)))
    derivation = Derivation("colon", classes=(2, 3), n_features=2)
    made = replace(source, name="made", files=(), derived=derivation)
    monkeypatch.setattr(_load, "find_dataset", {"colon": source, "made": made}.get)
    assert where("made") == cache / "set.csv"
    loaded = load_dataset("made")
    # The variances are 2.25, 12.25 and 23409.
    np.testing.assert_array_equal(loaded.X, X[:, 1:])
    assert loaded.y.tolist() == [2, 3]


# What is missing


def test_without_permission_to_download_the_places_and_the_address_are_named(cache):
    with pytest.raises(FileNotFoundError, match="Pass download=True to get it from https://") as e:
        load_dataset("colon", download=False)
    assert f"there is no colon.mat or colon.csv in {cache}." in str(e.value)


def test_a_set_without_an_address_is_refused_with_the_way_to_get_it(small):
    small("colon", "colon.mat")
    with pytest.raises(FileNotFoundError, match="No publisher serves this file") as caught:
        load_dataset("colon")
    assert find_dataset("colon").by_hand in str(caught.value)


# What comes back


@pytest.mark.parametrize("file", ["set.mat", "set.npz", "set.csv"])
def test_every_format_gives_the_same_features_and_labels(small, cache, file):
    put(cache, file, small("colon", file))
    dataset = load_dataset("colon")
    np.testing.assert_array_equal(dataset.X, X.astype(float))
    assert dataset.y.tolist() == [-1, 1]
    assert (dataset.X.dtype, dataset.y.dtype) == (np.float64, np.int64)
    assert (dataset.name, dataset.task, dataset.feature_names) == ("colon", "classification", None)


@pytest.mark.parametrize(
    ("name", "variable", "names"),
    [("riboflavin", "feature_names", ["a", "b", "c"]), ("gasoline", "wavelength_nm", [9, 11, 13])],
)
def test_regression_sets_have_a_real_target_and_names(small, cache, name, variable, names):
    put(cache, "set.npz", small(name, "set.npz", outcome=[0.5, 1.5], **{variable: names}))
    dataset = load_dataset(name)
    assert dataset.task == "regression"
    assert dataset.y.tolist() == [0.5, 1.5]
    assert dataset.feature_names.tolist() == [str(each) for each in names]


def test_an_archive_that_needs_pickle_is_refused(small, cache):
    secret = np.array([{"run": "me"}, None], dtype=object)
    put(cache, "set.npz", small("colon", "set.npz", secret=secret))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        load_dataset("colon")


# Downloads


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Keep quiet."""


@pytest.fixture
def published(tmp_path):
    """Directory whose files a server on loopback publishes, and its address."""
    root = tmp_path / "published"
    root.mkdir()

    def handler(*args):
        return QuietHandler(*args, directory=str(root))

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield root, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_download_goes_into_the_cache_and_is_not_repeated(small, cache, published):
    root, address = published
    content = small("colon", "colon.mat", urls=(f"{address}/colon.mat",))
    original, seen = put(root, "colon.mat", content), []
    first = load_dataset("colon", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(content), len(content))
    assert where("colon") == cache / "colon.mat"
    original.unlink()
    np.testing.assert_array_equal(load_dataset("colon").X, first.X)


def test_nothing_is_downloaded_into_the_named_directory(
    small, cache, published, tmp_path, monkeypatch
):
    root, address = published
    url = f"{address}/colon.mat"
    put(root, "colon.mat", small("colon", "colon.mat", urls=(url,)))
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path / "data"))
    load_dataset("colon")
    assert list((tmp_path / "data").iterdir()) == []
    assert [path.name for path in cache.iterdir()] == ["colon.mat"]
