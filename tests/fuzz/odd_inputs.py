"""Strategies for odd inputs: matrices of every type and layout, labels of every kind, frames."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st
from scipy import sparse

FLOATS = [np.float16, np.float32, np.float64, np.longdouble, ">f4", ">f8"]
INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64, ">i4", ">u8"]
OTHERS = [np.bool_, np.complex128, object, "U4", "S4", "datetime64[D]", "timedelta64[s]"]
DTYPES = [np.dtype(one) for one in [*FLOATS, *INTEGERS, *OTHERS]]

EXTREMES = [
    *(0.0, -0.0, 1.0, -1.0, 0.1, 1e-300, 5e-324, 2.2e-308, 1e145, -1e145, 1e146, 1e200, 1e308),
    *(-1e308, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")),
]
# Most of the extremes are refused, so that there are often none.
EXTREME_VALUES = st.just([]) | st.lists(st.sampled_from(EXTREMES[:10]) | st.sampled_from(EXTREMES))
LARGE = [0, 1, -1, 127, 2**15, 2**31 - 1, -(2**31), 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
LABELS = [
    *(0, 1, 2, -1, 1.0, 0.5, True, False, "a", "b", "", "ä", "a\0", "\ud800", b"a", b"\xff", None),
    *(float("nan"), float("inf"), 2**70, -(2**70), 1e300, Decimal(1), Decimal("0.1"), 1 + 2j),
    *(datetime.date(2020, 1, 1), np.datetime64("NaT"), np.float32(1), np.int8(3), np.str_("a")),
    *((1, 2), [1], frozenset({1}), pd.NA, pd.NaT, object),
]
SMALL = [(2, 1), (1, 3), (0, 3), (3, 0)]
NAMES = [
    "a",
    "b",
    "",
    " ",
    "a,b",
    "0",
    "1",
    "\0",
    "ä",
    "^x.*$",
    "\n",
    "a" * 300,
    "nan",
    "[x]",
    "=1",
]


@st.composite
def matrices(draw):
    """An array of any type, of 0 to 12 rows, with extremes and of any layout."""
    shape = draw(st.sampled_from([(12, 3), (8, 4), (9, 1), (10, 2), (4, 2), *SMALL]))
    dtype = draw(st.sampled_from([*DTYPES[: len(FLOATS)] * 3, *DTYPES]))
    seed, extremes = draw(st.integers(0, 99)), draw(EXTREME_VALUES)
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        if dtype.kind in "iu":
            X = rng.integers(0, 9, shape).astype(dtype)
            extremes = [value for value in draw(st.lists(st.sampled_from(LARGE), max_size=2))
                        if np.iinfo(dtype).min <= value <= np.iinfo(dtype).max]  # fmt: skip
        else:
            X = np.round(rng.normal(3, 2, shape), 2).astype("M8[D]" if dtype.kind == "O" else float)
            X = rng.integers(0, 9, shape).astype(dtype) if dtype.kind in "mMO" else X.astype(dtype)
        for value in extremes if X.size and dtype.kind not in "mMUS" else ():
            X[rng.integers(shape[0]), rng.integers(shape[1])] = value
    return draw(st.sampled_from(LAYOUTS))(X)


def _strided(X):
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]), X.dtype)
    wide[::2, ::3] = X
    return wide[::2, ::3]


def _read_only(X):
    X = X.copy()
    X.setflags(write=False)
    return X


LAYOUTS = [
    np.ascontiguousarray,
    np.asfortranarray,
    _strided,
    _read_only,
    lambda X: X[::-1],
    lambda X: X[:, ::-1].copy(order="F")[:, ::-1],
    lambda X: X.tolist(),
    np.ma.masked_array,
]


@st.composite
def sparse_matrices(draw):
    """Explicit zeros, values that are stored twice, and indices in any order."""
    shape = draw(st.sampled_from([(12, 4), (12, 1), (8, 3), (6, 3), (0, 3), (1, 2)]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    count = int(rng.integers(0, 3 * shape[0] + 1)) if shape[0] else 0
    places = [rng.integers(0, max(size, 1), count) for size in shape]
    dtype = draw(st.sampled_from([np.float32, np.float64, np.int8, np.int64, np.bool_, complex]))
    values = rng.integers(-2, 3, count).astype(dtype)
    if count and np.dtype(dtype).kind == "f":
        with np.errstate(over="ignore"):
            values[:1] = draw(EXTREME_VALUES)[:1] or 1
    X = sparse.coo_array((values, tuple(places)), shape=shape)
    made = draw(st.sampled_from(["csr", "csc", "coo", "lil", "unsorted", "matrix"]))
    if made == "unsorted" and count:
        X = X.tocsr()
        X.indices, X.data, X.has_sorted_indices = X.indices.copy(), X.data, False
        for start, stop in zip(X.indptr, X.indptr[1:], strict=False):
            X.indices[start:stop] = X.indices[start:stop][::-1]
        return X
    if made in ("matrix", "unsorted"):
        return sparse.csr_matrix(X)
    return X.asformat(made)


@st.composite
def frames(draw):
    """Frames of three packages, with odd names and columns of several types."""
    height = draw(st.sampled_from([10, 11, 12, 4, 0, 1]))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=0, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    columns = [draw(st.sampled_from(COLUMNS))(rng, height) for _ in names]
    package = draw(st.sampled_from(["pandas", "polars", "pyarrow"]))
    if package == "pandas":
        frame = pd.DataFrame({place: pd.Series(column) for place, column in enumerate(columns)})
        frame.columns = [*names] if draw(st.booleans()) else [*range(len(names))]
        frame.index = draw(st.sampled_from([list, lambda index: [0] * len(index)]))(frame.index)
        return frame
    unique = list(dict.fromkeys(names))
    table = dict(zip(unique, columns, strict=False))
    if package == "polars":
        return pl.DataFrame(table, strict=False)
    return pa.table({name: pa.array(list(column)) for name, column in table.items()})


PLAIN = [
    lambda rng, height: rng.normal(size=height),
    lambda rng, height: rng.integers(0, 5, height),
    lambda rng, height: rng.random(height) < 0.5,
]
COLUMNS = [
    *(PLAIN * 4),
    lambda rng, height: [None if value < 0.3 else value for value in rng.random(height).tolist()],
    lambda rng, height: [str(value) for value in rng.integers(0, 3, height)],
    lambda rng, height: [2**53 + int(value) for value in rng.integers(0, 3, height)],
    lambda rng, height: [float("inf")] * height,
    lambda rng, height: [datetime.date(2020, 1, 1)] * height,
]


@st.composite
def labels(draw, height):
    """Labels of any kind, as a list, an array, a tuple or a series."""
    if draw(st.sampled_from([True, True, False])):
        return np.arange(height) % draw(st.sampled_from([2, 2, 3, 1]))
    few = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=3))
    y = [few[row % len(few)] for row in range(height)]
    made = draw(st.sampled_from(["list", "tuple", "objects", "array", "series", "masked", "long"]))
    if made == "long":
        return [*y, 0]
    if made in ("list", "tuple"):
        return y if made == "list" else tuple(y)
    objects = np.empty(height, dtype=object)
    objects[:] = y
    if made == "series":
        return pd.Series(objects)
    if made == "masked":
        return np.ma.masked_array(np.arange(height) % 2, np.arange(height) == 0)
    return objects if made == "objects" else _array(y, objects)


def _array(y, objects):
    try:
        return np.array(y)
    except (ValueError, TypeError, OverflowError):
        return objects
