"""Labels and tables that are less common than those of the common suite."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from featrank import ECFS
from featrank.exceptions import DataError

LABELS = {
    "integers": lambda y: y,
    "small integers": lambda y: y.astype(np.uint8),
    "negative integers": lambda y: -5 * y,
    "booleans": lambda y: y == 1,
    "whole floats": lambda y: y * 2.0,
    "strings": lambda y: np.where(y == 1, "sick", "well"),
    "bytes": lambda y: np.where(y == 1, b"sick", b"well"),
    "objects": lambda y: np.where(y == 1, "sick", "well").astype(object),
    "objects of two kinds": lambda y: np.array([1 if code else "one" for code in y], dtype=object),
    "a list": lambda y: y.tolist(),
    "a tuple of strings": lambda y: tuple("ab"[code] for code in y),
    "a pandas series": lambda y: pd.Series(y, index=range(100, 160)),
    "a pandas categorical": lambda y: pd.Categorical.from_codes(y, ["b", "a"]),
    "a categorical series": lambda y: pd.Series(y).astype("category"),
    "a nullable series": lambda y: pd.Series(y).astype("Int64"),
    "a polars series": lambda y: pl.Series(y).cast(pl.String),
    "a polars enum": lambda y: pl.Series(["ab"[code] for code in y], dtype=pl.Enum(["b", "a"])),
    "a pyarrow array": lambda y: pa.array(y),
    "pyarrow strings": lambda y: pa.array(["ab"[code] for code in y]),
    "a chunked pyarrow array": lambda y: pa.chunked_array([y[:20], y[20:]]),
}


@pytest.mark.parametrize("make", LABELS.values(), ids=LABELS.keys())
def test_labels_of_any_type(data, make):
    X, y = data
    ranker = ECFS().fit(X, make(y))
    np.testing.assert_allclose(ranker.scores_, ECFS().fit(X, y).scores_, rtol=1e-12)
    assert len(ranker.classes_) == 2


@pytest.mark.parametrize("n_classes", [2, 3, 7, 30, 60])
def test_any_number_of_classes(data, n_classes):
    """With 60 classes every sample is alone in its class."""
    X, _ = data
    y = np.arange(60) % n_classes
    X[:, 9] += 20 * y
    # As texts: so many numbers would pass for a quantity.
    ranker = ECFS(alpha=0.5).fit(X, [f"class {code:02}" for code in y])
    assert len(ranker.classes_) == n_classes
    assert np.isfinite(ranker.scores_).all()
    if n_classes < 60:
        assert ranker.order_[0] == 9


@pytest.mark.parametrize("order", ["C", "F"])
def test_float32_is_not_copied(order):
    rng = np.random.default_rng(0)
    X = np.asarray(rng.random((200, 20_000), dtype=np.float32), order=order)
    y = np.arange(200) % 2
    ECFS().fit(X[:, :100], y)  # imports on first use are not the fit's
    tracemalloc.start()
    try:
        ECFS(n_jobs=1).fit(X, y)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 0.5 * X.size * 8


def test_columns_of_several_types(frame):
    X, y = frame
    mixed = X.astype({"gene 0": "float32", "gene 2": "int64"}).assign(**{"gene 5": y == "sick"})
    ranker = ECFS().fit(mixed, y)
    assert ranker.order_[0] == 5
    assert ranker.feature_names_in_.tolist() == list(mixed.columns)


@pytest.fixture
def half_empty(data):
    X, y = data
    X[X < 8] = 0
    return X, y


@pytest.mark.parametrize("container", [sp.lil_array, sp.dok_matrix, sp.bsr_array])
@pytest.mark.parametrize("binning", ["width", "quantile"])
def test_sparse_gives_the_same_bits(half_empty, container, binning):
    """The common suite has the containers that are used most."""
    X, y = half_empty
    sparse = container(X)
    ranker = ECFS(n_features_to_select=2, binning=binning).fit(sparse, y)
    assert np.array_equal(ranker.scores_, ECFS(binning=binning).fit(X, y).scores_)
    assert np.array_equal(ranker.transform(sparse).toarray(), X[:, ranker.support_])


def test_sparse_with_stored_zeros_and_unsorted_indices(half_empty):
    X, y = half_empty
    sparse = sp.csr_array(np.where(X == 0, 99, X))
    sparse.data[sparse.data == 99] = 0
    sparse.indices = sparse.indices.reshape(60, -1)[:, ::-1].ravel()
    sparse.data = sparse.data.reshape(60, -1)[:, ::-1].ravel()
    sparse.has_sorted_indices = False
    assert np.array_equal(ECFS().fit(sparse, y).scores_, ECFS().fit(X, y).scores_)


def test_repeated_names_are_found_in_linear_time():
    # Counting each name among all would take hours.
    names = [f"gene {column // 2}" for column in range(200_000)]
    frame = pd.DataFrame(np.zeros((2, len(names)), dtype=np.int8), columns=names)
    with pytest.raises(DataError, match="several columns with the same name: 'gene 0', 'gene 1'"):
        ECFS().fit(frame, [0, 1])
