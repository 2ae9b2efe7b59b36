"""Targets that are no quantity as they are: what is wrong, where, and a way out that works."""

from datetime import date, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest

import featrank
from featrank import FisherScore, bin_target
from featrank.exceptions import DataError

DAYS = pd.Series(pd.date_range("2020-01-30", periods=8, freq="3D"))


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(8, 3))


def refusal(X, y):
    """Return what is said of a target that is refused for a quantity, wherever it is asked."""
    with pytest.raises(DataError) as caught:
        featrank.rank(X, y, "fisher", task="regression")
    with pytest.raises(DataError) as binned:
        bin_target(y, 2)
    assert str(binned.value) == str(caught.value)
    return str(caught.value)


def followed(code, y):
    """Return what the code of a message makes of a target."""
    names = {"y": y, "numpy": np, "pandas": pd}
    *before, last = code.rstrip(".").split("; ")
    exec("; ".join(before), names)
    return eval(last.removeprefix("y = "), names)


@pytest.mark.parametrize(
    "y",
    [
        DAYS,
        DAYS.dt.tz_localize("UTC"),
        DAYS.to_numpy(),
        pd.DatetimeIndex(DAYS),
        DAYS.dt.date.tolist(),
        pd.Series(DAYS.dt.date),
        pl.Series(DAYS.tolist()),
        DAYS.dt.strftime("%Y-%m-%d").tolist(),
        DAYS.dt.strftime("%d/%m/%Y 00:00").tolist(),
    ],
    ids=["series", "zone", "array", "index", "list", "objects", "polars", "texts", "others' texts"],
)
@pytest.mark.filterwarnings("ignore:Parsing dates:UserWarning")
@pytest.mark.filterwarnings("ignore:no explicit representation of timezones:UserWarning")
def test_days_take_the_place_of_dates(X, y):
    told = refusal(X, y)
    assert "days since the first" in told
    code = told.split("`")[1]
    assert list(followed(code, y)) == list(range(0, 24, 3))
    assert len(FisherScore(task="regression").fit(X, followed(code, y)).scores_) == 3


def test_a_series_of_dates_is_short_to_mend(X):
    assert refusal(X, DAYS).endswith("`(y - y.min()).dt.days`.")


@pytest.mark.parametrize("y", [DAYS - DAYS[0], [timedelta(days) for days in range(8)]])
def test_seconds_take_the_place_of_durations(X, y):
    told = refusal(X, y)
    assert "durations" in told
    assert np.ptp(followed(told.split("`")[1], y)) >= 7 * 86_400


@pytest.mark.parametrize(
    ("odd", "way"),
    [
        ("n.d.", "Replace them with numbers, or drop those rows"),
        ("<0.5", "Replace them with numbers"),
        ("4,58", "Use decimal points instead of commas: 4.58"),
        ("4.58 mg", "Remove the units: 4.58"),
        ("-3%", "Remove the units: -3"),
        ("2020-02-15", "Replace dates with days"),
    ],
)
def test_the_first_text_that_is_no_number_is_named(X, odd, way):
    numbers = ["5.0", "1e3", "-2", "4", "7", "8.5"]
    for y in ([*numbers, odd, odd], [*map(float, numbers), odd, odd]):
        told = refusal(X, y)
        assert f"strings such as {odd!r} in row 7 (counted from 1)" in told
        assert "2 of 8 values are not numbers" in told
        assert way in told
        assert "class labels" not in told


def test_texts_of_numbers_are_nearly_right(X):
    y = ["5.0", "1e3", "-2", "4", "7", "8.5", "1", "2"]
    told = refusal(X, y)
    assert len(followed(told.split("`")[1], y)) == 8


def test_names_of_classes_are_reported_as_such(X):
    assert "If these are class labels" in refusal(X, ["sick", "well"] * 4)


@pytest.mark.parametrize(
    "y",
    [
        [1, np.nan, 3, 4, 5, np.nan, 7, 8],
        [1, None, 3, 4, 5, None, 7, 8],
        pd.Series([1, None, 3, 4, 5, None, 7, 8], dtype="Int64"),
        np.ma.array(np.arange(8.0), mask=[0, 1, 0, 0, 0, 1, 0, 0]),
        DAYS.where(~DAYS.index.isin([1, 5])),
    ],
)
def test_fit_rejects_missing_numbers(X, y):
    with pytest.raises(DataError) as caught:
        featrank.ECFS(task="regression").fit(X, y)
    message = str(caught.value)
    assert "contains NaN: 2 of 8 numbers are missing, in rows 2, 6 (counted from 1)" in message
    assert "Drop those rows" in message


def test_infinite_numbers_are_counted(X):
    told = refusal(X, [1, np.inf, 3, 4, 5, -np.inf, 7, 8])
    assert "contains infinity: 2 of 8 numbers, in rows 2, 6 (counted from 1)" in told
    assert "rows 2, 3, 4, 5, 6 and 2 more" in refusal(X, [1, *[np.inf] * 7])


def test_integers_beyond_float64_are_rejected(X):
    y = [1, 2, 3, 4, 5, 6, 7, 10**400]
    assert "too large for float64, beyond 1.8e308: 1 of 8, in row 8" in refusal(X, y)
    with pytest.raises(DataError, match=r"too large for float64.*use strings"):
        FisherScore().fit(X, [1, 10**400] * 4)


def test_integers_that_are_one_float_are_a_regression_target(X):
    """They would be two classes, but as numbers they hardly differ."""
    ranker = FisherScore(task="regression")
    plain = ranker.fit(X, [2.0**70, 2.0**70, 1, 2, 3, 4, 5, 6]).scores_
    assert np.array_equal(plain, ranker.fit(X, [2**70, 2**70 + 1, 1, 2, 3, 4, 5, 6]).scores_)


@pytest.mark.parametrize("y", [np.arange(8) * 1j, [{}] * 8, [date, timedelta] * 4])
def test_other_kinds_are_not_numeric(X, y):
    assert "a regression target must be numeric. Pass one number per sample" in refusal(X, y)
