"""Arrays of other libraries: their namespace, the way to the host, and a device's limits."""

import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

from perturbfs.arrays import (
    DeviceBlocks,
    _devices,
    as_blocks,
    full_precision,
    is_device_array,
    namespace_of,
    to_host,
)
from perturbfs.exceptions import DeviceMemoryWarning
from perturbfs.paper import characterize_runs, code_target

array_api_strict = pytest.importorskip("array_api_strict")
# The strict library has made-up devices, and refuses to mix arrays of two.
ELSEWHERE = array_api_strict.Device("device1")


def strict(values):
    return array_api_strict.asarray(values, device=ELSEWHERE)


def table(shape=(20, 90)):
    return np.random.default_rng(0).standard_normal(shape)


def test_numpy_sparse_and_frames_are_no_device_arrays():
    pandas = pytest.importorskip("pandas")
    X = table()
    named = pandas.DataFrame(X[:, :1], columns=["library_name"])
    for each in (X, scipy.sparse.csc_array(X), named, X.tolist(), X.mean(), None):
        assert not is_device_array(each)
    assert is_device_array(strict(X))


def test_new_arrays_are_float64_and_beside_the_old_ones():
    xp = namespace_of(strict(table()))
    made = [
        xp.empty((2, 3)),
        xp.zeros(2),
        xp.ones((1, 1)),
        xp.full(2, 90.0),
        xp.eye(2),
        xp.asarray([1.0, 2.0]),
        xp.asarray(table()[::-1]),
    ]
    for each in made:
        assert each.dtype == xp.float64
        assert each.device == ELSEWHERE
    assert xp.arange(3).device == xp.asarray([1]).device == ELSEWHERE
    assert xp.asarray([1]).dtype == xp.int64


def test_torch_makes_float64_too():
    torch = pytest.importorskip("torch")
    xp = namespace_of(torch.zeros(1))
    read_only = table()
    read_only.flags.writeable = False
    for each in (
        xp.zeros(2),
        xp.eye(2),
        xp.full(2, 1.0),
        xp.asarray([1.5]),
        xp.asarray(read_only),
    ):
        assert each.dtype == torch.float64


def test_the_host_gets_the_same_numbers():
    X = table()
    assert to_host(X) is X
    for array in (strict(X), strict(X.astype(np.float32)), strict(X > 0)):
        moved = to_host(array)
        assert isinstance(moved, np.ndarray)
        assert moved.flags.writeable
    np.testing.assert_array_equal(to_host(strict(X)), X)


def test_tensors_that_record_gradients_come_to_the_host():
    torch = pytest.importorskip("torch")
    X = torch.asarray(table()).requires_grad_()
    np.testing.assert_array_equal(to_host(X), table())
    assert not DeviceBlocks(X).values.requires_grad


def test_a_sparse_tensor_is_refused():
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match=r"layout torch.sparse_coo, but dense .*X.to_dense()"):
        as_blocks(torch.asarray(table()).to_sparse())


def test_a_missing_package_names_the_extra(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    with pytest.raises(ImportError, match=r"array of torch needs .*perturbfs\[gpu\]"):
        namespace_of(torch.zeros(1))


class OldSwitch:
    """torch's setting as it was first: a flag."""

    allow_tf32 = True


class NewSwitch:
    """The later setting, beside which the flag cannot be read."""

    fp32_precision = "tf32"

    @property
    def allow_tf32(self):
        raise RuntimeError("mix of the legacy and new APIs")


@pytest.mark.parametrize(
    ("switch", "read", "exact"),
    [
        (OldSwitch(), lambda each: each.allow_tf32, False),
        (NewSwitch(), lambda each: each.fp32_precision, "ieee"),
    ],
)
def test_tf32_is_off_inside_and_as_before_afterwards(monkeypatch, switch, read, exact):
    cuda = SimpleNamespace(matmul=switch)
    fake = SimpleNamespace(backends=SimpleNamespace(cuda=cuda))
    monkeypatch.setattr(_devices, "import_module", {"torch": fake}.get)
    monkeypatch.setattr(_devices, "library_name", {None: "torch"}.get)
    before = read(switch)

    def fail_inside():
        with full_precision(None):
            assert read(switch) == exact != before
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_inside()
    assert read(switch) == before


def test_blocks_of_torch_are_worked_on_without_tf32():
    torch = pytest.importorskip("torch")
    switch, blocks = torch.backends.cuda.matmul, as_blocks(torch.asarray(table()))
    switch.allow_tf32 = True
    try:
        inside, outside = zip(
            *((found, switch.allow_tf32) for _, found in blocks.map(lambda _: switch.allow_tf32)),
            strict=True,
        )
    finally:
        switch.allow_tf32 = False
    assert inside == (False,)
    assert outside == (True,)


class OutOfMemoryError(RuntimeError):
    """As torch and cupy call theirs."""


class SmallDevice:
    """Work that fails on blocks of more than so many features."""

    def __init__(self, function, most):
        self.function, self.most, self.n_failed = function, most, 0

    def __call__(self, block, *parts):
        if block.span.stop - block.span.start > self.most:
            self.n_failed += 1
            raise OutOfMemoryError("tried to allocate")
        return self.function(block, *parts)


def test_blocks_shrink_until_they_fit_and_stay_small():
    X = table()
    blocks = DeviceBlocks(strict(X))
    work = SmallDevice(lambda block, part: (to_host(block.norms()), to_host(part)), 25)
    with pytest.warns(DeviceMemoryWarning, match="out of memory on a block") as seen:
        found = list(blocks.map(work, strict(np.arange(90))))
    assert len(seen) == work.n_failed == 2
    assert [span.stop - span.start for span, _ in found] == [22, 22, 22, 22, 2]
    np.testing.assert_allclose(
        np.concatenate([norms for _, (norms, _) in found]), np.linalg.norm(X, axis=0)
    )
    assert np.concatenate([part for _, (_, part) in found]).tolist() == list(range(90))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(blocks.map(work, strict(np.arange(90))))


def test_a_block_that_can_be_no_smaller_is_an_error():
    with (
        pytest.warns(DeviceMemoryWarning),
        pytest.raises(OutOfMemoryError, match="tried to allocate"),
    ):
        list(DeviceBlocks(strict(table())).map(SmallDevice(None, 3)))


def test_other_errors_are_not_taken_for_a_lack_of_memory():
    def fail(block):
        raise RuntimeError("something else")

    with pytest.raises(RuntimeError, match="something else"):
        list(DeviceBlocks(strict(table())).map(fail))


@pytest.mark.parametrize("perturbation", ["rank2", "iid", "expected"])
def test_characteristics_are_the_same_when_memory_is_short(monkeypatch, perturbation):
    X, y = table(), np.arange(20) % 2
    options = {"perturbation": perturbation, "n_runs": 2, "random_state": 0}
    expected = characterize_runs(as_blocks(X), code_target(y), **options)
    walk = DeviceBlocks.map

    def short(self, function, *arrays, combine=None):
        return walk(self, SmallDevice(function, 40), *arrays, combine=combine)

    monkeypatch.setattr(DeviceBlocks, "map", short)
    with pytest.warns(DeviceMemoryWarning):
        found = characterize_runs(as_blocks(strict(X)), code_target(y), **options)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(to_host(ours.matrix), theirs.matrix, rtol=1e-9, atol=1e-12)


def test_the_gram_matrix_is_that_of_one_product(monkeypatch):
    monkeypatch.setattr("perturbfs.arrays._device_blocks.GRAM_WIDTH", 16)
    X = table()
    [(_, gram)] = as_blocks(strict(X)).map(lambda block: block.gram())
    np.testing.assert_allclose(to_host(gram), X @ X.T, rtol=0, atol=1e-12)
