"""NumPy files: npz, npy with labels, sparse npz."""

import numpy as np
import pytest
import scipy.sparse as sp

from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.tables import read_table

X = np.arange(12.0).reshape(4, 3)
Y = np.array([0, 1, 0, 1])


@pytest.fixture
def npz(tmp_path):
    def save(**arrays):
        np.savez(tmp_path / "data.npz", **arrays)
        return tmp_path / "data.npz"

    return save


@pytest.fixture
def npy(tmp_path):
    np.save(tmp_path / "data.npy", X)
    return tmp_path / "data.npy"


@pytest.mark.parametrize("key", ["y", "Y", "labels"])
def test_npz_with_the_usual_names(npz, key):
    table = read_table(npz(X=X, **{key: Y}))
    np.testing.assert_array_equal(table.X, X)
    assert table.y.tolist() == Y.tolist()
    assert table.target_name == key
    assert table.feature_names == ["x0", "x1", "x2"]


def test_npz_with_a_named_target_and_feature_names(npz):
    path = npz(X=X, y=Y, kind=np.array(["a", "b", "b", "a"]), feature_names=["g1", "g2", "g3"])
    table = read_table(path, target="kind", drop=["g2"])
    assert table.y.tolist() == ["a", "b", "b", "a"]
    assert table.feature_names == ["g1", "g3"]
    np.testing.assert_array_equal(table.X, X[:, [0, 2]])


def test_npz_with_one_other_matrix(npz):
    np.testing.assert_array_equal(read_table(npz(counts=X, labels=Y[:, None])).X, X)


def test_npz_with_two_other_matrices_lists_them(npz):
    with pytest.raises(DataError, match=r"'first' \(4, 3\), 'second' \(4, 3\)"):
        read_table(npz(first=X, second=X, y=Y))


def test_npz_unknown_target(npz):
    with pytest.raises(UsageError, match=r"Unknown target 'kinds'. Did you mean 'kind'"):
        read_table(npz(X=X, kind=Y), target="kinds")


def test_npz_without_labels(npz):
    table = read_table(npz(X=X))
    assert table.y is None
    assert table.target_name is None


def test_bytes_become_text(npz):
    table = read_table(
        npz(X=X, y=np.array([b"p", b"q", b"p", b"q"]), feature_names=np.array([b"u", b"v", b"w"]))
    )
    assert table.y.tolist() == ["p", "q", "p", "q"]
    assert table.feature_names == ["u", "v", "w"]


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_sparse_npz(tmp_path, layout):
    sp.save_npz(tmp_path / "data.npz", sp.coo_matrix(X).asformat(layout))
    (tmp_path / "labels.txt").write_text("a\nb\na\nb\n")
    table = read_table(tmp_path / "data.npz", target="labels.txt")
    assert sp.issparse(table.X)
    assert table.X.format in ("csr", "csc")
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert table.y.tolist() == ["a", "b", "a", "b"]
    assert table.target_name == "labels"


def test_sparse_indices_beyond_the_matrix(tmp_path):
    parts = {"data": [1.0, 2.0], "indices": [0, 99999999], "indptr": [0, 1, 2]}
    np.savez(tmp_path / "data.npz", format=b"csr", shape=(2, 3), **parts)
    with pytest.raises(DataError, match=r"damaged|cannot be read"):
        read_table(tmp_path / "data.npz")


def test_sparse_column_as_target(tmp_path):
    sp.save_npz(tmp_path / "data.npz", sp.csr_matrix(X))
    table = read_table(tmp_path / "data.npz", target="-1")
    assert table.y.tolist() == X[:, -1].tolist()
    np.testing.assert_array_equal(table.X.toarray(), X[:, :2])


def test_npy_alone(npy):
    table = read_table(npy)
    np.testing.assert_array_equal(table.X, X)
    assert table.y is None


@pytest.mark.parametrize(("target", "column"), [("-1", 2), ("0", 0), ("x1", 1)])
def test_npy_column_as_target(npy, target, column):
    table = read_table(npy, target=target)
    assert table.y.tolist() == X[:, column].tolist()
    rest = [index for index in range(3) if index != column]
    assert table.feature_names == [f"x{index}" for index in rest]
    np.testing.assert_array_equal(table.X, X[:, rest])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("l.txt", "1\n0\n1\n1", [1, 0, 1, 1]),
        ("l.txt", "kind\n1\n0\n1\n1\n", [1, 0, 1, 1]),
        ("l.csv", 'kind\n"a,b"\nc\nc\nc\n', ["a,b", "c", "c", "c"]),
        ("l.csv", "\ufeff1.5\n2\n2\n1.5\n\n", [1.5, 2, 2, 1.5]),
    ],
)
def test_npy_with_a_label_file(npy, name, text, expected, monkeypatch, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_table(npy, target=name).y.tolist() == expected
    assert read_table(npy, target=str(tmp_path / name)).y.tolist() == expected


def test_label_file_seen_from_here_comes_first(npy, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    np.save(tmp_path / "here" / "l.npy", Y)
    np.save(tmp_path / "l.npy", 1 - Y)
    assert read_table(npy, target="l.npy").y.tolist() == (1 - Y).tolist()
    monkeypatch.chdir(tmp_path / "here")
    assert read_table(npy, target="l.npy").y.tolist() == Y.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n\n1\n1\n", r"1 of 4 samples has no 'l' and is left out \(row 2\)"),
        ("1\n?\nNA\n1\n", r"2 of 4 samples have no 'l' and are left out \(rows 2, 3\)"),
    ],
)
def test_label_files_with_missing_labels(npy, tmp_path, text, message):
    (tmp_path / "l.txt").write_text(text)
    with pytest.warns(FeatrankWarning, match=message):
        table = read_table(npy, target="l.txt")
    assert table.y.tolist() == [1] * len(table.X)


def test_label_file_that_is_too_short(npy, tmp_path):
    (tmp_path / "l.txt").write_text("1\n0\n1\n")
    with pytest.raises(DataError, match=r"shape \(3,\) for 4 samples"):
        read_table(npy, target="l.txt")


def test_label_file_with_several_fields(npy, tmp_path):
    (tmp_path / "l.csv").write_text("1,2\n" * 4)
    with pytest.raises(DataError, match=r"Label 1 of .* has 2 fields"):
        read_table(npy, target="l.csv")


def test_label_file_of_an_unknown_kind(npy, tmp_path):
    (tmp_path / "l.json").write_text("[]")
    with pytest.raises(UsageError, match=r"\.npy, \.cls, \.csv or \.txt"):
        read_table(npy, target="l.json")


def test_label_file_that_does_not_exist(npy):
    with pytest.raises(UsageError, match=r"Unknown target 'nowhere.txt'.*No file"):
        read_table(npy, target="nowhere.txt")


def test_objects_are_never_unpickled(tmp_path, npz):
    np.save(tmp_path / "o.npy", np.array([[1, "a"]], dtype=object), allow_pickle=True)
    for path in (tmp_path / "o.npy", npz(X=X, y=np.array(["a", None, 1, 2], dtype=object))):
        with pytest.raises(DataError, match=r"pickle.*never"):
            read_table(path)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.arange(3.0), r"has shape .3,."),
        (np.zeros((2, 2, 2)), r"has shape .2, 2, 2."),
        (np.array([["a", "b"]]), "real numbers"),
        (np.array([[1j, 2]]), "real numbers"),
        (np.zeros((0, 3)), "no rows"),
        (np.zeros((3, 0)), "No features"),
    ],
)
def test_arrays_of_the_wrong_kind(tmp_path, array, message):
    np.save(tmp_path / "d.npy", array)
    with pytest.raises(DataError, match=message):
        read_table(tmp_path / "d.npy")


@pytest.mark.parametrize(
    ("stored", "expected"),
    [("f4", "f4"), ("f8", "f8"), (">f4", "f4"), ("f2", "f4"), ("i4", "i4"), ("?", "u1")],
)
def test_types_of_numbers(tmp_path, stored, expected):
    np.save(tmp_path / "d.npy", np.array([[0, 1], [1, 0]]).astype(stored))
    table = read_table(tmp_path / "d.npy")
    assert table.X.dtype == np.dtype(expected)
    assert table.X.dtype.isnative
    assert table.X.tolist() == [[0, 1], [1, 0]]


def test_feature_names_must_fit(npz):
    with pytest.raises(DataError, match="'feature_names' has shape"):
        read_table(npz(X=X, feature_names=["a", "b"]))
    with pytest.raises(DataError, match="unique, but these are repeated: 'a'"):
        read_table(npz(X=X, feature_names=["a", "b", "a"]))


def test_labels_must_fit(npz):
    with pytest.raises(DataError, match=r"shape \(4, 2\) for 4 samples"):
        read_table(npz(X=X, y=np.zeros((4, 2))))
    with pytest.warns(FeatrankWarning, match="1 of 4 samples has no 'y'"):
        assert read_table(npz(X=X, y=np.array([0, np.nan, 1, 1]))).y.tolist() == [0, 1, 1]


@pytest.mark.parametrize("suffix", [".npz", ".npy"])
def test_broken_files(tmp_path, suffix):
    path = tmp_path / f"d{suffix}"
    np.savez(path, X=X, y=Y) if suffix == ".npz" else np.save(path, X)
    whole = path.read_bytes()
    for content in (whole[: len(whole) // 2], b"garbage" * 30):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"cannot be read as|does not begin"):
            read_table(path)


def test_labels_that_are_pickled_get_the_words_of_tables(tmp_path):
    np.save(tmp_path / "X.npy", np.ones((2, 3)))
    np.save(tmp_path / "y.npy", np.array(["a", None], dtype=object), allow_pickle=True)
    for given in ({"target": "y.npy"}, {"labels": tmp_path / "y.npy"}):
        with pytest.raises(DataError, match="so featrank never does") as caught:
            read_table(tmp_path / "X.npy", **given)
        assert "allow_pickle" not in str(caught.value)
