"""Packed columns, read back by what their description says and nothing of ours."""

import numpy as np
import pytest

from featrank.report.packing import counts, pack

from .unpacking import unpack


def test_columns_come_back():
    names = ["a", 'quo"te\n', "\u202eright to left", "\ud800", "😀"]
    about, columns = unpack(
        pack(
            {
                "feature": names,
                "rank": counts([1, 2, 3, 4, 300]),
                "score": np.float32([0.5, -1, np.inf, 0, 2]),
                "chosen": counts([0, 1, 2, 3, 255]),
                "far": counts([0, 1, 2, 3, 65_536]),
            },
            {"ks": [5], "method": "ü"},
        )
    )
    assert about == {"ks": [5], "method": "ü"}
    assert columns["feature"] == names
    assert columns["rank"] == [1, 2, 3, 4, 300]
    assert columns["score"] == [0.5, -1, np.inf, 0, 2]
    assert columns["chosen"] == [0, 1, 2, 3, 255]
    assert columns["far"] == [0, 1, 2, 3, 65_536]


def test_no_score_is_no_number():
    _, columns = unpack(pack({"score": np.float32([np.nan])}, {}))
    assert np.isnan(columns["score"]).all()


def test_a_table_without_rows():
    _, columns = unpack(pack({"feature": [], "rank": counts([])}, {}))
    assert columns == {"feature": [], "rank": []}


@pytest.mark.parametrize(("largest", "bytes_each"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4)])
def test_counts_take_as_little_room_as_they_can(largest, bytes_each):
    assert counts([0, largest]).dtype.itemsize == bytes_each
    assert counts([0, largest]).tolist() == [0, largest]


def test_bytes_depend_on_the_columns_alone():
    columns = {"feature": ["a"], "rank": counts([1])}
    block = pack(columns, {})
    assert block == pack(columns, {})
    # The time in the header of gzip.
    assert block[4:8] == bytes(4)
