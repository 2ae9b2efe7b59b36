"""Methods that choose one feature after the other, on tables that workers count."""

import dask.array as da
import numpy as np
import pytest
from scipy import sparse

from featrank import CMIM, JMI, MIFS, MRMR
from featrank.code_tables import code_tables
from featrank.exceptions import DataError, UsageError
from featrank.sources import open_source
from featrank.sources.dask_collections import DaskSource

from .parts import begun, both, made, number


@pytest.fixture
def arrays():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(3, (300, 9)).astype(np.float64), rng.choice(["a", "b", "c"], 300)
    X[:, 4] = 2 * X[:, 1] + rng.normal(size=300)
    X[y == "b", 1] += 3
    return X, y


@pytest.mark.parametrize("method", [MRMR, JMI, CMIM, MIFS])
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
        open_source(tmp_path / "X.npy", labels=tmp_path / "y.npy"),
        DaskSource(blocks, y),
    ):
        found = MRMR().fit_tables(*code_tables(source, engine, bins=6, most_bytes=4000))
        np.testing.assert_array_equal(found.criterion_, expected)


@pytest.mark.parametrize("method", [MRMR, JMI, CMIM, MIFS])
@pytest.mark.parametrize("kept", [True, False])
def test_fit_counts_in_parts(engine, arrays, method, kept, tmp_path, monkeypatch):
    X, y = arrays
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    source = open_source(tmp_path / "X.npy", labels=tmp_path / "y.npy")
    if not kept:  # the codes of all rows are too much for the memory
        monkeypatch.setattr("featrank.reading.memory_budget", lambda given: 2000)
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


def test_missing_values_are_refused_with_their_place(engine, arrays):
    X, y = arrays
    X[150, 3] = np.nan
    source = DaskSource(da.from_array(X, chunks=(100, 9)), y)
    with pytest.raises(DataError, match=r"NaN.*in rows 100 to 199 of 'dask array'"):
        code_tables(source, engine)


def test_data_without_labels_is_refused(engine):
    with pytest.raises(UsageError, match="no labels"):
        code_tables(DaskSource(da.ones((5, 2))), engine)
