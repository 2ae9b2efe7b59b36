"""GCT files."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest

from featrank.exceptions import DataError, FeatrankError, FeatrankWarning, UsageError
from featrank.formats import gct
from featrank.tables import Table, read_table, write_table
from featrank.tables.options import ReadOptions

FIRST = """\
#1.2
3\t4
Name\tDescription\tS 1\tS2\tS3\tS4
1007_s_at\tDDR1, the "receptor\t1.5\t2\t3\t4
1053_at\tna\t5\t6\t\t8
117_at\tHSPA6\t-1\t0\t1e3\t2
"""

SECOND = """\
#1.3
2\t3\t2\t3
id\tpr_gene_symbol\tchr\tA\tB\tC
cell\tna\tna\tMCF7\tPC3\tMCF7
dose\tna\tna\t10\t-666\t0.5
batch\tna\tna\tx\ty\tx
200814_at\tPSME1\t14\t1\t2\t3
222103_at\tna\t12\t4\t5\t6
"""


@pytest.fixture
def stored(tmp_path):
    def save(text, name="d.gct", encoding="utf-8"):
        data = text if isinstance(text, bytes) else text.encode(encoding)
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return save


@pytest.mark.parametrize("name", ["d.gct", "d.gct.gz"])
def test_version_2(stored, name):
    table = read_table(stored(FIRST, name), missing="keep")
    assert table.feature_names == ["1007_s_at", "1053_at", "117_at"]
    assert table.symbols == ['DDR1, the "receptor', "", "HSPA6"]
    assert (table.ids.tolist(), table.id_name) == (["S 1", "S2", "S3", "S4"], "sample")
    assert table.y is None
    frame = pd.read_csv(io.StringIO(FIRST), sep="\t", skiprows=2, index_col=0, quoting=3)
    np.testing.assert_array_equal(table.X, frame.drop(columns="Description").to_numpy().T)


def test_version_3(stored):
    path = stored(SECOND)
    table = read_table(path, target="cell")
    assert table.X.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert table.feature_names == ["200814_at", "222103_at"]
    assert table.symbols == ["PSME1", ""]
    assert table.y.tolist() == ["MCF7", "PC3", "MCF7"]
    options = ReadOptions(target="cell", keep=("dose",), groups="batch")
    table = gct.read(path, options)
    assert table.kept["dose"].tolist() == [10, None, 0.5]
    assert table.groups.tolist() == ["x", "y", "x"]
    with pytest.warns(FeatrankWarning, match=r"1 of 3 samples has no 'dose'.*\(B\)"):
        assert read_table(path, target="dose").ids.tolist() == ["A", "C"]


def test_other_names_of_the_features(stored):
    path = stored(SECOND)
    table = gct.read(path, ReadOptions(names="pr_gene_symbol"))
    assert table.feature_names == ["PSME1", "222103_at"]
    assert table.symbols == ["200814_at", "222103_at"]
    assert gct.read(path, ReadOptions(symbols="chr")).symbols == ["14", "12"]
    table = gct.read(path, ReadOptions(names="pr_gene_symbol", symbols="chr"))
    assert (table.feature_names[0], table.symbols) == ("PSME1", ["14", "12"])
    with pytest.raises(UsageError, match=r"'pr_gene_symbo'. Did you mean 'pr_gene_symbol'.*names"):
        gct.read(path, ReadOptions(names="pr_gene_symbo"))
    with pytest.raises(UsageError, match=r"Unknown column 'tissue'.*second names"):
        gct.read(path, ReadOptions(symbols="tissue"))


def test_files_of_spreadsheets_and_old_machines(stored):
    text = FIRST.replace("#1.2\n", "#1.2\t\t\t\t\t\n").replace("3\t4\n", "3\t4\t\t\t\t\n", 1)
    text = text.replace("HSPA6", "grün").replace("\n", "\r\n")
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        table = read_table(stored(text, encoding=encoding), missing="keep")
        assert table.symbols[2] == "grün"
        assert table.X.shape == (4, 3)


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (FIRST, "#1.2", "#1.1", r"begins with '#1.1', but featrank reads GCT versions"),
        (FIRST, "3\t4", "3", r"line 2 is '3'. It must hold 2 numbers: features, samples"),
        (FIRST, "3\t4", "3\t-4", r"line 2 is '3 -4'"),
        (FIRST, "3\t4", f"{2**62}\t4", r"has 3 rows below it instead of 4611"),
        (FIRST, "3\t4", "3\t5", r"has 6 columns in line 3 instead of 7"),
        (FIRST, "117_at\tHSPA6\t-1\t0\t1e3\t2\n", "", r"has 2 rows below it instead of 3"),
        (FIRST, "1e3\t2", "1e3", r"line 6 has 5 fields instead of 6"),
        (FIRST, "1e3", "1,5", r"line 6: the value of 'S3' is '1,5'"),
        (FIRST, "117_at", "1053_at", r"unique, but these are repeated: '1053_at'.*`duplicates"),
        (SECOND, "2\t3\t2\t3", "2\t3\t2", r"must hold 4 numbers.*annotation columns and rows"),
        (SECOND, "2\t3\t2\t3", "2\t3\t1\t3", r"has 6 columns in line 3 instead of 5"),
        (SECOND, "2\t3\t2\t3", "2\t3\t2\t2", r"has 5 rows below it instead of 4"),
        (SECOND, "MCF7\tPC3", "MCF7", r"line 4 has 5 fields instead of 6"),
        (SECOND, "batch", "cell", r"unique, but these are repeated: 'cell'"),
        (SECOND, "pr_gene_symbol", "chr", r"unique, but these are repeated: 'chr'"),
    ],
)
def test_damage_is_told(stored, text, old, new, message):
    with pytest.raises(DataError, match=message):
        read_table(stored(text.replace(old, new, 1)), missing="keep")


@pytest.mark.parametrize("text", [FIRST, SECOND])
def test_cut_and_changed_files_give_sentences(stored, text):
    whole = text.encode()
    packed = gzip.compress(whole)
    # A file without its last digit cannot be told from a whole one.
    for size in range(1, len(whole) - 2, 4):
        with pytest.raises(FeatrankError):
            read_table(stored(whole[:size]), missing="keep")
    for size in range(1, len(packed) - 1, 17):
        path = stored(whole, "d.gct.gz")
        path.write_bytes(packed[:size])
        with pytest.raises(DataError):
            read_table(path)
    rng = np.random.default_rng(0)
    for _ in range(60):
        changed = bytearray(whole)
        changed[rng.integers(len(changed))] = rng.integers(256)
        try:
            read_table(stored(bytes(changed)), missing="keep")
        except FeatrankError:
            continue


def test_written_files(tmp_path):
    X = np.array([[0.1, 2], [np.nan, 1e-300], [3, 4]])
    ids = np.array(["p 1", "p2", "p3"])
    table = Table(X, ["a", "b,c"], ids=ids, id_name="patient", symbols=["TP53", ""])
    write_table(tmp_path / "d.gct", table)
    assert (tmp_path / "d.gct").read_text() == (
        "#1.2\n2\t3\nName\tDescription\tp 1\tp2\tp3\na\tTP53\t0.1\t\t3.0\nb,c\t\t2.0\t1e-300\t4.0\n"
    )
    back = read_table(tmp_path / "d.gct", missing="keep")
    np.testing.assert_array_equal(back.X, X)
    assert (back.ids.tolist(), back.symbols) == (ids.tolist(), ["TP53", ""])
    write_table(tmp_path / "d.gct", Table(X, ["a", "b"]))
    assert read_table(tmp_path / "d.gct", missing="keep").symbols is None
    with pytest.raises(DataError, match=r"'b\\tc' contains a tab or a line end"):
        write_table(tmp_path / "d.gct", Table(X, ["a", "b\tc"]))
