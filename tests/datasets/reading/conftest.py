"""What the tests of reading share."""

import pytest


@pytest.fixture
def write(tmp_path):
    """Return a function that writes text or bytes to a new file and returns its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def in_this_process(monkeypatch):
    """Read all files in this process, so that tests can change what its modules do."""

    def read_here(function, path, *args, read_memory):
        return function(path, *args)

    monkeypatch.setattr("perturbfs.datasets.reading._read_table.read_apart", read_here)
