"""Matrices in files: npy, Zarr, HDF5 and h5ad, against the arrays that were written."""

import json
import warnings
from functools import partial

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import zarr

import featrank
from featrank.exceptions import DataError, MissingExtraError, UsageError
from featrank.sources import open_dataset
from featrank.tables import read_table

from .whole import assert_same, elsewhere, together

RNG = np.random.default_rng(7)
X = RNG.normal(size=(23, 6)).astype(np.float32)
X[3, 2] = np.nan
X[4, 1] = 0.0
Y = np.array(["a", "b"])[RNG.integers(0, 2, 23)]
NAMES = ["g0", "g1", "größe", "g3", "g4", "g5"]


def npy(path, X, y=None, names=None, chunks=None):
    np.save(path, X)
    if y is not None:
        np.save(path.parent / "y.npy", y)


def zarr_group(path, X, y=None, names=None, chunks=(5, 6), version=3):
    group = zarr.open_group(path, mode="w", zarr_format=version)
    group.create_array("X", data=np.ascontiguousarray(X), chunks=chunks)
    if y is not None:
        y = np.asarray(y)
        texts = version == 3 and y.dtype.kind == "U"  # v3 has no texts of one length
        y = y.astype(np.dtypes.StringDType()) if texts else y
        group.create_array("y", data=y, chunks=(4,))
    if names is not None:
        group.create_array(
            "feature_names",
            data=np.array(names, dtype=np.dtypes.StringDType() if version == 3 else None),
        )


def hdf5(path, X, y=None, names=None, chunks=None):
    with h5py.File(path, "w") as file:
        file.create_dataset("X", data=X, chunks=chunks)
        for key, texts in (("y", y), ("feature_names", names)):
            if texts is not None:
                texts = np.asarray(texts)
                file[key] = texts.astype(object) if texts.dtype.kind == "U" else texts


def h5ad(path, X, y=None, names=None, chunks=None, **obs):
    if y is not None:
        obs["cell"] = y
    frame = pd.DataFrame(obs, index=[f"c{row}" for row in range(X.shape[0])])
    names = [f"v{column}" for column in range(X.shape[1])] if names is None else names
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        anndata.AnnData(X, obs=frame, var=pd.DataFrame(index=names)).write_h5ad(path)


def sparse(layout, path, X, *rest, **options):
    # SciPy has no sparse matrices of float16, and none with bytes in reverse.
    dtype = np.float32 if X.dtype == np.float16 else X.dtype.newbyteorder("=")
    h5ad(path, layout(X.astype(dtype)), *rest, **options)


def zarr2(path, X, y=None, names=None, chunks=(5, 6)):
    zarr_group(path, X, y, names, chunks, version=2)


FORMATS = {
    "npy": (npy, "d.npy", "y.npy"),
    "zarr": (zarr_group, "d.zarr", None),
    "zarr v2": (zarr2, "d.zarr", None),
    "hdf5": (hdf5, "d.h5", None),
    "h5ad": (h5ad, "d.h5ad", "cell"),
    "csr": (partial(sparse, sp.csr_matrix), "d.h5ad", "cell"),
    "csc": (partial(sparse, sp.csc_matrix), "d.h5ad", "cell"),
}


@pytest.fixture(params=FORMATS)
def stored(request, tmp_path):
    """Return what stores an array in a format, and gives the path and the target."""
    write, name, target = FORMATS[request.param]

    def save(X, y=None, names=None, **options):
        write(tmp_path / name, X, y, names, **options)
        return tmp_path / name, None if y is None else target

    save.kind = request.param
    return save


def test_parts_are_the_array(stored):
    path, target = stored(X, Y, NAMES)
    source = open_dataset(path, target=target)
    assert source.labelled
    assert source.again
    assert source.name == path.name
    assert source.axis == ("columns" if stored.kind == "csc" else "rows")
    assert_same(source, X, Y)
    named = NAMES if stored.kind != "npy" else [f"x{j}" for j in range(6)]
    assert list(source.names) == named
    if path.suffix in (".npy", ".h5ad"):
        table = read_table(path, target=target, missing="keep")
        assert source.dtype == table.X.dtype
        assert source.target == table.target_name
        assert list(source.names) == table.feature_names
        assert_same(source, table.X, table.y)


def test_parts_are_read_in_another_process(stored):
    path, target = stored(X, Y, NAMES)
    parts = list(open_dataset(path, target=target).chunks(300))
    assert len(parts) > 1
    assert all(len(part.place) < 60 for part in parts)
    for part, (other, labels) in zip(parts, elsewhere(parts), strict=True):
        block = part.read()
        assert labels.tolist() == block.y.tolist()
        if sp.issparse(block.X):
            assert (other != block.X).nnz == np.isnan(block.X.data).sum()
        else:
            assert other.tobytes() == block.X.tobytes()


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int16", ">i4", "int64", "float16", ">f8", "float64"]
)
def test_types_are_those_of_tables(tmp_path, stored, dtype):
    values = np.arange(24).reshape(6, 4).astype(dtype)
    path, _ = stored(values, chunks=(2, 4)) if "zarr" in stored.kind else stored(values)
    np.save(tmp_path / "same.npy", values)
    table = read_table(tmp_path / "same.npy")
    source = open_dataset(path)
    assert source.dtype == table.X.dtype
    assert not source.labelled
    assert_same(source, table.X)


def test_columns_are_dropped(stored):
    path, target = stored(X, Y, NAMES)
    names = list(open_dataset(path, target=target).names)
    source = open_dataset(path, target=target, drop=f"{names[1]},{names[4]}")
    assert list(source.names) == [names[j] for j in (0, 2, 3, 5)]
    assert source.names[1] == names[2]
    assert_same(source, X[:, [0, 2, 3, 5]], Y)
    with pytest.raises(UsageError, match="Unknown column 'nix'"):
        open_dataset(path, drop=["nix"])


def test_labels_of_a_file_of_their_own(stored, tmp_path):
    path, _ = stored(X)
    codes = RNG.integers(0, 3, 23)
    np.save(tmp_path / "kinds.npy", codes.astype(float))
    (tmp_path / "kinds.csv").write_text("kind\n" + "".join(f"k{code}\n" for code in codes))
    source = open_dataset(path, labels="kinds.npy")
    assert source.target == "kinds"
    assert_same(source, X, codes)
    assert together(source, 300)[1].dtype.kind == "i"
    assert_same(
        open_dataset(path, labels=tmp_path / "kinds.csv"), X, [f"k{code}" for code in codes]
    )
    np.save(tmp_path / "short.npy", codes[:5])
    with pytest.raises(DataError, match=r"'short' has shape \(5,\) for 23 samples"):
        open_dataset(path, labels="short.npy")
    with pytest.raises(UsageError, match=r"label file 'none.npy' does not exist"):
        open_dataset(path, labels="none.npy")
    with pytest.raises(UsageError, match="both"):
        open_dataset(path, target="y", labels="kinds.npy")


def test_damage_is_named(stored):
    path, target = stored(X, Y, NAMES)
    source = open_dataset(path, target=target)
    if path.is_dir():
        chunk = path / ("X/c/1/0" if stored.kind == "zarr" else "X/1.0")
        chunk.write_bytes(chunk.read_bytes()[:11])
    else:
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    kind = "columns" if stored.kind == "csc" else "rows"
    with pytest.raises(DataError, match=rf"Cannot read .*{kind} .* of 'd.*cut short"):
        together(source, 300)


def test_integers_that_float64_cannot_hold(stored):
    values = np.ones((4, 3), dtype=np.int64)
    values[2, 1] = 2**53 + 1
    path, _ = stored(values, chunks=(2, 3)) if "zarr" in stored.kind else stored(values)
    with pytest.raises(DataError, match=r"beyond 2\*\*53.*: column 1\."):
        together(open_dataset(path), 10**6, slice(1, 3))


def test_fortran_order_is_read_by_columns(tmp_path):
    np.save(tmp_path / "d.npy", np.asfortranarray(X))
    source = open_dataset(tmp_path / "d.npy", target="x3", drop="x0")
    assert source.axis == "columns"
    assert list(source.names) == ["x1", "x2", "x4", "x5"]
    assert_same(source, X[:, [1, 2, 4, 5]], X[:, 3])


def test_a_column_of_an_array_may_be_the_labels(tmp_path):
    values = np.arange(30.0).reshape(10, 3)
    np.save(tmp_path / "d.npy", values)
    source = open_dataset(tmp_path / "d.npy", target=-1)
    assert source.target == "x2"
    assert_same(source, values[:, :2], values[:, 2])
    with pytest.raises(UsageError, match=r"Unknown target 'nix'.*No file has that name either"):
        open_dataset(tmp_path / "d.npy", target="nix")
    with pytest.raises(UsageError, match="the target and also in `drop"):
        open_dataset(tmp_path / "d.npy", target="x1", drop=["x1"])
    with pytest.raises(DataError, match="No features are left"):
        open_dataset(tmp_path / "d.npy", target="x1", drop=["x0", "x2"])


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (np.arange(3.0), r"has shape .3,."),
        (np.empty((0, 3)), "no rows"),
        (np.array([["a", "b"]]), "type <U1"),
        (np.ones((2, 2), dtype=complex), "type complex128"),
    ],
)
def test_what_is_no_matrix_of_numbers(tmp_path, values, told):
    np.save(tmp_path / "d.npy", values)
    with pytest.raises(DataError, match=told):
        open_dataset(tmp_path / "d.npy")


def test_pickles_are_not_loaded(tmp_path):
    np.save(tmp_path / "d.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    with pytest.raises(DataError, match="type object"):
        open_dataset(tmp_path / "d.npy")
    zarr2(tmp_path / "d.zarr", X, Y)
    meta = tmp_path / "d.zarr" / "y" / ".zarray"
    stated = json.loads(meta.read_text()) | {"dtype": "|O", "filters": [{"id": "pickle"}]}
    meta.write_text(json.dumps(stated | {"fill_value": None}))
    for file in (tmp_path / "d.zarr").glob("**/.zmetadata"):
        file.unlink()
    with pytest.raises(DataError, match=r"pickle"):
        together(open_dataset(tmp_path / "d.zarr"), 10**6)


@pytest.mark.parametrize(
    ("chunks", "axis", "cuts"),
    [
        ((5, 6), "rows", [0, 10, 20]),
        ((23, 2), "columns", [0, 2, 4]),
        ((4, 3), "rows", [0, 8, 16]),
        ((12, 1), "columns", [0, 2, 4]),
    ],
)
def test_parts_are_whole_chunks(tmp_path, chunks, axis, cuts):
    line = (6 if axis == "rows" else 23) * 4
    most = (11 if axis == "rows" else 2.9) * line
    for write, name in ((zarr_group, "d.zarr"), (hdf5, "d.h5")):
        write(tmp_path / name, X, Y, chunks=chunks)
        source = open_dataset(tmp_path / name)
        assert source.axis == axis
        parts = list(source.chunks(int(most)))
        assert [getattr(part, axis).start for part in parts] == cuts
        assert_same(source, X, Y)


def test_chunks_and_skipped_columns(tmp_path):
    zarr_group(tmp_path / "d.zarr", X, Y, NAMES, chunks=(23, 2))
    source = open_dataset(tmp_path / "d.zarr", drop=["g0", "g1", "g4"])
    assert_same(source, X[:, [2, 3, 5]], Y)


def test_a_lone_zarr_array(tmp_path):
    zarr.save_array(tmp_path / "d.zarr", X)
    np.save(tmp_path / "y.npy", Y)
    assert_same(open_dataset(tmp_path / "d.zarr", target="y.npy"), X, Y)
    assert_same(open_dataset(tmp_path / "d.zarr", target="x5"), X[:, :5], X[:, 5])


def test_arrays_by_name(tmp_path):
    with h5py.File(tmp_path / "d.hdf5", "w") as file:
        file["values"] = X
        file["group"] = np.arange(23) % 3
        file["other"] = np.arange(4)
        file["notes/text"] = "?"
    source = open_dataset(tmp_path / "d.hdf5", target="group")
    assert_same(source, X, np.arange(23) % 3)
    assert not open_dataset(tmp_path / "d.hdf5").labelled
    with pytest.raises(DataError, match=r"'other' has shape \(4,\) for 23 samples"):
        open_dataset(tmp_path / "d.hdf5", target="other")


def test_names_must_fit(tmp_path):
    hdf5(tmp_path / "d.h5", X, names=NAMES[:4])
    with pytest.raises(DataError, match="Store 6 strings"):
        open_dataset(tmp_path / "d.h5")
    hdf5(tmp_path / "d.h5", X, names=[*NAMES[:5], "g0"])
    with pytest.raises(DataError, match=r"unique, but these are repeated: 'g0'"):
        open_dataset(tmp_path / "d.h5")


def test_links_out_of_a_file_are_not_followed(tmp_path):
    hdf5(tmp_path / "other.h5", X, Y)
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file["X"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/X")
    with pytest.raises(DataError, match=r"'X' in 'd.h5' is a link"):
        open_dataset(tmp_path / "d.h5")
    with h5py.File(tmp_path / "d.h5", "w") as file:
        layout = h5py.VirtualLayout(X.shape, X.dtype)
        layout[:] = h5py.VirtualSource(tmp_path / "other.h5", "X", X.shape)
        file.create_virtual_dataset("X", layout)
    with pytest.raises(DataError, match=r"'X' in 'd.h5' are in other files"):
        open_dataset(tmp_path / "d.h5")
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file["X"] = X
        file["elsewhere"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/y")
    assert_same(open_dataset(tmp_path / "d.h5"), X)


@pytest.mark.parametrize(
    "labels",
    [
        pd.Categorical(list("abc") * 7 + ["a", "b"]),
        pd.Categorical([3, 1] * 11 + [3]),
        pd.array([1, 2] * 11 + [1], dtype="Int64"),
        np.arange(23) % 2 == 0,
        np.arange(23) / 2,
        np.array(["1", "01", "é"] * 7 + ["1", "2"], dtype=object),
    ],
    ids=["texts", "numbers", "nullable", "booleans", "floats", "strings"],
)
def test_labels_of_obs_are_those_of_tables(tmp_path, labels):
    h5ad(tmp_path / "d.h5ad", X, cell=labels)
    y = read_table(tmp_path / "d.h5ad", target="cell", missing="keep").y
    found = together(open_dataset(tmp_path / "d.h5ad", target="cell"), 200)[1]
    assert found.tolist() == y.tolist()
    assert {type(label) for label in found.tolist()} == {type(label) for label in y.tolist()}


@pytest.mark.parametrize(
    "gaps",
    [
        pd.Categorical(["a"] * 21 + [None, None]),
        pd.array([1] * 21 + [None, None], dtype="Int64"),
        [1.0] * 21 + [np.nan] * 2,
    ],
)
def test_missing_labels_are_read_as_such(tmp_path, gaps):
    h5ad(tmp_path / "d.h5ad", X, cell=gaps)
    source = open_dataset(tmp_path / "d.h5ad", target="cell")
    assert pd.isna(together(source, 10**6)[1]).tolist() == [False] * 21 + [True] * 2
    with pytest.raises(DataError, match="contains NaN: 2 of 23 labels are missing"):
        featrank.FisherScore().fit(source)
    with pytest.raises(UsageError, match=r"Unknown obs column 'cel'. Did you mean 'cell'"):
        open_dataset(tmp_path / "d.h5ad", target="cel")


@pytest.mark.parametrize("layout", [sp.csr_matrix, sp.csc_matrix])
def test_sparse_blocks_stay_sparse_and_small(tmp_path, layout):
    counts = layout(sp.random(300, 200, 0.05, random_state=0, dtype=np.float32))
    h5ad(tmp_path / "d.h5ad", counts)
    source = open_dataset(tmp_path / "d.h5ad")
    parts = list(source.chunks(4000))
    blocks = [part.read() for part in parts]
    assert all(block.X.format == counts.format for block in blocks)
    assert all(block.nbytes <= 4000 for block in blocks)
    assert len(parts) < counts.nnz * 8 / 4000 * 1.5 + 2
    assert sum(block.X.nnz for block in blocks) == counts.nnz


def test_indices_beyond_a_sparse_matrix(tmp_path):
    h5ad(tmp_path / "d.h5ad", sp.csr_matrix(np.eye(6, dtype=np.float32)))
    with h5py.File(tmp_path / "d.h5ad", "a") as file:
        file["X/indices"][4] = 99
    with pytest.raises(
        DataError, match=r"In rows 0 to 5 of 'd.h5ad': The sparse matrix is damaged"
    ):
        together(open_dataset(tmp_path / "d.h5ad"), 10**6)


def test_extras_are_named(tmp_path, monkeypatch):
    zarr_group(tmp_path / "d.zarr", X)
    monkeypatch.setitem(__import__("sys").modules, "zarr", None)
    with pytest.raises(MissingExtraError, match=r"featrank\[scale\]"):
        open_dataset(tmp_path / "d.zarr")


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(UsageError, match=r"its file extension is unknown. Use one of: .*\.zarr"):
        open_dataset(tmp_path / "d.xyz")
    with pytest.raises(UsageError, match="does not exist"):
        open_dataset(tmp_path / "d.npy")
    (tmp_path / "d.h5").write_bytes(b"no HDF5")
    with pytest.raises(DataError, match=r"d.h5' cannot be read as HDF5"):
        open_dataset(tmp_path / "d.h5")
    (tmp_path / "d.zarr").mkdir()
    with pytest.raises(DataError, match=r"d.zarr' cannot be read as Zarr"):
        open_dataset(tmp_path / "d.zarr")


@pytest.mark.parametrize("shape", ["(-4, 3)", "(4, -3)", "(4611686018427387904, 1000)"])
def test_a_shape_that_cannot_be(tmp_path, shape):
    path = tmp_path / "data.npy"
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0v\0" + header.encode() + bytes(96))
    with pytest.raises(DataError, match=r"data.npy' cannot be read as a NumPy array"):
        open_dataset(path)


def test_of_several_damaged_arrays_one_is_told_and_nothing_printed(tmp_path, caplog):
    import gc

    group = zarr.open_group(tmp_path / "data.zarr", mode="w")
    for name in ("X", "y"):
        group.create_array(name, data=np.ones((4, 2)))
        (tmp_path / "data.zarr" / name / "zarr.json").write_bytes(b'{"zarr_format": 3, "\xa2')
    with pytest.raises(DataError, match="cannot be read as Zarr"):
        open_dataset(tmp_path / "data.zarr")
    gc.collect()
    assert "never retrieved" not in caplog.text
