"""HDF5 files at which the library comes to no end are refused, and others are not held up."""

import struct

import h5py
import numpy as np
import pytest

import featrank
from featrank import tables
from featrank.exceptions import DataError
from featrank.tables import hdf5_probe

anndata = pytest.importorskip("anndata")

X = np.arange(24.0).reshape(8, 3)
y = np.arange(8) % 2


def endless(path):
    """Give the first text on the heap of a file the size 0, so that the search does not go on."""
    content = bytearray(path.read_bytes())
    heap = content.index(b"GCOL")
    content[heap + 24 : heap + 32] = struct.pack("<Q", 0)
    path.write_bytes(content)


@pytest.fixture(params=[".h5ad", ".h5", pytest.param(".mat", marks=pytest.mark.slow)])
def path(request, tmp_path):
    path = tmp_path / f"data{request.param}"
    if request.param == ".h5ad":
        tables.write_table(path, tables.Table(X, ["a", "b", "c"], y, "y"))
        return path
    with h5py.File(path, "w") as file:
        file["X"], file["y"] = (X, y) if request.param == ".h5" else (X.T, y[None])
        file["X"].attrs["unit"] = "volts"
    return path


def test_a_file_at_which_hdf5_comes_to_no_end(path, monkeypatch):
    assert featrank.rank_file(path, "y", "fisher").order.shape == (3,)
    endless(path)
    quick = hdf5_probe._LOOK.replace("(4, 4)", "(2, 2)")
    assert quick != hdf5_probe._LOOK
    monkeypatch.setattr(hdf5_probe, "_LOOK", quick)
    # At the first text of all, as in h5ad, the library finds a word for it.
    said = (
        "damaged or in another" if path.suffix == ".h5ad" else "the HDF5 library crashes or hangs"
    )
    with pytest.raises(DataError, match=said):
        featrank.rank_file(path, "y", "fisher")
