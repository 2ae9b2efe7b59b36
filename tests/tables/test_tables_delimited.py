"""CSV and TSV files, plain and gzipped."""

import gzip

import numpy as np
import pandas as pd
import pytest

from featrank.exceptions import DataError
from featrank.tables import read_table


@pytest.fixture
def csv(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("suffix", "separator"), [("csv", ","), ("tsv", "\t"), ("csv.gz", ","), ("TSV.GZ", "\t")]
)
def test_reads_what_pandas_wrote(tmp_path, suffix, separator):
    frame = pd.DataFrame(
        {"a, b": [0.1, -2.5e-300, 3e200], "^c.*$": [1, 2, 3], "who": ["x y", 'q"q', "z,z"]}
    )
    path = tmp_path / f"data.{suffix}"
    frame.to_csv(
        path, sep=separator, index=False, compression="gzip" if suffix.lower()[-1] == "z" else None
    )
    table = read_table(path, target="who")
    assert table.feature_names == ["a, b", "^c.*$"]
    np.testing.assert_array_equal(table.X, frame[["a, b", "^c.*$"]].to_numpy())
    assert table.y.tolist() == ["x y", 'q"q', "z,z"]
    assert table.target_name == "who"


def test_first_column_without_a_name_holds_row_names(tmp_path):
    frame = pd.DataFrame({"a": [1.5, 2], "y": [0, 1]}, index=["s1", "s2"])
    frame.to_csv(tmp_path / "d.csv")
    table = read_table(tmp_path / "d.csv", target="y")
    assert table.feature_names == ["a"]
    assert table.X.tolist() == [[1.5], [2.0]]
    frame.reset_index(drop=True).to_csv(tmp_path / "d.csv")
    assert read_table(tmp_path / "d.csv").feature_names == ["a", "y"]


def test_integers_then_floats_deep_down(csv):
    path = csv("a,y\n" + "1,0\n" * 2000 + "2.5,1\n")
    table = read_table(path, target="y")
    assert table.X[-1, 0] == 2.5
    assert table.X[0, 0] == 1.0
    assert table.y.dtype.kind == "i"


def test_one_text_deep_down_is_named(csv):
    path = csv("a,b,y\n" + "1,1,0\n" * 2000 + "oops,1,1\n")
    with pytest.raises(DataError, match=r"1 of 2001 cells of column 'a' .*'oops' in line 2002"):
        read_table(path, target="y")


def test_integer_columns_stay_integers(csv):
    X = read_table(csv("a,b\n1,-2\n3,4\n")).X
    assert X.dtype.kind == "i"
    assert X.tolist() == [[1, -2], [3, 4]]


def test_numbers_in_every_spelling(csv):
    path = csv('a,b,c,d\n+1, 2,.5,100000000000000000000\n1e5,3 ,5.,1\n-2, 4,"0.25",2\n')
    X = read_table(path).X
    expected = [[1, 2, 0.5, 1e20], [1e5, 3, 5, 1], [-2, 4, 0.25, 2]]
    np.testing.assert_array_equal(X, expected)


@pytest.mark.parametrize("mark", ["", "NA", "NaN", "nan", "?", "null", "N/A", " NA ", '"NA"'])
def test_marks_of_missing_values(csv, mark):
    path = csv(f"a,b\n1,5\n{mark},6\n3,7\n")
    with pytest.raises(DataError, match=r"1 missing value in 1 column: 'a' \(1\)"):
        read_table(path)
    assert read_table(path, missing="mean").X[:, 0].tolist() == [1, 2, 3]


def test_booleans_are_zero_and_one(csv):
    table = read_table(csv("a,b,y\nTrue,true,x\nFalse,false,y\n"), target="y")
    assert table.X.tolist() == [[1, 1], [0, 0]]


def test_infinite_values_are_refused(csv):
    with pytest.raises(DataError, match=r"1 infinite value.*'b' \(1\)"):
        read_table(csv("a,b\n1,inf\n2,3.5\n"), missing="mean")


def test_repeated_names_are_listed(csv):
    with pytest.raises(DataError, match=r"unique, but these are repeated: 'a'"):
        read_table(csv("a,b,a\n1,2,3\n"))


def test_a_name_may_look_like_a_renamed_one(csv):
    assert read_table(csv("a,a_duplicated_0\n1,2\n")).feature_names == ["a", "a_duplicated_0"]


def test_a_nameless_column_inside_is_refused(csv):
    with pytest.raises(DataError, match=r"Column 3 .* has no name"):
        read_table(csv("a,b,\n1,2,3\n"))


@pytest.mark.parametrize("text", ["1.5,2,3\n4,5,6\n", ",1,2\n0,5,6\n"])
def test_no_header_line(csv, text):
    with pytest.raises(DataError, match=r"only numbers.*Add a header line"):
        read_table(csv(text))


def test_names_that_are_partly_numbers_are_names(csv):
    assert read_table(csv("0,1,y\n5,6,7\n"), target="y").feature_names == ["0", "1"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\n1,2\n3\n5,6\n", 3),
        ("a,b\n1,2\n3,4,5\n", 3),
        ('a,b\n"x\ny",2\n3,4\n5\n', 5),
    ],
)
def test_ragged_rows_give_the_line(csv, text, line):
    with pytest.raises(DataError, match=rf"line {line} has \d fields, but the header has 2"):
        read_table(csv(text), missing="mean", categorical="ordinal")


def test_blank_lines_are_skipped(csv):
    assert read_table(csv("a,b\n1,2\n\n3,4\n\n\n")).X.tolist() == [[1, 2], [3, 4]]


def test_windows_line_ends_and_byte_order_mark(csv):
    table = read_table(csv(b"\xef\xbb\xbfa,b\r\n1,2\r\n3,4\r\n"))
    assert table.feature_names == ["a", "b"]
    assert table.X.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "content", [b"a,b\xff\n1,2\n", b"a,b\n1,caf\xe9\n", "a,b\n1,2\n".encode("utf-16")]
)
def test_other_encodings_are_refused(csv, content):
    with pytest.raises(DataError, match="cannot be read as"):
        read_table(csv(content), categorical="ordinal")


def test_wrong_separator_is_explained(csv):
    with pytest.raises(DataError, match=r"a single column, 'a;b;y', .* is 'x'. .*`sep=\.\.\.`"):
        read_table(csv("a;b;y\n1;2;3\n"), target="y", sep="x")


@pytest.mark.parametrize("content", ["a,b\n", "\n\n"])
def test_nothing_but_a_header(csv, content):
    with pytest.raises(DataError, match=r"no rows|no header"):
        read_table(csv(content))


def test_broken_gzip(csv):
    whole = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(3000)))
    for content in (whole[: len(whole) // 2], whole[:-4], b"a,b\n1,2\n"):
        with pytest.raises(DataError, match="cannot be read as"):
            read_table(csv(content, "d.csv.gz"))


def test_garbage(csv):
    with pytest.raises(DataError):
        read_table(csv(bytes(range(256)) * 20), categorical="ordinal", missing="mean")


def test_a_name_with_glob_signs(csv):
    assert read_table(csv("a,b\n1,2\n", "d[1]*.csv")).X.tolist() == [[1, 2]]


def test_wide_table_is_exact(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 5000))
    X[:, 7] = np.arange(20)
    frame = pd.DataFrame(X, columns=[f"g{i}" for i in range(5000)])
    frame.to_csv(tmp_path / "wide.csv", index=False)
    np.testing.assert_array_equal(read_table(tmp_path / "wide.csv").X, X)
