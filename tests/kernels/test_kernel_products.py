from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from featrank import kernels
from featrank.kernels import sparse as sparse_kernels
from featrank.kernels.sparse import ColumnArrays

ROWS = [1, 3, 4, 5, 1023, 1024, 1025, 2500]


def twin(block, factors, centre, reach):
    """Each rounded product, rounded to a multiple of 2⁻⁵¹ of the power of two above the reach."""
    sums = []
    for column, middle, far in zip(np.asarray(block, float).T, centre, reach, strict=True):
        used = factors != 0
        terms = (column[used] - middle) * factors[used]
        unit = Fraction(2) ** (int(np.ceil(np.log2(far))) - 51) if far > 0 else Fraction(1)
        sums.append(float(sum((round(Fraction(term) / unit) for term in terms.tolist()), 0) * unit))
    return np.array(sums)


def problem(n_rows, n_columns, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    block = (rng.normal(size=(n_rows, n_columns)) * np.logspace(-3, 3, n_columns)).astype(dtype)
    factors = rng.uniform(-1, 1, n_rows)
    return block, factors, *origins(block)


def origins(block):
    low, high = np.asarray(block.min(axis=0), float), np.asarray(block.max(axis=0), float)
    centre = np.where((low <= 0) & (high >= 0), 0.0, low + (high - low) / 2)
    return centre, np.maximum(high - centre, centre - low)


def stored(block):
    columns = sparse.csc_array(block)
    return ColumnArrays(columns.data, columns.indices, columns.indptr.astype(np.int64))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", ROWS)
@pytest.mark.parametrize("n_columns", [1, 5, 8])
def test_products_are_those_of_the_twin(dtype, n_rows, n_columns):
    given = problem(n_rows, n_columns, dtype)
    np.testing.assert_array_equal(kernels.products(*given), twin(*given))


@pytest.mark.parametrize("n_columns", [1023, 1024, 1025, 2100])
def test_many_columns(n_columns):
    given = problem(7, n_columns)
    np.testing.assert_array_equal(kernels.products(*given), twin(*given))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", ROWS)
def test_the_bits_depend_neither_on_layout_nor_on_the_order_of_rows(dtype, n_rows):
    block, factors, *where = problem(n_rows, 21, dtype)
    block[:, 3] += 50_000
    where = origins(block)
    expected = kernels.products(block, factors, *where)
    wider = np.empty((2 * n_rows, 42), dtype)
    wider[::2, ::2] = block
    mixed = np.random.default_rng(1).permutation(n_rows)
    for other in (np.asfortranarray(block), wider[::2, ::2], block[::-1].copy()[::-1]):
        np.testing.assert_array_equal(kernels.products(other, factors, *where), expected)
    shuffled = kernels.products(block[mixed], factors[mixed], *where)
    np.testing.assert_array_equal(shuffled, expected)
    np.testing.assert_array_equal(sparse_kernels.products(stored(block), factors, *where), expected)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_what_is_not_stored_adds_nothing(index):
    block, factors, *_ = problem(300, 12)
    block[np.random.default_rng(2).random(block.shape) < 0.8] = 0
    where = origins(block)
    columns = stored(block)
    columns = columns._replace(rows=columns.rows.astype(index))
    found = sparse_kernels.products(columns, factors, *where)
    np.testing.assert_array_equal(found, twin(block, factors, *where))
    np.testing.assert_array_equal(found, kernels.products(block, factors, *where))


@pytest.mark.parametrize("order", "CF")
def test_rows_without_a_factor_may_hold_anything(order):
    block, factors, *where = problem(50, 9)
    factors[[0, 7, 49]] = 0
    expected = twin(block, factors, *where)
    block[[0, 7, 49]] = [[np.nan], [np.inf], [1e300]]
    block = np.asarray(block, order=order)
    np.testing.assert_array_equal(kernels.products(block, factors, *where), expected)
    found = sparse_kernels.products(stored(block), factors, *where)
    np.testing.assert_array_equal(found, expected)


def test_constants_and_no_rows():
    block, nothing = np.full((6, 2), 4.5), np.zeros(2)
    factors = np.linspace(-1, 1, 6)
    assert kernels.products(block, factors, np.full(2, 4.5), nothing).tolist() == [0, 0]
    assert kernels.products(block, np.zeros(6), nothing, np.full(2, 4.5)).tolist() == [0, 0]


def test_wrong_arguments_are_rejected():
    block, factors, centre, reach = problem(6, 3)
    rows, sums = np.arange(6), np.empty(3)
    kernel, columns = kernels._featrank.products, stored(block)
    wrong = [
        lambda: kernel(block, rows + 1, factors, centre, reach, sums),
        lambda: kernel(block, rows - 1, factors, centre, reach, sums),
        lambda: kernel(block, rows[::-1].copy(), factors, centre, reach, sums),
        lambda: kernel(block, rows[:5], factors, centre, reach, sums),
        lambda: kernel(block, rows, factors, centre[:2], reach, sums),
        lambda: kernel(block, rows, factors, centre, reach[:2], sums),
        lambda: kernel(block, rows, factors, centre, reach, sums[:2]),
        lambda: sparse_kernels.products(columns, factors[:5], centre, reach),
        lambda: sparse_kernels.products(columns, factors, centre[:2], reach),
        lambda: sparse_kernels.products(columns, factors, centre, reach[:2]),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            call()
