"""Excel and OpenDocument workbooks."""

import datetime
import subprocess
import sys
import zipfile
from xml.sax.saxutils import escape

import numpy as np
import pytest
import xlsxwriter

import featrank
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.tables import read_table

X = np.array([[1.23456789012345e-12, 3, 0.1], [2 / 3, -4, 1e100], [5, 2**40, 1.5]])
KINDS = ["u", "w", "u"]


def write_xlsx(path, sheets, top=0):
    """Write sheets of rows; empty cells are None, dates are formatted as such."""
    with xlsxwriter.Workbook(path) as book:
        date = book.add_format({"num_format": "yyyy-mm-dd"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows, start=top):
                for column, cell in enumerate(row):
                    is_date = isinstance(cell, datetime.date)
                    sheet.write(place, column, cell, *([date] if is_date else []))
    return path


def write_ods(path, sheets):
    """Write the smallest OpenDocument workbook that holds sheets of rows."""

    def cell(value):
        if isinstance(value, str):
            inner = f"<text:p>{escape(value)}</text:p>"
            return f'<table:table-cell office:value-type="string">{inner}</table:table-cell>'
        number = f'office:value-type="float" office:value="{value!r}"'
        return f"<table:table-cell {number}><text:p>{value}</text:p></table:table-cell>"

    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    space = "urn:oasis:names:tc:opendocument:xmlns"
    names = " ".join(f'xmlns:{one}="{space}:{one}:1.0"' for one in ("office", "table", "text"))
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = f'xmlns:manifest="{space}:manifest:1.0"'
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", kind)
        file.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest {manifest}><manifest:file-entry manifest:full-path="/" '
            f'manifest:media-type="{kind}"/></manifest:manifest>',
        )
        file.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:spreadsheet>{tables}"
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return path


def samples_in_rows():
    rows = [
        [f"s{t}", *row.tolist(), kind] for t, (row, kind) in enumerate(zip(X, KINDS, strict=True))
    ]
    return [["sample", "a", "b", "c d", "kind"], *rows]


def features_in_rows():
    return [list(row) for row in zip(*samples_in_rows(), strict=True)]


@pytest.fixture(params=["d.xlsx", "d.ods"])
def write(request, tmp_path):
    """Return a function that writes a workbook of sheets, and returns its path."""
    write_book = write_xlsx if request.param == "d.xlsx" else write_ods
    return lambda sheets: write_book(tmp_path / request.param, sheets)


def assert_read(table):
    assert table.feature_names == ["a", "b", "c d"]
    np.testing.assert_array_equal(table.X, X)
    assert table.y.tolist() == KINDS
    assert table.ids.tolist() == ["s0", "s1", "s2"]


def test_samples_in_rows(write):
    assert_read(read_table(write({"data": samples_in_rows()}), target="kind"))


def test_features_in_rows(write):
    """All sample columns hold text, the class, and numbers keep their digits anyway."""
    path = write({"data": features_in_rows()})
    assert_read(read_table(path, target="kind", transpose=True))


def test_the_first_sheet_with_data_is_read_and_reported(write):
    sheets = {"title": [["Table S1"], ["Values"]], "values": samples_in_rows(), "empty": []}
    path = write(sheets)
    table = read_table(path, target="kind")
    assert_read(table)
    note = f"Read sheet 'values' of {path.name!r}, which has 3 sheets."
    assert table.notes[0] == note
    with pytest.warns(FeatrankWarning, match=r"'u' \(2 samples\), 'w' \(1\)"):
        ranking = featrank.rank_file(path, "kind", "fisher")
    assert ranking.notes()[0] == note


def test_a_sheet_by_name(write):
    path = write({"notes": [["read", "me"], ["a", "b"]], "values": samples_in_rows(), "empty": []})
    table = read_table(path, target="kind", sheet="values")
    assert_read(table)
    assert "Read sheet" not in " ".join(table.notes)
    with pytest.raises(UsageError, match=r"Unknown column 'kind'.*Read sheet 'notes'.*`sheet="):
        read_table(path, target="kind")
    with pytest.raises(UsageError, match=r"Unknown sheet 'value'. Did you mean 'values'\?"):
        read_table(path, sheet="value")
    with pytest.raises(DataError, match="no table in sheet 'empty'"):
        read_table(path, sheet="empty")


def test_one_dash_is_named_with_its_row(write):
    rows = samples_in_rows()
    rows[2][2] = "-"
    path = write({"data": rows})
    with pytest.raises(
        DataError, match=r"1 of 3 cells of column 'b'.*'-' in row 3 of sheet 'data'"
    ):
        read_table(path, target="kind", categorical="ordinal")
    table = read_table(path, target="kind", na_values="-", missing="keep")
    np.testing.assert_array_equal(table.X[[0, 2]], X[[0, 2]])
    assert np.isnan(table.X[1, 1])


def test_a_sample_sheet_may_be_a_workbook(write, tmp_path):
    ids = [row[0] for row in samples_in_rows()[1:]]
    path = write({"empty": [], "clinic": [["sample", "kind"], *zip(ids[::-1], KINDS, strict=True)]})
    (tmp_path / "d.csv").write_text(
        "sample,a\n" + "".join(f"{one},{t}\n" for t, one in enumerate(ids))
    )
    for sheet in ({}, {"sheet": "clinic"}):
        table = read_table(tmp_path / "d.csv", target="kind", labels=path, **sheet)
        assert table.y.tolist() == KINDS[::-1]
    with pytest.raises(UsageError, match="Unknown sheet 'x'"):
        read_table(tmp_path / "d.csv", target="kind", labels=path, sheet="x")


def test_odd_places_and_types(tmp_path):
    """Titles of no rows above the header, blank rows and columns, booleans, dates, text numbers."""
    day = datetime.date(2020, 1, 2)
    rows = [
        [None, "id", "flag", None, "day", "text"],
        [None, "007", True, None, day, "1.5"],
        [None] * 6,
        [None, "008", False, None, day, " 2 "],
    ]
    path = write_xlsx(tmp_path / "d.xlsx", {"a": rows}, top=2)
    table = read_table(path, drop="day")
    assert table.ids.tolist() == [7, 8]
    assert table.feature_names == ["flag", "text"]
    assert table.X.tolist() == [[1, 1.5], [0, 2]]
    with pytest.raises(
        DataError, match=r"Text, categories or dates instead of numbers in 1 column.*'day'"
    ):
        read_table(path)


def test_error_cells_and_empty_cells_are_missing(tmp_path):
    path = tmp_path / "d.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for place, row in enumerate([["a", "b", "c"], [1.5, 2, 3], [2.5, None, 4], [4, 4, 4]]):
            sheet.write_row(place, 0, row)
        sheet.write_formula(2, 0, "=1/0", value="#DIV/0!")
    with pytest.raises(DataError, match=r"2 missing values in 2 columns"):
        read_table(path)


def test_repeated_names(tmp_path):
    path = write_xlsx(tmp_path / "d.xlsx", {"x": [["a", "a", "b"], [1, 3, 5], [2, 4, 6]]})
    with pytest.raises(DataError, match="unique, but these are repeated: 'a'"):
        read_table(path)
    assert read_table(path, duplicates="mean").X.tolist() == [[2, 5], [3, 6]]


def test_damage_is_reported(write, tmp_path):
    path = write({"data": samples_in_rows()})
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DataError, match="cannot be read as a workbook"):
        read_table(path)


def test_the_missing_extra_is_named(write):
    path = write({"data": samples_in_rows()})
    code = (
        "import sys; sys.modules['fastexcel'] = None\n"
        "from featrank.tables import read_table\n"
        f"read_table({str(path)!r})"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        "needs the package 'fastexcel'. Install it with: pip install 'featrank[excel]'"
        in run.stderr
    )
