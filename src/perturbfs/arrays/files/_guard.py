"""Refuse what a Zarr store or an HDF5 file must not bring: other files, programs, huge chunks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from perturbfs._support.extras import import_extra
from perturbfs.exceptions import UnsafeFileError

# A codec turns stored bytes into values. Some can run any program ("pickle"), so those that are
# not listed are refused. In version 3 names start with "numcodecs." for those of that package.
CODECS = frozenset(
    [
        *("bytes", "transpose", "sharding_indexed", "gzip", "zlib", "blosc", "zstd", "lz4"),
        *("lzma", "bz2", "shuffle", "delta", "bitround", "fixedscaleoffset", "quantize"),
        *("astype", "packbits", "crc32", "crc32c", "adler32", "fletcher32"),
        *("vlen-utf8", "vlen-bytes", "vlen-array"),
    ]
)
MOST_CHUNK = 2**31  # bytes of one chunk, all of which has to be in memory


def refuse_outside(node: Any) -> None:
    """Refuse a group or an array of a Zarr store or HDF5 file that is not harmless.

    Parameters
    ----------
    node : group or array
        Of h5py or Zarr. All arrays and links below a group are examined, none is read.

    Raises
    ------
    UnsafeFileError
        For a link to another file, values in another file, a codec that is not known to be
        harmless, or a chunk of more than 2 GiB.
    """
    for array in _arrays_below(node):
        if hasattr(array, "is_virtual"):
            _check_dataset(array)
        else:
            _check_codecs(array)
        chunks = array.chunks or ()
        if math.prod(chunks) * max(1, array.dtype.itemsize) > MOST_CHUNK and math.prod(chunks):
            raise UnsafeFileError(
                f"the array {array.name!r} has chunks of shape {tuple(chunks)}, which are too "
                "large to be read one by one. Write it again with smaller chunks"
            )


def _arrays_below(node: Any) -> Iterator[Any]:
    """Yield the arrays of a node; a link to another file is an error."""
    if hasattr(node, "shape"):
        yield node
    elif hasattr(node, "members"):
        yield from (each for _, each in node.members(max_depth=None) if hasattr(each, "shape"))
    else:
        yield from _datasets_below(node)


def _datasets_below(group: Any) -> Iterator[Any]:
    h5py = import_extra("h5py", extra="formats", needed_by="Reading HDF5")
    seen, waiting = set(), [group]
    while waiting:
        group = waiting.pop()
        for name in group:
            link = group.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                raise UnsafeFileError(
                    f"{name!r} is a link to another file, {link.filename!r}, and such links are "
                    "not followed. Copy the values into the file"
                )
            found = group.get(name)
            if found is None:  # a link that leads nowhere
                continue
            key = h5py.h5o.get_info(found.id).addr
            if key not in seen:  # groups may contain themselves
                seen.add(key)
                if isinstance(found, h5py.Group):
                    waiting.append(found)
                elif isinstance(found, h5py.Dataset):
                    yield found


def _check_dataset(dataset: Any) -> None:
    """Refuse a data set of HDF5 whose values are in other files."""
    if dataset.external:
        names = [str(each[0]) for each in dataset.external]
    elif dataset.is_virtual:
        names = [each.file_name for each in dataset.virtual_sources() if each.file_name != "."]
    else:
        return
    if names:
        raise UnsafeFileError(
            f"the values of {dataset.name!r} are in another file, {names[0]!r}, and other files "
            "are not read. Copy the values into the file"
        )


def _check_codecs(array: Any) -> None:
    """Refuse an array of Zarr with a codec that is not known to be harmless."""
    unknown = [name for name in _codecs(array.metadata.to_dict()) if name not in CODECS]
    if unknown:
        raise UnsafeFileError(
            f"the array {array.name!r} is stored with the codec {unknown[0]!r}, which is not "
            "known to be safe: a codec can be a program. Write it again with another compression"
        )


def _codecs(metadata: dict[str, Any]) -> Iterator[str]:
    """Yield the names of all codecs in the metadata of an array, nested ones included."""
    found = [*(metadata.get("filters") or ()), metadata.get("compressor")]
    found += [*(metadata.get("codecs") or ()), *(metadata.get("index_codecs") or ())]
    for each in found:
        if each is None:
            continue
        content = each if isinstance(each, dict) else _as_dict(each)
        yield str(content.get("id") or content.get("name")).removeprefix("numcodecs.")
        yield from _codecs(content.get("configuration") or {})


def _as_dict(codec: Any) -> dict[str, Any]:
    content: dict[str, Any] = codec.to_dict() if hasattr(codec, "to_dict") else codec.get_config()
    return content
