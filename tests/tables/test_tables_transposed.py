"""Tables with features in rows: turned, doubted, and their names chosen."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

from featrank import tables
from featrank.exceptions import DataError, FeatrankWarning, UsageError

WIDE = """gene,symbol,GSM1,GSM2,GSM3,GSM4
class,,sick,well,sick,well
1007_s_at,DDR1,7.5,8,7.25,9
1053_at,RFC2,1,NA,3,4
117_at,DDR1,0.5,1.5,2.5,3.5
"""


@pytest.fixture
def stored(tmp_path):
    def save(text, name="genes.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return save


def test_it_is_what_pandas_makes_of_it(stored):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, 7)), columns=[f"s{i}" for i in range(7)])
    frame.insert(0, "gene", [f"g{i}" for i in range(30)])
    table = tables.read_table(stored(frame.to_csv(index=False)), transpose=True)
    turned = frame.set_index("gene").T
    np.testing.assert_array_equal(table.X, turned.to_numpy())
    assert table.feature_names == list(turned.columns)
    assert table.ids.tolist() == list(turned.index)


def test_a_row_of_texts_is_the_target_and_texts_of_features_their_symbols(stored):
    table = tables.read_table(stored(WIDE), transpose=True, target="class", missing="keep")
    assert table.y.tolist() == ["sick", "well", "sick", "well"]
    assert table.feature_names == ["1007_s_at", "1053_at", "117_at"]
    assert table.symbols == ["DDR1", "RFC2", "DDR1"]
    assert table.ids.tolist() == ["GSM1", "GSM2", "GSM3", "GSM4"]
    expected = [[7.5, 1, 0.5], [8, np.nan, 1.5], [7.25, 3, 2.5], [9, 4, 3.5]]
    np.testing.assert_array_equal(table.X, expected)


def test_other_names_and_what_becomes_of_repeated_ones(stored):
    path = stored(WIDE)
    asked = {"transpose": True, "target": "class", "names": "symbol", "missing": "keep"}
    with pytest.raises(DataError, match=r"'DDR1'.*`duplicates"):
        tables.read_table(path, **asked)
    mean = tables.read_table(path, duplicates="mean", **asked)
    assert mean.feature_names == ["DDR1", "RFC2"]
    assert mean.symbols == ["1007_s_at", "1053_at"]  # what named them before
    assert mean.X[:, 0].tolist() == [4, 4.75, 4.875, 6.25]
    largest = tables.read_table(path, duplicates="max", **asked)
    assert largest.X[:, 0].tolist() == [7.5, 8, 7.25, 9]
    first = tables.read_table(path, duplicates="first", **asked)
    assert first.X[:, 0].tolist() == [7.5, 8, 7.25, 9]
    assert "1 name occurs more than once." in mean.notes[-1]


def test_rows_without_the_name_asked_for_keep_their_own(stored):
    text = "id,symbol,a,b\np1,X,1,2\np2,,3,4\np3,---,5,6\n"
    table = tables.read_table(stored(text), transpose=True, names="symbol")
    assert table.feature_names == ["X", "p2", "p3"]
    with pytest.raises(DataError, match="1 of 2 rows have no name in the first column"):
        tables.read_table(stored("id,a,b\n,1,2\np2,3,4\n"), transpose=True)


def test_a_numeric_row_can_be_target_kept_or_dropped(stored):
    text = "name,a,b,c\nstatus,0,1,1\nage,30,40,50\ng1,1,2,3\ng2,4,5,6\n"
    table = tables.read_table(stored(text), transpose=True, target="status", keep="age", drop="g2")
    assert (table.y.tolist(), table.feature_names) == ([0, 1, 1], ["g1"])
    assert table.kept["age"].tolist() == [30, 40, 50]
    assert table.X.dtype == np.int64


def test_parquet_and_arrays_are_turned_too(tmp_path):
    frame = pd.DataFrame({"s1": [1.0, 2, 3], "s2": [4.0, 5, 6]}, index=["g1", "g2", "g3"])
    frame.to_parquet(tmp_path / "genes.parquet")
    table = tables.read_table(tmp_path / "genes.parquet", transpose=True)
    assert (table.feature_names, table.ids.tolist()) == (["g1", "g2", "g3"], ["s1", "s2"])
    assert table.X.tolist() == [[1, 2, 3], [4, 5, 6]]
    np.save(tmp_path / "genes.npy", frame.to_numpy())
    assert tables.read_table(tmp_path / "genes.npy", transpose=True).X.tolist() == table.X.tolist()


def test_a_table_of_texts_alone_and_formats_that_are_not_turned(stored, tmp_path):
    with pytest.raises(DataError, match="No column holds numbers"):
        tables.read_table(stored("g,a,b\ng1,x,y\ng2,u,v\n"), transpose=True)
    (tmp_path / "d.svmlight").write_text("1 1:2\n")
    with pytest.raises(UsageError, match=r"cannot be transposed.*\.csv"):
        tables.read_table(tmp_path / "d.svmlight", transpose=True)
    with pytest.raises(UsageError, match=r"Unknown column 'symbl'. Did you mean 'symbol'"):
        tables.read_table(stored(WIDE), transpose=True, names="symbl")


def doubtful(rows, columns, first="id", label=None):
    frame = pl.DataFrame({first: rows} | {name: range(len(rows)) for name in columns})
    if label is not None:
        frame = frame.with_columns(pl.Series("y", label))
    stream = io.BytesIO()
    frame.write_csv(stream)
    return stream.getvalue().decode()


@pytest.mark.parametrize(
    ("rows", "columns", "reason"),
    [
        ([f"r{i}" for i in range(12)], ["GSM1", "GSM2", "x"], "names of samples .'GSM1'"),
        ([f"ENSG0000{i}" for i in range(12)], ["a", "b"], "names of features"),
        ([f"n{i}" for i in range(1200)], ["a", "b"], "1,200 named rows, 2 columns"),
    ],
)
def test_what_looks_turned_is_doubted(stored, rows, columns, reason):
    path = stored(doubtful(rows, columns))
    with pytest.warns(FeatrankWarning, match=rf"'genes.csv' may have.*{reason}.*`transpose=True`"):
        tables.read_table(path)


def test_what_looks_right_is_not_doubted(stored):
    names = [f"patient {i}" for i in range(1200)]
    tables.read_table(stored(doubtful(names, ["a", "b"], label=["u", "v"] * 600)), target="y")
    tables.read_table(stored(doubtful([f"p{i}" for i in range(20)], ["TP53", "GSM", "BRCA1"])))


def test_a_target_that_is_a_row_is_told(stored):
    rows = [*(f"g{i}" for i in range(12)), "diagnosis"]
    path = stored(doubtful(rows, ["s1", "s2"]))
    with pytest.raises(
        UsageError,
        match="No column is named 'diagnosis', but a row is, so the table has features in rows",
    ):
        tables.read_table(path, target="diagnosis")


def test_text_with_tabs_is_turned_and_a_series_is_already(stored):
    table = tables.read_table(stored("g\ts1\ts2\na\t1\t2\nb\t3\t4\n", "genes.txt"), transpose=True)
    assert table.X.tolist() == [[1, 3], [2, 4]]
    with pytest.raises(UsageError, match="always transposed"):
        tables.read_table(stored("!Series_title\tx\n", "x_series_matrix.txt"), transpose=True)


def test_a_target_that_is_elsewhere_is_refused_with_a_hint(stored):
    path = stored(doubtful([f"r{i}" for i in range(12)], ["GSM1", "GSM2"]))
    with pytest.raises(UsageError, match=r"Unknown column 'diagnosis'.*`transpose=True`"):
        tables.read_table(path, target="diagnosis")
