"""AnnData files."""

import sys

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from featrank.exceptions import DataError, FeatrankWarning, MissingExtraError, UsageError
from featrank.sources import open_dataset
from featrank.tables import read_table

X = np.array([[0.5, 0, 2], [0, 0, 1], [3, 4, 0]], dtype=np.float32)


@pytest.fixture
def h5ad(tmp_path):
    def save(X, names=("g1", "g2", "g3"), **obs):
        frame = pd.DataFrame(obs, index=["c1", "c2", "c3"])
        data = anndata.AnnData(X, obs=frame, var=pd.DataFrame(index=list(names)))
        data.write_h5ad(tmp_path / "d.h5ad")
        return tmp_path / "d.h5ad"

    return save


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix, sp.csc_matrix])
def test_reads_what_anndata_wrote(h5ad, kind):
    path = h5ad(kind(X), cell=["b", "t", "b"], batch=[1, 2, 2])
    table = read_table(path, target="cell", drop=["g2"])
    assert sp.issparse(table.X) == (kind is not np.asarray)
    values = table.X.toarray() if sp.issparse(table.X) else table.X
    np.testing.assert_array_equal(values, X[:, [0, 2]])
    assert table.X.dtype == np.float32
    assert table.feature_names == ["g1", "g3"]
    assert table.y.tolist() == ["b", "t", "b"]
    assert read_table(path, target="-1").y.tolist() == [1, 2, 2]
    assert read_table(path).y is None


def test_unknown_obs_column(h5ad):
    with pytest.raises(UsageError, match=r"Unknown obs column 'cel'. Did you mean 'cell'"):
        read_table(h5ad(X, cell=["b", "t", "b"]), target="cel")


@pytest.mark.parametrize(
    "labels",
    [pd.Categorical(["a", None, "b"]), pd.Categorical(["a", "NA", "b"]), [1.0, np.nan, 2.0]],
)
def test_missing_labels(h5ad, labels):
    with pytest.warns(FeatrankWarning, match=r"1 of 3 samples has no 'cell' and is left out"):
        table = read_table(h5ad(X, cell=labels), target="cell")
    assert len(table.y) == len(table.X) == len(table.ids) == len(labels) - 1
    assert not {None, "NA"} & {*table.y.tolist()}


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_missing_and_infinite_values(h5ad, kind):
    broken = X.copy()
    broken[2, 1] = np.nan
    path = h5ad(kind(broken))
    with pytest.raises(DataError, match=r"1 missing value.*'g2' \(1\)"):
        read_table(path)
    filled = read_table(path, missing="mean").X
    assert filled.dtype == np.float32
    assert filled[2, 1] == 0
    broken[0, 0] = -np.inf
    with pytest.raises(DataError, match=r"1 infinite value.*'g1' \(1\)"):
        read_table(h5ad(kind(broken)), missing="mean")


def test_repeated_names(h5ad):
    with pytest.warns(UserWarning, match="unique"):
        path = h5ad(X, names=("g", "g", "h"))
    with pytest.raises(DataError, match="unique, but these are repeated: 'g'"):
        read_table(path)


def test_no_matrix(tmp_path):
    anndata.AnnData(obs=pd.DataFrame(index=["a"])).write_h5ad(tmp_path / "d.h5ad")
    with pytest.raises(DataError, match=r"no X.*Its layers are: none\."):
        read_table(tmp_path / "d.h5ad")
    whole = anndata.AnnData(np.eye(2), layers={"counts": np.eye(2)})
    whole.raw = whole
    del whole.X
    whole.write_h5ad(tmp_path / "d.h5ad")
    for reader in (read_table, open_dataset):
        with pytest.raises(DataError, match=r"no X.*`layer=.*layers are: 'counts'\."):
            reader(tmp_path / "d.h5ad", use_raw=False)
    assert read_table(tmp_path / "d.h5ad").X.tolist() == np.eye(2).tolist()  # raw


def test_broken_files(h5ad):
    path = h5ad(X)
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], b"garbage" * 50):
        path.write_bytes(content)
        with pytest.raises(DataError, match="cannot be read as h5ad"):
            read_table(path)


def test_without_the_package(h5ad, monkeypatch):
    path = h5ad(X)
    monkeypatch.setitem(sys.modules, "anndata", None)
    with pytest.raises(MissingExtraError, match=r"featrank\[bio\]"):
        read_table(path)
