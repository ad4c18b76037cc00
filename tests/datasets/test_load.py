import hashlib
import io
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
import scipy.io

from perturbfs.datasets import _load, find_dataset, load_dataset, where

X = np.array([[1, -2, 300], [4, 5, -6]], dtype=np.int16)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """An empty cache, no directory of data, and loopback without a proxy."""
    monkeypatch.delenv("PERTURBFS_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache" / "perturbfs"


@pytest.fixture
def small(monkeypatch):
    """Put a small file's entry in the place of a catalogued one; return the file's bytes."""

    def install(name, file, urls=(), **variables):
        stream = io.BytesIO()
        if file.endswith(".mat"):
            scipy.io.savemat(stream, variables)
        elif file.endswith(".npz"):
            np.savez(stream, **variables)
        else:
            np.savetxt(stream, np.column_stack([variables["X"], variables["Y"]]), delimiter=",")
        content = stream.getvalue()
        checksum = hashlib.sha256(content).hexdigest()
        facts = {"file": file, "urls": urls, "sha256": checksum, "n_bytes": len(content)}
        entry = replace(find_dataset(name), **facts)
        monkeypatch.setattr(_load, "find_dataset", lambda _: entry)
        return content

    return install


def put(directory, file, content):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / file).write_bytes(content)
    return directory / file


# Where files are found


def test_the_named_directory_comes_before_the_cache(small, cache, tmp_path, monkeypatch):
    content = small("colon", "colon.mat", X=X, Y=[[-1], [1]])
    put(cache, "colon.mat", b"never looked at")
    named = put(tmp_path / "data", "colon.mat", content)
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path / "data"))
    assert where("colon") == named
    assert load_dataset("colon").X.shape == (2, 3)


def test_the_cache_is_used_where_the_named_directory_lacks_the_file(
    small, cache, tmp_path, monkeypatch
):
    path = put(cache, "colon.mat", small("colon", "colon.mat", X=X, Y=[[-1], [1]]))
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
    assert _load._cache_directory(platform) == Path.home() / standard


# What is wrong with a file


def test_a_file_with_another_checksum_is_named_and_not_used(small, cache):
    path = put(cache, "colon.mat", small("colon", "colon.mat", X=X, Y=[[-1], [1]]) + b"x")
    with pytest.raises(ValueError, match=r"sha256 is .*expects .* It was not used") as caught:
        load_dataset("colon")
    assert f"The file {path} is not the data set 'colon'" in str(caught.value)


def test_without_permission_to_download_the_places_and_the_address_are_named(cache):
    with pytest.raises(FileNotFoundError, match="Pass download=True to get it from https://") as e:
        load_dataset("colon", download=False)
    assert f"there is no colon.mat in {cache}." in str(e.value)


def test_a_set_without_an_address_is_refused_with_the_way_to_get_it():
    with pytest.raises(FileNotFoundError, match="no publisher serves this file") as caught:
        load_dataset("riboflavin")
    assert find_dataset("riboflavin").how_to_get in str(caught.value)


# What comes back


@pytest.mark.parametrize("file", ["set.mat", "set.npz", "set.csv"])
def test_every_format_gives_the_same_features_and_labels(small, cache, file):
    put(cache, file, small("colon", file, X=X, Y=[[-1], [1]] if file[-3:] == "mat" else [-1, 1]))
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
    put(cache, "set.npz", small(name, "set.npz", X=X, y=[0.5, 1.5], **{variable: names}))
    dataset = load_dataset(name)
    assert dataset.task == "regression"
    assert dataset.y.tolist() == [0.5, 1.5]
    assert dataset.feature_names.tolist() == [str(each) for each in names]


def test_an_archive_that_needs_pickle_is_refused(small, cache):
    secret = np.array([{"run": "me"}, None], dtype=object)
    put(cache, "set.npz", small("colon", "set.npz", X=X, Y=secret))
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
    content = small("colon", "colon.mat", urls=(f"{address}/colon.mat",), X=X, Y=[[-1], [1]])
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
    put(root, "colon.mat", small("colon", "colon.mat", urls=(url,), X=X, Y=[[-1], [1]]))
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path / "data"))
    load_dataset("colon")
    assert list((tmp_path / "data").iterdir()) == []
    assert [path.name for path in cache.iterdir()] == ["colon.mat"]
