"""Labels of several kinds, quantities that are no labels, and bins that make classes of them."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import featrank
from featrank import FisherScore, ReliefF, bin_target
from featrank.evaluation import Protocol, compare
from featrank.exceptions import DataError, FeatrankWarning, UsageError


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(60, 5))


def cycled(*labels):
    return [labels[row % len(labels)] for row in range(60)]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((1, "1"), [1, "1"]),
        (("1", 1), [1, "1"]),
        (("x", "x\0"), ["x", "x\0"]),
        (("x\0", "x\0\0", "x"), ["x", "x\0", "x\0\0"]),
        ((2, "a", 10, "B"), [2, 10, "B", "a"]),
        ((True, "True"), [True, "True"]),
        ((Decimal(2), Decimal(10)), [2, 10]),
        ((b"a", b"b"), [b"a", b"b"]),
    ],
)
@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, dtype=object), pd.Series])
def test_different_labels_are_different_classes(X, labels, expected, kind):
    y = cycled(*labels)
    ranker = FisherScore().fit(X, kind(y))
    assert ranker.classes_.tolist() == expected
    codes = [expected.index(label) for label in y]
    np.testing.assert_array_equal(ranker.scores_, FisherScore().fit(X, codes).scores_)


def test_numbers_stay_numbers_and_texts_texts(X):
    assert FisherScore().fit(X, cycled(3, 1, 2)).classes_.dtype.kind == "i"
    assert FisherScore().fit(X, cycled("b", "a")).classes_.dtype.kind == "U"


@pytest.mark.parametrize(
    "labels",
    [
        (date(2020, 1, 1), date(2020, 1, 2)),
        (np.datetime64("2020-01-01"), np.datetime64("2020-01-02")),
        ({"a": 1}, {"b": 1}),
        (b"a", "a"),
        (object, int),
        (1j, 2j),
    ],
)
def test_labels_of_other_kinds_are_rejected(X, labels):
    y = np.empty(60, dtype=object)
    y[:] = cycled(*labels)
    with pytest.raises(DataError, match="Labels are strings, numbers or booleans"):
        FisherScore().fit(X, y)


def test_dates_and_complex_numbers_as_arrays_are_rejected(X):
    for y in (np.datetime64("2020-01-01") + np.arange(60) % 2, np.arange(60) % 2 * 1j):
        with pytest.raises(DataError, match="Unknown label type"):
            FisherScore().fit(X, y)


@pytest.mark.parametrize(
    "y",
    [
        np.column_stack([np.arange(60) % 2, np.arange(60) % 3]),
        np.array(cycled([1, 0], [0, 1])).tolist(),
        cycled(["a"], ["a", "b"]),
        cycled(("a",), ("a", "b")),
        pd.DataFrame({"a": np.arange(60) % 2, "b": np.arange(60) % 3}),
    ],
    ids=["matrix", "lists", "ragged lists", "tuples", "frame"],
)
def test_several_labels_a_sample_name_the_way_out(X, y):
    with pytest.raises(DataError, match="compare_labels"):
        FisherScore().fit(X, y)


def test_a_regression_target_is_rejected_and_many_classes_are_doubted():
    """214 values in 442 rows are a quantity; 25 in 100 may be classes; 20 are taken."""
    from sklearn.datasets import load_diabetes

    data = load_diabetes()
    for fit in (FisherScore().fit, featrank.rank):
        with pytest.raises(DataError, match=r"214 different numbers in 442 rows.*bin_target"):
            fit(data.data, data.target)
    X = np.random.default_rng(0).normal(size=(100, 4))
    with pytest.warns(FeatrankWarning, match=r"25 different numbers.*bin_target"):
        FisherScore().fit(X, np.arange(100) % 25)
    FisherScore().fit(X, np.arange(100) % 20)
    FisherScore().fit(X[:60], [f"c{code}" for code in np.arange(60) % 30])


@pytest.mark.parametrize(("rows", "values", "refused"), [(63, 21, False), (62, 21, True)])
def test_a_third_of_the_rows_is_the_limit(rows, values, refused):
    X, y = np.random.default_rng(0).normal(size=(rows, 3)), np.arange(rows) % values
    if refused:
        with pytest.raises(DataError, match="looks like a regression target"):
            FisherScore().fit(X, y)
    else:
        with pytest.warns(FeatrankWarning, match="21 different numbers"):
            FisherScore().fit(X, y)


def test_comparisons_refuse_a_regression_target_too(X):
    with pytest.raises(DataError, match="bin_target"):
        compare(X, np.arange(60), ["fisher"], Protocol(n_repeats=1, n_features=(2,)))
    with pytest.raises(DataError, match="bin_target"):
        compare(X, np.linspace(0, 1, 60), ["fisher"], Protocol(n_repeats=1, n_features=(2,)))


@pytest.mark.parametrize("bins", [2, 3, 4, 7])
def test_bins_are_those_of_pandas(bins):
    rng = np.random.default_rng(bins)
    for y in (rng.normal(size=101), rng.gamma(1, size=80), rng.integers(50, size=200)):
        quantiles = pd.qcut(y, bins, labels=False)
        np.testing.assert_array_equal(bin_target(y, bins), quantiles)
        widths = pd.cut(y, bins, labels=False)
        np.testing.assert_array_equal(bin_target(y, bins, "width"), widths)


def test_bins_make_a_target_of_a_regression_target(X):
    y = X[:, 3] + 0.1 * np.random.default_rng(1).normal(size=60)
    assert featrank.rank(X, bin_target(y, 3), "fisher").top(1) == ["x3"]
    assert set(bin_target(pd.Series(y), 5)) == set(range(5))


def test_equal_values_share_a_bin():
    y = [0] * 50 + [1, 2, 3, 4, 5]
    with pytest.warns(FeatrankWarning, match="bins of y are empty"):
        codes = bin_target(y, 4)
    assert len(set(codes[:50])) == 1
    assert set(codes) == set(range(codes.max() + 1))


@pytest.mark.parametrize(
    ("y", "bins", "kind", "error", "words"),
    [
        ([1, 2, 3], 1, "quantile", UsageError, "2 or more"),
        ([1, 2, 3], 2.5, "quantile", UsageError, "2 or more"),
        ([1, 2, 3], 2, "quantiles", UsageError, "Did you mean 'quantile'"),
        (["a", "b"], 2, "quantile", DataError, "a regression target must be numeric"),
        ([1.0, None, 2.0], 2, "quantile", DataError, "missing"),
        ([1.0, np.nan], 2, "quantile", DataError, "missing"),
        ([1.0, np.inf], 2, "quantile", DataError, "infinity"),
        ([5, 5, 5], 2, "quantile", DataError, "cannot be cut"),
        ([], 2, "quantile", DataError, "empty"),
    ],
)
def test_what_cannot_be_binned(y, bins, kind, error, words):
    with pytest.raises(error, match=words):
        bin_target(y, bins, kind)


def test_weights_for_a_method_without_them(X):
    y, weights = np.arange(60) % 2, np.ones(60)
    X[:, 0] += 3 * y
    with pytest.raises(UsageError, match="ReliefF does not support sample_weight") as caught:
        ReliefF().fit(X, y, sample_weight=weights)
    with pytest.raises(UsageError, match="does not support sample_weight"):
        featrank.rank(X, y, "relieff", sample_weight=weights)
    with pytest.raises(TypeError, match="unexpected keyword 'weights'"):
        ReliefF().fit(X, y, weights=weights)
    for name in ("ec-fs", "fisher", "mi"):
        assert name in str(caught.value)
        assert len(featrank.rank(X, y, name, sample_weight=weights)) == 5


def test_rank_hands_weights_on(X):
    y = np.arange(60) % 2
    weights = np.random.default_rng(2).integers(1, 4, size=60)
    ranking = featrank.rank(X, y, "fisher", sample_weight=weights)
    repeated = featrank.rank(np.repeat(X, weights, axis=0), np.repeat(y, weights), "fisher")
    np.testing.assert_allclose(ranking.scores, repeated.scores, rtol=1e-10)


def test_comparisons_keep_labels_apart(X):
    """Labels that differ in kind or in zeros at their ends alone are classes of their own."""
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1.0,))
    for y in (cycled(1, "1"), np.array(cycled(1, "1"), dtype=object), cycled("x", "x\0")):
        done = compare(X, y, ["fisher"], protocol)
        assert done.manifest["data"]["classes"] == 2
        assert np.array_equal(
            done.scores("fisher", 2),
            compare(X, cycled(0, 1), ["fisher"], protocol).scores("fisher", 2),
        )


def test_labels_of_a_file_keep_their_ends(tmp_path):
    import polars as pl

    from featrank import tables

    path = tmp_path / "data.parquet"
    pl.DataFrame({"a": range(4), "y": ["x", "x\0", "x", "x\0"]}).write_parquet(path)
    assert tables.read_table(path, target="y").y.tolist() == ["x", "x\0", "x", "x\0"]


def test_a_target_that_is_mostly_its_largest_value_makes_two_bins():
    assert featrank.bin_target([True, False, True], 2).tolist() == [1, 0, 1]
    assert featrank.bin_target([3, 3, 3, 1, 3], 2).tolist() == [1, 1, 1, 0, 1]


def test_texts_of_any_length_are_labels(X):
    y = ["sick", "well"] * 30
    plain = featrank.FisherScore().fit(X, y)
    ranker = featrank.FisherScore().fit(X, np.array(y, dtype=np.dtypes.StringDType()))
    assert np.array_equal(ranker.scores_, plain.scores_)
    assert list(ranker.classes_) == ["sick", "well"]


@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, dtype=object)])
def test_classes_that_would_become_one_are_rejected(kind):
    y = kind([2**70, 2**70 + 1] * 4)
    with pytest.raises(DataError, match=r"equal as float64.*Use strings"):
        FisherScore().fit(np.eye(8), y)
    assert len(FisherScore().fit(np.eye(8), kind([2**70, 2**71] * 4)).classes_) == 2
