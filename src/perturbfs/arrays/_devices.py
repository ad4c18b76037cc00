"""Arrays of other libraries than NumPy, on any device: their namespace, and copies on the host.

Arrays of torch, cupy and every library of the array API standard are processed on their device.
Only this module copies an array to the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

from perturbfs._support.extras import import_extra

from ._namespace import Array, Namespace, is_namespace_of

# These follow the standard only through array-api-compat.
_NEED_COMPAT = ("torch", "cupy")
# These follow the standard, but cannot be written into (jax), are handled elsewhere (dask), or
# are not supported.
_NOT_WORKED_ON = ("numpy", "jax", "jaxlib", "dask", "xarray", "sparse", "ndonnx")
HOST_BLOCK_BYTES, MOST_BLOCK_BYTES = 2**25, 2**30
SHARE_OF_FREE = 40
# Functions of the standard that make an array of a shape or size.
_MAKERS = ("empty", "zeros", "ones", "full", "eye")


def library_name(array: Any) -> str:
    """Return the name of the package that defines the type of an array."""
    return type(array).__module__.partition(".")[0]


class DeviceNamespace:
    """The functions of a library, with new arrays as float64 and on one device.

    The numerics never ask which library or device they run on, but torch makes float32 arrays on
    the host by default.

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
        function = getattr(self.library, name)
        if name in _MAKERS:
            return partial(self._make, function)
        return function

    def _make(self, function: Any, *args: Any, dtype: Any = None) -> Array:
        dtype = self.library.float64 if dtype is None else dtype
        return function(*args, dtype=dtype, device=self.device)

    def arange(self, *bounds: int, dtype: Any = None) -> Array:
        return self.library.arange(*bounds, dtype=dtype, device=self.device)

    def asarray(self, values: Any, *, dtype: Any = None) -> Array:
        if isinstance(values, np.ndarray) or not hasattr(values, "dtype"):
            # torch turns lists of numbers into float32, and accepts neither read-only memory nor
            # negative strides.
            values = np.require(values, requirements=["C", "W"])
        return self.library.asarray(values, dtype=dtype, device=self.device)


def is_device_array(X: Any) -> bool:
    """Return whether X is an array of another library that is processed on its device."""
    name = library_name(X)
    if name in _NEED_COMPAT:
        return hasattr(X, "shape") and hasattr(X, "dtype")
    return hasattr(X, "__array_namespace__") and name not in _NOT_WORKED_ON


def namespace_of(array: Array) -> Namespace:
    """Return the namespace of an array; it makes new arrays on the same device."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np
    name = library_name(array)
    if name in _NEED_COMPAT:
        needed_by = f"An array of {name}"
        compat = import_extra("array_api_compat", extra="gpu", needed_by=needed_by)
        library = compat.array_namespace(array)
    else:
        library = array.__array_namespace__()
    # cupy makes arrays on its current device, which must also be that of its arguments.
    return DeviceNamespace(library, None if name == "cupy" else array.device, name)


def plain(array: Array) -> Array:
    """Return the array without the gradient information of torch.

    Raises
    ------
    TypeError
        If a tensor is not dense.
    """
    if library_name(array) != "torch":
        return array
    if str(array.layout) != "torch.strided":
        raise TypeError(
            f"X is a tensor with the layout {array.layout}, but dense tensors are needed. Pass "
            "X.to_dense(), or a scipy.sparse matrix."
        )
    return array.detach()


def to_host(array: Array) -> Array:
    """Return the array as a NumPy array with the same numbers; nothing else copies to the host."""
    name = library_name(array)
    if name == "numpy":
        return array
    if name == "torch":
        return array.detach().cpu().numpy()
    if name == "cupy":
        return array.get()
    return np.from_dlpack(array).copy()  # the shared memory may be read-only


@contextmanager
def full_precision(X: Any) -> Iterator[None]:
    """Switch TF32 off in torch's matrix products inside the block, if X is a tensor of torch.

    TF32 makes products of float32 fast and inexact. Products of float64 do not use it.
    """
    if library_name(X) != "torch":
        yield
        return
    matmul = import_module("torch").backends.cuda.matmul
    name, exact = "allow_tf32", cast("Any", False)
    try:
        before = matmul.allow_tf32
    except RuntimeError:  # the newer of torch's two settings is in use, and they do not mix
        name, exact, before = "fp32_precision", "ieee", matmul.fp32_precision
    if before == exact:  # setting it again may warn
        yield
        return
    setattr(matmul, name, exact)
    try:
        yield
    finally:
        setattr(matmul, name, before)


def block_bytes(xp: Namespace) -> int:
    """Return the size of one block on a device, in bytes.

    Blocks are so large that starting an operation takes little time compared with the operation,
    and so small that the dozen arrays of this size that a pass holds fit into memory.
    """
    if is_namespace_of("torch", xp) and xp.device.type == "cuda":
        free, _ = xp.cuda.mem_get_info(xp.device)
    elif is_namespace_of("cupy", xp):
        free, _ = xp.cuda.Device().mem_info
    else:
        return HOST_BLOCK_BYTES
    return max(HOST_BLOCK_BYTES, min(MOST_BLOCK_BYTES, int(free) // SHARE_OF_FREE))


def runs_triton(xp: Namespace) -> bool:
    """Return whether arrays are on a CUDA device for which kernels can be written in Triton.

    Triton comes with torch where torch knows CUDA devices, except on Windows.
    """
    is_cuda = is_namespace_of("torch", xp) and xp.device.type == "cuda"
    return is_cuda and find_spec("triton") is not None


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether the error says that a device ran out of memory."""
    names = [each.__name__ for each in type(error).__mro__]
    return "OutOfMemoryError" in names or "CUBLAS_STATUS_ALLOC_FAILED" in str(error)


def free_unused(xp: Namespace) -> None:
    """Release the memory of the device that the library holds without using it."""
    if is_namespace_of("torch", xp) and xp.library.cuda.is_available():
        xp.cuda.empty_cache()
    elif is_namespace_of("cupy", xp):
        xp.get_default_memory_pool().free_all_blocks()
