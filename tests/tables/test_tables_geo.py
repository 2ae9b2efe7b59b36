"""GEO series matrix files."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from featrank.cli import main
from featrank.exceptions import DataError, FeatrankError, FeatrankWarning, UsageError
from featrank.formats import gct, geo
from featrank.tables import read_table
from featrank.tables.options import ReadOptions

IDS = ["GSM1", "GSM2", "GSM3", "GSM4"]

HEAD = """\
!Series_title\t"Leukaemia, 5"" of it"
!Series_supplementary_file\t"ftp://ftp.ncbi.nlm.nih.gov/geo/GSE1_RAW.tar"

!Sample_title\t"bone marrow 1"\t"bone marrow 2"\t"blood 3"\t"blood 4"
!Sample_geo_accession\t"GSM1"\t"GSM2"\t"GSM3"\t"GSM4"
!Sample_source_name_ch1\t"marrow"\t"marrow"\t"blood"\t"blood"
!Sample_molecule_ch1\t"total RNA"\t"total RNA"\t"total RNA"\t"total RNA"
!Sample_characteristics_ch1\t"disease: AML"\t"disease: ALL"\t"age: 7"\t"disease: ALL"
!Sample_characteristics_ch1\t"age: 61"\t"age: 5.5"\t"disease: AML"\t""
!Sample_characteristics_ch1\t"time: 10:30"\t"cultured"\t"drug: None"\t"drug: A"
!Sample_characteristics_ch1\t"drug: A"\t"drug: B"\t"drug: A"\t"drug:"
!Sample_characteristics_ch2\t"disease: pool"\t"disease: pool"\t"disease: pool"\t"disease: pool"
!Sample_data_processing\t"RMA"\t"RMA"\t"RMA"\t"RMA"
!Sample_data_processing\t"log2"\t"log2"\t"log2"\t"log2"
!Sample_data_row_count\t"3"\t"3"\t"3"\t"3"
"""

VALUES = """\
"ID_REF"\t"GSM1"\t"GSM2"\t"GSM3"\t"GSM4"
"1007_s_at"\t5.5\t6\t7.25\t-8
"NA"\t1\tnull\t\tNA
"AFFX, ""x"" b"\t0.1\t2e-3\t3\t4
"""

TABLE = f"!series_matrix_table_begin\n{VALUES}!series_matrix_table_end\n"
FEATURES = ["1007_s_at", "NA", 'AFFX, "x" b']
X = [[5.5, 1, 0.1], [6, np.nan, 0.002], [7.25, np.nan, 3], [-8, np.nan, 4]]


@pytest.fixture
def stored(tmp_path):
    def save(text=HEAD + TABLE, name="GSE1_series_matrix.txt", encoding="utf-8"):
        data = text if isinstance(text, bytes) else text.encode(encoding)
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return save


def told(path, **options):
    return geo.read(path, ReadOptions(missing="keep", **options))


@pytest.mark.parametrize("name", ["GSE1_series_matrix.txt", "G_SERIES_MATRIX.TXT.GZ", "a.txt.gz"])
def test_values_are_turned_to_samples_by_features(stored, name):
    text = HEAD + TABLE
    path = stored(text, name.replace(".GZ", ".gz"))
    table = read_table(path, missing="keep")
    np.testing.assert_array_equal(table.X, X)
    assert table.feature_names == FEATURES
    assert (table.ids.tolist(), table.id_name) == (IDS, "geo_accession")
    assert table.y is None
    # As pandas reads the table alone.
    frame = pd.read_csv(io.StringIO(VALUES), sep="\t", index_col=0, keep_default_na=False)
    numbers = frame.apply(pd.to_numeric, errors="coerce")
    pd.testing.assert_frame_equal(
        pd.DataFrame(table.X, index=table.ids, columns=table.feature_names),
        numbers.T,
        check_names=False,
    )


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("title", ["bone marrow 1", "bone marrow 2", "blood 3", "blood 4"]),
        ("source_name", ["marrow", "marrow", "blood", "blood"]),
        ("molecule", ["total RNA"] * 4),
        ("disease", ["AML", "ALL", "AML", "ALL"]),
        ("disease_ch2", ["pool"] * 4),
        ("data_processing", ["RMA"] * 4),
        ("data_processing_2", ["log2"] * 4),
        ("data_row_count", [3] * 4),
        ("age", [61, 5.5, 7, None]),
        ("time", ["10:30", None, None, None]),
        ("characteristics", [None, "cultured", None, None]),
        ("drug", ["A", "B", "None", "A"]),
        ("drug_2", [None, None, "A", None]),
    ],
)
def test_lines_about_the_samples_are_columns(stored, column, values):
    kept = told(stored(), keep=(column,)).kept[column]
    assert kept.tolist() == values


def test_samples_without_a_label_are_left_out(stored):
    with pytest.warns(FeatrankWarning, match=r"1 of 4 samples has no 'age'.*GSM4"):
        table = read_table(stored(), target="age", missing="keep")
    assert table.y.tolist() == [61, 5.5, 7]
    assert table.ids.tolist() == IDS[:3]
    np.testing.assert_array_equal(table.X, X[:3])


def test_groups_and_unknown_names(stored):
    path = stored()
    table = told(path, target="disease", groups="source_name")
    assert table.groups.tolist() == ["marrow", "marrow", "blood", "blood"]
    with pytest.raises(UsageError, match=r"Unknown column 'diseas'. Did you mean 'disease'"):
        read_table(path, target="diseas")
    with pytest.raises(UsageError, match=r"Unknown column 'Gene'.*'ID_REF'.*names of the features"):
        told(path, names="Gene")


def test_latin_1_and_windows_line_ends(stored):
    text = (HEAD + TABLE).replace("marrow 1", "Mälarsjukhuset µg").replace("\n", "\r\n")
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        table = told(stored(text, encoding=encoding), keep=("title",))
        assert table.kept["title"][0] == "bone Mälarsjukhuset µg"
        np.testing.assert_array_equal(table.X, X)


def test_numbers_in_quotes_and_with_blanks(stored):
    path = stored((HEAD + TABLE).replace("\t6\t", '\t"6"\t').replace("7.25", " 7.25 "))
    np.testing.assert_array_equal(told(path).X, X)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("!series_matrix_table_end\n", "", "is truncated: its table of values has no end"),
        (TABLE, "", "has no line '!series_matrix_table_begin'"),
        (TABLE, TABLE + TABLE, "holds 2 series instead of one"),
        ('"GSM1"\t"GSM2"\t"GSM3"', '"GSM1"\t"GSM3"\t"GSM2"', "the same in another order"),
        (VALUES, VALUES.replace("GSM4", "GSM5"), "not the 4 samples of.*GSM4, GSM5"),
        ("\t-8", "\t-8\t9", "line 18 has 6 fields instead of 5"),
        ("\t-8", "", "line 18 has 4 fields instead of 5"),
        ("7.25", "high", "line 18: the value of 'GSM3' is 'high', which is not a number"),
        ("7.25", "9007199254740993", r"beyond 2\*\*53 and would change as float64: '1007_s_at'"),
        ('"1007_s_at"', '""', "Names are missing for 1 feature, the first in row 1"),
        ('"1007_s_at"', '"NA"', r"unique, but these are repeated: 'NA'.*`duplicates"),
        ("7.25", "inf", "1 infinite value"),
    ],
)
def test_damage_is_told(stored, old, new, message):
    path = stored((HEAD + TABLE).replace(old, new, 1))
    with pytest.raises(DataError, match=message):
        read_table(path, missing="keep")


@pytest.mark.parametrize("rows", ["", '"a"\t\t\t\t\n"b"\tnull\tNA\t\t\n'])
def test_a_series_without_values_tells_where_they_are(stored, rows):
    header = VALUES.split("\n")[0]
    table = f"!series_matrix_table_begin\n{header}\n{rows}!series_matrix_table_end\n"
    with pytest.raises(DataError, match=r"no values.*supplementary files.*\(GSE1_RAW.tar\).*GEO"):
        read_table(stored(HEAD + table))


def test_labels_of_a_series_go_to_values_in_another_file(stored, tmp_path):
    header = VALUES.split("\n")[0]
    empty = f"!series_matrix_table_begin\n{header}\n!series_matrix_table_end\n"
    series = stored(HEAD + empty)
    counts = tmp_path / "counts.gct"
    counts.write_text("#1.2\n1\t2\nName\tDescription\tGSM3\tGSM2\ng\tna\t7\t8\n")
    options = ReadOptions(target="disease", labels=series, keep=("age",), file_name="counts.gct")
    with pytest.warns(FeatrankWarning, match=r"2 of 4 ids in the sample sheet .*GSM1, GSM4"):
        table = gct.read(counts, options)
    assert table.y.tolist() == ["AML", "ALL"]
    assert table.kept["age"].tolist() == [7, 5.5]
    assert table.X.tolist() == [[7], [8]]


def test_a_line_that_does_not_fit_the_samples_is_left_out(stored):
    text = HEAD.replace('"RMA"\t"RMA"\t', "") + TABLE
    with pytest.warns(
        FeatrankWarning, match=r"skipped 1 line without one field per sample.*data_processing"
    ):
        table = read_table(stored(text), target="disease", missing="keep")
    assert table.y.tolist() == ["AML", "ALL", "AML", "ALL"]


def test_cut_and_changed_files_give_sentences(stored):
    whole = (HEAD + TABLE).encode()
    packed = gzip.compress(whole)
    rng = np.random.default_rng(0)
    # The mark of the end may lose its own end: nothing is lost with it.
    files = [(whole[:size], "d.txt") for size in range(1, len(whole) - len("_end\n"), 5)]
    files += [(packed[:size], "d.txt.gz") for size in range(1, len(packed) - 1, 23)]
    for data, name in files:
        path = stored(b"x", name)
        path.write_bytes(data)
        with pytest.raises(FeatrankError):
            read_table(path)
    for _ in range(150):
        changed = bytearray(whole)
        changed[rng.integers(len(changed))] = rng.integers(256)
        try:
            told(stored(bytes(changed)), keep=("disease",))
        except (FeatrankError, FeatrankWarning):
            continue


def test_other_text_is_a_table_with_tabs(stored):
    text = "a\tb c\tkind\n1\t2\tu\n3\t4\tv\n"
    for name in ("d.txt", "d.txt.gz"):
        path = stored(text, name)
        table = read_table(path, target="kind")
        assert table.X.tolist() == [[1, 2], [3, 4]]
        assert table.feature_names == ["a", "b c"]
        assert table.y.tolist() == ["u", "v"]
    plain = stored(text, "d.txt").rename(path.with_name("plain.txt.gz"))
    with pytest.raises(DataError, match=r"cannot be read as a GEO series matrix: Not a gzipped"):
        read_table(plain)


def test_from_the_shell(stored):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(30, 12))
    values[7, :6] += 5
    ids = [f"GSM{n}" for n in range(12)]
    lines = [
        "!Sample_geo_accession\t" + "\t".join(ids),
        "!Sample_characteristics_ch1\t" + "\t".join(["disease: AML"] * 6 + ["disease: ALL"] * 6),
        "!series_matrix_table_begin",
        "ID_REF\t" + "\t".join(ids),
        *(f"{n}_at\t" + "\t".join(map(str, row)) for n, row in enumerate(values)),
        "!series_matrix_table_end\n",
    ]
    path = str(stored("\n".join(lines), "made_series_matrix.txt.gz"))
    for further in ([], ["-m", "fisher", "--per-class"]):
        args = ["rank", path, "--target", "disease", "--top", "5", "--format", "csv", *further]
        done = CliRunner().invoke(main, args, catch_exceptions=False)
        assert done.exit_code == 0
        assert "1,7_at," in done.output
