"""Names of very many features behave as lists of the same texts do."""

import pickle
import tracemalloc

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from featrank.exceptions import DataError
from featrank.sources.dropped_columns import Skipped
from featrank.sources.names import NumberedNames, StoredNames, as_names, repeated, taken

TEXTS = [f"x{j}" for j in range(50)]
KINDS = [NumberedNames(50), StoredNames(TEXTS), StoredNames(pa.array(TEXTS))]


@pytest.mark.parametrize("names", KINDS, ids=["numbered", "stored", "arrow"])
class TestAsAList:
    def test_texts(self, names):
        assert list(names) == TEXTS
        assert len(names) == 50
        assert [names[j] for j in (0, -1, np.int64(7))] == ["x0", "x49", "x7"]
        assert list(reversed(names)) == TEXTS[::-1]

    @pytest.mark.parametrize("part", [slice(3, 9), slice(-4, None), slice(40, 2, -3), slice(9, 3)])
    def test_slices(self, names, part):
        assert names[part] == TEXTS[part]
        assert list(names[part]) == TEXTS[part]

    def test_equality(self, names):
        for other in (TEXTS, tuple(TEXTS), *KINDS):
            assert names == other
            assert other == names
        for other in (TEXTS[:-1], [*TEXTS[:-1], "y"], NumberedNames(50, "y"), "x" * 50, 50):
            assert names != other

    def test_places(self, names):
        assert names.index("x42") == 42
        assert names[10:].index("x42") == 32
        assert names.index("x42", 40, 45) == 42
        assert "x49" in names
        for absent in ("x50", "x01", "x", "", "y1", "x²", 3, None):
            assert absent not in names
        with pytest.raises(ValueError, match="x42"):
            names.index("x42", 43)

    def test_places_beyond_the_end(self, names):
        for place in (50, -51):
            with pytest.raises(IndexError):
                names[place]

    def test_some(self, names):
        places = np.array([9, 0, 9, 49])
        assert taken(names, places) == taken(TEXTS, places) == ["x9", "x0", "x9", "x49"]
        assert taken(names[5:], np.array([0])) == ["x5"]

    def test_pickle(self, names):
        assert pickle.loads(pickle.dumps(names)) == TEXTS

    def test_no_name_twice(self, names):
        assert repeated(names) == []


def test_repeated_names_are_found_wherever_they_stand():
    texts = [f"rs{j}" for j in range(3_000)]
    texts[17], texts[2_999], texts[1_500] = "rs40", "rs40", "rs7"
    assert sorted(repeated(StoredNames(texts))) == sorted(repeated(texts)) == ["rs40", "rs7"]


def test_of_very_many_repeated_names_some_are_told():
    found = repeated(StoredNames([f"rs{j % 5_000}" for j in range(10_000)]))
    assert 0 < len(found) < 1_000
    assert set(found) <= {f"rs{j}" for j in range(5_000)}


def test_a_missing_name_is_refused():
    with pytest.raises(DataError, match=r"1 of 3 names are missing, the first at place 1"):
        StoredNames(pl.Series(["a", None, "b"]))


def test_names_are_taken_as_they_come():
    for given in (["a", "b"], ("a", "b"), pl.Series(["a", "b"]), pa.array(["a", "b"])):
        assert as_names(given) == ["a", "b"]
    assert as_names([1, 2.5]) == ["1", "2.5"]
    names = NumberedNames(3)
    assert as_names(names) is names


def test_a_name_takes_a_few_bytes():
    """Ten million names made on demand take no memory, and walking along them hardly any."""
    tracemalloc.start()
    try:
        names = NumberedNames(10_000_000)
        assert names[9_999_999] == "x9999999"
        assert names.index("x9999999") == 9_999_999
        assert repeated(names[5_000_000:]) == []
        assert sum(1 for _ in names[:200_000]) == 200_000
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()
    stored = pl.select(pl.lit("rs") + pl.int_range(0, 1_000_000).cast(pl.String)).to_series()
    assert StoredNames(stored).column.estimated_size() < 33e6


def test_columns_that_are_left_out_have_no_name():
    skipped = Skipped((0, 7, 8, 30))
    names, texts = NumberedNames(46, skipped=skipped), [f"x{j}" for j in range(50)]
    for position in reversed(skipped.positions):
        del texts[position]
    assert list(names) == texts == names
    assert [names.index(text) for text in texts] == list(range(46))
    assert names[5:20] == texts[5:20]
    assert names != NumberedNames(46)
    for absent in ("x0", "x7", "x30", "x50"):
        assert absent not in names
