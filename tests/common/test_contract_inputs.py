"""What a ranker takes: labels and tables of any kind, the same answer for the same numbers."""

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


def test_names_of_classes_do_not_matter(data):
    X, _ = data
    y = np.arange(60) % 4
    wanted = ECFS().fit(X, y).scores_
    for names in (["d", "a", "c", "b"], [10, -3, 5, 99], [2, 3, 0, 1]):
        np.testing.assert_allclose(ECFS().fit(X, np.array(names)[y]).scores_, wanted, rtol=1e-10)


def test_a_column_of_labels_is_taken_with_a_warning(data):
    X, y = data
    with pytest.warns(UserWarning, match="column-vector"):
        ranker = ECFS().fit(X, y.reshape(-1, 1))
    assert np.array_equal(ranker.scores_, ECFS().fit(X, y).scores_)


def frozen(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def strided(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan, dtype=X.dtype)
    wide[::2, ::3] = X
    return wide[::2, ::3]


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "strides": strided,
    "strides of Fortran order": lambda X: strided(X.T).T,
    "negative strides": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": frozen,
    "big-endian": lambda X: X.astype(X.dtype.newbyteorder(">")),
    "nested lists": lambda X: X.tolist(),
}


@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_memory_layout_gives_the_same_bits(data, layout, dtype, binning):
    X, y = data[0].astype(dtype), data[1]
    wanted = ECFS(binning=binning).fit(X.astype(np.float64), y).scores_
    got = ECFS(binning=binning).fit(layout(X), y).scores_
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_mapped_file(data, tmp_path, order):
    X, y = data
    path = tmp_path / "X.bin"
    np.asarray(X, order=order).ravel(order=order).tofile(path)
    mapped = np.memmap(path, mode="r", shape=X.shape, order=order, dtype=X.dtype)
    ranker = ECFS(n_features_to_select=2).fit(mapped, y)
    assert np.array_equal(ranker.scores_, ECFS().fit(X, y).scores_)
    assert np.array_equal(ranker.transform(mapped), X[:, ranker.support_])


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64, np.float16])
def test_whole_numbers_of_any_type(data, dtype):
    X, y = np.round(4 * data[0]), data[1]
    got = ECFS(n_features_to_select=2).fit(X.astype(dtype), y)
    np.testing.assert_allclose(got.scores_, ECFS().fit(X, y).scores_, rtol=1e-12)
    assert got.transform(X.astype(dtype)).dtype == dtype


def test_booleans(data):
    X, y = data[0] > 9, data[1]
    wanted = ECFS().fit(X.astype(float), y).scores_
    assert np.array_equal(ECFS().fit(X, y).scores_, wanted)


def test_float16_with_fractions(data):
    X, y = data[0].astype(np.float16), data[1]
    wanted = ECFS().fit(X.astype(float), y).scores_
    np.testing.assert_allclose(ECFS().fit(X, y).scores_, wanted, rtol=1e-12)


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


def test_inputs_are_untouched(frame):
    X, y = frame
    before, labels = X.copy(deep=True), y.copy()
    ECFS(n_features_to_select=2).fit(X, y).transform(X)
    pd.testing.assert_frame_equal(X, before)
    assert np.array_equal(y, labels)


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def table(request, frame):
    X, _ = frame
    if request.param == "pandas":
        return X
    polars = pl.DataFrame(X.to_numpy(), schema=list(X.columns))
    return polars if request.param == "polars" else polars.to_arrow()


def test_names_are_kept(table, frame, names, data):
    ranker = ECFS(n_features_to_select=2).fit(table, frame[1])
    assert ranker.feature_names_in_.tolist() == names
    assert ranker.get_feature_names_out().tolist() == [names[j] for j in sorted(ranker.order_[:2])]
    np.testing.assert_allclose(ranker.scores_, ECFS().fit(*data).scores_, rtol=1e-12)


def test_transform_of_a_table(table, frame, data):
    ranker = ECFS(n_features_to_select=2).fit(table, frame[1])
    assert np.array_equal(ranker.transform(table), data[0][:, ranker.support_])


@pytest.mark.parametrize(("output", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output(table, frame, data, output, kind):
    ranker = ECFS(n_features_to_select=2).set_output(transform=output).fit(table, frame[1])
    selected = ranker.transform(table)
    assert isinstance(selected, kind)
    assert list(selected.columns) == ranker.get_feature_names_out().tolist()
    assert np.array_equal(selected.to_numpy(), data[0][:, ranker.support_])


def test_the_index_of_a_pandas_frame_is_kept(frame):
    X, y = frame
    X.index = [f"patient {row}" for row in range(60)]
    selected = ECFS(n_features_to_select=2).set_output(transform="pandas").fit_transform(X, y)
    assert selected.index.equals(X.index)


def test_columns_of_several_types(frame):
    X, y = frame
    mixed = X.astype({"gene 0": "float32", "gene 2": "int64"}).assign(**{"gene 5": y == "sick"})
    ranker = ECFS().fit(mixed, y)
    assert ranker.order_[0] == 5
    assert ranker.feature_names_in_.tolist() == list(mixed.columns)


def test_other_names_at_transform_are_refused(frame):
    X, y = frame
    ranker = ECFS().fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        ranker.transform(X.rename(columns={"gene 3": "gene three"}))


def test_another_number_of_columns_at_transform_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="11 features"):
        ECFS().fit(X, y).transform(X[:, :11])


@pytest.fixture
def half_empty(data):
    X, y = data
    X[X < 8] = 0
    return X, y


@pytest.mark.parametrize("container", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("binning", ["width", "quantile"])
def test_sparse_gives_the_same_bits(half_empty, container, kind, dtype, binning):
    X, y = half_empty[0].astype(dtype), half_empty[1]
    sparse = getattr(sp, f"{container}_{kind}")(X)
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
    with pytest.raises(DataError, match="several columns of the same name: 'gene 0', 'gene 1'"):
        ECFS().fit(frame, [0, 1])
