"""MATLAB files of version 5 and 7.3."""

import h5py
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.io import savemat

from featrank.exceptions import DataError, UsageError
from featrank.tables import read_table

X = np.arange(12.0).reshape(4, 3)


def put(file, name, array, kind):
    """Store a variable the way MATLAB does: column-major, so with the axes in reverse."""
    file.create_dataset(name, data=np.asarray(array).T)
    file[name].attrs["MATLAB_class"] = np.bytes_(kind)


def put_text(file, name, text):
    put(file, name, np.frombuffer(text.encode("utf-16-le"), "<u2")[None, :], "char")


def put_cells(file, name, texts):
    references = []
    for index, text in enumerate(texts):
        put_text(file, f"#refs#/{name}{index}", text)
        references.append(file[f"#refs#/{name}{index}"].ref)
    file.create_dataset(name, data=np.array([references], dtype=h5py.ref_dtype))
    file[name].attrs["MATLAB_class"] = np.bytes_("cell")


@pytest.fixture
def version_73(tmp_path):
    """A file as MATLAB writes it, with its own 512 bytes in front of the HDF5 part."""
    path = tmp_path / "data.mat"

    def save(fill):
        with h5py.File(path, "w", userblock_size=512) as file:
            fill(file)
        with open(path, "r+b") as raw:
            raw.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")
        return path

    return save


@pytest.mark.parametrize("compressed", [True, False])
def test_version_5(tmp_path, compressed):
    path = tmp_path / "data.mat"
    names = np.array(["gene a", "b", "ü"], dtype=object)
    savemat(
        path,
        {"X": X.astype("f4"), "Y": [[1.0], [2], [1], [2]], "feature_names": names},
        do_compression=compressed,
    )
    table = read_table(path)
    np.testing.assert_array_equal(table.X, X)
    assert table.X.dtype == np.float32
    assert table.feature_names == ["gene a", "b", "ü"]
    assert table.y.tolist() == [1, 2, 1, 2]
    assert table.y.dtype.kind == "i"
    assert table.target_name == "Y"


def test_version_5_texts_as_labels(tmp_path):
    path = tmp_path / "data.mat"
    cells = np.array(["tumour", "ok", "ok", "tumour"], dtype=object)
    savemat(path, {"X": X, "cells": cells, "chars": np.array(["aa", "b", "b", "aa"])})
    assert read_table(path, target="cells").y.tolist() == cells.tolist()
    assert read_table(path, target="chars").y.tolist() == ["aa", "b", "b", "aa"]


def test_version_5_other_variables_do_not_disturb(tmp_path):
    path = tmp_path / "data.mat"
    savemat(
        path,
        {"fea": X, "gnd": [1, 2, 1, 2], "info": {"by": "us"}, "mixed": np.array([1, "a"], object)},
    )
    table = read_table(path, target="gnd")
    np.testing.assert_array_equal(table.X, X)
    assert table.y.tolist() == [1, 2, 1, 2]
    with pytest.raises(UsageError, match=r"Unknown target 'gnt'. Did you mean 'gnd'"):
        read_table(path, target="gnt")


def test_version_5_sparse_and_logical(tmp_path):
    path = tmp_path / "data.mat"
    savemat(path, {"X": sp.csc_matrix(X), "y": X[:, 0] > 4})
    table = read_table(path)
    assert sp.issparse(table.X)
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert table.y.tolist() == [0, 0, 1, 1]


def test_version_73(version_73):
    def fill(file):
        put(file, "X", X, "double")
        put(file, "y", [[1.0], [2], [1], [2]], "double")
        put_cells(file, "feature_names", ["gene a", "b", "ü"])
        put_cells(file, "kind", ["u", "v", "v", "u"])

    path = version_73(fill)
    table = read_table(path)
    np.testing.assert_array_equal(table.X, X)
    assert table.feature_names == ["gene a", "b", "ü"]
    assert table.y.tolist() == [1, 2, 1, 2]
    assert read_table(path, target="kind").y.tolist() == ["u", "v", "v", "u"]


def test_version_73_char_matrix_single_and_logical(version_73):
    def fill(file):
        put(file, "X", X.astype("f4"), "single")
        rows = [[ord(letter) for letter in row] for row in ("aa", "b ", "b ", "aa")]
        put(file, "chars", np.array(rows, "u2"), "char")
        put(file, "flags", np.array([[0], [1], [1], [0]], "u1"), "logical")

    path = version_73(fill)
    table = read_table(path, target="chars")
    assert table.X.dtype == np.float32
    assert table.y.tolist() == ["aa", "b", "b", "aa"]
    assert read_table(path, target="flags").y.tolist() == [False, True, True, False]


@pytest.mark.parametrize("empty", [False, True])
def test_version_73_sparse(version_73, empty):
    stored = sp.csc_matrix(np.zeros_like(X) if empty else X)

    def fill(file):
        group = file.create_group("X")
        group.attrs["MATLAB_class"] = np.bytes_("double")
        group.attrs["MATLAB_sparse"] = np.uint64(4)
        group["jc"] = stored.indptr.astype("u8")
        if not empty:
            group["ir"] = stored.indices.astype("u8")
            group["data"] = stored.data
        put(file, "y", [[1.0], [2], [1], [2]], "double")

    table = read_table(version_73(fill))
    assert sp.issparse(table.X)
    np.testing.assert_array_equal(table.X.toarray(), stored.toarray())


def test_version_73_skips_structures(version_73):
    def fill(file):
        put(file, "X", X, "double")
        file.create_group("info").attrs["MATLAB_class"] = np.bytes_("struct")

    assert read_table(version_73(fill)).y is None


def test_broken_files(tmp_path, version_73):
    savemat(tmp_path / "five.mat", {"X": np.random.default_rng(0).normal(size=(30, 30))})
    whole = (tmp_path / "five.mat").read_bytes()
    hdf5 = version_73(lambda file: put(file, "X", X, "double")).read_bytes()
    path = tmp_path / "broken.mat"
    for content in (whole[: len(whole) // 2], whole[:100], hdf5[:1000], b"garbage" * 100):
        path.write_bytes(content)
        with pytest.raises(DataError, match="cannot be read as a MATLAB file"):
            read_table(path)
