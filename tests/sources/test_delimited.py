"""CSV and TSV by pieces, against the reader of whole tables."""

import gzip

import numpy as np
import pandas as pd
import pytest

from featrank.exceptions import DataError, UsageError
from featrank.sources import delimited_text, open_dataset
from featrank.tables import read_table

from .whole import assert_same, elsewhere, together

N = 60


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    """Cut texts every few rows, as large files are every few megabytes."""
    monkeypatch.setattr(delimited_text, "_PIECE", 100)
    monkeypatch.setattr(delimited_text, "_LEAST_ROWS", 1)


@pytest.fixture
def stored(tmp_path):
    def save(text, name="d.csv"):
        data = text if isinstance(text, bytes) else text.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.lower().endswith("gz") else data)
        return path

    return save


def frame(**columns):
    rng = np.random.default_rng(11)  # the same table whichever tests ran before
    values = {
        "a": rng.normal(size=N) * 10.0 ** rng.integers(-300, 300, N),
        "b": rng.integers(-5, 5, N),
        "flag": rng.integers(0, 2, N) > 0,
        "kind": np.array(["u v", 'q"q', "x,y", "two\nlines", "é"])[rng.integers(0, 5, N)],
    }
    return pd.DataFrame(values | columns)


@pytest.mark.parametrize("name", ["d.csv", "d.tsv", "d.csv.gz", "d.TSV.GZ"])
def test_parts_are_the_table(stored, name):
    text = frame().to_csv(sep="\t" if "tsv" in name.lower() else ",", index=False)
    path = stored(text, name)
    table = read_table(path, target="kind")
    source = open_dataset(path, target="kind")
    assert source.shape == (N, 3)
    assert source.names == table.feature_names
    assert source.dtype == table.X.dtype
    assert source.again
    assert_same(source, table.X, table.y)
    assert_same(open_dataset(path, target=-1, drop="a"), table.X[:, 1:], table.y)


@pytest.mark.parametrize("name", ["d.csv", "d.csv.gz"])
def test_parts_are_read_in_another_process(stored, name):
    source = open_dataset(stored(frame().to_csv(index=False), name), target="kind")
    parts = list(source.chunks(200))
    assert len(parts) > 4
    for part, (X, y) in zip(parts, elsewhere(parts), strict=True):
        block = part.read()
        assert X.tobytes() == block.X.tobytes()
        assert y.tolist() == block.y.tolist()


ROWS = "1,2,u\n" * 50
DEEP = {
    "floats deep down": "a,b,y\n" + ROWS + "2.5,-0,v\n",
    "a gap deep down": "a,b,y\n" + ROWS + ",2,v\n",
    "gaps of all kinds": "a,b,y\n" + ROWS + "NA,?,v\nnan,N/A,v\n" + ROWS,
    "gaps first": "a,b,y\n" + "NA,2,u\n" * 60 + "3,4,v\n",
    "blanks around numbers": "a,b,y\n" + ROWS + " 3 , 4.5,v\n NA,-0,v\n",
    "numbers that become texts": "a,b,y\n" + "1,2,01\n" * 50 + "3,4,x\n",
    "integers that become floats": "a,b,y\n" + "1,2,3\n" * 50 + "3,4,3.5\n",
    "booleans that become texts": "a,b,y\n" + "1,2,true\n" * 50 + "3,4,3\n",
    "booleans": "a,b,y\n" + "true,2,u\n" * 50 + "False,4,v\n",
    "booleans with gaps": "a,y\n" + "true,u\n" * 50 + ",v\n",
    "blank lines": "\n\na,b,y\n" + ROWS + "\n3,4,v\n\n\n" + ROWS + "\n",
    "no newline at the end": "a,b,y\n" + ROWS + "3,4,v",
    "carriage returns": ("a,b,y\n" + ROWS).replace("\n", "\r\n"),
    "a byte order mark": "\ufeffa,b,y\n" + ROWS,
    "names of rows": ",a,b,y\n" + "r,1,2,u\n" * 50,
    "a header of two lines": '"a\n1","b,",y\n' + ROWS,
    "quoted numbers": "a,b,y\n" + '"1","2.5",u\n' * 50 + "3,4,v\n",
    "wide integers": "a,b,y\n" + ROWS + f"{2**70},4,v\n",
    "large floats": "a,b,y\n" + ROWS + "1e300,4.5,v\n" + f"{2**60},4,u\n",
    "gaps in the last column": "y,a\n" + "u,1\n" * 50 + "v,\n" + "u,2\n" * 50,
    "blanks long before fractions": "a,b,y\n"
    + " 1,2,u\n"
    + ROWS
    + "2.5,+3,v\n"
    + ROWS
    + "-0,1e3,u\n",
    "booleans of both kinds": "a,b,y\n" + "true,1,TRUE\n" * 50 + "FALSE,2,False\n" * 50,
    "one column": "a,y\n" + "5,u\n" * 50,
}


@pytest.mark.parametrize(
    ("kind", "name"),
    [*((kind, "d.csv") for kind in DEEP), ("blank lines", "d.csv.gz"), ("gaps first", "d.tsv.gz")],
)
def test_types_do_not_change_from_piece_to_piece(stored, kind, name):
    text = DEEP[kind]
    path = stored(text.replace(",", "\t") if "tsv" in name else text, name)
    table = read_table(path, target="y", missing="keep")
    source = open_dataset(path, target="y")
    assert source.names == table.feature_names
    assert source.dtype == table.X.dtype
    assert_same(source, table.X, table.y)
    types = {type(label) for part in source.chunks(64) for label in part.read().y.tolist()}
    assert types == {type(label) for label in table.y.tolist()}


BROKEN = {
    "a short row": "a,b,y\n" + ROWS + "3,4\n",
    "a long row": "a,b,y\n" + ROWS + "3,4,v,5\n",
    "a short row after a long label": 'a,b,y\n1,2,"u\nv"\n' + ROWS + "3,4\n",
    "two texts deep down": "a,b,y\n" + ROWS + "oops,4,v\n" + ROWS + "1,ouch,v\n",
    "a short row, gaps in the last column": "y,a\n" + "u,1\n" * 50 + "v,\nu\n",
    "a boolean among numbers": "a,b,y\n" + ROWS + "true,4,v\n",
    "a large integer": "a,b,y\n" + ROWS + f"{2**53 + 1},4,v\n",
    "a wide integer": "a,b,y\n" + ROWS + f"{2**70 + 1},4,v\n",
    "a large integer among fractions": "a,b,y\n0.5,2,u\n" + ROWS + f"{2**53 + 1},4,v\n",
    "no header": "1,2,3\n4,5,6\n",
    "repeated names": "a,a,y\n" + ROWS,
    "a column without a name": "a,,y\n" + ROWS,
    "no rows": "a,b,y\n",
    "no rows but blank ones": "a,b,y\n\n\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_wrong_is_told_as_of_whole_tables(stored, kind):
    path = stored(BROKEN[kind])
    with pytest.raises(DataError) as whole:
        read_table(path, target="y")
    with pytest.raises(DataError) as parts:
        open_dataset(path, target="y")
    assert str(whole.value) in str(parts.value)


def test_text_that_is_not_utf8(stored):
    with pytest.raises(DataError, match=r"d.csv' cannot be read as"):
        open_dataset(stored(b"a,y\n" + b"1,u\n" * 50 + b"2,\xff\n"), target="y")


def test_an_open_quote_is_not_read_to_the_end_of_a_large_file(stored):
    with pytest.raises(DataError, match=r"A row of 'd.csv' is longer than .* quote"):
        open_dataset(stored('a,y\n1,"u\n' + "1,u\n" * 2000), target="y")


@pytest.mark.parametrize("name", ["d.csv", "d.csv.gz"])
def test_damage_is_named(stored, name):
    path = stored(frame(kind="two\nlines").to_csv(index=False), name)
    source = open_dataset(path, target="kind")
    data = path.read_bytes()
    # In the middle of a quoted label, or of what is compressed.
    stop = data.index(b"lines", len(data) // 2) if name == "d.csv" else len(data) // 2
    path.write_bytes(data[:stop])
    with pytest.raises(DataError, match=r"Cannot read .*row.* of 'd\.csv"):
        together(source, 200)


def test_missing_labels_are_read_as_such(stored):
    source = open_dataset(stored("a,y\n" + "1,u\n" * 50 + "2,NA\n3,\n"), target="y")
    assert together(source, 10**6)[1].tolist() == ["u"] * 50 + [None, None]


def test_names(stored, tmp_path):
    path = stored(frame().to_csv(index=False))
    with pytest.raises(UsageError, match=r"Unknown column 'knd'. Did you mean 'kind'"):
        open_dataset(path, target="knd")
    with pytest.raises(UsageError, match=r"Unknown column 'nix'"):
        open_dataset(path, target="kind", drop="nix")
    with pytest.raises(DataError, match=r"instead of numbers in 1 column.*'kind'"):
        open_dataset(path)
    np.save(tmp_path / "y.npy", np.arange(N) % 3)
    source = open_dataset(path, drop="kind", labels="y.npy")
    assert_same(source, read_table(path, drop=["kind"]).X, np.arange(N) % 3)


def test_columns_that_are_not_asked_for_may_hold_anything(stored):
    text = "note,a,y\n" + "1,2,u\n" * 50 + f"x,3,v\n{2**70 + 1},3,v\n"
    source = open_dataset(stored(text), target="y", drop="note")
    assert source.dtype == np.int64
    assert_same(source, np.array([[2]] * 50 + [[3]] * 2))


def test_pieces_are_joined_where_they_fit(stored):
    source = open_dataset(stored("a,y\n" + "1,u\n" * 500), target="y")
    assert len(list(source.chunks(8 * 500))) == 1
    assert 2 <= len(list(source.chunks(8 * 300))) <= 4
