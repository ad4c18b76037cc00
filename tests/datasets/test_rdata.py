"""R data files that `r_files` makes."""

import bz2
import gzip
import lzma
import struct

import numpy as np
import pytest
from r_files import (
    ATTRIBUTES,
    NULL,
    TAG,
    chars,
    integers,
    pairs,
    r_file,
    reals,
    several,
    texts,
    whole,
)

from perturbfs.datasets._rdata import read_rdata


@pytest.fixture
def read(tmp_path):
    def read_bytes(data):
        path = tmp_path / "set.rda"
        path.write_bytes(data)
        return read_rdata(path)

    return read_bytes


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("version", [2, 3])
def test_a_matrix_comes_back_whatever_the_compression(read, pack, version):
    names = several([NULL, texts(["a", "b", "c"])])
    matrix = reals([1, 2, 3, 4, 5, 6.5], dim=whole([2, 3]), dimnames=names)
    found = read(pack(r_file(version, spectra=matrix)))
    assert list(found) == ["spectra"]
    np.testing.assert_array_equal(found["spectra"].as_matrix(), [[1, 3, 5], [2, 4, 6.5]])
    assert found["spectra"].column_names == ["a", "b", "c"]


def test_a_data_frame_is_a_matrix_with_the_names_of_its_columns(read):
    frame = several([whole([1, 2]), reals([0.5, -1])], names=texts(["x1", "x2"]))
    found = read(r_file(frame=frame))["frame"]
    np.testing.assert_array_equal(found.as_matrix(), [[1, 0.5], [2, -1]])
    assert found.column_names == ["x1", "x2"]


def test_parts_of_a_list_are_found_by_their_names(read):
    factor = whole([1, 2, 1], levels=texts(["ALL", "AML"]))
    found = read(r_file(golub=several([reals([7]), factor], names=texts(["x", "y"]))))
    assert found["golub"]["y"].as_array().tolist() == [1, 2, 1]
    assert found["golub"]["y"].attributes["levels"].values == ["ALL", "AML"]


def test_a_symbol_is_written_once_and_then_referred_to(read):
    # The second vector has the same attribute, so its tag is a reference to the first symbol,
    # which is number 2: "first" is number 1.
    again = integers(14 | ATTRIBUTES, 1) + struct.pack(">d", 8.0)
    again += integers(2 | TAG, 2 << 8 | 255) + whole([1]) + NULL
    first = reals([7.0], dim=whole([1]))
    found = read(r_file(first=first, second=again))
    assert found["second"].attributes["dim"].values.tolist() == [1]


def test_a_short_sequence_is_written_out(read):
    kind = pairs(compact_intseq=texts(["base"]))
    short = integers(238) + kind + reals([4, 2, 1]) + NULL
    assert read(r_file(3, rows=short))["rows"].values.tolist() == [2, 3, 4, 5]


def test_missing_text_is_empty(read):
    missing = integers(16, 2) + chars("a") + integers(9, -1)
    assert read(r_file(names=missing))["names"].values == ["a", ""]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n", "is not an R data file in the binary format"),
        (r_file(x=reals([1, 2]))[:-20], "ends too early"),
        (r_file(f=integers(3)), "an item of kind 3, which is no vector"),
    ],
)
def test_what_is_no_data_is_refused(read, data, message):
    with pytest.raises(ValueError, match=message):
        read(data)
