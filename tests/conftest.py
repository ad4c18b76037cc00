"""Fixtures for all tests: array namespaces, and the developers' data where they are."""

import os
from pathlib import Path

# Tests run in one process per core. Threads of theirs would wait for each other: the tests of
# k-means took ten times as long. NumPy reads this when it is imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import pytest
from reference_values import load_reference

from perturbfs.arrays import namespace_of

SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "datasets"


@pytest.fixture(params=["numpy", "array_api_strict", "torch"])
def xp(request):
    """An array namespace; the strict one refuses whatever the standard does not promise."""
    library = pytest.importorskip(request.param)
    return namespace_of(library.zeros(1)) if request.param == "torch" else library


@pytest.fixture(scope="session")
def reference():
    """Loader of reference values, reading each file once."""
    cache = {}

    def load(name):
        if name not in cache:
            cache[name] = load_reference(name)
        return cache[name]

    return load


@pytest.fixture
def developers_data(monkeypatch):
    """Data sets of the catalogue on disk; skips where they are not."""
    if not SHARED.is_dir():
        pytest.skip("the developers' data are not here")
    monkeypatch.setenv("PERTURBFS_DATA", str(SHARED))
