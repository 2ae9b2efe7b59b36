"""What an HDF5 file links to elsewhere is not read: nobody said that it may be."""

import h5py
import numpy as np
import pytest

import featrank
from featrank import tables
from featrank.exceptions import DataError

anndata = pytest.importorskip("anndata")

X = np.arange(24.0).reshape(8, 3)
y = np.arange(8) % 2


def external_link(file, key, path):
    file[key] = h5py.ExternalLink(path.name, "secret")


def virtual_dataset(file, key, path):
    layout = h5py.VirtualLayout(X.shape, X.dtype)
    layout[:] = h5py.VirtualSource(path, "secret", X.shape)
    file.create_virtual_dataset(key, layout)


def external_values(file, key, path):
    raw = path.with_name("raw")
    raw.write_bytes(X.tobytes())
    file.create_dataset(key, X.shape, X.dtype, external=[(str(raw), 0, h5py.h5f.UNLIMITED)])


def soft_link(file, key, path):
    file["out"] = h5py.ExternalLink(path.name, "/")
    file[key] = h5py.SoftLink("/out/secret")


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.h5"
    with h5py.File(path, "w") as file:
        file["secret"] = X
    return path


every_way = pytest.mark.parametrize(
    "lead", [external_link, virtual_dataset, external_values, soft_link]
)


@every_way
@pytest.mark.parametrize("suffix", [".h5ad", ".mat", ".h5"])
def test_the_matrix_is_elsewhere(lead, suffix, secret, tmp_path):
    path = tmp_path / f"data{suffix}"
    if suffix == ".h5ad":
        tables.write_table(path, tables.Table(X, ["a", "b", "c"], y, "y"))
    with h5py.File(path, "a") as file:
        if "X" in file:
            del file["X"]
        if suffix == ".h5":
            file["y"] = y
        lead(file, "X", secret)
    with pytest.raises(DataError, match="other files"):
        featrank.rank_file(path, "y" if suffix != ".mat" else None, "fisher")


def test_links_within_a_file_are_followed(tmp_path):
    path = tmp_path / "data.h5ad"
    tables.write_table(path, tables.Table(X, ["a", "b", "c"], y, "y"))
    with h5py.File(path, "a") as file:
        file["uns/same"] = h5py.SoftLink("/X")
    np.testing.assert_array_equal(tables.read_table(path).X, X)


def test_what_is_copied_by_select_is_not_elsewhere_either(secret, tmp_path):
    path = tmp_path / "data.h5ad"
    tables.write_table(path, tables.Table(X, ["a", "b", "c"], y, "y"))
    with h5py.File(path, "a") as file:
        external_link(file, "obsm/X_pca", secret)
    with pytest.raises(DataError, match=r"'/obsm/X_pca' is a link to 'secret.h5'"):
        featrank.select_file(path, tmp_path / "small.h5ad", "y", "fisher", top=1)
