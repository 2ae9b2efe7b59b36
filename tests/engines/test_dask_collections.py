"""Dask arrays and data frames as sources, on threads and on a cluster, against NumPy."""

import cloudpickle
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from featrank import ECFS, FisherScore
from featrank.engines.dask_graph import FoldGraph, fold_part
from featrank.exceptions import DataError
from featrank.sources.dask_collections import DaskSource

from .chunks import both

MOST = 2**20


def by_class(part):
    """Return sums of each class, to which X and y must be cut alike."""
    block = part.read()
    sums = np.zeros((2, 12))
    for label in (0, 1):
        sums[label, part.columns] = block.X[np.flatnonzero(block.y == label)].sum(axis=0)
    return sums


@pytest.fixture
def arrays():
    rng = np.random.default_rng(0)
    return rng.integers(0, 9, (50, 12)).astype(np.float64), rng.integers(0, 2, 50)


def expected(X, y):
    return np.array([X[y == label].sum(axis=0) for label in (0, 1)])


def check(engine, source, X, y):
    np.testing.assert_array_equal(engine.fold(by_class, source.chunks(MOST), both), expected(X, y))
    found = sum(result for _, result in engine.each(by_class, source.chunks(MOST)))
    np.testing.assert_array_equal(found, expected(X, y))


@pytest.mark.parametrize(
    ("chunks", "label_chunks"),
    [((50, 12), 50), ((7, 12), 9), ((13, 5), "memory"), ((50, 5), 9), (((20, 0, 30), 4), 50)],
)
def test_any_cut_gives_the_same(engine, arrays, chunks, label_chunks):
    X, y = arrays
    labels = y if label_chunks == "memory" else da.from_array(y, chunks=label_chunks)
    check(engine, DaskSource(da.from_array(X, chunks=chunks), labels), X, y)


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix, sparse.coo_matrix])
def test_sparse_blocks_stay_sparse(engine, arrays, make, declared):
    X, y = arrays
    meta = make((0, 0)) if declared else np.empty((0, 0))
    blocks = da.from_array(X, chunks=(20, 7)).map_blocks(make, meta=meta, dtype=X.dtype)
    source = DaskSource(blocks, da.from_array(y, chunks=20))
    check(engine, source, X, y)
    assert {part.read().X.format for part in source.chunks(MOST)} <= {"csr", "csc"}


def test_unknown_sizes_are_paired(engine, arrays):
    X, y = arrays
    both_in = da.from_array(np.column_stack([X, y]), chunks=(11, 13))
    kept = both_in[both_in[:, 0] > 3]  # Dask does not know how many rows that leaves
    source = DaskSource(kept[:, :12], kept[:, 12])
    assert source.shape == (None, 12)
    check(engine, source, X[X[:, 0] > 3], y[X[:, 0] > 3])


def test_blocks_may_turn_out_to_be_empty(engine, arrays):
    X, y = arrays
    rows = da.from_array(np.column_stack([X, y]), chunks=(10, 13))
    kept = rows[da.from_array(np.arange(50) >= 25, chunks=10)]
    check(engine, DaskSource(kept[:, :12], kept[:, 12]), X[25:], y[25:])


def test_data_frames_have_names(engine, arrays):
    X, y = arrays
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(12)]).assign(sick=y)
    frame["gene 3"] = frame["gene 3"].astype("Int64")
    lazy = dd.from_pandas(frame, npartitions=4)
    source = DaskSource(lazy.drop(columns="sick"), lazy["sick"])
    assert (list(source.names), source.target) == ([f"gene {j}" for j in range(12)], "sick")
    check(engine, source, X, y)


def test_data_frames_and_labels_may_be_cut_differently(engine, arrays):
    X, y = arrays
    frame = dd.from_pandas(pd.DataFrame(X), npartitions=4)
    check(engine, DaskSource(frame, dd.from_pandas(pd.Series(y), npartitions=3)), X, y)


def test_rankers_give_the_bits_of_a_fit_in_memory(dask_engine, arrays):
    X, y = arrays
    grid = da.from_array(X, chunks=(13, 5)), da.from_array(y, chunks=20)
    found = ECFS(4).fit(*grid, client=dask_engine.client)  # it chooses alpha, too
    np.testing.assert_array_equal(found.scores_, ECFS(4).fit(X, y).scores_)
    rows = da.from_array(np.column_stack([X, y]), chunks=(10, 13))
    kept = rows[da.from_array(np.arange(50) >= 25, chunks=10)]  # some blocks are empty
    found = FisherScore().fit(kept[:, :12], kept[:, 12], client=dask_engine.client)
    np.testing.assert_array_equal(found.scores_, FisherScore().fit(X[25:], y[25:]).scores_)


@pytest.mark.parametrize("columns", [slice(2, 3), slice(3, 9), slice(-4, None)])
@pytest.mark.parametrize("chunks", [(20, 5), (50, 5)])
def test_some_columns(arrays, chunks, columns):
    X, y = arrays
    source = DaskSource(da.from_array(X, chunks=chunks), y)
    assert source.axis == ("columns" if chunks[0] == 50 else "rows")
    found = np.full_like(X, np.nan)
    for part in source.chunks(MOST, columns):
        found[part.rows, part.columns] = part.read().X
    wanted = np.full_like(X, np.nan)
    wanted[:, columns] = X[:, columns]
    np.testing.assert_array_equal(found, wanted)


def test_what_workers_hold_is_used_where_it_is(dask_engine, arrays):
    X, y = arrays
    client = dask_engine.client
    held = client.persist(da.from_array(X, chunks=(20, 12)) + 1)
    check(dask_engine, DaskSource(held, y), X + 1, y)


def test_no_block_is_in_the_graph():
    X = da.random.default_rng(0).normal(size=(1_000_000, 1000), chunks=(1000, 1000))
    source = DaskSource(X, da.zeros(1_000_000, chunks=5000))
    tasks = FoldGraph(by_class, source.chunks(MOST), both, threads=4, topic="topic").tasks
    assert sum(getattr(task, "func", None) is fold_part for task in tasks.values()) == 1000
    assert len(cloudpickle.dumps(tasks)) < 2_000_000


def test_blocks_are_made_by_workers(dask_engine, arrays):
    X, y = arrays
    source = DaskSource(
        da.from_array(X, chunks=(10, 12)).map_blocks(only_on_workers, meta=X[:0]), y
    )
    dask_engine.fold(by_class, source.chunks(MOST), both)


def only_on_workers(block):
    from distributed import get_worker

    get_worker()
    return block


def test_errors_name_the_block(engine, arrays):
    X, y = arrays
    kept = da.from_array(X, chunks=(10, 12))[da.from_array(np.arange(50) != 33, chunks=10)]
    source = DaskSource(kept, da.from_array(y, chunks=10)[da.from_array(y >= 0, chunks=10)])
    with pytest.raises(DataError, match=r"block 3 of 'dask array' X has 9 rows and y has shape"):
        engine.fold(by_class, source.chunks(MOST), both)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (da.zeros(5), None, "two dimensions"),
        (da.zeros((5, 2), dtype=complex), None, "real numbers"),
        (da.zeros((5, 2)), da.zeros(4), "5 rows and y has 4"),
        (da.zeros((5, 2)), np.zeros(4), "5 rows and y has 4"),
        (da.zeros((5, 2)), da.zeros((5, 2)), "one label per sample"),
        (dd.from_pandas(pd.DataFrame({"a": ["x"]})), None, "Column 'a' holds"),
        (dd.from_pandas(pd.DataFrame({"a": [1, 2, 3]}), npartitions=3), np.zeros(3), "in memory"),
        (
            dd.from_pandas(pd.DataFrame({"a": [1, 2, 3]}), npartitions=3),
            da.zeros(3, chunks=2),
            "3 blocks of rows and y has 2",
        ),
    ],
)
def test_what_cannot_be_used_is_reported(X, y, message):
    with pytest.raises(DataError, match=message):
        DaskSource(X, y)
