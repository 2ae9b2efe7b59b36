"""Files that promise, or unpack to, more than there is room for are refused with the size."""

import gzip
import io
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

from featrank._utils import progress
from featrank.exceptions import DataError
from featrank.tables import read_table

MEGABYTE = 2**20


@pytest.fixture
def little(monkeypatch):
    """Let there be little memory, whatever this machine has."""

    def leave(size):
        monkeypatch.setattr("featrank._utils.budget.free_memory", lambda: size)

    return leave


def test_an_svmlight_line_of_many_columns(tmp_path, little):
    path = tmp_path / "data.svmlight"
    path.write_text("1 1:1 200000000:2\n")
    little(2**34)
    with pytest.raises(DataError, match=r"1 rows and 200,000,000 columns would take 37.3 GB"):
        read_table(path)


@pytest.mark.parametrize("shape", [(30, 2**62), (30, 2**45)])
@pytest.mark.parametrize("kind", ["csr", "coo"])
def test_a_sparse_npz_of_many_columns(tmp_path, shape, kind):
    path = tmp_path / "data.npz"
    places = np.array([0, 5, 2**40]), np.array([0, 1, 29])
    X = sp.coo_array((np.ones(3), (places[1], places[0])), shape=shape)
    sp.save_npz(path, X.asformat(kind))
    with pytest.raises(DataError, match=r"30 rows and [\d,]+ columns would take"):
        read_table(path)


def header(shape, dtype="<f8"):
    file = io.BytesIO()
    about = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, about)
    return file.getvalue()


@pytest.mark.parametrize("shape", [(2**40, 3), (2**62, 2**62), (1000, 10)])
@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_an_array_that_is_larger_than_its_file(tmp_path, suffix, shape):
    path = tmp_path / f"data{suffix}"
    path.write_bytes(header(shape) + bytes(80))
    if suffix == ".npz":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("X.npy", header(shape) + bytes(80))
    with pytest.raises(DataError, match=r"declares an array of shape .* takes .*B, but holds"):
        read_table(path)


def test_an_archive_that_unpacks_to_more_than_there_is_room_for(tmp_path, little):
    path = tmp_path / "data.npz"
    np.savez_compressed(path, X=np.zeros((1000, 1000)))
    little(4 * MEGABYTE)
    with pytest.raises(DataError, match=r"its unpacked content would take 7.6 MB"):
        read_table(path)


HEADS = {
    ".csv.gz": b"a,b\n",
    ".tsv.gz": b"a\tb\n",
    ".txt.gz": b"a\tb\n",
    ".gct.gz": b"#1.2\n",
    ".svmlight.gz": b"",
}


@pytest.mark.parametrize("suffix", HEADS)
@pytest.mark.parametrize("zeros", ["no text", "rows"])
def test_zeros_without_end(tmp_path, suffix, zeros, little):
    path = tmp_path / f"data{suffix}"
    row = {"c": b"0,0\n", "s": b"0 1:0\n"}.get(suffix[1], b"0\t0\n")
    content = bytes(6 * MEGABYTE) if zeros == "no text" else row * (6 * MEGABYTE // len(row))
    path.write_bytes(gzip.compress(HEADS[suffix] + content, 1))
    little(16 * MEGABYTE)
    expected = "it is a binary file" if zeros == "no text" else "memory"
    with pytest.raises(DataError, match=expected):
        read_table(path)


def test_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("featrank.tables.opening._LONGEST", MEGABYTE)
    for suffix in (".csv", ".svmlight"):
        path = tmp_path / f"data{suffix}"
        path.write_bytes(b"0" * 4 * MEGABYTE)
        with pytest.raises(DataError, match=r"a line is longer than 1.0 MB"):
            read_table(path)


def test_reading_stops_where_memory_runs_out_and_tells_how_far_it_is(tmp_path, monkeypatch):
    path = tmp_path / "data.svmlight.gz"
    path.write_bytes(gzip.compress(b"1 1:0.5 2:0.25\n" * 300_000, 1))
    monkeypatch.setattr("featrank.tables.opening._LOOK", MEGABYTE)
    left, told = iter(range(2**30, 0, -(2**28) - 1)), []
    monkeypatch.setattr("featrank._utils.budget.free_memory", lambda: next(left, 0))
    reading = pytest.raises(DataError, match=r"does not fit into memory: after 3.0 MB")
    with progress.progress_to(lambda done, total: told.append(done / total)), reading:
        read_table(path)
    assert 0 < told[0] < told[-1] <= 1
