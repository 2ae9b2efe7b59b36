"""Names that spreadsheets would run and terminals obey, made harmless where that is asked for."""

import csv

import numpy as np
import pytest

import featrank
from featrank import tables
from featrank._utils.plain_text import safe_cell

# What cells become, by what they were.
NAMES = {
    "=HYPERLINK(1)": "'=HYPERLINK(1)",
    "+1+2": "'+1+2",
    "-2+3": "'-2+3",
    "@SUM(A1)": "'@SUM(A1)",
    "\t=1": "'\N{REPLACEMENT CHARACTER}=1",
    "\r=1": "' =1",
    "\uff1d1": "'\uff1d1",
    "\x1b[31mred": "\N{REPLACEMENT CHARACTER}[31mred",
    "-1.5": "-1.5",
    "+2e3": "+2e3",
    "gene-1": "gene-1",
    "a=b": "a=b",
}


@pytest.fixture
def table():
    X = np.random.default_rng(0).normal(size=(8, len(NAMES)))
    ids = np.array([f"+id{number}" for number in range(8)])
    return tables.Table(X, list(NAMES), np.array(["=well", "-1"] * 4), "@target", ids)


def cells(path, delimiter):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def test_each_cell():
    assert {name: safe_cell(name) for name in NAMES} == NAMES
    assert safe_cell("  =1") == "'  =1"


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_a_table(table, tmp_path, suffix, delimiter):
    path = tmp_path / f"data{suffix}"
    tables.write_table(path, table, safe_csv=True)
    header, first, second, *_ = cells(path, delimiter)
    assert header[1:] == [*NAMES.values(), "'@target"]
    assert [first[0], first[-1], second[-1]] == ["'+id0", "'=well", "-1"]
    assert [float(cell) for cell in first[1:-1]] == table.X[0].tolist()
    tables.write_table(path, table)
    assert cells(path, delimiter)[0][1] == "=HYPERLINK(1)"


@pytest.mark.parametrize(("layout", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_a_report(table, tmp_path, layout, delimiter):
    ranking = featrank.rank(
        table.X, table.y, "fisher", feature_names=table.feature_names, min_class_size=None
    )
    report, path = featrank.report.ranking_report(ranking), tmp_path / "ranking"
    featrank.report.write(report, layout, path, safe_csv=True)
    header, *rows = cells(path, delimiter)
    column = header.index("feature")
    assert {row[column] for row in rows} == {*NAMES.values()}
    featrank.report.write(report, layout, path)
    assert "=HYPERLINK(1)" in {row[column] for row in cells(path, delimiter)[1:]}
