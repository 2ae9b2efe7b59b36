"""Methods that choose one feature after the other, on tables that workers count."""

import os
import signal

import cloudpickle
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

import featrank
from featrank import CMIM, JMI, MIFS, MRMR
from featrank._utils.progress import progress_to
from featrank.data.bin_codes import Encode
from featrank.data.code_tables import OnCodes, Room, code_tables
from featrank.data.row_labels import OwnLabels
from featrank.engines.dask_graph import FoldGraph
from featrank.exceptions import DataError, UsageError
from featrank.kernels import BinArrays
from featrank.pairwise.row_blocks import PairCounts
from featrank.sources import open_dataset
from featrank.sources.dask_collections import DaskSource

from .chunks import begun, both, made, number


@pytest.fixture
def arrays():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(3, (300, 9)).astype(np.float64), rng.choice(["a", "b", "c"], 300)
    X[:, 4] = 2 * X[:, 1] + rng.normal(size=300)
    X[y == "b", 1] += 3
    return X, y


@pytest.mark.parametrize("method", [MRMR, JMI])
def test_the_same_choices_as_in_memory(engine, arrays, method):
    X, y = arrays
    source = DaskSource(da.from_array(X, chunks=(70, 4)), da.from_array(y, chunks=300))
    found = method().fit_tables(*code_tables(source, engine))
    expected = method().fit(X, y)
    np.testing.assert_array_equal(found.ranking_, expected.ranking_)
    np.testing.assert_array_equal(found.criterion_, expected.criterion_)


def test_files_and_sparse_blocks_too(engine, arrays, tmp_path):
    X, y = arrays
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    blocks = da.from_array(X, chunks=(70, 9)).map_blocks(sparse.csr_array, meta=sparse.csr_array(X))
    expected = MRMR(bins=6).fit(X, y).criterion_
    for source in (
        open_dataset(tmp_path / "X.npy", labels=tmp_path / "y.npy"),
        DaskSource(blocks, y),
    ):
        found = MRMR().fit_tables(*code_tables(source, engine, bins=6, room=Room(block=4000)))
        np.testing.assert_array_equal(found.criterion_, expected)


@pytest.mark.parametrize("method", [MRMR, JMI, CMIM, MIFS])
@pytest.mark.parametrize("kept", [True, False])
def test_fit_counts_in_parts(engine, arrays, method, kept, tmp_path, monkeypatch):
    X, y = arrays
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    source = open_dataset(tmp_path / "X.npy", labels=tmp_path / "y.npy")
    if not kept:  # the codes of all rows are too much for the memory
        monkeypatch.setattr(type(engine), "room", lambda self, memory: 2000)
    found = method(4).fit(source, engine=engine)
    expected = method(4).fit(X, y)
    np.testing.assert_array_equal(found.ranking_, expected.ranking_)
    np.testing.assert_array_equal(found.criterion_, expected.criterion_)


def test_what_is_kept_is_made_once(engine, tmp_path):
    kept = engine.keep(number, made(12, tmp_path))
    for _ in range(2):
        assert sorted(engine.fold(read, kept, both)) == list(range(12))
    assert sorted(made for _, made in engine.each(read, kept)) == [(k,) for k in range(12)]
    assert begun(tmp_path) == list(range(12))


def read(part):
    return part.read()


@pytest.mark.parametrize("chunks", [(100, 9), (100, 4), (300, 4)])
def test_missing_values_are_rejected_as_in_memory(engine, arrays, chunks):
    X, y = arrays
    X[150, 3], X[[7, 290], 8] = np.nan, np.inf
    with pytest.raises(DataError) as refused:
        MRMR().fit(X, y)
    with pytest.raises(DataError) as found:
        MRMR().fit(da.from_array(X, chunks=chunks), y, engine=engine)
    assert str(found.value) == str(refused.value)
    assert "3 values in 2 of 9 columns: column 3 (1), column 8 (2)" in str(found.value)


def test_data_without_labels_is_rejected(engine):
    with pytest.raises(DataError, match="no labels"):
        code_tables(DaskSource(da.ones((5, 2))), engine)


RANKERS = [MRMR(4), MRMR(4, criterion="miq"), JMI(4), CMIM(4), MIFS(4)]


def by_rows(X):
    return da.from_array(X, chunks=(70, 9))


def by_rows_and_columns(X):
    return da.from_array(X, chunks=(110, 4))


def by_columns(X):
    return da.from_array(X, chunks=(300, 4))


def sparse_rows(X):
    return da.from_array(X, chunks=(90, 9)).map_blocks(sparse.csr_array, meta=sparse.csr_array(X))


def sparse_columns(X):
    return by_columns(X).map_blocks(sparse.csc_matrix, meta=sparse.csc_matrix(X))


CUTS = [by_rows, by_rows_and_columns, by_columns, sparse_rows, sparse_columns]


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "anew"])
@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: cut.__name__)
def test_any_cut_gives_the_bits_of_memory(engine, arrays, cut, kept, monkeypatch):
    X, y = arrays
    X = np.where(X < 5, 0, X)  # so few entries that sparse blocks stay sparse
    if not kept:
        monkeypatch.setattr(type(engine), "room", lambda self, memory: 0)
    # The others ask the tables for the same; they are tried on one cut.
    some = (MRMR(3), JMI(3)) if kept else (JMI(3),)
    for ranker in RANKERS if cut is by_rows and kept else some:
        found = clone(ranker).fit(cut(X), da.from_array(y, chunks=120), engine=engine)
        expected = clone(ranker).fit(X, y)
        np.testing.assert_array_equal(found.scores_, expected.scores_, str(ranker))
        np.testing.assert_array_equal(found.criterion_, expected.criterion_)
        np.testing.assert_array_equal(found.classes_, ["a", "b", "c"])


def test_unknown_sizes_and_empty_blocks(engine, arrays):
    X, y = arrays
    rows = da.from_array(np.column_stack([X, y == "b"]), chunks=(50, 10))
    some = np.arange(300) >= 120
    left = rows[da.from_array(some, chunks=50)]
    found = JMI(3).fit(left[:, :9], left[:, 9], engine=engine)
    expected = JMI(3).fit(X[some], y[some] == "b")
    np.testing.assert_array_equal(found.scores_, expected.scores_)


def test_data_frames_have_names_and_labels_of_their_own(engine, arrays):
    X, y = arrays
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(9)]).assign(kind=y)
    frame["gene 2"] = frame["gene 2"].astype(np.float32)
    lazy = dd.from_pandas(frame, npartitions=3)
    found = CMIM(3).fit(lazy.drop(columns="kind"), lazy["kind"], engine=engine)
    expected = CMIM(3).fit(frame.drop(columns="kind"), y)
    np.testing.assert_array_equal(found.scores_, expected.scores_)
    assert found.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()


def test_whole_columns_may_have_bins_of_equal_content(engine, arrays):
    X, y = arrays
    X = np.where(X < 5, 0, X)
    for cut in (by_columns, sparse_columns):
        found = MRMR(4, binning="quantile").fit(cut(X), y, engine=engine)
        expected = MRMR(4, binning="quantile").fit(X, y)
        np.testing.assert_array_equal(found.criterion_, expected.criterion_)
    with pytest.raises(UsageError, match=r"read row by row.*width"):
        code_tables(DaskSource(by_rows(X), y), engine, binning="quantile")


def test_labels_may_be_given_apart(engine, arrays, tmp_path):
    X, y = arrays
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "wide.npy", np.asfortranarray(X))
    for name in ("X.npy", "wide.npy"):
        found = MIFS(4).fit(tmp_path / name, y, engine=engine)
        np.testing.assert_array_equal(found.criterion_, MIFS(4).fit(X, y).criterion_)


class Weighing:
    """An engine that weighs what it is given to send."""

    def __init__(self, engine):
        self.engine, self.sent = engine, []

    def __getattr__(self, name):
        found = getattr(self.engine, name)

        def weighed(work, *rest):
            self.sent.append((name, len(cloudpickle.dumps(work))))
            return found(work, *rest)

        return weighed if name in ("fold", "each", "keep") else found


@pytest.mark.parametrize("cut", [by_rows, by_columns], ids=lambda cut: cut.__name__)
def test_little_is_sent(engine, arrays, cut):
    X, y = arrays
    weighing = Weighing(engine)
    MRMR(4).fit(cut(X), da.from_array(y, chunks=300), engine=weighing)
    steps = [size for name, size in weighing.sent if name in ("fold", "each")]
    assert [name for name, _ in weighing.sent].count("keep") == 1
    # Of rows the number of the chosen feature goes out, of columns one byte a row.
    assert max(steps) < (500 if cut is by_rows else 500 + len(y))


def test_codes_that_are_made_anew_are_in_no_task(dask_engine, arrays, monkeypatch):
    """What encodes holds the bins of all features: it goes out once a step, not once a part."""
    X = da.random.default_rng(0).normal(size=(60_000, 500), chunks=(1000, 500))
    source = DaskSource(X, da.zeros(60_000, chunks=5000))
    encode = Encode(OwnLabels(), np.arange(2), BinArrays(*np.ones((3, 500))), X.dtype)
    work = OnCodes(encode, PairCounts(3, 0, 500, 20, False))
    tasks = FoldGraph(work, source.chunks(2**20), both, threads=4, topic="topic").tasks
    assert len(cloudpickle.dumps(tasks)) < 100_000 + 2 * len(cloudpickle.dumps(work))


def test_a_worker_that_is_killed_while_choosing_changes_nothing(dask_engine, arrays):
    X, y = arrays
    killed = []

    def kill(done, total):
        if done > 0.6 * total and not killed:
            workers = dask_engine.client.run(os.getpid)
            os.kill(min(workers.values()), signal.SIGKILL)
            killed.append(done)

    with progress_to(kill):
        found = JMI(6).fit(by_rows(X), da.from_array(y, chunks=300), client=dask_engine.client)
    assert killed
    np.testing.assert_array_equal(found.criterion_, JMI(6).fit(X, y).criterion_)


def test_progress_only_grows(engine, arrays):
    X, y = arrays
    told = []
    with progress_to(lambda done, total: told.append(done / total)):
        MRMR(5).fit(by_rows(X), da.from_array(y, chunks=300), engine=engine)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.parametrize("option", ["checkpoint", "ranges"])
def test_what_it_cannot_use_is_rejected(arrays, option):
    X, y = arrays
    with pytest.raises(UsageError, match=f"MRMR does not support `{option}`"):
        MRMR(4).fit(by_rows(X), y, **{option: "something"})


def test_one_call_ranks_in_parts_too(arrays):
    X, y = arrays
    found = featrank.rank(by_rows(X), y, "mrmr", top=3)
    expected = featrank.rank(X, y, "mrmr", top=3)
    assert found.top(3) == expected.top(3)
    np.testing.assert_array_equal(found.scores, expected.scores)
