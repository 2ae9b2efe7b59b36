"""Methods on summaries fit Dask collections: the bits of memory for any cut, and small graphs."""

import os
import signal
import time

import cloudpickle
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from scipy import sparse

from featrank import ECFS, MRMR, FisherScore, InfFSSupervised, MutualInformation
from featrank._utils.progress import progress_to
from featrank.engines.dask_graph import FoldGraph
from featrank.exceptions import DataError, FeatrankError

RANKERS = [ECFS(4), FisherScore(), MutualInformation(), InfFSSupervised()]
NAMES = [f"gene {j}" for j in range(11)]


def table():
    """Half of the values are 0; the rows of a class lie together, so that blocks lack classes."""
    rng = np.random.default_rng(3)
    y = np.repeat(["case", "control", "other"], [50, 40, 30])
    X = np.round(rng.normal(0, 8, (120, 11)), 2) + 5 * (y == "case")[:, None] * (np.arange(11) < 3)
    return np.where(rng.random(X.shape) < 0.5, 0, X), y


X, Y = table()
LABELS = da.from_array(Y, chunks=31)  # cut differently from every X below


@pytest.fixture(scope="module")
def expected():
    return {str(ranker): ranker.fit(X, Y).scores_.copy() for ranker in RANKERS}


@pytest.fixture
def client(dask_engine):
    return dask_engine.client


def fitted(ranker, *data, **options):
    return type(ranker)(**ranker.get_params()).fit(*data, **options)


def check(expected, *data, rankers=RANKERS, **options):
    for ranker in rankers:
        found = fitted(ranker, *data, **options)
        np.testing.assert_array_equal(found.scores_, expected[str(ranker)], str(ranker))
        np.testing.assert_array_equal(found.classes_, ["case", "control", "other"])


@pytest.mark.parametrize(
    "chunks",
    [(25, 11), (25, 4), (120, 4), ((60, 0, 60), (11,))],
    ids=["rows", "both", "columns", "empty"],
)
def test_any_cut_gives_the_bits_of_memory(client, expected, chunks):
    check(expected, da.from_array(X, chunks=chunks), LABELS, client=client)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix])
def test_sparse_blocks(client, expected, make):
    blocks = da.from_array(X, chunks=(45, 11)).map_blocks(make, meta=make((0, 0)), dtype=X.dtype)
    check(expected, blocks, LABELS, client=client)


def test_unknown_sizes_and_blocks_that_turn_out_to_be_empty(client, expected):
    twice = np.vstack([X + 1e6, X])  # the first half is filtered away
    codes = np.unique(Y, return_inverse=True)[1]
    rows = da.from_array(np.column_stack([twice, np.tile(codes, 2)]), chunks=(30, 12))
    kept = rows[rows[:, 0] < 1e5]
    for ranker in RANKERS:
        found = fitted(ranker, kept[:, :11], kept[:, 11], client=client)
        np.testing.assert_array_equal(found.scores_, expected[str(ranker)])


@pytest.mark.parametrize("cut_alike", [True, False])
def test_data_frames(client, expected, cut_alike):
    frame = dd.from_pandas(pd.DataFrame(X, columns=NAMES), npartitions=4)
    labels = dd.from_pandas(pd.Series(Y, name="kind"), npartitions=4 if cut_alike else 3)
    check(expected, frame, labels, client=client)
    found = ECFS(4).fit(frame, labels, client=client)
    in_memory = ECFS(4).fit(pd.DataFrame(X, columns=NAMES), Y)
    assert found.get_feature_names_out().tolist() == in_memory.get_feature_names_out().tolist()


def test_without_a_client_it_works_on_threads(expected):
    check(expected, da.from_array(X, chunks=(25, 4)), LABELS)
    check(expected, da.from_array(X, chunks=(25, 4)), Y)  # labels in memory


def leaving_trace(block, folder):
    (folder / str(os.getpid())).touch()
    return block


def test_the_current_client_is_used_unless_one_is_given(client, tmp_path):
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster, set_as_default=True),
    ):
        for options, here in (({}, True), ({"client": client}, False)):
            folder = tmp_path / str(here)
            folder.mkdir()
            traced = da.from_array(X, chunks=(60, 11)).map_blocks(leaving_trace, folder, meta=X)
            FisherScore().fit(traced, LABELS, **options)
            assert (str(os.getpid()) in os.listdir(folder)) == here


@pytest.fixture
def graphs(monkeypatch):
    """Return the sizes of all graphs of folds."""
    sizes = []

    class Weighed(FoldGraph):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            sizes.append(len(cloudpickle.dumps(self.tasks)))

    monkeypatch.setattr("featrank.engines.dask.FoldGraph", Weighed)
    return sizes


def test_no_array_is_in_the_graphs(client, graphs):
    rng = da.random.default_rng(0)
    many = rng.normal(size=(12_000, 6), chunks=(300, 6))
    labels = rng.integers(0, 2, 12_000, chunks=300).astype(np.int8)
    FisherScore().fit(many, labels, client=client)
    assert max(graphs) < 44_000  # forty parts; the labels would be 12,000 more
    ECFS(2).fit(many, labels, client=client)  # which chooses alpha by views of the rows
    assert max(graphs) < 44_000 + 8 * 12_000  # codes of six views are there once, a byte a row


def slow(block):
    time.sleep(0.05)
    return block


@pytest.mark.slow
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(client, expected):
    killed = []

    def kill(done, total):
        if done >= total / 4 and not killed:
            os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)
            killed.append(done)

    made = da.from_array(X, chunks=(8, 11)).map_blocks(slow, meta=X)
    with progress_to(kill):
        check(expected, made, LABELS, rankers=[ECFS(4)], client=client)
    assert killed


def greedy(block):
    eaten = []
    while True:
        eaten.append(np.ones(2**20))
        time.sleep(0.005)


@pytest.mark.slow
def test_a_block_that_needs_too_much_memory_is_told_as_that(small_cluster):
    made = da.from_array(X, chunks=(120, 11)).map_blocks(greedy, meta=X)
    # Of the tasks that die with a worker, Dask blames one: the block's, or one that waited for it.
    told = r"Out of memory on worker tcp://.*(rows 0 to 119 of 'd|chunks, or on merging their st)"
    with pytest.raises(FeatrankError, match=told):
        FisherScore().fit(made, LABELS, client=small_cluster)


def fails_for_some(block):
    if (block[:, 0] == X[70, 0]).any():
        raise ArithmeticError("no such code")
    return block


def test_an_error_names_its_block(client):
    array = da.from_array(X, chunks=(25, 11))
    with pytest.raises(ArithmeticError, match=r"no such code \(in rows 50 to 74 of 'dask array'"):
        FisherScore().fit(array.map_blocks(fails_for_some, meta=X), LABELS, client=client)
    with pytest.raises(ArithmeticError, match=r"no such code \(in rows 50 to 74 of 'dask array'"):
        MRMR(3).fit(array.map_blocks(fails_for_some, meta=X), LABELS, client=client)
    columns = array.rechunk((120, 4)).map_blocks(fails_for_some, meta=X)
    with pytest.raises(ArithmeticError, match=r"no such code \(in columns 0 to 3 of 'dask array'"):
        FisherScore().fit(columns, LABELS, client=client)
    bad = X.copy()
    bad[70, 3] = np.nan
    with pytest.raises(DataError, match="NaN"):
        FisherScore().fit(da.from_array(bad, chunks=(25, 11)), LABELS, client=client)
