"""`perturbfs reproduce` with an empty directory and public addresses that a local server fakes."""

import csv
import hashlib
import io
import json
from collections import Counter
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import numpy as np
import pytest
import scipy.io
from r_files import r_file, reals, several, texts, whole

from perturbfs._support import extras
from perturbfs.datasets import ClassCount, Derivation, _catalogue, list_datasets

pytestmark = pytest.mark.slow

THERE = ["madelon", "colon", "lung"]
DERIVED = "lung_ad_normal_1000"
COUNTS = {"madelon": {-1: 14, 1: 14}, "colon": {-1: 18, 1: 10}, "lung": {1: 75, 2: 14, 3: 8}}
TABLES = ("kmeans-features", "fs-svm")


def made_file(name):
    """Return the bytes of a small file in the format of the public one, and its shape."""
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat(*zip(*COUNTS[name].items(), strict=True)))
    X = np.round(rng.standard_normal((len(y), 12)) + y[:, None] * (np.arange(12) < 3), 3)
    if name == "madelon":
        stream = io.StringIO()
        np.savetxt(stream, np.column_stack([X, y]), delimiter=",", fmt="%g")
        return stream.getvalue().encode(), X.shape
    if name == "colon":
        stream = io.BytesIO()
        scipy.io.savemat(stream, {"X": X, "Y": y[:, None]})
        return stream.getvalue(), X.shape
    # The public file numbers the classes otherwise; see its layout.
    codes = [{1: 1, 2: 3, 3: 4}[label] for label in y.tolist()]
    parts = [reals(X.ravel(order="F"), dim=whole(X.shape)), whole(codes)]
    return r_file(lung_cancer=several(parts, names=texts(["x", "y"]))), X.shape


@pytest.fixture
def server():
    """A server that has the files in `files` and counts what is asked for."""

    class Publisher(BaseHTTPRequestHandler):
        def do_GET(self):
            asked[self.path] += 1
            content = files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *args):
            """Keep quiet."""

    files, asked = {}, Counter()
    with ThreadingHTTPServer(("127.0.0.1", 0), Publisher) as running:
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}", files, asked
        running.shutdown()
        thread.join()


@pytest.fixture
def public(server, monkeypatch):
    """The catalogue with its addresses on the server, where three made-up sets are."""
    address, files, asked = server
    entries = {}
    for entry in list_datasets():
        known = entry.download
        if known is not None:
            path = urlsplit(known.urls[0]).path
            known = replace(known, urls=(address + path,))
            if entry.name in THERE:
                content, shape = made_file(entry.name)
                files[path] = content
                checksum = hashlib.sha256(content).hexdigest()
                known = replace(known, sha256=checksum, n_bytes=len(content))
                counts = COUNTS[entry.name].items()
                classes = tuple(ClassCount(label, None, count) for label, count in counts)
                entry = replace(entry, shape=shape, classes=classes)
            entry = replace(entry, files=(known,))
        entries[entry.name] = entry
    # In place of the 1000 features of the original.
    made = Derivation("lung", classes=(1, 2), n_features=8)
    entries[DERIVED] = replace(entries[DERIVED], derived=made)
    monkeypatch.setattr(_catalogue, "_read_catalogue", lambda: entries)
    return asked


@pytest.fixture
def nothing_else(monkeypatch):
    """The base install: every package that an extra brings is missing."""

    def refuse(module):
        raise ModuleNotFoundError(f"No module named {module!r}", name=module.partition(".")[0])

    monkeypatch.setattr(extras, "import_module", refuse)


@pytest.mark.usefixtures("nothing_else")
def test_what_is_there_is_computed_and_what_is_not_is_named(run, public, tmp_path):
    env = {
        "XDG_CACHE_HOME": tmp_path / "cache",
        "PERTURBFS_DATA": tmp_path,
        "no_proxy": "127.0.0.1",
    }
    command = ("reproduce", *TABLES, "--quick", "--out", "out")
    done = run(*command, cwd=tmp_path, env=env)
    assert done.returncode == 0

    with (tmp_path / "out" / "results.csv").open() as file:
        computed = {(row["dataset"], row["protocol"]) for row in csv.DictReader(file)}
    assert computed == {(n, p) for n in [*THERE, DERIVED] for p in ("published", "honest")}

    summary = json.loads((tmp_path / "out" / "reproduction.json").read_text())
    missing = summary["settings"]["missing_datasets"]
    assert list(missing) == [
        *("lsvt", "lymphoma", "glioma", "leukemia", "allaml"),
        *("leukemia_golub", "prostate_singh"),
    ]
    pages = [(tmp_path / "out" / f"reproduction.{kind}").read_text() for kind in ("html", "md")]
    for name in missing:
        assert f"left out {name}: The data set '{name}' could not be downloaded." in done.stdout
        for page in pages:
            assert f"Left out, {name}: " in page
            assert f"outcome to {name}.csv, one row per sample" in page
    assert all("answered with HTTP status 404" in why for why in missing.values())
    for page in pages:
        assert f"On {DERIVED}: The 1000 genes of the FS-SVM comparison cannot be had." in page
    for table in summary["tables"]:
        for row in table["rows"]:
            is_there = row["name"] in ("Madelon", "Colon", "Lung")
            assert any(cell["ours"] is not None for cell in row["cells"]) == is_there

    # Once more: nothing is computed or downloaded twice, and what is missing is asked for again.
    kept = (tmp_path / "out" / "results.jsonl").read_bytes()
    assert run(*command, cwd=tmp_path, env=env).returncode == 0
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == kept
    assert sorted(public.values()) == [1] * len(THERE) + [2] * len(missing)
