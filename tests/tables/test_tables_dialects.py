"""Delimited files of all dialects: separators, decimal marks, comments, quotes."""

import gzip

import numpy as np
import pytest

import featrank
from featrank.exceptions import DataError, UsageError
from featrank.sources import delimited_text, open_dataset
from featrank.tables import read_table

from ..sources.whole import assert_same

X = np.array([[1.5, -20, 0.001], [2.25, 3, 1000.5], [0.125, 4, 12.5]] * 8)
KINDS = ["u v", "w", "u v"] * 8
NAMES = ["a", "b, c", "d;e"]


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Write a file, to be cut every few rows when it is read in chunks."""
    monkeypatch.setattr(delimited_text, "_PIECE", 100)
    monkeypatch.setattr(delimited_text, "_LEAST_ROWS", 1)

    def save(text, name="d.csv"):
        data = text if isinstance(text, bytes) else text.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        return path

    return save


def written(separator=",", decimal=".", *, always_quote=False, top="", end="\n"):
    """Return the table as text; names with a separator in them are quoted."""

    def cell(value):
        shown = value if isinstance(value, str) else repr(float(value)).replace(".", decimal)
        quoted = always_quote or separator in shown
        return f'"{shown}"' if quoted else shown

    rows = [[*NAMES, "kind"], *([*row, kind] for row, kind in zip(X, KINDS, strict=True))]
    return top + "".join(separator.join(map(cell, row)) + end for row in rows)


def assert_read(path, note="", **options):
    """Check that the whole file and its chunks are the table, with the same note."""
    table = read_table(path, target="kind", **options)
    assert table.feature_names == NAMES
    np.testing.assert_array_equal(table.X, X)
    assert table.y.tolist() == KINDS
    source = open_dataset(path, target="kind", **options)
    assert source.names == NAMES
    assert_same(source, X, KINDS)
    assert table.notes == source.notes == ((note,) if note else ())


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("name", ["d.csv", "d.tsv", "d.txt", "d.csv.gz"])
@pytest.mark.parametrize(
    ("separator", "shown"), [(",", "','"), (";", "';'"), ("\t", "tab"), ("|", "'|'")]
)
def test_separators_are_detected_in_every_file(stored, name, separator, shown, quoted):
    path = stored(written(separator, always_quote=quoted), name)
    implied = "," if "csv" in name else "\t"
    note = "" if separator == implied else f"Read {name!r} with separator {shown}."
    if name == "d.txt":  # which is only read as a whole
        table = read_table(path, target="kind")
        assert table.notes == ((note,) if note else ())
        np.testing.assert_array_equal(table.X, X)
    else:
        assert_read(path, note)


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize(
    ("name", "separator", "note"),
    [
        ("d.csv", ";", "Read 'd.csv' with separator ';' and decimal comma."),
        ("d.tsv", "\t", "Read 'd.tsv' with decimal comma."),
        ("d.tsv.gz", "|", "Read 'd.tsv.gz' with separator '|' and decimal comma."),
    ],
)
def test_decimal_commas_are_detected(stored, name, separator, note, quoted):
    assert_read(stored(written(separator, ",", always_quote=quoted), name), note)


def test_a_decimal_comma_between_commas_needs_the_option(stored):
    path = stored(written(",", ",", always_quote=True))
    with pytest.raises(DataError, match=r"'1,5' in line 2.*`decimal=\",\"`"):
        read_table(path, target="kind")
    assert_read(path, decimal=",")


@pytest.mark.parametrize(
    "top", ["# made by a tool, version 1; 'x'\n", '#one "quote\n#\n\n# three\n']
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_comment_lines_above_the_header_are_skipped(stored, top, separator):
    shown = {";": "';'", "\t": "tab"}.get(separator)
    note = f"Read 'd.csv' with separator {shown}." if shown else ""
    assert_read(stored(written(separator, top=top)), note)


def test_byte_order_mark_windows_lines_and_comments_together(stored):
    text = written(";", ",", top="\ufeff# tool\r\n", end="\r\n")
    assert_read(stored(text), "Read 'd.csv' with separator ';' and decimal comma.")
    assert_read(stored("\ufeff" + written(always_quote=True)))


@pytest.mark.parametrize("header", ["#sample,kind,age", "# sample,kind,age"])
@pytest.mark.parametrize("top", ["", "# made by a tool\n", "#a,b\n"])
def test_a_header_may_begin_with_the_comment_sign(stored, header, top):
    path = stored(f"{top}{header}\ns1,case,5\ns2,control,6\n")
    first = header.partition(",")[0]
    table = read_table(path, target="kind", drop=[first])
    assert table.feature_names == ["age"]
    assert table.X.tolist() == [[5], [6]]
    assert_same(open_dataset(path, target="kind", drop=[first]), table.X, table.y)


def test_a_comment_with_as_many_fields_as_the_table_is_a_comment(stored):
    path = stored("# made by a tool, 2020\nage,kind\n5,case\n6,control\n")
    assert read_table(path, target="kind").feature_names == ["age"]


@pytest.mark.parametrize(
    ("given", "separator"),
    [
        ("tab", "\t"),
        ("\\t", "\t"),
        ("\t", "\t"),
        (";", ";"),
        ("|", "|"),
        ("space", " "),
        ("~", "~"),
    ],
)
def test_given_separators_are_not_reported(stored, given, separator):
    assert_read(stored(written(separator, always_quote=True)), sep=given)
    assert_read(stored(written(separator, ",", always_quote=True)), sep=given, decimal=",")


def test_unknown_separators_and_decimal_marks(stored):
    path = stored(written())
    for read in (read_table, open_dataset):
        with pytest.raises(UsageError, match=r"separator ', ' is not a single character"):
            read(path, sep=", ")
        with pytest.raises(UsageError, match=r"decimal mark ';' is unknown. Use `decimal=\",\"`"):
            read(path, decimal=";")


def test_options_of_other_formats_are_errors(tmp_path):
    np.save(tmp_path / "d.npy", X)
    for option in ({"sep": ";"}, {"decimal": ","}, {"na_values": "-"}, {"sheet": "a"}):
        with pytest.raises(
            UsageError, match=rf"`{next(iter(option))}=\.\.\.` does not apply to 'd.npy'"
        ):
            read_table(tmp_path / "d.npy", **option)
    with pytest.raises(UsageError, match="does not apply"):
        open_dataset(tmp_path / "d.npy", sep=";")


def test_the_implied_separator_wins_if_it_fits(stored):
    """Semicolons and tabs in fields of a file with commas change nothing."""
    text = 'a;1,"b\t2",kind\n' + "1.5,2,x;y;z\n" * 30
    table = read_table(stored(text), target="kind")
    assert table.feature_names == ["a;1", "b\t2"]
    assert table.notes == ()
    assert {*table.y.tolist()} == {"x;y;z"}


def test_commas_in_names_do_not_hide_semicolons(stored):
    text = "age, years;weight;kind\n" + "1,5;2,25;u\n" * 20
    table = read_table(stored(text), target="kind")
    assert table.feature_names == ["age, years", "weight"]
    assert table.X[0].tolist() == [1.5, 2.25]


def test_a_wide_header_is_read_to_its_end(stored):
    names = [f"gene {place:06d}" for place in range(30_000)]
    rows = ";".join(["1,5"] * 30_000)
    path = stored(";".join(names) + "\n" + f"{rows}\n{rows}\n")
    table = read_table(path)
    assert table.feature_names == names
    assert (table.X == 1.5).all()


@pytest.mark.parametrize("cell", ["1,234", "1,234,567"])
def test_thousands_are_not_guessed(stored, cell):
    """A comma that may separate thousands is neither removed nor a decimal mark."""
    path = stored("a;b;kind\n" + f"5;2;u\n{cell};3;w\n" * 20)
    for read in (read_table, open_dataset):
        with pytest.raises(
            DataError, match=rf"20 of 40 cells of column 'a'.*'{cell}' in line 3.*housands"
        ):
            read(path, target="kind")


def test_dots_in_a_file_with_decimal_commas_are_not_decimal_dots(stored):
    rows = "1,5;2,5;u\n" * 150
    for cell in ("1.500", "1.234,5"):
        path = stored(f"a;b;kind\n{rows}{cell};2,5;w\n{rows}")
        for read in (read_table, open_dataset):
            with pytest.raises(
                DataError, match=rf"1 of 301 cells of column 'a'.*'{cell}' in line 152.*thousands"
            ):
                read(path, target="kind")


FEATURE_COUNTS = (
    '# Program:featureCounts v2.0.1; Command:"featureCounts" "-T" "8" "-a" "genes, all.gtf" "-o" '
    '"counts.txt" "s1.bam" \n'
    "Geneid\tChr\tStart\tEnd\tStrand\tLength\ts1.bam\ts2.bam\ts3.bam\ts4.bam\n"
    "ENSG01\tchr1;chr1\t11869;12613\t12227;12721\t+;+\t1735\t0\t10\t1\t11\n"
    "ENSG02\tchr1\t14404\t29570\t-\t1351\t7\t7\t8\t9\n"
    "ENSG03\tchr1\t17369\t17436\t-\t68\t100\t20\t90\t25\n"
    "ENSG04\tchrX\t17369\t17436\t-\t68\t3\t4\t3\t5\n"
)


def test_feature_counts_are_read_with_a_sample_sheet(tmp_path):
    (tmp_path / "counts.txt").write_text(FEATURE_COUNTS)
    (tmp_path / "samples.csv").write_text(
        "sample;kind;dose\ns1.bam;a;0,5\ns2.bam;b;1\ns3.bam;a;2,5\ns4.bam;b;3\n"
    )
    options = {"transpose": True, "labels": tmp_path / "samples.csv"}
    table = read_table(tmp_path / "counts.txt", target="kind", **options)
    assert table.feature_names == ["ENSG01", "ENSG02", "ENSG03", "ENSG04"]
    assert table.X.tolist() == [[0, 7, 100, 3], [10, 7, 20, 4], [1, 8, 90, 3], [11, 9, 25, 5]]
    assert table.ids.tolist() == ["s1.bam", "s2.bam", "s3.bam", "s4.bam"]
    assert table.symbols is None
    assert table.y.tolist() == ["a", "b", "a", "b"]
    assert table.notes == ("Read 'samples.csv' with separator ';' and decimal comma.",)
    assert read_table(tmp_path / "counts.txt", target="dose", **options).y.tolist() == [
        0.5,
        1,
        2.5,
        3,
    ]


def test_transposed_files_of_every_dialect(stored):
    text = '# tool\n"gene";"s;1";"s 2"\ng1;0,5;-1,25\ng2;3;"4,5"\nkind;u;w\n'
    table = read_table(stored(text), target="kind", transpose=True)
    assert table.X.tolist() == [[0.5, 3], [-1.25, 4.5]]
    assert table.ids.tolist() == ["s;1", "s 2"]
    assert table.notes == ("Read 'd.csv' with separator ';' and decimal comma.",)


@pytest.mark.parametrize("in_chunks", [False, True])
def test_notes_travel_with_the_ranking(stored, in_chunks):
    path = stored(written(";", ","))
    memory = {"memory": "1GB"} if in_chunks else {}
    ranking = featrank.rank_file(path, "kind", "fisher", **memory)
    assert "Read 'd.csv' with separator ';' and decimal comma." in ranking.notes()
    selected = featrank.select_file(
        path, path.with_name("out.csv"), "kind", "fisher", top=1, **memory
    )
    assert ranking.notes()[0] in selected.ranking.notes()
    given = featrank.rank_file(path, "kind", "fisher", sep=";", decimal=",", **memory)
    assert "Read 'd.csv'" not in " ".join(given.notes())
    np.testing.assert_array_equal(given.scores, ranking.scores)


def test_notes_of_the_sample_sheet_travel_in_chunks(stored):
    ids = [f"s{place}" for place in range(len(X))]
    lines = [f"{one},{row[0]},{row[1]}\n" for one, row in zip(ids, X, strict=True)]
    path = stored("sample,a,b\n" + "".join(lines))
    sheet = stored(
        "sample;kind\n" + "".join(f"{one};{k}\n" for one, k in zip(ids, KINDS, strict=True)),
        "s.csv",
    )
    for memory in ({}, {"memory": "1GB"}):
        ranking = featrank.rank_file(path, "kind", "fisher", labels=sheet, **memory)
        assert ranking.notes()[0] == "Read 's.csv' with separator ';'."


def test_label_files_may_have_comments_and_decimal_commas(tmp_path):
    np.save(tmp_path / "d.npy", X[:3])
    (tmp_path / "y.txt").write_text("# doses\n0,5\n1,25\n2\n")
    assert read_table(tmp_path / "d.npy", labels=tmp_path / "y.txt").y.tolist() == [0.5, 1.25, 2]
