"""A server in a thread, a client for it, and tables to send."""

import pytest
from page_client import Client, large_table, running_server, small_table


@pytest.fixture
def folder(tmp_path):
    """Where the server keeps files."""
    (tmp_path / "served").mkdir()
    return tmp_path / "served"


@pytest.fixture
def server(folder, monkeypatch):
    """A running server, which must leave nothing behind."""
    with running_server(folder, monkeypatch) as server:
        yield server


@pytest.fixture
def client(server):
    """A client that has shown the token."""
    return Client(server)


@pytest.fixture(scope="session")
def small():
    """A table that is selected from in a second."""
    return small_table()


@pytest.fixture(scope="session")
def large():
    """A table that keeps the paper's method busy for long."""
    return large_table()
