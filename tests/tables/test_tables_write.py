"""Writing: what is written is read back, and never half."""

import gzip

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank.exceptions import DataError, UsageError
from featrank.tables import WRITABLE, Table, read_table, write_table

X = np.array([[0.1, 0, -3e-9], [0, 2, 0], [1 / 3, 0, 0], [7, 1e22, 0]])
NAMES = ["gene a", "b,c", "ü"]
UNLABELLED = [".npy", ".gct", ".gct.gz"]
NAMELESS = [suffix for suffix in WRITABLE if "svm" in suffix] + [".npy"]


def dense(matrix):
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def target_of(suffix):
    unnamed = suffix in (".npz", ".mat", *UNLABELLED) or "svm" in suffix
    return None if unnamed else "the label"


LABELS = [
    (suffix, labels)
    for suffix in WRITABLE
    for labels in (["u v", "w", "u v", "w"], [3, 4, 3, 4])
    if labels[0] == 3 or "svm" not in suffix
]


@pytest.mark.parametrize(("suffix", "labels"), LABELS)
@pytest.mark.parametrize("kind", [np.array, np.asfortranarray, sp.csr_matrix, sp.csc_matrix])
def test_round_trip(tmp_path, suffix, labels, kind):
    y = np.array(labels)
    path = tmp_path / f"out{suffix}"
    write_table(path, Table(kind(X), NAMES, y, "the label"))
    back = read_table(path, target=target_of(suffix))
    np.testing.assert_array_equal(dense(back.X), X)
    assert back.feature_names == (["x0", "x1", "x2"] if suffix in NAMELESS else NAMES)
    if suffix in UNLABELLED:
        assert back.y is None
    else:
        assert back.y.tolist() == labels
    if target_of(suffix):
        assert back.target_name == "the label"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", [".npz", ".mat", ".h5ad", ".arff", ".libsvm"])
def test_sparse_stays_sparse(tmp_path, suffix):
    write_table(
        tmp_path / f"d{suffix}", Table(sp.csr_matrix(X), NAMES, np.array([1, 2, 1, 2]), "y")
    )
    target = "y" if suffix in (".h5ad", ".arff") else None
    assert sp.issparse(read_table(tmp_path / f"d{suffix}", target=target).X)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".npz", ".npy", ".mat", ".h5ad"])
def test_float32_stays_float32(tmp_path, suffix):
    write_table(tmp_path / f"d{suffix}", Table(X.astype("f4"), NAMES))
    back = read_table(tmp_path / f"d{suffix}")
    assert back.X.dtype == np.float32
    np.testing.assert_array_equal(back.X, X.astype("f4"))
    assert back.y is None


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz", ".mat", ".h5ad", ".arff"])
def test_labels_without_a_name(tmp_path, suffix):
    write_table(tmp_path / f"d{suffix}", Table(X, NAMES, np.array([True, False, True, True])))
    back = read_table(
        tmp_path / f"d{suffix}", target="y" if suffix in (".npz", ".mat") else "target"
    )
    assert [str(label) in ("True", "1") for label in back.y] == [True, False, True, True]


def test_other_programs_read_the_files(tmp_path):
    table = Table(sp.csr_matrix(X), NAMES, np.array(["u", "v", "u", "v"]), "y")
    write_table(tmp_path / "d.npz", table)
    np.testing.assert_array_equal(sp.load_npz(tmp_path / "d.npz").toarray(), X)
    write_table(tmp_path / "d.csv.gz", table)
    text = gzip.decompress((tmp_path / "d.csv.gz").read_bytes()).decode()
    assert text.splitlines()[0] == 'gene a,"b,c",ü,y'
    write_table(tmp_path / "d.arff", Table(X, ["a", "b", "c"], table.y, "y"))
    rows, meta = scipy.io.arff.loadarff(tmp_path / "d.arff")
    assert meta.names() == ["a", "b", "c", "y"]
    assert rows["a"].tolist() == X[:, 0].tolist()
    assert rows["y"].tolist() == [b"u", b"v", b"u", b"v"]


def test_same_table_same_gzip_bytes(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write_table(tmp_path / name, Table(X, NAMES))
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


@pytest.mark.parametrize("suffix", WRITABLE)
def test_a_failing_write_leaves_the_old_file(tmp_path, suffix, monkeypatch):
    path = tmp_path / f"d{suffix}"
    path.write_bytes(b"precious")

    def full(source, destination):
        assert source.stat().st_size > 0
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(UsageError, match="No space left"):
        write_table(path, Table(X, NAMES, np.array([1, 2, 1, 2]), "y"))
    assert path.read_bytes() == b"precious"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_refusals_leave_the_old_file(tmp_path):
    path = tmp_path / "d.svmlight"
    path.write_bytes(b"precious")
    for labels in (None, np.array(["u", "v", "u", "v"])):
        with pytest.raises(UsageError, match="needs numbers as labels"):
            write_table(path, Table(X, NAMES, labels, "y"))
    assert path.read_bytes() == b"precious"
    with pytest.raises(DataError, match="unique, but these are repeated: 'ü'"):
        write_table(tmp_path / "d.csv", Table(X, NAMES, np.array([1, 2, 1, 2]), "ü"))


def test_nowhere_to_write(tmp_path):
    with pytest.raises(UsageError, match="Cannot write"):
        write_table(tmp_path / "absent" / "d.npz", Table(X, NAMES))
    with pytest.raises(UsageError, match="Known extensions"):
        write_table(tmp_path / "d.docx", Table(X, NAMES))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_nowhere_to_write_for_frames(tmp_path, suffix):
    with pytest.raises(UsageError, match="Cannot write"):
        write_table(tmp_path / "absent" / f"d{suffix}", Table(X, NAMES))


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    values=arrays(float, (3, 2), elements=st.floats(allow_nan=False, allow_infinity=False)),
    name=st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=6),
)
def test_any_number_and_name_survives_csv(tmp_path, values, name):
    if name.strip() in ("second", ""):
        return
    write_table(tmp_path / "d.csv", Table(values, [name, "second"]))
    back = read_table(tmp_path / "d.csv")
    assert back.feature_names == [name, "second"]
    np.testing.assert_array_equal(back.X, values)
