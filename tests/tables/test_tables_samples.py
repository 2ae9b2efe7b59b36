"""What is known of samples: ids, columns to keep, groups, and sheets joined by id."""

import numpy as np
import pandas as pd
import pytest

from featrank import tables
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.sources import open_dataset


@pytest.fixture
def stored(tmp_path):
    def save(columns, name="d.csv", **options):
        frame = pd.DataFrame(columns)
        path = tmp_path / name
        if name.endswith(".parquet"):
            frame.to_parquet(path, index=False)
        else:
            frame.to_csv(path, index=False, **options)
        return path

    return save


VALUES = {"a": [1.0, 2, 3, 4], "b": [4.0, 3, 2, 1]}


@pytest.mark.parametrize("name", ["d.csv", "d.parquet"])
@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("sample", ["u", "v", "w", "x"]),
        ("Patient ID", [4, 9, 1, 2]),
        ("geo_accession", ["GSM1", "GSM2", "GSM3", "GSM4"]),
        ("subjectId", ["p1", "p2", "p3", "p4"]),
    ],
)
def test_ids_are_recognised_and_never_ranked(stored, column, values, name):
    path = stored({"a": VALUES["a"], column: values, "b": VALUES["b"]}, name)
    table = tables.read_table(path)
    assert (table.feature_names, table.ids.tolist()) == (["a", "b"], values)
    assert table.notes == (f"Column {column!r} holds sample IDs and is not ranked.",)
    source = open_dataset(path)
    assert (list(source.names), source.id_name) == (["a", "b"], column)
    assert source.ids.read(slice(1, 3)).tolist() == values[1:3]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("age", [4, 9, 1, 2]),
        ("sample", [4, 9, 1, 2]),
        ("patient_id", [4, 4, 1, 2]),
        ("id", [0.5] * 4),
    ],
)
def test_numbers_are_ids_only_under_such_a_name_and_if_they_differ(stored, column, values):
    path = stored({column: values, **VALUES})
    assert tables.read_table(path).feature_names == [column, "a", "b"]
    assert list(open_dataset(path).names) == [column, "a", "b"]


def test_a_first_column_of_many_different_texts_names_the_rows(stored):
    names = [f"line {i}" for i in range(12)]
    path = stored({"which": names, "a": range(12), "b": range(12)})
    assert tables.read_table(path).ids.tolist() == names
    assert list(open_dataset(path).names) == ["a", "b"]
    few = stored({"which": names[:4], **VALUES})
    with pytest.raises(
        DataError, match="Text, categories or dates instead of numbers in 1 column: 'which'"
    ):
        tables.read_table(few)


def test_ids_asked_for_as_target_or_dropped_are_what_was_asked(stored):
    path = stored({"sample": ["u", "v", "u2", "v2"], **VALUES})
    assert tables.read_table(path, target="sample").y.tolist() == ["u", "v", "u2", "v2"]
    dropped = tables.read_table(path, drop="sample")
    assert (dropped.ids, dropped.notes) == (None, ())


def test_names_of_rows_are_ids(tmp_path):
    frame = pd.DataFrame(VALUES, index=["u", "v", "w", "x"])
    frame.to_csv(tmp_path / "d.csv")
    frame.to_parquet(tmp_path / "d.parquet")
    for path in (tmp_path / "d.csv", tmp_path / "d.parquet"):
        table = tables.read_table(path)
        assert (table.feature_names, table.ids.tolist()) == (["a", "b"], ["u", "v", "w", "x"])
        assert open_dataset(path).ids.read(slice(0, 2)).tolist() == ["u", "v"]


def test_kept_columns_and_groups_are_no_features(stored):
    path = stored({"sample": list("uvwx"), "age": [3, 4, 5, 6], "batch": list("ABAB"), **VALUES})
    table = tables.read_table(path, keep=["age", "sample"], groups="batch", target="b")
    assert table.feature_names == ["a"]
    assert table.kept["age"].tolist() == [3, 4, 5, 6]
    assert table.groups.tolist() == list("ABAB")
    assert list(table.sample_columns) == ["sample", "age"]
    with pytest.raises(UsageError, match=r"Unknown column 'agee'. Did you mean 'age'"):
        tables.read_table(path, keep="agee")


@pytest.mark.parametrize(
    "suffix", [".csv", ".tsv.gz", ".parquet", ".arrow", ".npz", ".h5ad", ".mat"]
)
def test_ids_and_kept_columns_survive_a_file(stored, tmp_path, suffix):
    path = stored({"sample": list("uvwx"), "age": [3.5, 4, 5, 6], **VALUES, "y": [0, 1, 0, 1]})
    kept = {"drop": "age"} if suffix == ".mat" else {"keep": "age"}
    table = tables.read_table(path, target="y", **kept)
    tables.write_table(tmp_path / f"out{suffix}", table)
    target = {".npz": None, ".mat": None}.get(suffix, "y")
    back = tables.read_table(tmp_path / f"out{suffix}", target=target, keep=list(table.kept))
    assert back.ids.tolist() == list("uvwx")
    assert back.feature_names == ["a", "b"]
    for name, values in table.kept.items():
        assert back.kept[name].tolist() == values.tolist()


SHEET = {
    "patient": ["p3", "p1", "p2", "p9"],
    "diagnosis": ["ill", "well", "ill", "well"],
    "site": ["N", "S", "N", "S"],
}


@pytest.fixture
def clinical(stored):
    return stored(SHEET, "clinical.csv")


def test_labels_are_joined_by_id_whatever_the_order(stored, clinical):
    path = stored({"sample": ["p1", "p2", "p3"], "a": [1, 2, 3], "b": [0, 5, 1]})
    with pytest.warns(FeatrankWarning, match=r"1 of 4 ids in the .* not in 'd.csv' \(p9\)"):
        table = tables.read_table(
            path,
            labels=clinical,
            id_column="patient",
            target="diagnosis",
            keep="site",
            groups="site",
        )
    expected = pd.DataFrame({"sample": ["p1", "p2", "p3"]}).merge(
        pd.DataFrame(SHEET), left_on="sample", right_on="patient", how="left"
    )
    assert table.y.tolist() == expected.diagnosis.tolist()
    assert table.kept["site"].tolist() == expected.site.tolist()
    assert table.groups.tolist() == expected.site.tolist()
    assert (table.target_name, table.feature_names) == ("diagnosis", ["a", "b"])


def test_samples_without_a_row_are_left_out_and_told(stored, clinical):
    path = stored({"sample": ["p1", "p7", "p3", "p2"], "a": [1, 2, 3, 4]})
    with (
        pytest.warns(FeatrankWarning, match=r"1 of 4 samples of 'd.csv' are not in the .* \(p7\)"),
        pytest.warns(FeatrankWarning, match=r"1 of 4 samples has no 'diagnosis'.*\(p7\)"),
    ):
        table = tables.read_table(path, labels=clinical, target="diagnosis")
    assert (table.ids.tolist(), table.X.ravel().tolist()) == (["p1", "p3", "p2"], [1, 3, 4])
    assert table.y.tolist() == ["well", "ill", "ill"]


def test_a_row_without_a_label_is_left_out_and_told(stored):
    sheet = stored({"id": ["u", "v", "w", "x"], "y": ["A", None, "B", "A"]}, "s.csv")
    path = stored({"sample": list("uvwx"), **VALUES})
    with pytest.warns(FeatrankWarning, match=r"1 of 4 samples has no 'y' and is left out \(v\)"):
        assert tables.read_table(path, labels=sheet, target="y").y.tolist() == ["A", "B", "A"]


def test_a_column_of_the_same_name_is_matched_many_to_one(stored, clinical):
    path = stored({"patient": ["p1", "p1", "p3", "p2", "p2"], "a": [1, 2, 3, 4, 5]})
    with pytest.warns(FeatrankWarning, match="p9"):
        table = tables.read_table(path, labels=clinical, id_column="patient", target="diagnosis")
    assert table.feature_names == ["a"]  # the key is none
    assert table.y.tolist() == ["well", "well", "ill", "ill", "ill"]


def test_a_target_of_the_sheet_is_no_feature_of_the_table(stored, clinical):
    path = stored({"sample": ["p1", "p2", "p3"], "a": [1, 2, 3], "diagnosis": [7, 8, 9]})
    with pytest.warns(FeatrankWarning, match="p9"):
        table = tables.read_table(path, labels=clinical, target="diagnosis")
    assert table.feature_names == ["a"]


def test_ambiguous_and_strange_ids_are_refused(stored, tmp_path):
    twice = stored({"id": ["u", "u", "w"], "y": [1, 2, 3]}, "twice.csv")
    path = stored({"sample": list("uvwx"), **VALUES})
    with pytest.raises(
        DataError, match=r"Ids must be unique, but these are repeated in the column 'id' of 'twice"
    ):
        tables.read_table(path, labels=twice, target="y")
    other = stored({"id": ["k", "l"], "y": [1, 2]}, "other.csv")
    with pytest.raises(DataError, match=r"No id of 'd.csv' \(u, v, w, x\) is in.*'id' of 'other"):
        tables.read_table(path, labels=other, target="y")
    nameless = stored(VALUES, "n.csv")
    with pytest.raises(UsageError, match=r"'n.csv' has no ids to match.*no column 'id'"):
        tables.read_table(nameless, labels=other, target="y")
    with pytest.raises(UsageError, match=r"Unknown column 'idd'. Did you mean 'id'"):
        tables.read_table(path, labels=other, id_column="idd", target="y")
    with pytest.raises(UsageError, match=r"Unknown column 'yy'"):
        tables.read_table(
            path, labels=stored({"id": list("uvwx"), "y": [1] * 4}, "s.csv"), target="yy"
        )
    with pytest.raises(UsageError, match="needs a sample sheet"):
        tables.read_table(path, id_column="id")
    with pytest.raises(UsageError, match="The sample sheet"):
        tables.read_table(path, labels=tmp_path / "none.csv", target="y")
    twins = stored({"sample": list("uuwx"), **VALUES}, "twins.tsv", sep="\t")
    with pytest.raises(UsageError, match="has no ids to match"):  # ids that repeat are no ids
        tables.read_table(twins, labels=other, target="y")


def test_numbers_match_whatever_their_type(stored):
    sheet = stored({"patient_id": [3, 1, 2], "y": ["c", "a", "b"]}, "s.parquet")
    path = stored({"patient_id": [1.0, 2, 3], "a": [1, 2, 3]})
    table = tables.read_table(path, labels=sheet, target="y")
    assert (table.y.tolist(), table.feature_names) == (list("abc"), ["a"])


def test_a_file_of_labels_needs_no_parts(stored, tmp_path):
    (tmp_path / "y.txt").write_text("A\nB\nA\nB\n")
    table = tables.read_table(stored(VALUES), labels=tmp_path / "y.txt")
    assert (table.y.tolist(), table.target_name) == (list("ABAB"), "y")


@pytest.mark.parametrize("how", ["mean", "max", "first"])
@pytest.mark.parametrize("kind", ["dense", "csr", "csc"])
def test_repeated_names_become_one_as_pandas_makes_it(how, kind):
    from scipy import sparse

    from featrank.tables.repeated import merged

    rng = np.random.default_rng(0)
    X = rng.poisson(0.7, size=(9, 7)).astype(float)
    names = ["a", "b", "a", "c", "b", "d", "a"]
    expected = getattr(pd.DataFrame(X, columns=names).T.groupby(level=0, sort=False), how)().T
    given = X if kind == "dense" else sparse.csr_array(X).asformat(kind)
    table = merged(tables.Table(given, names, symbols=list("1234567")), how)
    assert table.feature_names == list(expected.columns) == ["a", "b", "c", "d"]
    assert table.symbols == ["1", "2", "4", "6"]
    found = table.X
    dense = found if kind == "dense" else found.toarray()
    np.testing.assert_allclose(dense, expected.to_numpy(), rtol=1e-12)
    assert kind == "dense" or found.format == kind
    assert "2 names occur more than once" in table.notes[0]


def test_repeated_names_with_gaps_count_what_is_known(stored, tmp_path):
    (tmp_path / "d.csv").write_text("a,b,a\n1,5,3\n,6,4\n,7,\n2,8,NA\n")
    table = tables.read_table(tmp_path / "d.csv", duplicates="mean", missing="keep")
    np.testing.assert_array_equal(table.X, [[2, 5], [4, 6], [np.nan, 7], [2, 8]])
    with pytest.raises(DataError, match="must be unique"):
        tables.read_table(tmp_path / "d.csv", missing="keep")


def test_features_with_too_many_gaps_are_left_out(tmp_path):
    (tmp_path / "d.csv").write_text("a,b,c,t\n1,,3,u\n2,,4,v\n3,1,,u\n4,2,5,\n")
    table = tables.read_table(
        tmp_path / "d.csv", max_missing=0.25, missing="mean", categorical="onehot"
    )
    assert table.feature_names == ["a", "c", "t=u", "t=v"]
    assert table.notes == ("Dropped 1 feature with more than 25% missing values: b.",)
    with pytest.raises(UsageError, match="max_missing=2 is not a fraction"):
        tables.read_table(tmp_path / "d.csv", max_missing=2)
    (tmp_path / "e.csv").write_text("a,b\n1,\n,2\n")
    with pytest.raises(DataError, match="No features are left"):
        tables.read_table(tmp_path / "e.csv", max_missing=0.1)


def test_a_target_of_the_table_is_known_of_samples_that_the_sheet_lacks(stored, clinical):
    path = stored({"sample": ["p1", "p7", "p3", "p2"], "a": [1, 2, 3, 4], "y": list("ABAB")})
    with pytest.warns(FeatrankWarning, match=r"1 of 4 samples of 'd.csv' .*sample sheet \(p7\)"):
        table = tables.read_table(path, labels=clinical, target="y")
    assert (table.ids.tolist(), table.y.tolist()) == (["p1", "p7", "p3", "p2"], list("ABAB"))


def test_a_sheet_tells_that_a_table_has_its_features_in_rows(stored, clinical):
    values = {name: range(10) for name in ("p1", "p2", "p3")}
    path = stored({"gene": [f"g{row}" for row in range(10)], **values})
    with pytest.raises(DataError, match=r"Columns of 'd.csv' have these names.*`transpose=True`"):
        tables.read_table(path, labels=clinical, target="diagnosis")
