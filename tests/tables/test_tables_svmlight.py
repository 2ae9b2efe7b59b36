"""Svmlight (libsvm) files."""

import gzip

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file

from featrank.exceptions import DataError, UsageError
from featrank.tables import read

X = np.array([[0.5, 0, 2], [0, 0, 1e-7], [3, 4, 0]])


@pytest.mark.parametrize("zero_based", [True, False])
@pytest.mark.parametrize("suffix", ["svmlight", "libsvm", "svm"])
def test_reads_what_scikit_learn_wrote(tmp_path, suffix, zero_based):
    path = tmp_path / f"d.{suffix}"
    dump_svmlight_file(X, [1, -1, 1], str(path), zero_based=zero_based)
    table = read(path)
    assert sp.issparse(table.X)
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert table.feature_names == ["x0", "x1", "x2"]
    assert table.y.tolist() == [1, -1, 1]
    assert table.y.dtype.kind == "i"
    assert read(path, target=table.target_name).y.tolist() == [1, -1, 1]


def test_gzipped(tmp_path):
    (tmp_path / "d.libsvm.gz").write_bytes(gzip.compress(b"1 1:0.5 2:3\n2.5 2:1 # note\n"))
    table = read(tmp_path / "d.libsvm.gz")
    assert table.X.toarray().tolist() == [[0.5, 3], [0, 1]]
    assert table.y.tolist() == [1, 2.5]


def test_drop_and_missing(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:nan 2:1\n2 1:4 3:1\n1 2:1\n")
    with pytest.raises(DataError, match=r"1 missing value\(s\).*'x0' \(1\)"):
        read(tmp_path / "d.svm")
    for missing, filled in (("mean", 2), ("median", 2)):
        table = read(tmp_path / "d.svm", missing=missing, drop=["x2"])
        assert table.X.toarray().tolist() == [[filled, 1], [4, 0], [0, 1]]


def test_no_other_target(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:2\n")
    with pytest.raises(UsageError, match="no target 'y'"):
        read(tmp_path / "d.svm", target="y")


@pytest.mark.parametrize(
    "content", [b"\x00\x01garbage", b"1 1:a\n", b"1 2:3 1:4\n", b"a 1:2\n", b"# nothing\n"]
)
def test_broken_files(tmp_path, content):
    (tmp_path / "d.svmlight").write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be read as svmlight|holds no samples"):
        read(tmp_path / "d.svmlight")


def test_truncated_gzip(tmp_path):
    whole = gzip.compress(b"".join(b"1 1:%d\n" % number for number in range(5000)))
    (tmp_path / "d.svmlight.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"cannot be read as svmlight"):
        read(tmp_path / "d.svmlight.gz")
