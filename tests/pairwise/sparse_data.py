"""Sparse matrices of every kind, for hypothesis."""

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

VALUES = st.sampled_from([-3.0, -1.0, -0.5, 0.0, 1e-7, 0.1, 1.0, 2.0, 2.0, 7.0, 1e6])
DTYPES = (np.float32, np.float64, np.longdouble, np.int8, np.uint16, np.int64, np.bool_)
CONTAINERS = (sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.csc_matrix)


@st.composite
def sparse_matrices(draw, containers=CONTAINERS, dtypes=DTYPES, most_rows=40):
    """Entries in any order, several at one place, zeros among them; some columns are constant."""
    n_rows, n_features = draw(st.integers(4, most_rows)), draw(st.integers(1, 8))
    size = draw(st.integers(0, 2 * n_rows))
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    row, column = rng.integers(0, n_rows, size), rng.integers(0, n_features, size)
    values = np.array(draw(st.lists(VALUES, min_size=8, max_size=8)))[rng.integers(0, 8, size)]
    if draw(st.booleans()):
        full = rng.integers(n_features)
        row, column = np.append(row, np.arange(n_rows)), np.append(column, np.full(n_rows, full))
        values = np.append(values, np.full(n_rows, values[0] if size else 2.0))
    data = np.abs(values) if dtype.kind == "u" else values
    data = np.clip(data, -100, 100).astype(dtype) if dtype.kind in "iu" else data.astype(dtype)
    container = draw(st.sampled_from(containers))
    return stored_as(container, data, row, column, (n_rows, n_features), draw(st.booleans()))


def stored_as(container, data, row, column, shape, long_indices):
    """Keep the order of entries and what is stored twice, which conversions would not."""
    by_column = container.__name__.startswith("csc")
    major, minor = (column, row) if by_column else (row, column)
    n_major = shape[1] if by_column else shape[0]
    order = np.argsort(major, kind="stable")
    begin = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=n_major))])
    kind = np.int64 if long_indices else np.int32
    X = container(shape, dtype=data.dtype)
    X.data, X.indices, X.indptr = data[order], minor[order].astype(kind), begin.astype(kind)
    return X
