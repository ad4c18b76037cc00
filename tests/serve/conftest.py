"""A server in a thread for all tests, a client for it, and tables to send."""

import pytest
from page_client import Client, large_table, running_server, small_table, without_processes

from perturbfs.serve import _jobs as jobs


@pytest.fixture(scope="session")
def serving(tmp_path_factory):
    """A running server and the folder where it keeps files."""
    folder = tmp_path_factory.mktemp("served")
    with running_server(folder) as server:
        yield server, folder


@pytest.fixture
def folder(serving):
    """Where the server keeps files."""
    return serving[1]


@pytest.fixture
def server(serving):
    """The server, which must keep nothing of a test once its files are removed."""
    server, folder = serving
    yield server
    client = Client(server)
    for job in server.jobs.all():
        client.post(f"jobs/{job.key}/remove")
    assert list(folder.iterdir()) == []


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


@pytest.fixture
def quick(monkeypatch):
    """Commands succeed at once, without processes; findings of a check, and the commands."""
    found, commands = [], []
    run_child = without_processes(found, commands)
    monkeypatch.setattr("perturbfs.serve._jobs.run_child", run_child)
    return found, commands


@pytest.fixture
def quick_to_read(monkeypatch):
    """Files are read and checked without processes; commands have their own."""
    run_child = without_processes([], [], run=jobs.run_child)
    monkeypatch.setattr("perturbfs.serve._jobs.run_child", run_child)
