"""ARFF files, dense and sparse."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from featrank.exceptions import DataError, UsageError
from featrank.tables import Table, read_table, write_table
from featrank.values.usable_labels import MISSING_LABELS

DENSE = r"""% a comment
@RELATION 'some data'

@ATTRIBUTE 'sepal length' NUMERIC  % in cm
@attribute "it's" real
@attribute back\slash integer
@attribute colour {red, 'dark blue', 'it\'s'}
@attribute flag{0,1}
@attribute class {a,'b, c'}

@DATA
% another comment
5.1, 3,1,red,0,a
 ?,2e1,-2,'dark blue',1,'b, c'
7,1.5, 3 ,'it\'s',1,a
"""

SPARSE = """@relation sparse
@attribute f0 numeric
@attribute f1 numeric
@attribute 'f 2' {0,1}
@attribute f3 numeric
@attribute class {no,'yes, sir'}
@data
{1 2.5, 4 'yes, sir'}
{}
{0 -1,2 1,3 1e3}
{ 3 4 , 4 no }
"""


@pytest.fixture
def arff(tmp_path):
    def save(text):
        path = tmp_path / "data.arff"
        path.write_text(text, encoding="utf-8")
        return path

    return save


def test_dense(arff):
    table = read_table(arff(DENSE), target="class", missing="mean", categorical="ordinal")
    assert table.feature_names == ["sepal length", "it's", "back\\slash", "colour", "flag"]
    expected = [[5.1, 3, 1, 2, 0], [6.05, 20, -2, 0, 1], [7, 1.5, 3, 1, 1]]
    np.testing.assert_allclose(table.X, expected, rtol=1e-15)
    assert table.y.tolist() == ["a", "b, c", "a"]


def test_dense_nominal_features_need_a_choice(arff):
    with pytest.raises(DataError, match=r"instead of numbers in 1 column.*'colour'"):
        read_table(arff(DENSE), target="class", missing="mean")
    names = read_table(
        arff(DENSE), target="class", missing="mean", categorical="onehot"
    ).feature_names
    assert names[3:] == ["colour=dark blue", "colour=it's", "colour=red", "flag"]


def test_dense_missing_value(arff):
    with pytest.raises(DataError, match=r"1 missing value.*'sepal length' \(1\)"):
        read_table(arff(DENSE), target="class", categorical="drop")


def test_numeric_target_gives_whole_labels(arff):
    path = arff("@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n0.5,1\n1,2\n")
    table = read_table(path, target="-1")
    assert table.y.tolist() == [1, 2]
    assert table.y.dtype.kind == "i"
    assert table.X.tolist() == [[0.5], [1.0]]


def test_nominal_numbers_as_target_stay_as_written(arff):
    path = arff("@relation r\n@attribute a real\n@attribute y {01,1}\n@data\n0.5,01\n1,1\n")
    assert read_table(path, target="y").y.tolist() == ["01", "1"]


def test_a_quoted_question_mark_is_a_value(arff):
    text = "@relation r\n@attribute a {'?',b}\n@attribute c real\n@data\n'?',1\nb,2\n"
    assert read_table(arff(text), categorical="onehot").feature_names == ["a=?", "a=b", "c"]


def test_sparse(arff):
    table = read_table(arff(SPARSE), target="class")
    assert sp.issparse(table.X)
    assert table.feature_names == ["f0", "f1", "f 2", "f3"]
    expected = [[0, 2.5, 0, 0], [0, 0, 0, 0], [-1, 0, 1, 1000], [0, 0, 0, 4]]
    np.testing.assert_array_equal(table.X.toarray(), expected)
    assert table.y.tolist() == ["yes, sir", "no", "no", "no"]


def test_sparse_drop_and_missing(arff):
    text = SPARSE.replace("2.5", "?").replace("{}", "{1 6}")
    with pytest.raises(DataError, match=r"1 missing value.*'f1' \(1\)"):
        read_table(arff(text), target="class")
    table = read_table(arff(text), target="class", drop=["f0"], missing="mean")
    assert table.feature_names == ["f1", "f 2", "f3"]
    assert table.X.toarray()[:, 0].tolist() == [2, 6, 0, 0]
    with pytest.raises(UsageError, match="the target and also in `drop"):
        read_table(arff(text), target="class", drop=["class"])


def test_sparse_nominal_column_left_out_has_the_first_value(arff):
    text = """@relation r
@attribute size {small, large}
@attribute level {1,2}
@attribute n numeric
@data
{0 large, 2 7}
{1 2}
"""
    with pytest.raises(DataError, match="'size'"):
        read_table(arff(text))
    table = read_table(arff(text), categorical="ordinal")
    np.testing.assert_array_equal(table.X, [[0, 1, 7], [1, 2, 0]])
    dropped = read_table(arff(text), categorical="drop")
    assert dropped.feature_names == ["level", "n"]
    np.testing.assert_array_equal(dropped.X, [[1, 7], [2, 0]])


def test_sparse_numeric_target_left_out_is_zero(arff):
    text = "@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n{0 1}\n{0 2, 1 1}\n"
    table = read_table(arff(text), target="y")
    assert table.y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation r\n@attribute a numeric\n", "no @data"),
        ("@relation r\n@attribute a numeric\n@data\n", "no rows"),
        ("@relation r\n@attribute a\n@data\n1\n", "Line 2"),
        ("@relation r\n@attribute a relational\n@data\n1\n", "'relational'"),
        (
            "@relation r\n@attribute a real\n@attribute b real\n@data\n1,2\n1\n",
            "Line 6 .* 1 values",
        ),
        ("@relation r\n@attribute a real\n@data\n1\nx\n", r"'x' instead of a number .line 5"),
        ("@relation r\n@attribute a {p,q}\n@data\np\nz\n", "undeclared value 'z'"),
        (
            "@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n",
            "unique, but these are repeated: 'a'",
        ),
        ("@relation r\n@attribute a real\n@data\n{0 1}\n{1 1}\n", "Line 5"),
        ("@relation r\n@attribute a real\n@data\n{0 1, 0 2}\n", "twice"),
        ("@relation r\n@attribute a real\n@data\n{0 1\n", "sparse row"),
        ("@relation r\n@attribute a real\n@data\n{0 'x' 1}\n", "sparse row|where a number"),
        ("@relation r\n@attribute a real\n@data\n{0}\n", "sparse row"),
        ("@relation r\n@attribute a real\n@data\n{0 z}\n", "'z' instead of a number"),
        ("@relation r\n@attribute a {p,q}\n@data\n{0 z}\n", "undeclared value 'z'"),
        ("garbage\n" * 5, "Line 1"),
    ],
)
def test_broken_text(arff, text, message):
    with pytest.raises(DataError, match=message):
        read_table(arff(text), categorical="ordinal")


def test_broken_bytes(tmp_path):
    (tmp_path / "d.arff").write_bytes(b"\xff\xfe\x00garbage" * 9)
    with pytest.raises(DataError, match="cannot be read as ARFF"):
        read_table(tmp_path / "d.arff")


def test_empty_category_is_not_a_gap(arff):
    text = "@relation r\n@attribute a {'',b}\n@attribute c real\n@data\n'',1\nb,2\n"
    assert read_table(arff(text), categorical="onehot").feature_names == ["a=", "a=b", "c"]


@pytest.mark.parametrize("row", ["{}", "{{0 {}}}"])
def test_integers_that_doubles_do_not_hold_are_refused(arff, row):
    head = "@relation r\n@attribute a real\n@data\n"
    assert read_table(arff(head + row.format(2**60) + "\n")).X.max() == 2**60
    with pytest.raises(DataError, match=f"{2**60 + 1}.*cannot hold exactly"):
        read_table(arff(head + row.format(2**60 + 1) + "\n"))


any_text = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


def is_label(text):
    return text.strip() not in MISSING_LABELS


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    names=st.lists(any_text, min_size=2, max_size=4, unique=True),
    labels=st.lists(any_text.filter(is_label), min_size=2, max_size=4),
    sparse=st.booleans(),
)
def test_any_text_survives_quoting(tmp_path, names, labels, sparse):
    X = np.arange(len(labels) * (len(names) - 1), dtype=float).reshape(len(labels), -1) / 3
    table = Table(
        sp.csr_matrix(X) if sparse else X, names[:-1], np.array(labels, object), names[-1]
    )
    write_table(tmp_path / "d.arff", table)
    back = read_table(tmp_path / "d.arff", target=names[-1])
    assert back.feature_names == names[:-1]
    assert back.target_name == names[-1]
    assert [str(label) for label in back.y] == [label.strip() for label in labels]
    np.testing.assert_array_equal(back.X.toarray() if sparse else back.X, X)
