"""Svmlight (libsvm) files."""

import gzip
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file

from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.tables import read_table

X = np.array([[0.5, 0, 2], [0, 0, 1e-7], [3, 4, 0]])


@pytest.mark.parametrize("zero_based", [True, False])
@pytest.mark.parametrize("suffix", ["svmlight", "libsvm", "svm"])
def test_reads_what_scikit_learn_wrote(tmp_path, suffix, zero_based):
    path = tmp_path / f"d.{suffix}"
    dump_svmlight_file(X, [1, -1, 1], str(path), zero_based=zero_based)
    table = read_table(path)
    assert sp.issparse(table.X)
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert table.feature_names == ["x0", "x1", "x2"]
    assert table.y.tolist() == [1, -1, 1]
    assert table.y.dtype.kind == "i"
    assert read_table(path, target=table.target_name).y.tolist() == [1, -1, 1]


def test_gzipped(tmp_path):
    (tmp_path / "d.libsvm.gz").write_bytes(gzip.compress(b"1 1:0.5 2:3\n2.5 2:1 # note\n"))
    table = read_table(tmp_path / "d.libsvm.gz")
    assert table.X.toarray().tolist() == [[0.5, 3], [0, 1]]
    assert table.y.tolist() == [1, 2.5]


def test_drop_and_missing(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:nan 2:1\n2 1:4 3:1\n1 2:1\n")
    with pytest.raises(DataError, match=r"1 missing value.*'x0' \(1\)"):
        read_table(tmp_path / "d.svm")
    for missing, filled in (("mean", 2), ("median", 2)):
        table = read_table(tmp_path / "d.svm", missing=missing, drop=["x2"])
        assert table.X.toarray().tolist() == [[filled, 1], [4, 0], [0, 1]]


def test_no_other_target(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:2\n")
    with pytest.raises(UsageError, match="no target 'y'"):
        read_table(tmp_path / "d.svm", target="y")


@pytest.mark.parametrize(
    "content", [b"\x00\x01garbage", b"1 1:a\n", b"1 2:3 1:4\n", b"a 1:2\n", b"# nothing\n"]
)
def test_broken_files(tmp_path, content):
    (tmp_path / "d.svmlight").write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be read as svmlight|has no samples"):
        read_table(tmp_path / "d.svmlight")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("2 3", r"line 3 has '3' where an entry 'column:value' was expected"),
        ("2 3:", r"line 3 has '3:' where an entry"),
        ("2 1:5 3:4e", r"line 3 has '3:4e' where an entry"),
        ("2 1:5 3:-", r"line 3 has '3:-' where an entry"),
        ("2 1:5 3a:4", r"line 3 has '3a:4' where an entry"),
        ("2 1.5:4", r"line 3 has '1.5:4' where an entry"),
        ("2 -1:4", r"line 3 has '-1:4' where an entry"),
        ("2 1:2:3", r"line 3 has '1:2:3' where an entry"),
        ("2 1: 3", r"line 3 has '1:' where an entry"),
        ("2 1:1_000", r"line 3 has '1:1_000' where an entry"),
        ("2 1_0:1", r"line 3 has '1_0:1' where an entry"),
        ("2_0 1:1", r"line 3 has '2_0' where a number, the label, was expected"),
        ("1:4 2:3", r"line 3 has '1:4' where a number, the label,"),
        ("2,3 1:4", r"line 3 has '2,3' where a number, the label,"),
        ("2 3:4 1:2", r"line 3 does not name its columns in ascending order"),
        ("2 1:4 1:2", r"line 3 does not name its columns in ascending order, each once"),
        ("2 99999999999:1", r"cannot be read as svmlight: .*too large"),
    ],
)
@pytest.mark.parametrize("rest", ["", "\n", "\n1 1:2\n"])
def test_a_wrong_line_is_named(tmp_path, line, told, rest):
    (tmp_path / "d.svm").write_text(f"1 1:2\n# note_1\n{line}{rest}")
    with pytest.raises(DataError, match=told):
        read_table(tmp_path / "d.svm")


WHOLE = "1 1:0.5 12:3\n2 3:4 12:2.75e-1\n"


def test_a_file_that_is_cut_is_told_wherever_the_cut_is(tmp_path):
    """Every cut after the first line is an error or a warning, or falls between two lines."""
    path = tmp_path / "d.svm"
    for length in range(13, len(WHOLE)):
        path.write_text(WHOLE[:length])
        if WHOLE[:length].endswith("\n"):
            read_table(path)
            continue
        with pytest.warns(FeatrankWarning) if _reads(path) else pytest.raises(DataError):
            read_table(path)


def _reads(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read_table(path)
        except DataError:
            return False
        return True


@pytest.mark.parametrize("write", [bytes, gzip.compress])
def test_a_last_line_without_its_end(tmp_path, write):
    path = tmp_path / f"d.svm{'light.gz' if write is gzip.compress else ''}"
    path.write_bytes(write(b"1 1:0.5\n2 1:4 2:27"))
    with pytest.warns(FeatrankWarning, match=r"last line, 2, may be cut short; it ends in '2:27'"):
        assert read_table(path).X.toarray().tolist() == [[0.5, 0], [4, 27]]
    path.write_bytes(write(b"1 1:0.5\n2 1:4 2:27."))
    with pytest.raises(DataError, match=r"line 2 has '2:27.' where a whole number"):
        read_table(path)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", " # note", "\n# note", "\n\n", "\n  "])
def test_ends_that_are_whole(tmp_path, end):
    (tmp_path / "d.svm").write_text(f"1 1:0.5\n2 qid:3 1:4{end or ' #'}")
    assert read_table(tmp_path / "d.svm").X.toarray().tolist() == [[0.5], [4]]


def test_a_number_too_large_is_refused(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:1e400\n2 1:1\n")
    with pytest.raises(DataError, match="infinit"):
        read_table(tmp_path / "d.svm")


def test_truncated_gzip(tmp_path):
    whole = gzip.compress(b"".join(b"1 1:%d\n" % number for number in range(5000)))
    (tmp_path / "d.svmlight.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"cannot be read as svmlight"):
        read_table(tmp_path / "d.svmlight.gz")


def test_integers_that_doubles_do_not_hold_are_refused(tmp_path):
    path = tmp_path / "d.svmlight"
    path.write_text(f"1 1:{2**60} 2:1\n0 1:3 2:1234567890123456789.5\n")
    assert read_table(path).X.max() == 1234567890123456789.5
    path.write_text(f"1 1:3\n0 1:{2**60 + 1}\n")
    with pytest.raises(DataError, match=f"line 2 has the integer {2**60 + 1}"):
        read_table(path)
