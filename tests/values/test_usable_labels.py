"""The rule for labels: which samples take part, and what featrank warns about."""

import warnings

import numpy as np
import pandas as pd
import pytest

from featrank.exceptions import DataError, UsageError
from featrank.values.usable_labels import LabelRule


def applied(y, ids=None, **options):
    """Return labels, rows and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        labels, rows = LabelRule(**options).apply(y, ids)
    rows = None if rows is None else rows.tolist()
    return np.asarray(labels).tolist(), rows, [str(one.message) for one in caught]


CLEAN = ["a"] * 3 + ["b"] * 3


def test_clean_labels_stay_as_they_are():
    y = pd.Series(CLEAN)
    labels, rows = LabelRule().apply(y)
    assert labels is y
    assert rows is None


@pytest.mark.parametrize(
    "gap", [None, np.nan, pd.NA, pd.NaT, "", " ", "?", "NA", "NaN", "n/a", " NA ", "N/A"]
)
def test_missing_labels_are_left_out(gap):
    labels, rows, told = applied(["a", gap, *CLEAN])
    assert labels == ["a", *CLEAN]
    assert rows == [0, 2, 3, 4, 5, 6, 7]
    assert told == ["1 of 8 samples has no label and is left out (row 2)."]


def test_missing_numbers_are_left_out():
    y = [1.5, np.nan, 2.5, np.nan, 3.5]
    assert applied(y, min_class_size=None) == (
        [1.5, 2.5, 3.5],
        [0, 2, 4],
        ["2 of 5 samples have no target value and are left out (rows 2, 4)."],
    )


def test_samples_are_named_by_id_and_the_target_by_its_name():
    ids = [f"GSM{number}" for number in range(13)]
    told = applied([*CLEAN, *[None] * 7], ids, name="disease")[2]
    shown = "GSM6, GSM7, GSM8, GSM9, GSM10 and 2 more"
    assert told == [f"7 of 13 samples have no 'disease' and are left out ({shown})."]


def test_no_label_at_all():
    with pytest.raises(DataError, match="No sample has a label 'disease'"):
        LabelRule("disease").apply([None, "NA", ""])


@pytest.mark.parametrize("kind", [list, np.array, lambda y: np.array(y, object), pd.Categorical])
def test_surrounding_spaces_are_stripped(kind):
    y = kind(["a", "a ", " a", "b", "b", "b\t"])
    assert applied(y) == (CLEAN, None, [])


def test_labels_that_differ_in_case_stay_apart_with_a_warning():
    labels, rows, told = applied([*CLEAN, "B", "B", "B"])
    assert (labels, rows) == ([*CLEAN, "B", "B", "B"], None)
    assert len(told) == 1
    assert "differ only in case" in told[0]
    assert "'b' (3 samples), 'B' (3)" in told[0]
    assert "correct the labels" in told[0]


@pytest.mark.parametrize(
    ("usual", "code"),
    [
        ([0, 1], 9),
        ([0, 1], -9),
        ([1, 2], 99),
        ([1, 2], -1),
        ([0, 1, 2], 999),
        ([0.0, 1.0], 9.0),
        (["0", "1"], "9"),
        (["ALL", "AML"], "9"),
        (["ALL", "AML"], "unknown"),
        (["ALL", "AML"], "Unk"),
        (["ALL", "AML"], "not available"),
        (["ALL", "AML"], "missing"),
        (["ALL", "AML"], "none"),
        (["ALL", "AML"], "undetermined"),
        (["ALL", "AML"], "."),
        (["ALL", "AML"], "-"),
    ],
)
def test_codes_for_missing_are_named(usual, code):
    y = np.array(usual * 4 + [code] * 4)
    _, rows, told = applied(y)
    assert rows is None
    assert len(told) == 1
    assert f"look like codes for missing: {code!r} (4 samples)" in told[0]
    assert f'use `na_values="{code}"`' in told[0]
    _, rows, told = applied(y, na_values=(str(code),))
    assert rows == list(range(4 * len(usual)))
    assert len(told) == 1
    assert "4 of" in told[0]


@pytest.mark.parametrize(
    "usual",
    [range(10), range(1, 10), [-1, 1], [1, 9], [3, 9, 27], ["A-", "A+"], [True, False], [7, 8, 9]],
)
def test_ordinary_labels_are_no_codes(usual):
    assert applied([*usual] * 3)[2] == []


def test_small_classes_are_left_out():
    labels, rows, told = applied([*CLEAN, "c", "d", "d"])
    assert (labels, rows) == (CLEAN, [0, 1, 2, 3, 4, 5])
    assert len(told) == 1
    assert "fewer than 3 samples are left out: 'c' (1 sample), 'd' (2)" in told[0]
    assert "`min_class_size=1`" in told[0]
    assert applied([*CLEAN, "c", "d", "d"], min_class_size=1)[1:] == (None, [])
    assert applied([*CLEAN, "c", "d", "d"], min_class_size=2)[1] == [0, 1, 2, 3, 4, 5, 7, 8]


@pytest.mark.parametrize("y", [["a", "a", "b", "b"], ["a"] * 9 + ["b", "c"]])
def test_nothing_is_left_out_if_fewer_than_two_classes_would_remain(y):
    labels, rows, told = applied(y)
    assert (labels, rows) == (y, None)
    assert len(told) == 1
    assert "too small for a reliable ranking" in told[0]


def test_numbers_that_are_hardly_classes_are_left_to_the_check_of_labels():
    assert applied(np.arange(60))[1:] == (None, [])
    assert applied([0.5, 1.5, 1.5])[1:] == (None, [])


def test_missing_labels_do_not_count_as_members_of_a_class():
    labels, rows, told = applied([*CLEAN, None, "c", "c", "c "])
    assert labels == [*CLEAN, "c", "c", "c"]
    assert rows == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    assert len(told) == 1


@pytest.mark.parametrize("size", [0, -1, 2.5, True, "3"])
def test_sizes_that_are_none(size):
    with pytest.raises(UsageError, match="min_class_size"):
        LabelRule(min_class_size=size).apply(CLEAN)
