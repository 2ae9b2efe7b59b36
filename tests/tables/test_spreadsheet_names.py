"""Gene names that a spreadsheet program turned into dates or numbers."""

import warnings

import numpy as np
import pandas as pd
import pytest

import featrank
from featrank.evaluation import Protocol, compare
from featrank.exceptions import DataError, FeatrankWarning
from featrank.tables import read_table
from featrank.tables.spreadsheet_names import mangled_names

MANGLED = [
    "1-Mar", "11-Mar", "2-Sep", "15-Sep", "1-Dec", "4-Oct", "Mar-01", "Sep-2", "2-Mar-2024",
    "01-Mar-24", "2024-03-01", "2024-03-01 00:00:00", "3/1/2024", "2.31E+13", "5.83E+08", "1E+10",
    "1-Mar (feature 12)",
]  # fmt: skip
ORDINARY = [
    "x1-2", "1.5", "100", "-3", "MAR1", "MARCH1", "MARCHF1", "SEPT2", "SEPTIN2", "DEC1", "2.31E+2",
    "2.31E+02", "2.31e+13", "2.31E-13", "12.5E+13", "1-Mars", "A1-Mar", "1-Mar-B", "2310009E13Rik",
    "1007_s_at", "rs1234", "1-2", "HLA-A", "NKX2-5", "Mar", "1/2", "3/1", "chr1-123", "123-Mar",
]  # fmt: skip


@pytest.mark.parametrize("name", MANGLED)
def test_names_that_are_found(name):
    assert mangled_names([name, "TP53"]) == [name]


def test_names_that_are_not():
    assert mangled_names(ORDINARY) == []


def test_tables_of_days_or_of_numbers():
    days = [f"{day}-Mar" for day in range(1, 32)]
    assert mangled_names([*days, "mean"]) == []
    assert mangled_names([f"{mass:.2E}" for mass in np.linspace(1e7, 9e7, 50)]) == []


def table(names, n_samples=40):
    rng = np.random.default_rng(0)
    y = np.array(["sick", "well"])[np.arange(n_samples) % 2]
    X = rng.normal(size=(n_samples, len(names)))
    X[:, 0] += 3 * (y == "sick")
    return X, y


def write(path, names, transpose=False):
    X, y = table(names)
    frame = pd.DataFrame(X, columns=names)
    frame["status"] = y
    if transpose:
        frame = frame.T.reset_index()
    frame.to_csv(path, index=False)
    return X


NAMES = ["TP53", "1-Mar", "EGFR", "2.31E+13", "KRAS", "MYC"]


def test_frames_files_and_chunks(tmp_path):
    X, y = table(NAMES)
    write(tmp_path / "d.csv", NAMES)
    pd.DataFrame(X, columns=NAMES).assign(status=y).to_parquet(tmp_path / "d.parquet")
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1,))
    for call in (
        lambda: featrank.rank(pd.DataFrame(X, columns=NAMES), y, "fisher"),
        lambda: featrank.rank(X, y, "fisher", feature_names=NAMES),
        lambda: featrank.rank(X, y, "fisher", feature_names=NAMES, per_class=True),
        lambda: featrank.rank_file(tmp_path / "d.csv", "status", "fisher"),
        lambda: featrank.rank_file(tmp_path / "d.parquet", "status", "fisher", memory="1GB"),
        lambda: compare(pd.DataFrame(X, columns=NAMES), y, ["fisher"], protocol),
    ):
        with pytest.warns(FeatrankWarning, match="2 feature names.*'1-Mar', '2.31E.13'") as caught:
            call()
        assert sum("spreadsheet" in str(one.message) for one in caught) == 1
        assert "MARCHF1" in str(caught[0].message)


def test_no_warning_for_ordinary_names():
    X, y = table(ORDINARY)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        featrank.rank(X, y, "fisher", feature_names=ORDINARY)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("how", ["mean", "max", "first"])
def test_different_genes_are_not_merged(tmp_path, how, transpose):
    names = ["TP53", "1-Mar", "EGFR", "EGFR", "1-Mar", "MYC"]
    X = write(tmp_path / "d.csv", names, transpose)
    options = {"target": "status", "duplicates": how, "transpose": transpose}
    found = read_table(tmp_path / "d.csv", **options)
    apart = ["1-Mar (feature 2)", "1-Mar (feature 5)"]
    assert found.feature_names == ["TP53", apart[0], "EGFR", apart[1], "MYC"]
    np.testing.assert_allclose(found.X[:, 1], X[:, 1])
    np.testing.assert_allclose(found.X[:, 3], X[:, 4])
    own = X[:, 2:4]
    merged = {"mean": own.mean(axis=1), "max": own.max(axis=1), "first": own[:, 0]}
    np.testing.assert_allclose(found.X[:, 2], merged[how])
    with pytest.warns(FeatrankWarning, match=r"'1-Mar \(feature 2\)'"):
        featrank.rank_file(tmp_path / "d.csv", method="fisher", **options)


def test_duplicates_are_an_error_by_default(tmp_path):
    write(tmp_path / "d.csv", ["TP53", "1-Mar", "EGFR", "1-Mar", "MYC"])
    with pytest.raises(DataError, match="'1-Mar'"):
        read_table(tmp_path / "d.csv", target="status")
