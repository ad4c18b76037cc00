"""A server in a thread, a client for it, and tables to send."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from page_client import Client

from perturbfs.datasets import make_wide_classification
from perturbfs.serve._server import PageServer

LIMIT = 2_000_000


@pytest.fixture
def folder(tmp_path):
    """Where the server keeps files."""
    (tmp_path / "served").mkdir()
    return tmp_path / "served"


@pytest.fixture
def server(folder, monkeypatch):
    """A running server; what it leaves behind is looked at when it has ended."""
    # One thread a process: the tests themselves run side by side.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    server = PageServer(folder, max_size=LIMIT)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
    assert list(folder.iterdir()) == []


@pytest.fixture
def client(server):
    """A client that has shown the token."""
    return Client(server)


def as_csv(X, y, names, *, target="state"):
    rows = [",".join(["sample", *names, target])]
    rows += [f"S{i},{','.join(map(str, row))},{y[i]}" for i, row in enumerate(X.tolist())]
    return ("\n".join(rows) + "\n").encode()


@pytest.fixture(scope="session")
def small():
    """40 samples, 60 features and two classes as CSV; the outcome is the column called state."""
    made = make_wide_classification(40, 60, random_state=0)
    X, y = np.round(made.X, 3), np.where(made.y == "class 1", "normal", "tumor")
    names = [f"gene {j:02d}" for j in range(60)]
    return SimpleNamespace(X=X, y=y, names=names, csv=as_csv(X, y, names))


@pytest.fixture(scope="session")
def large():
    """A table that keeps the paper's method busy for long."""
    X = np.round(np.random.default_rng(0).standard_normal((120, 1500)), 2)
    return as_csv(X, ["a", "b"] * 60, [f"g{j}" for j in range(1500)])
