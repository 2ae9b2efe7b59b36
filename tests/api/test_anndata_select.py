"""``select`` from .h5ad to .h5ad: the features are cut, and the rest of the object stays."""

import subprocess
import sys

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import featrank
from featrank import tables
from featrank.exceptions import DataError
from featrank.formats import h5ad

GENES = [f"gene {j}" for j in range(12)]
KEPT = ["gene 4", "gene 7"]


def full(kind=np.asarray, gaps=False):
    """Return an AnnData with something in every place; genes 4 and 7 tell the kinds apart."""
    rng = np.random.default_rng(3)
    kinds = np.array(["b", "t"])[np.arange(40) % 2]
    X = rng.gamma(2, 2, (40, 12)).round(2).astype(np.float32)
    X[:, 4] += 20 * (kinds == "b")
    X[:, 7] += 20 * (kinds == "t")
    if gaps:
        X[3, 4] = np.nan
    cells = [f"cell {row}" for row in range(40)]
    obs = pd.DataFrame({"kind": pd.Categorical(kinds), "donor": np.arange(40) % 5}, cells)
    var = pd.DataFrame({"symbol": [f"S{j}" for j in range(12)], "size": np.arange(12.0)}, GENES)
    data = anndata.AnnData(kind(X), obs=obs, var=var)
    data.layers["counts"] = kind(np.nan_to_num(X) * 2)
    data.layers["dense"] = np.nan_to_num(X) * 3
    data.obsm["X_pca"] = rng.normal(size=(40, 3))
    data.obsm["frame"] = pd.DataFrame({"u": np.arange(40)}, cells)
    data.obsp["near"] = sparse.random(40, 40, 0.1, "csr", random_state=0)
    data.varm["PCs"] = rng.normal(size=(12, 3))
    data.varp["like"] = sparse.csr_matrix(np.outer(np.arange(12.0), np.arange(12.0)))
    data.uns["log1p"] = {"base": 2.0}
    data.uns["colours"] = np.array(["#fff", "#000"])
    data.raw = data.copy()
    return data


def equal(found, expected):
    assert type(found) is type(expected)
    if sparse.issparse(found):
        found, expected = found.toarray(), expected.toarray()
    if isinstance(found, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected)
    else:
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def same(found, expected):
    equal(found.X, expected.X)
    for name in ("obs", "var"):
        equal(getattr(found, name), getattr(expected, name))
    for name in ("layers", "obsm", "obsp", "varm", "varp"):
        assert list(getattr(found, name)) == list(getattr(expected, name))
        for key in getattr(expected, name):
            equal(getattr(found, name)[key], getattr(expected, name)[key])
    equal(found.raw.X, expected.raw.X)
    equal(found.raw.var, expected.raw.var)
    assert found.uns["log1p"] == expected.uns["log1p"]
    equal(found.uns["colours"], expected.uns["colours"])


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "all.h5ad", tmp_path / "best.h5ad"


@pytest.mark.parametrize("compression", [None, "gzip"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_all_else_stays(paths, kind, compression, monkeypatch):
    monkeypatch.setattr(h5ad, "_BLOCK", 1000)
    full(kind).write_h5ad(paths[0], compression=compression)
    found = featrank.select_file(*paths, "kind", "fisher", top=2)
    assert found.kept == KEPT
    same(anndata.read_h5ad(paths[1]), anndata.read_h5ad(paths[0])[:, KEPT].copy())
    with h5py.File(paths[1]) as file:
        values = file["X"] if kind is np.asarray else file["X/data"]
        assert values.compression == compression


def test_where_it_is_read_in_parts(paths):
    full(sparse.csr_matrix).write_h5ad(paths[0])
    assert featrank.select_file(*paths, "kind", "fisher", top=2, memory="1GB").kept == KEPT
    same(anndata.read_h5ad(paths[1]), anndata.read_h5ad(paths[0])[:, KEPT].copy())


@pytest.mark.parametrize("missing", ["mean", "median"])
def test_values_that_were_filled_in_are_written(paths, missing):
    data = full(gaps=True)
    data.write_h5ad(paths[0])
    featrank.select_file(*paths, "kind", "fisher", top=2, missing=missing)
    found = anndata.read_h5ad(paths[1])
    given = data[:, "gene 4"].X[:, 0]
    expected = getattr(np, f"nan{missing}")(given)
    np.testing.assert_allclose(found[:, "gene 4"].X[3, 0], expected, rtol=1e-6)
    equal(found.obs, anndata.read_h5ad(paths[0]).obs)


def test_files_of_an_older_anndata(paths):
    full().write_h5ad(paths[0])
    with h5py.File(paths[0], "r+") as file:
        file.attrs.clear()
    featrank.select_file(*paths, "kind", "fisher", top=2)
    same(anndata.read_h5ad(paths[1]), anndata.read_h5ad(paths[0])[:, KEPT].copy())


def test_other_outputs_are_tables_as_before(paths, tmp_path):
    full().write_h5ad(paths[0])
    featrank.select_file(paths[0], tmp_path / "best.csv", "kind", "fisher", top=2)
    assert pd.read_csv(tmp_path / "best.csv").columns.tolist() == ["sample", *KEPT, "kind"]


def test_nothing_half_written_is_left(paths, monkeypatch):
    full().write_h5ad(paths[0])
    paths[1].write_text("before")
    monkeypatch.setattr(h5ad, "_columns", None)
    with pytest.raises(TypeError):
        featrank.select_file(*paths, "kind", "fisher", top=2)
    assert paths[1].read_text() == "before"
    assert {one.name for one in paths[0].parent.iterdir()} == {"all.h5ad", "best.h5ad"}


def test_the_command(paths):
    full().write_h5ad(paths[0])
    command = [sys.executable, "-m", "featrank", "select", *map(str, paths[:1]), "--target", "kind"]
    command += ["--method", "fisher", "--top", "2", "--output", str(paths[1])]
    subprocess.run(command, check=True, capture_output=True)
    assert anndata.read_h5ad(paths[1]).obs.columns.tolist() == ["kind", "donor"]


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("old", [False, True])
def test_raw_becomes_the_matrix(paths, kind, old):
    data = full(kind)
    data[:, :5].copy().write_h5ad(paths[0])  # raw has genes that X does not have
    if old:
        with h5py.File(paths[0], "a") as file:
            file.attrs.clear()  # as an older anndata wrote it
    featrank.select_file(paths[0], paths[1], "kind", "fisher", top=2, use_raw=True)
    found, expected = anndata.read_h5ad(paths[1]), data.raw.to_adata()[:, KEPT].copy()
    equal(found.X, expected.X)
    equal(found.obs, expected.obs)
    equal(found.var, expected.var)
    equal(found.obsm["X_pca"], expected.obsm["X_pca"])
    assert found.uns["log1p"] == {"base": 2.0}
    assert found.raw is None
    equal(found.varm["PCs"], expected.varm["PCs"])
    assert list(found.layers) == list(found.varp) == []


def test_tables_of_layers_and_raw(paths):
    data = full()
    data.write_h5ad(paths[0])
    table = tables.read_table(paths[0], target="kind", layer="dense")
    np.testing.assert_array_equal(table.X, data.layers["dense"])
    assert tables.read_table(paths[0], target="kind", use_raw=True).feature_names == GENES
    with pytest.raises(DataError, match="no X"):
        featrank.rank(anndata.AnnData(obs=data.obs), "kind")
