"""``featrank.rank`` and ``fit`` on data that is read in parts: as on the same data in memory."""

import warnings

import dask.array as da
import numpy as np
import polars as pl
import pytest
import zarr

import featrank
from featrank import tables
from featrank.base.registry import methods
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.sources import Blocks, open_dataset
from featrank.tables.options import FIT_OPTIONS

NAMES = [f"gene {j}" for j in range(30)]


@pytest.fixture
def table():
    """Return 80 × 30 floats and two classes; column 4 tells them apart, and 7 follows it."""
    rng = np.random.default_rng(1)
    y = np.array(["sick", "well"])[np.arange(80) % 2]
    X = rng.normal(5, 1, (80, 30))
    X[:, 4] += 2 * (y == "sick")
    X[:, 7] = X[:, 4] + rng.normal(0, 0.5, 80)
    return X, y


@pytest.fixture
def parquet(table, tmp_path):
    tables.write_table(tmp_path / "data.parquet", tables.Table(table[0], NAMES, table[1], "kind"))
    return tmp_path / "data.parquet"


@pytest.fixture
def by_columns(table, tmp_path):
    group = zarr.open_group(tmp_path / "data.zarr", mode="w")
    group.create_array("X", data=table[0], chunks=(80, 4))
    group.create_array("y", data=(table[1] == "sick").astype(np.int8))
    return tmp_path / "data.zarr"


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr("featrank.data.reader.Reader.block_bytes", lambda self, source: 2000)


def same(found, expected):
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert found.class_sizes() == expected.class_sizes()
    assert found.tuned_params() == expected.tuned_params()
    assert found.params == expected.params


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("method", sorted(methods()))
def test_every_method_ranks_a_source(parquet, table, method):
    expected = featrank.rank(*table, method, top=3, feature_names=NAMES)
    found = featrank.rank(open_dataset(parquet, target="kind"), method=method, top=3)
    same(found, expected)
    assert found.top(30) == expected.top(30)
    ranker = methods()[method](n_features_to_select=3).fit(open_dataset(parquet, target="kind"))
    assert sorted(ranker.get_feature_names_out()) == sorted(found.top(3))


def test_what_passes_for_a_source(parquet, table):
    expected = featrank.rank(*table, "fisher")
    for X, y in [
        (parquet, "kind"),
        (str(parquet), "kind"),
        (pl.scan_parquet(parquet), "kind"),
        (da.from_array(table[0], chunks=(13, 30)), table[1]),
        (open_dataset(parquet, drop="kind"), table[1]),
        (Blocks([table]), None),
    ]:
        found = featrank.rank(X, y, "fisher")
        np.testing.assert_array_equal(found.scores, expected.scores)
        assert found.data.n_samples == 80


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("kind", ["parquet", "by_columns"])
def test_details_figures_and_doubts_bring_a_few_columns(request, table, kind):
    X, y = table
    X[:, 20:25] = 0
    X[:2, 20:25] = 9
    path = request.getfixturevalue(kind)
    if kind == "by_columns":
        zarr.open_group(path)["X"][:] = X
        target, y = None, (y == "sick").astype(int)
    else:
        tables.write_table(path, tables.Table(X, NAMES, y, "kind"))
        target = "kind"
    with pytest.warns(FeatrankWarning) as told:
        expected = featrank.rank(X, y, "mi", top=30, n_jobs=1)
    with pytest.warns(FeatrankWarning) as told_in_parts:
        found = featrank.rank(path, target, "mi", top=30, n_jobs=1)
    assert len(told_in_parts) == len(told) == 1
    both = found.to_frame(9, details=True), expected.to_frame(9, details=True)
    assert (
        both[0]
        .drop("feature", "most_correlated")
        .equals(both[1].drop("feature", "most_correlated"))
    )
    found.plot(4)


def test_many_values_are_left_where_they_are(parquet, monkeypatch):
    monkeypatch.setattr("featrank.ranking.evidence.FEW_VALUES", 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = featrank.rank(parquet, "kind", top=5)
    assert len(found.to_frame(12, details=True)) == 12
    for ask in (lambda: found.to_frame(13, details=True), lambda: found.plot(13)):
        with pytest.raises(UsageError, match=r"13 features of 80 samples.*fewer"):
            ask()
    assert found.class_sizes()[0] == {"label": "sick", "samples": 40}


def test_a_ranking_of_a_stream_has_no_details(table):
    ranges = featrank.summaries.FeatureRanges.given(
        ["sick", "well"], table[0].min(axis=0), table[0].max(axis=0)
    )
    found = featrank.rank(Blocks(iter([table])), method="fisher", ranges=ranges)
    assert found.class_sizes() == featrank.rank(*table, "fisher").class_sizes()
    with pytest.raises(UsageError, match="can be read only once"):
        found.to_frame(details=True)


def test_a_ranking_for_each_class_is_made_in_memory(parquet, table):
    expected = featrank.rank(*table, per_class=True, top=4)
    found = featrank.rank(parquet, "kind", per_class=True, top=4)
    for label in ("sick", "well"):
        same(found[label], expected[label])


def test_what_does_not_fit_into_memory_is_refused(tmp_path):
    np.save(tmp_path / "big.npy", np.zeros((3000, 1000), np.float32))
    np.save(tmp_path / "y.npy", np.arange(3000) % 2)
    source = open_dataset(tmp_path / "big.npy", labels=tmp_path / "y.npy")
    for ask in (
        lambda: featrank.ReliefF().fit(source, memory="16MB"),
        lambda: featrank.MRMR(criterion="fcq").fit(source, memory="16MB"),
        lambda: featrank.MRMR(binning="quantile").fit(source, memory="16MB"),
        lambda: featrank.rank(source, per_class=True, memory="16MB"),
    ):
        with pytest.raises(DataError, match=r"needs all of 'big.npy' in memory, 22.9 MB.*16.0 MB"):
            ask()
    blocks = Blocks(lambda: ((np.ones((1000, 1000)), np.arange(1000) % 2) for _ in range(9)))
    with pytest.raises(DataError, match=r"'blocks' does not fit into the memory limit of 16.0 MB"):
        featrank.ReliefF().fit(blocks, memory="16MB")


def test_options_for_parts_are_refused_elsewhere(table, parquet):
    with pytest.raises(UsageError, match="`memory` is for out-of-core data"):
        featrank.rank(*table, memory="1GB")
    with pytest.raises(UsageError, match="takes no checkpoint"):
        featrank.rank(parquet, "kind", "relieff", checkpoint="file")
    with pytest.raises(UsageError, match="cannot skip missing values"):
        featrank.rank(parquet, "kind", "svm-rfe", missing="skip")


def test_no_method_has_a_parameter_of_the_same_name():
    options = set(FIT_OPTIONS)
    for cls in methods().values():
        assert not options & set(cls().get_params())


def test_names_of_very_many_features_are_not_made(tmp_path, monkeypatch):
    made = []
    plain = featrank.sources.names.NumberedNames._one
    monkeypatch.setattr(
        featrank.sources.names.NumberedNames,
        "_one",
        lambda self, place: made.append(place) or plain(self, place),
    )
    rng = np.random.default_rng(0)
    np.save(tmp_path / "wide.npy", np.asfortranarray(rng.normal(size=(6, 30_000)), np.float32))
    found = featrank.rank(tmp_path / "wide.npy", np.arange(6) % 2, "fisher", top=5)
    assert len(found.top(5)) == 5
    assert len(made) < 100
