"""A server in a thread for all tests, a client for it, and tables to send."""

import json
from dataclasses import asdict

import pytest
from page_client import Client, large_table, running_server, small_table

from perturbfs.datasets.reading import outline_file


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

    async def run_child(request, folder, hear):
        if "outline" in request:
            names = request["outline"]
            outlines = [asdict(outline_file(folder / name)) for name in names]
            hear({"outlines": json.loads(json.dumps(outlines))})
        else:
            commands.append(request.get("check") or request["command"])
        if "check" in request:
            hear({"findings": list(found)})
        return []

    monkeypatch.setattr("perturbfs.serve._jobs.run_child", run_child)
    return found, commands
