"""A target and groups that are columns of a data frame, by name."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import featrank
from featrank import ECFS, FisherScore
from featrank.evaluation import Protocol, compare
from featrank.exceptions import DataError, FeatrankWarning, UsageError

NAMES = ["a", "b", "c"]
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture
def columns():
    rng = np.random.default_rng(0)
    status = np.array(["sick", "well"])[np.arange(40) % 2]
    values = {name: rng.normal(size=40) for name in NAMES}
    values["b"] += 2 * (status == "sick")
    batch = np.repeat(np.arange(8), 5)
    return {"a": values["a"], "status": status, "b": values["b"], "batch": batch, "c": values["c"]}


@pytest.fixture(params=FRAMES)
def frame(request, columns):
    return FRAMES[request.param](columns)


def values_of(columns):
    return np.column_stack([columns[name] for name in NAMES])


def test_rank_and_fit(frame, columns):
    X, y, groups = values_of(columns), columns["status"], columns["batch"]
    found = featrank.rank(frame, "status", groups="batch")
    expected = featrank.rank(X, y, groups=groups, feature_names=NAMES)
    np.testing.assert_allclose(found.scores, expected.scores)
    assert list(found.feature_names) == NAMES
    assert found.class_sizes() == expected.class_sizes()
    np.testing.assert_allclose(found.ranker.cv_scores_, expected.ranker.cv_scores_)
    fitted = ECFS().fit(frame, "status", groups="batch")
    np.testing.assert_allclose(fitted.scores_, expected.scores)
    assert fitted.feature_names_in_.tolist() == NAMES
    each = featrank.rank(frame, "status", "fisher", per_class=True)
    assert sorted(each) == ["sick", "well"]
    assert "batch" in each["sick"].feature_names  # a column that nobody named is a feature
    assert list(FisherScore().fit_per_class(frame, "status")) == ["sick", "well"]


def test_a_regression_target(columns):
    numbers = {name: column for name, column in columns.items() if name != "status"}
    for make in FRAMES.values():
        found = featrank.rank(make(numbers), "b", "mi", task="regression")
        X = np.column_stack([numbers[name] for name in ("a", "batch", "c")])
        expected = featrank.rank(X, numbers["b"], "mi", task="regression")
        np.testing.assert_allclose(found.scores, expected.scores)


def test_compare(frame, columns):
    protocol = Protocol(n_repeats=2, n_features=(1,), C=(1,))
    found = compare(frame, "status", ["fisher"], protocol, groups="batch")
    assert set(found.features()["feature"]) == set(NAMES)
    X, y, groups = values_of(columns), columns["status"], columns["batch"]
    expected = compare(X, y, ["fisher"], protocol, groups=groups)
    np.testing.assert_allclose(found.scores("fisher", 1), expected.scores("fisher", 1))


def test_wrong_names(frame):
    for call in (
        lambda: featrank.rank(frame, "statsu"),
        lambda: ECFS().fit(frame, "statsu"),
        lambda: compare(frame, "statsu", ["fisher"]),
    ):
        with pytest.raises(UsageError, match=r"column 'statsu'\. Did you mean 'status'"):
            call()
    with pytest.raises(UsageError, match=r"column 'patch'\. Did you mean 'batch'"):
        featrank.rank(frame, "status", groups="patch")


def test_columns_that_are_not_numeric(frame):
    with pytest.raises(
        DataError, match=r"1 column of X is not numeric: 'status' .*Drop or encode such columns"
    ):
        featrank.rank(frame, "batch")


def test_frames_without_features_or_names(columns):
    with pytest.raises(DataError, match="no features besides the target"):
        featrank.rank(pd.DataFrame({"status": columns["status"]}), "status")
    with pytest.raises(UsageError, match=r"y='status' names a column.*no column names"):
        featrank.rank(values_of(columns), "status")
    with pytest.raises(UsageError, match=r"groups='batch' names a column"):
        featrank.rank(values_of(columns), columns["status"], groups="batch")
    twice = pd.DataFrame(np.eye(3), columns=["x", "y", "y"])
    with pytest.raises(DataError, match="several columns with the same name: 'y'"):
        featrank.rank(twice, "y")


def test_missing_labels(columns):
    for missing in (None, np.nan):
        frame = pd.DataFrame(columns)
        frame.loc[3, "status"] = missing
        for made in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
            with pytest.raises(DataError, match="1 of 40 labels are missing"):
                FisherScore().fit(made, "status")
            with pytest.warns(FeatrankWarning, match="1 of 40 samples has no"):
                found = featrank.rank(made, "status", "fisher")
            assert [one["samples"] for one in found.class_sizes()] == [20, 19]


def test_categories(columns):
    kinds = pd.Categorical(columns["status"], categories=["well", "sick", "unused"])
    found = featrank.rank(pd.DataFrame({**columns, "status": kinds}), "status", "fisher")
    expected = featrank.rank(pd.DataFrame(columns), "status", "fisher")
    assert found.class_sizes() == expected.class_sizes()
    table = pl.DataFrame(columns).with_columns(pl.col("status").cast(pl.Categorical))
    assert featrank.rank(table, "status", "fisher").class_sizes() == expected.class_sizes()
    arrow = featrank.rank(table.to_arrow(), "status", "fisher")
    assert arrow.class_sizes() == expected.class_sizes()


def test_inputs_are_not_changed(columns):
    frame = pd.DataFrame(columns)
    before = frame.copy()
    featrank.rank(frame, "status", "fisher")
    pd.testing.assert_frame_equal(frame, before)
