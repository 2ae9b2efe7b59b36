"""Tables of sparse features are those of the same features made dense, bit by bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from featrank.kernels import Groups
from featrank.kernels.contingency import Gathered
from featrank.kernels.dense import float_type
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.sparse_columns import by_columns
from featrank.pairwise.sparse_contingency import SparseContingency
from featrank.summaries.columns import RowClasses, column_moments
from featrank.summaries.histogram import Bins

from .sparse_data import sparse_matrices


def both(X, y, n_bins, binning, **options):
    """Tables of the dense and of the sparse matrix, in the same bins."""
    n_classes = y.max() + 1
    bins = n_bins
    if binning == "width":
        moments = column_moments(X.toarray(), RowClasses(y, n_classes))
        low, high = moments.low, moments.high
        bins = Bins.of(low, high, moments.whole, float_type(X.dtype), n_bins).arrays
    groups = Groups.of(y, n_classes)
    return Contingency.of(X.toarray(), groups, bins), SparseContingency.of(
        X, groups, bins, **options
    )


def assert_same_tables(dense, other):
    features = np.arange(dense.n_features)
    np.testing.assert_array_equal(other.marginal, dense.marginal)
    np.testing.assert_array_equal(other.by_class, dense.by_class)
    for chosen in features:
        np.testing.assert_array_equal(
            other.pair_sums(chosen, features), dense.pair_sums(chosen, features)
        )
        np.testing.assert_array_equal(
            other.class_gains(chosen, features), dense.class_gains(chosen, features)
        )


@settings(max_examples=400, deadline=None)
@given(
    X=sparse_matrices(),
    n_bins=st.integers(2, 12),
    n_classes=st.sampled_from([1, 2, 3, 40]),
    binning=st.sampled_from(["width", "quantile"]),
)
def test_sums_are_those_of_the_dense_matrix(X, n_bins, n_classes, binning):
    y = np.arange(X.shape[0]) % n_classes
    dense, other = both(X, y, n_bins, binning)
    assert_same_tables(dense, other)
    for feature in range(dense.n_features):
        codes = other.codes(feature)[np.argsort(y, kind="stable")]
        np.testing.assert_array_equal(codes, dense.arrays.codes[feature])


@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize("n_bins", [20, 256])
def test_many_entries_many_states_and_threads(n_bins, binning, monkeypatch):
    """Columns of more entries than cells, states of one and of two bytes, and blocks."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 12)) * (rng.random((3000, 12)) < np.linspace(0.01, 1, 12))
    monkeypatch.setattr("featrank.pairwise.contingency.CALL_ROWS", 2000)
    dense, other = both(sparse.csc_array(X), rng.integers(0, 3, 3000), n_bins, binning, n_jobs=2)
    assert_same_tables(dense, other)


@settings(max_examples=40, deadline=None)
@given(X=sparse_matrices(most_rows=25), n_bins=st.integers(2, 5))
def test_lazy_search_finds_what_looking_at_every_candidate_finds(X, n_bins):
    """The second search with the same tables has other choices behind it."""
    dense, other = both(X, np.arange(X.shape[0]) % 2, n_bins, "quantile")
    relevance = dense.relevance()
    features = np.arange(dense.n_features)
    for chosen in (features[:-1], features[:0:-1]):
        every = [tables.given_relevance for tables in (dense, other)]
        for k in range(1, len(chosen) + 1):
            left = np.setdiff1d(features, chosen[:k])
            found = other.best_smallest(relevance, chosen[:k], left, Gathered.of(relevance))
            values = [
                np.min([relevance[left], *(given(s, left) for s in chosen[:k])], axis=0)
                for given in every
            ]
            np.testing.assert_array_equal(*values)
            ties = np.flatnonzero(values[0] == values[0].max())
            assert found == (ties[np.argmax(relevance[left[ties]])], values[0].max())


@settings(max_examples=60, deadline=None)
@given(X=sparse_matrices())
def test_columns_are_those_of_the_dense_matrix_and_the_input_stays(X):
    before = [part.copy() for part in (X.data, X.indices, X.indptr)]
    columns = by_columns(X)
    np.testing.assert_array_equal(columns.toarray(), X.toarray())
    assert columns.has_canonical_format
    assert np.all(columns.data != 0)
    for part, kept in zip((X.data, X.indices, X.indptr), before, strict=True):
        np.testing.assert_array_equal(part, kept)


def test_entries_in_the_bin_of_zero_take_no_memory():
    X = sparse.random_array((500, 4), density=0.3, rng=np.random.default_rng(0), format="csc")
    X.data[:] = 1.0
    X.data[X.indptr[:-1]] = 1000.0
    _, other = both(X, np.arange(500) % 2, 10, "width")
    assert len(other.arrays.row) == 4
