"""Cells that are not numbers, in columns of numbers."""

import pytest

from featrank import compare_file, rank_file
from featrank.evaluation import Protocol
from featrank.exceptions import DataError
from featrank.sources import delimited_text, open_dataset
from featrank.tables import read_table

from ..sources.whole import assert_same

ROWS = "1,2.5,u\n3,4.5,w\n3,2.5,u\n1,4.5,w\n" * 10


@pytest.fixture
def stored(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited_text, "_PIECE", 50)
    monkeypatch.setattr(delimited_text, "_LEAST_ROWS", 1)

    def save(text, name="d.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return save


def message_of(read, *given, **options):
    with pytest.raises(DataError) as caught:
        read(*given, **options)
    return str(caught.value)


@pytest.mark.parametrize("cell", ["-", ".", "#DIV/0!", "n.d.", "<0.5", "true"])
@pytest.mark.parametrize("categorical", ["error", "ordinal", "onehot", "drop"])
def test_one_odd_cell_is_named_with_its_line(stored, cell, categorical):
    path = stored(f"# tool\na,b,y\n{ROWS}\n1,{cell},u\n{ROWS}")
    whole = message_of(read_table, path, target="y", categorical=categorical)
    assert whole == (
        "1 of 81 cells of column 'b' cannot be read as a number. "
        f"The first is '{cell}' in line 44. "
        f'Use `na_values="{cell}"` to treat such cells as missing values.'
    )
    assert message_of(open_dataset, path, target="y") == whole


def test_the_advice_works(stored):
    path = stored(f"a,b,y\n{ROWS}-,-,u\n{ROWS}.,1,w\n")
    table = read_table(path, target="y", na_values=["-", "."], missing="keep")
    assert table.X.shape == (82, 2)
    assert read_table(path, target="y", na_values="-,.", missing="mean").X.shape == (82, 2)
    assert_same(open_dataset(path, target="y", na_values="-,."), table.X, table.y)
    ranking = rank_file(path, "y", "fisher", na_values="-,.", missing="skip")
    chunks = rank_file(path, "y", "fisher", na_values="-,.", missing="skip", memory="1GB")
    assert ranking.scores.tolist() == chunks.scores.tolist()


def test_several_columns_and_cells(stored):
    path = stored(f"a,b,y\n{ROWS}-,3,u\n.,-,w\n-,5,u\n")
    whole = message_of(read_table, path, target="y")
    assert "3 of 43 cells of column 'a'" in whole
    assert "The first is '-' in line 42" in whole
    assert "Such cells are also in 'b'." in whole
    assert 'Use `na_values=["-", "."]`' in whole
    assert message_of(open_dataset, path, target="y") == whole


def test_many_different_odd_cells_are_not_listed(stored):
    odd = "".join(f"x{place},1,u\n" for place in range(9))
    path = stored(f"a,b,y\n{ROWS}{odd}")
    whole = message_of(read_table, path, target="y")
    assert "9 of 49 cells" in whole
    assert "leave the column out with `drop='a'`" in whole
    assert message_of(open_dataset, path, target="y") == whole


@pytest.mark.parametrize(
    ("cell", "fix"),
    [
        ('"1,234.5"', "Remove the thousands separators from the file."),
        ('"1,234,567"', "Remove the thousands separators from the file."),
        ('"1,234"', 'Remove the thousands separators, or use `decimal=","` if the comma is'),
        ('"0,25"', "Use `decimal=\",\"` if ',' is the decimal mark."),
    ],
)
def test_numbers_in_another_notation(stored, cell, fix):
    """The fix depends on the cell, also if all cells of a column look like it."""
    for text in (f"a,b,y\n{ROWS}{cell},1,u\n", "a,b,y\n" + f"{cell},1,u\n{cell},1,w\n" * 30):
        path = stored(text)
        whole = message_of(read_table, path, target="y", categorical="ordinal")
        assert f"The first is {cell!r}".replace('"', "") in whole
        assert fix in whole
        assert fix in message_of(open_dataset, path, target="y")


def test_categories_that_are_not_mostly_numbers_are_categories(stored):
    path = stored("a,b,y\n" + "1,5,u\nx,6,w\nz,7,u\n" * 10)
    assert read_table(path, target="y", categorical="ordinal").X[:3, 0].tolist() == [0, 1, 2]
    assert "instead of numbers in 1 column" in message_of(read_table, path, target="y")
    assert "instead of numbers in 1 column" in message_of(open_dataset, path, target="y")


def test_half_numbers_are_numbers(stored):
    path = stored("a,b,y\n" + "1,5,u\n-,6,w\n" * 10)
    assert "10 of 20 cells" in message_of(read_table, path, target="y")
    assert "10 of 20 cells" in message_of(open_dataset, path, target="y")


def test_columns_that_are_not_features_may_hold_anything(stored):
    path = stored("a,b,y\n" + "1,5,1\n2,6,2\n3,-,3b\n" * 10)
    assert read_table(path, target="y", drop="b").y.tolist()[:3] == ["1", "2", "3b"]
    assert open_dataset(path, target="y", drop="b").shape == (30, 1)


@pytest.mark.parametrize("odd", ["-", '"0,5"'])
def test_a_first_column_of_numbers_is_not_taken_for_ids(stored, odd):
    """Its cells are all different, as those of IDs are."""
    path = stored(
        "a,b,y\n" + "".join(f"{j}.5,{j},{'uw'[j % 2]}\n" for j in range(30)) + f"{odd},2,u\n"
    )
    assert "1 of 31 cells of column 'a'" in message_of(read_table, path, target="y")
    assert "1 of 31 cells of column 'a'" in message_of(open_dataset, path, target="y")


def test_ids_that_are_partly_numbers_are_ids(stored):
    rows = "".join(f"{100 + j}{'' if j % 3 else 'b'},{j},{'uw'[j % 2]}\n" for j in range(30))
    path = stored("first,b,y\n" + rows)
    assert read_table(path, target="y").feature_names == ["b"]
    assert open_dataset(path, target="y").names == ["b"]


def test_in_a_table_with_features_in_rows(stored):
    rows = "".join(f"g{j}\t{j}\t2.5\t{j + 1}\t4\n" for j in range(12))
    path = stored(f"gene\ts1\ts2\ts3\ts4\n{rows}odd\t1\t-\t3\t4\nkind\tu\tw\tu\tw\n", "d.tsv")
    options = {"target": "kind", "transpose": True}
    for categorical in ("error", "ordinal", "drop"):
        message = message_of(read_table, path, categorical=categorical, **options)
        assert "1 of 4 cells of column 'odd'" in message
        assert "The first is '-' in line 14, sample 's2'" in message
    table = read_table(path, na_values="-", missing="mean", **options)
    assert table.X[:, -1].tolist() == [1, 8 / 3, 3, 4]


def test_thousands_do_not_hide_a_sample(stored):
    """A column of numbers such as 1,234 is a sample, not the description of the features."""
    rows = "".join(f"g{j}\t{j}.5\t1,{j:03}\n" for j in range(12))
    path = stored(f"gene\ts1\ts2\n{rows}", "d.tsv")
    assert "'1,000' in line 2, sample 's2'" in message_of(read_table, path, transpose=True)


def test_compare_takes_the_option(stored):
    rows = (f"{j},{'-' if j % 4 == 3 else j * j % 11},{'uw'[j % 2]}\n" for j in range(40))
    path = stored("a,b,y\n" + "".join(rows))
    protocol = Protocol(n_repeats=2, n_features=(1, 2), C=(1.0,), inner_cv=2)
    assert "10 of 40 cells" in message_of(compare_file, path, "y", ["fisher"], protocol)
    assert compare_file(path, "y", ["fisher"], protocol, na_values="-").n_features == (1, 2)


def test_missing_cells_in_a_sample_sheet(stored):
    path = stored("sample,a,b\n" + "".join(f"s{j},{j},{j * j % 7}\n" for j in range(12)))
    sheet = stored(
        "sample,y\n" + "".join(f"s{j},{'-' if j == 4 else j % 2}\n" for j in range(12)), "s.csv"
    )
    with pytest.warns(UserWarning, match=r"1 of 12 samples has no 'y'"):
        table = read_table(path, target="y", labels=sheet, na_values="-")
    assert table.y.tolist() == [0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1]
