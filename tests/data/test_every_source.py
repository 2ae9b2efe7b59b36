"""One small table ranks alike, to the bit, from every source on every engine."""

import gzip

import anndata
import h5py
import numpy as np
import pandas as pd
import polars as pl
import pytest
import zarr
from scipy import sparse
from sklearn.base import clone

from featrank import (
    CMIM,
    ECFS,
    MRMR,
    FisherScore,
    InfFSSupervised,
    ModeratedT,
    MutualInformation,
)
from featrank.engines.dask import DaskEngine
from featrank.engines.local_engine import LocalEngine
from featrank.exceptions import DataError
from featrank.sources import Blocks, open_dataset
from featrank.summaries import FeatureRanges

NAMES = [f"gene {j}" for j in range(12)]
RANKERS = [
    FisherScore(),
    ModeratedT(),
    MutualInformation(),
    InfFSSupervised(),
    ECFS(alpha=0.4),
    ECFS(),
]


def table():
    """Numbers that every format holds exactly; half of them are 0."""
    rng = np.random.default_rng(0)
    y = np.array(["case", "control"])[rng.permutation(np.arange(90) % 2)]
    X = np.round(rng.normal(0, 8, (90, 12)) + 6 * (y == "case")[:, None] * (np.arange(12) < 3)) / 4
    return np.where(rng.random(X.shape) < 0.5, 0, X), y


X, Y = table()


def labels_beside(folder):
    np.save(folder / "labels.npy", Y)
    return {"labels": folder / "labels.npy"}


def npy(folder, values=X):
    np.save(folder / "data.npy", values)
    return open_dataset(folder / "data.npy", **labels_beside(folder))


def npy_by_columns(folder):
    return npy(folder, np.asfortranarray(X))


def zarr_chunked(folder, chunks):
    group = zarr.open_group(folder / "data.zarr", mode="w")
    group.create_array("X", data=X, chunks=chunks)
    return open_dataset(folder / "data.zarr", **labels_beside(folder))


def zarr_by_rows(folder):
    return zarr_chunked(folder, (7, 12))


def zarr_by_columns(folder):
    return zarr_chunked(folder, (90, 5))


def hdf5(folder):
    with h5py.File(folder / "data.h5", "w") as file:
        file.create_dataset("X", data=X, chunks=(11, 12))
    return open_dataset(folder / "data.h5", **labels_beside(folder))


def h5ad(folder, values):
    obs = pd.DataFrame({"kind": pd.Categorical(Y)}, index=[f"cell {i}" for i in range(90)])
    made = anndata.AnnData(values, obs, pd.DataFrame(index=NAMES))
    made.write_h5ad(folder / "data.h5ad")
    return open_dataset(folder / "data.h5ad", target="kind")


def h5ad_dense(folder):
    return h5ad(folder, X)


def h5ad_by_rows(folder):
    return h5ad(folder, sparse.csr_matrix(X))


def h5ad_by_columns(folder):
    return h5ad(folder, sparse.csc_matrix(X))


def frame():
    return pl.DataFrame(X, schema=NAMES).with_columns(kind=pl.Series(Y))


def parquet(folder):
    frame().write_parquet(folder / "data.parquet", row_group_size=13)
    return open_dataset(folder / "data.parquet", target="kind")


def arrow(folder):
    frame().write_ipc(folder / "data.arrow", record_batch_size=9)
    return open_dataset(folder / "data.arrow", target="kind")


def csv(folder):
    frame().write_csv(folder / "data.csv")
    return open_dataset(folder / "data.csv", target="kind")


def csv_gz(folder):
    (folder / "data.csv.gz").write_bytes(gzip.compress(frame().write_csv().encode()))
    return open_dataset(folder / "data.csv.gz", target="kind")


def several_files(folder):
    frame()[:31].write_parquet(folder / "1.parquet")
    frame()[31:].write_csv(folder / "2.csv")
    return open_dataset([folder / "1.parquet", folder / "2.csv"], target="kind")


def blocks(folder):
    return Blocks([(X[:20], Y[:20]), (sparse.csr_array(X[20:50]), Y[20:50]), (X[50:], Y[50:])])


def lazy_frame(folder):
    return open_dataset(frame().lazy(), target="kind")


def relation(folder):
    duckdb = pytest.importorskip("duckdb")
    relation.frame = frame().to_arrow()
    return open_dataset(duckdb.from_arrow(relation.frame), target="kind")


SOURCES = [
    npy,
    npy_by_columns,
    zarr_by_rows,
    zarr_by_columns,
    hdf5,
    h5ad_dense,
    h5ad_by_rows,
    h5ad_by_columns,
    parquet,
    arrow,
    csv,
    csv_gz,
    several_files,
    blocks,
    lazy_frame,
    relation,
]


@pytest.fixture(scope="module")
def cluster():
    with DaskEngine(workers=2) as engine:
        yield engine


@pytest.fixture(params=["one thread", "two threads", "cluster"])
def engine(request):
    if request.param == "cluster":
        return request.getfixturevalue("cluster")
    return LocalEngine(1 if request.param == "one thread" else 2)


@pytest.fixture(scope="module")
def expected():
    return {str(ranker): ranker.fit(X, Y).scores_.copy() for ranker in RANKERS}


@pytest.fixture
def small_parts(monkeypatch):
    """Make blocks so small that every source has several parts."""
    monkeypatch.setattr("featrank.data.reader.Reader.block_bytes", lambda self, source: 900)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("make", SOURCES, ids=lambda make: make.__name__)
def test_every_source_on_every_engine_gives_the_same_bits(make, engine, expected, tmp_path):
    source = make(tmp_path)
    assert len(list(source.chunks(900))) > 1
    # ECFS() makes every kind of pass over a source; a cluster is asked for the others only once.
    some = isinstance(engine, LocalEngine) or make is npy
    for ranker in RANKERS if some else RANKERS[-1:]:
        found = ranker.fit(source, engine=engine)
        np.testing.assert_array_equal(found.scores_, expected[str(ranker)], str(ranker))
        np.testing.assert_array_equal(found.classes_, ["case", "control"])


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("make", SOURCES, ids=lambda make: make.__name__)
def test_methods_that_choose_give_the_same_bits_from_every_source(make, tmp_path):
    for ranker in (MRMR(4, bins=6), CMIM(4, bins=6)):
        found = clone(ranker).fit(make(tmp_path), engine=LocalEngine(2))
        expected = clone(ranker).fit(X, Y)
        np.testing.assert_array_equal(found.scores_, expected.scores_, str(ranker))
        np.testing.assert_array_equal(found.criterion_, expected.criterion_)


@pytest.mark.parametrize("make", [parquet, h5ad_by_rows, csv], ids=lambda make: make.__name__)
def test_names_are_kept(make, tmp_path):
    ranker = FisherScore(n_features_to_select=3).fit(make(tmp_path))
    expected = FisherScore(n_features_to_select=3).fit(pd.DataFrame(X, columns=NAMES), Y)
    assert ranker.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()


def test_panels_of_columns_give_the_same_bits(expected, tmp_path, monkeypatch):
    """Where the state of all features does not fit."""
    monkeypatch.setattr("featrank.data.reader.Reader.panel", lambda self, _: 5)
    for ranker in RANKERS:
        np.testing.assert_array_equal(ranker.fit(npy(tmp_path)).scores_, expected[str(ranker)])


def test_a_stream_that_is_read_once_needs_ranges():
    from featrank.exceptions import UsageError

    def stream():
        return Blocks((X[k : k + 10], Y[k : k + 10]) for k in range(0, 90, 10))

    with pytest.raises(UsageError, match=r"can be read only once.*ranges="):
        MutualInformation().fit(stream())
    ranges = FeatureRanges.given(["case", "control"], X.min(axis=0), X.max(axis=0))
    found = MutualInformation(bins=9).fit(stream(), ranges=ranges)
    expected = MutualInformation(bins=9).fit(X, Y)
    np.testing.assert_array_equal(found.scores_, expected.scores_)


@pytest.mark.parametrize("make", [npy, npy_by_columns, parquet], ids=lambda make: make.__name__)
@pytest.mark.parametrize("missing", ["skip", "mean"])
def test_missing_values_in_parts(make, missing, tmp_path, monkeypatch):
    gaps = X.copy()
    gaps[np.random.default_rng(4).random(X.shape) < 0.1] = np.nan
    monkeypatch.setitem(globals(), "X", gaps)
    found = MutualInformation().fit(
        npy(tmp_path, gaps) if make is npy else make(tmp_path), missing=missing
    )
    if missing == "mean":
        filled = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
        expected = MutualInformation().fit(filled, Y).scores_
    else:
        there = [~np.isnan(column) for column in gaps.T]
        alone = [
            MutualInformation(bins=10).fit(gaps[some, j : j + 1], Y[some]).scores_[0]
            for j, some in enumerate(there)
        ]
        expected = np.array(alone)
    np.testing.assert_allclose(found.scores_, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.bool_])
def test_values_of_one_byte_are_counted(dtype, engine, tmp_path):
    codes = (X * 4).astype(np.int8).astype(dtype)
    np.save(tmp_path / "data.npy", codes)
    source = open_dataset(tmp_path / "data.npy", **labels_beside(tmp_path))
    rankers = [*RANKERS, MutualInformation(binning="quantile")]
    for ranker in rankers:
        expected = ranker.fit(codes, Y).scores_.copy()
        np.testing.assert_array_equal(ranker.fit(source, engine=engine).scores_, expected)
        if getattr(ranker, "binning", "width") == "width":  # of blocks no type is sure
            read = ranker.fit(Blocks([(codes[:50], Y[:50]), (codes[50:], Y[50:])]))
            np.testing.assert_array_equal(read.scores_, expected)


@pytest.mark.parametrize("ranker", [FisherScore(), ECFS()], ids=str)
@pytest.mark.parametrize("apart", [True, False])
def test_a_quantity_is_no_label_in_parts_either(ranker, apart, tmp_path):
    ages = np.arange(90)
    frame().with_columns(kind=pl.Series(ages)).write_parquet(tmp_path / "data.parquet")
    source = open_dataset(tmp_path / "data.parquet", target="kind")
    if apart:
        np.save(tmp_path / "data.npy", X)
        np.save(tmp_path / "ages.npy", ages)
        source = open_dataset(tmp_path / "data.npy", labels=tmp_path / "ages.npy")
    with pytest.raises(DataError, match="90 different numbers in 90 rows"):
        ranker.fit(source)


def test_ranges_of_other_features_and_surplus_labels_are_refused(tmp_path):
    from featrank.exceptions import UsageError

    ranges = FeatureRanges.given(["case", "control"], np.full(11, -99.0), np.full(11, 99.0))
    with pytest.raises(UsageError, match=r"11 features, but 'data.npy' has 12"):
        MutualInformation().fit(npy(tmp_path), ranges=ranges)
    with pytest.raises(UsageError, match="stored by columns"):
        MutualInformation().fit(npy_by_columns(tmp_path), ranges=ranges)
    with pytest.raises(DataError, match="90 rows, but y has 92 labels"):
        FisherScore().fit(Blocks([X[:50], X[50:]]), np.append(Y, ["case", "control"]))


def test_blocks_of_bytes_and_of_wider_numbers():
    codes = (X > 0).astype(np.uint8)
    found = FisherScore().fit(Blocks([(codes[:40], Y[:40]), (X[40:], Y[40:])]))
    expected = FisherScore().fit(np.concatenate([codes[:40], X[40:]]), Y)
    np.testing.assert_array_equal(found.scores_, expected.scores_)


def test_a_checkpoint_of_other_labels_is_refused(tmp_path, monkeypatch):
    from featrank.exceptions import UsageError

    monkeypatch.setattr("featrank.data.checkpoint.Checkpoint.finish", lambda self: None)
    for name in ("PAUSE", "SHARE"):
        monkeypatch.setattr(f"featrank.data.checkpoint.{name}", 0)
    source, kept = npy(tmp_path), tmp_path / "kept"
    FisherScore().fit(source, checkpoint=kept)
    assert kept.exists()
    np.save(tmp_path / "labels.npy", Y[::-1])
    with pytest.raises(UsageError, match="another run: labels was"):
        FisherScore().fit(source, checkpoint=kept)
