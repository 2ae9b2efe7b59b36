"""h5ad files of anndata before 0.7: obs and var are arrays of records, raw is 'raw.X'."""

import shutil
import subprocess
import sys
from pathlib import Path

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import featrank
from featrank.sources import open_dataset

pytestmark = [
    pytest.mark.filterwarnings("ignore:Moving element:FutureWarning"),
    pytest.mark.filterwarnings("ignore::anndata.OldFormatWarning"),
]
GENES = ["a", "b", "c", "d"]


def write_sparse(file, key, X):
    group, stored = file.create_group(key), sparse.csr_matrix(X)
    group.attrs["h5sparse_format"] = "csr"
    group.attrs["h5sparse_shape"] = np.array(stored.shape)
    for name in ("data", "indices", "indptr"):
        group[name] = getattr(stored, name)


def write_old(path, X, kinds, raw=None):
    """Write a file as anndata 0.6 did, without its help."""
    names, codes = np.unique(kinds, return_inverse=True)
    cells = [(f"cell {j}".encode(), code, float(j)) for j, code in enumerate(codes)]
    with h5py.File(path, "w") as file:
        file["obs"] = np.array(cells, dtype=[("index", "S8"), ("kind", "i1"), ("depth", "f4")])
        file["var"] = np.array([(gene.encode(),) for gene in GENES], dtype=[("index", "S4")])
        file["uns/kind_categories"] = names.astype("S8")
        if raw is not None:
            write_sparse(file, "raw.X", raw)
            file["raw.var"] = file["var"][()]
        if sparse.issparse(X):
            write_sparse(file, "X", X)
        else:
            file["X"] = X


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    kinds = np.array(["t", "b"])[np.arange(40) % 2]
    X = rng.gamma(2, 1, (40, 4)).astype(np.float32)
    X[:, 2] += 5 * (kinds == "b")
    X[X < 0.7] = 0
    return X, kinds


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_ranks_in_memory_and_in_chunks(table, kind, tmp_path):
    write_old(tmp_path / "old.h5ad", kind(table[0]), table[1])
    expected = featrank.rank(*table, "fisher", feature_names=GENES)
    for options in ({}, {"memory": "1GB"}):
        found = featrank.rank_file(tmp_path / "old.h5ad", "kind", "fisher", **options)
        np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-6)
        assert list(found.feature_names) == GENES
        assert found.class_sizes() == expected.class_sizes()
    source = open_dataset(tmp_path / "old.h5ad", target="kind")
    assert source.ids.read(slice(1, 3)).tolist() == ["cell 1", "cell 2"]
    assert source.labels_apart().tolist() == table[1].tolist()


@pytest.mark.parametrize("options", [{}, {"memory": "1GB"}])
def test_select_writes_a_file_that_anndata_reads(table, options, tmp_path):
    old, small = tmp_path / "old.h5ad", tmp_path / "small.h5ad"
    write_old(old, table[0] - table[0].mean(axis=0), table[1], raw=table[0])
    featrank.select_file(old, small, "kind", "fisher", top=2, **options)
    before, after = anndata.read_h5ad(old), anndata.read_h5ad(small)
    pd.testing.assert_frame_equal(after.obs, before.obs)
    assert after.obs["kind"].tolist() == table[1].tolist()
    assert "c" in after.var_names
    np.testing.assert_array_equal(after.X, before[:, after.var_names].X)
    np.testing.assert_array_equal(after.raw.X.toarray(), table[0])


def test_raw_of_an_old_file(table, tmp_path):
    write_old(tmp_path / "old.h5ad", table[0] - table[0].mean(axis=0), table[1], raw=table[0])
    expected = featrank.rank(*table, "fisher").scores
    for options in ({}, {"use_raw": True}, {"memory": "1GB"}):
        found = featrank.rank_file(tmp_path / "old.h5ad", "kind", "fisher", **options)
        np.testing.assert_allclose(found.scores, expected, rtol=1e-6)
        assert found.notes()[0].startswith("Ranked the values in raw (4 genes), not those in X")


def test_the_file_that_comes_with_scanpy(tmp_path):
    scanpy = pytest.importorskip("scanpy")
    path, small = tmp_path / "old.h5ad", tmp_path / "small.h5ad"
    shutil.copy(Path(scanpy.__file__).parent / "datasets/10x_pbmc68k_reduced.h5ad", path)
    command = [sys.executable, "-m", "featrank", "select", str(path), "--target", "bulk_labels"]
    command += ["--method", "fisher", "--top", "5", "--output", str(small)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pd.testing.assert_frame_equal(anndata.read_h5ad(small).obs, anndata.read_h5ad(path).obs)
    by_chunks = featrank.rank_file(path, "bulk_labels", "fisher", memory="1GB")
    whole = featrank.rank(anndata.read_h5ad(path), "bulk_labels", "fisher")
    assert by_chunks.top(20) == whole.top(20)
