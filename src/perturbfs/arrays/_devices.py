"""Arrays of other libraries than NumPy, on whatever device: their namespace, and the way back.

torch, cupy and every library of the array API standard are worked on where they lie. This module
alone knows how an array comes to the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra

from ._namespace import Array, Namespace, is_namespace_of

# Known to the standard only through array-api-compat.
_NEED_COMPAT = ("torch", "cupy")
# Of the standard, but not to be written into (jax), or with a way of their own (dask) or none.
_NOT_WORKED_ON = ("numpy", "jax", "jaxlib", "dask", "xarray", "sparse", "ndonnx")
HOST_BLOCK_BYTES, MOST_BLOCK_BYTES = 2**25, 2**30
SHARE_OF_FREE = 40


def library_name(array: Any) -> str:
    """Name of the package that an array is of."""
    return type(array).__module__.partition(".")[0]


class DeviceNamespace:
    """A library's functions; arrays made of nothing are float64 and on one device.

    The numerics never ask which library or device they run on, while torch makes float32 on the
    host unless it is told otherwise.

    Parameters
    ----------
    library : module
        A namespace of the array API standard.
    device : object
        One of the library's devices; None for its current one.
    library_name : str
        Of the package whose arrays these are.
    """

    def __init__(self, library: Namespace, device: Any, library_name: str) -> None:
        self.library, self.device, self.library_name = library, device, library_name

    def __getattr__(self, name: str) -> Any:
        return getattr(self.library, name)

    def _make(self, name: str, *args: Any, dtype: Any = None) -> Array:
        dtype = self.library.float64 if dtype is None else dtype
        return getattr(self.library, name)(*args, dtype=dtype, device=self.device)

    def empty(self, shape: Any, *, dtype: Any = None) -> Array:
        return self._make("empty", shape, dtype=dtype)

    def zeros(self, shape: Any, *, dtype: Any = None) -> Array:
        return self._make("zeros", shape, dtype=dtype)

    def ones(self, shape: Any, *, dtype: Any = None) -> Array:
        return self._make("ones", shape, dtype=dtype)

    def full(self, shape: Any, value: float, *, dtype: Any = None) -> Array:
        return self._make("full", shape, value, dtype=dtype)

    def eye(self, size: int, *, dtype: Any = None) -> Array:
        return self._make("eye", size, dtype=dtype)

    def arange(self, *bounds: int, dtype: Any = None) -> Array:
        return self.library.arange(*bounds, dtype=dtype, device=self.device)

    def asarray(self, values: Any, *, dtype: Any = None) -> Array:
        if isinstance(values, np.ndarray) or not hasattr(values, "dtype"):
            # torch makes lists of numbers float32, and takes neither read-only memory nor steps
            # backwards.
            values = np.require(values, requirements=["C", "W"])
        return self.library.asarray(values, dtype=dtype, device=self.device)


def is_device_array(X: Any) -> bool:
    """Whether X is an array of another library that is worked on where it lies."""
    name = library_name(X)
    if name in _NEED_COMPAT:
        return hasattr(X, "shape") and hasattr(X, "dtype")
    return hasattr(X, "__array_namespace__") and name not in _NOT_WORKED_ON


def namespace_of(array: Array) -> Namespace:
    """The functions that work on an array, making new ones beside it."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np
    name = library_name(array)
    if name in _NEED_COMPAT:
        needed_by = f"An array of {name}"
        compat = import_extra("array_api_compat", extra="gpu", needed_by=needed_by)
        library = compat.array_namespace(array)
    else:
        library = array.__array_namespace__()
    # cupy makes arrays on its current device, which it wants to be that of its arguments.
    return DeviceNamespace(library, None if name == "cupy" else array.device, name)


def plain(array: Array) -> Array:
    """The array as numbers alone, without what torch records to differentiate by.

    Raises
    ------
    TypeError
        For a tensor that is not stored as a table.
    """
    if library_name(array) != "torch":
        return array
    if str(array.layout) != "torch.strided":
        raise TypeError(
            f"X is a tensor with the layout {array.layout}, but dense ones are needed. Pass "
            "X.to_dense(), or a scipy.sparse matrix."
        )
    return array.detach()


def to_host(array: Array) -> Array:
    """The array as one of NumPy, the same numbers: the only way from a device to the host."""
    name = library_name(array)
    if name == "numpy":
        return array
    if name == "torch":
        return array.detach().cpu().numpy()
    if name == "cupy":
        return array.get()
    return np.from_dlpack(array).copy()  # what the standard shares may be read only


@contextmanager
def full_precision(X: Any) -> Iterator[None]:
    """No short cuts in torch's matrix products (TF32) for the time being, if X is of torch.

    The numerics are in float64, which has none; this holds for whatever else is float32.
    """
    if library_name(X) != "torch":
        yield
        return
    matmul = import_module("torch").backends.cuda.matmul
    name: str = "allow_tf32"
    exact: Any = False
    try:
        before = matmul.allow_tf32
    except RuntimeError:  # set by the newer of torch's two settings, which do not mix
        name, exact = "fp32_precision", "ieee"
        before = matmul.fp32_precision
    if before == exact:
        yield
        return
    setattr(matmul, name, exact)
    try:
        yield
    finally:
        setattr(matmul, name, before)


def block_bytes(xp: Namespace) -> int:
    """Size of the blocks that a device is given at a time.

    Large enough that starting the work takes no time beside the work, and small enough for the
    dozen arrays of this size that the steps of a pass hold.
    """
    if is_namespace_of("torch", xp) and xp.device.type == "cuda":
        free, _ = xp.cuda.mem_get_info(xp.device)
    elif is_namespace_of("cupy", xp):
        free, _ = xp.cuda.Device().mem_info
    else:
        return HOST_BLOCK_BYTES
    return max(HOST_BLOCK_BYTES, min(MOST_BLOCK_BYTES, int(free) // SHARE_OF_FREE))


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a device has not enough memory."""
    names = [each.__name__ for each in type(error).__mro__]
    return "OutOfMemoryError" in names or "CUBLAS_STATUS_ALLOC_FAILED" in str(error)


def free_unused(xp: Namespace) -> None:
    """Give back what the library holds of the device's memory without using it."""
    if is_namespace_of("torch", xp) and xp.library.cuda.is_available():
        xp.cuda.empty_cache()
    elif is_namespace_of("cupy", xp):
        xp.get_default_memory_pool().free_all_blocks()
