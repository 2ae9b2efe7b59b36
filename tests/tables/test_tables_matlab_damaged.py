"""MATLAB files of version 5: what SciPy reads is read alike, what would crash it is refused."""

import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from scipy.io import loadmat, savemat

from featrank.exceptions import DataError
from featrank.tables import read_table
from featrank.tables.matlab_arrays import read_variables

SHIPPED = sorted((Path(scipy.io.__file__).parent / "matlab" / "tests" / "data").glob("*.mat"))
X = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.mat"
    names = np.array(["a", "b", "c"], dtype=object)
    beside = {"info": {"by": "us"}, "sparse": sp.csc_matrix(X), "text": "of it"}
    savemat(path, {"X": X, "y": [1, 2, 1, 2], "feature_names": names, **beside})
    return path


def plain(value):
    """Return texts and numbers of SciPy's as they are read here; None for what is left out."""
    if sp.issparse(value):
        return value.toarray()
    if not isinstance(value, np.ndarray) or value.dtype.names or value.dtype.kind not in "biufcU":
        return None
    return np.char.rstrip(value) if value.dtype.kind == "U" and value.size else value


@pytest.mark.skipif(not SHIPPED, reason="SciPy is installed without its tests")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_files_that_come_with_scipy(path):
    try:
        expected = loadmat(path)
    except Exception:
        expected = None
    if expected is None:  # damaged, or of version 7.3
        return
    found = read_variables(path)
    for name, value in expected.items():
        wanted = None if name.startswith("__") else plain(value)
        if wanted is not None and wanted.size:
            got = found[name].toarray() if sp.issparse(found[name]) else found[name]
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("kind", [0, 8, 10, 11, 19, 20, 255, 60_000])
def test_numbers_of_a_type_that_there_is_none_of(good, kind):
    content = good.read_bytes()
    tag = struct.pack("<II", 9, X.nbytes)
    assert content.count(tag) >= 1
    good.write_bytes(content.replace(tag, struct.pack("<II", kind, X.nbytes)))
    with pytest.raises(DataError, match=r"cannot be read as a MATLAB file: an element"):
        read_table(good)


@pytest.mark.parametrize("size", [0, 4, X.nbytes - 1, X.nbytes + 8, 2**31, 2**32 - 1])
def test_sizes_that_do_not_fit(good, size):
    content = good.read_bytes()
    good.write_bytes(content.replace(struct.pack("<II", 9, X.nbytes), struct.pack("<II", 9, size)))
    with pytest.raises(DataError, match="cannot be read as a MATLAB file"):
        read_table(good)


@pytest.mark.parametrize("compressed", [False, True])
def test_any_change_gives_a_table_or_a_refusal(tmp_path, good, compressed):
    path, rng = tmp_path / "changed.mat", random.Random(0)
    if compressed:
        variables = {name: value for name, value in loadmat(good).items() if name[0] != "_"}
        savemat(good, variables, do_compression=True)
    content = good.read_bytes()
    answered = 0
    for _ in range(150):
        changed = bytearray(content)
        place = rng.randrange(128, len(content))
        new = rng.choice([b"\x14", b"\xff", b"\0" * 4, b"\xff\xff\xff\x7f", rng.randbytes(8)])
        changed[place : place + len(new)] = new
        path.write_bytes(changed)
        try:
            answered += read_variables(path) is not None
        except DataError:
            answered += 1
    assert answered == 150


def element(kind, content):
    return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def test_a_small_file_that_promises_much_is_refused_with_the_size(good, monkeypatch):
    body = element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", 20_000, 20_000))
    packed = zlib.compress(struct.pack("<II", 14, 3_200_000_056) + body)
    good.write_bytes(good.read_bytes()[:128] + struct.pack("<II", 15, len(packed)) + packed)
    with pytest.raises(DataError, match="a compressed variable is not as long as it says"):
        read_table(good)
    monkeypatch.setattr("featrank._utils.budget.free_memory", lambda: 2**30)
    with pytest.raises(DataError, match=r"one of its variables would take 3.0 GB of memory"):
        read_table(good)


def test_what_unpacks_to_more_than_it_says_is_not_unpacked(good):
    packed = zlib.compress(struct.pack("<II", 14, 64) + bytes(2**28), 1)
    good.write_bytes(good.read_bytes()[:128] + struct.pack("<II", 15, len(packed)) + packed)
    with pytest.raises(DataError, match="is not as long as it says"):
        read_table(good)
