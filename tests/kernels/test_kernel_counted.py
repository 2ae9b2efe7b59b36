import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import kernels
from featrank.kernels import BinArrays, Groups, _featrank, counted
from featrank.kernels.counted import ValueCounts

from . import twins_counted


def same(got, expected):
    for one, other in zip(got, expected, strict=True):
        assert one.tobytes() == other.tobytes()


def agree(counts, values, n_bins):
    """Every kernel gives, to the bit, what dense kernels give for the values written out."""
    found = ValueCounts(counts, values)
    extremes = counted.ranges(found)
    sums = counted.sums(found, extremes)
    bins = bins_of(extremes, n_bins)
    quantiles, widths = (counted.histogram(found, b, n_bins) for b in (None, bins))
    for j, own in enumerate(counts):
        column, codes = twins_counted.written_out(own, values)
        groups, one = Groups.of(codes, len(own)), slice(j, j + 1)
        block = column[:, None]
        dense = kernels.ranges(block, groups)
        same((*(t[:, one] for t in extremes[:3]), extremes.whole[one]), dense)
        total = kernels.sums(block, groups, dense)
        same((sums.first[:, one], sums.second[:, one], sums.absolute[one]), total)
        here = BinArrays(*(part[one] for part in bins))
        np.testing.assert_array_equal(widths[one], kernels.histogram(block, groups, here, n_bins))
        if len(column):
            expected = kernels.quantile_histogram(block, groups, n_bins)
            np.testing.assert_array_equal(quantiles[one], expected)


def bins_of(extremes, n_bins):
    low, high = extremes.minimum.min(axis=0), extremes.maximum.max(axis=0)
    low, high = np.where(low <= high, [low, high], 0.0)
    return kernels.choose_bins(low, high, extremes.whole, np.dtype(float), n_bins)


numbers = (
    st.floats(-1e6, 1e6)
    | st.integers(-9, 9).map(float)
    | st.sampled_from([np.nan, -0.0, 1e145, -1e145, 5e-324, 2.0**52 + 1, 2.0**53])
)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_counts_stand_for_the_values_written_out(data):
    values = np.array(data.draw(st.lists(numbers, min_size=1, max_size=12, unique=True)))
    shape = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3)), len(values)
    dtype = data.draw(st.sampled_from([np.int32, np.int64]))
    agree(data.draw(arrays(dtype, shape, elements=st.integers(0, 6))), values, n_bins=5)


def test_all_bytes_of_many_columns():
    counts = np.random.default_rng(0).poisson(1.5, (30, 3, 256)).astype(np.int32)
    counts[:10, :, 17:] = 0
    agree(counts, np.arange(256).astype(np.uint8).view(np.int8).astype(float), n_bins=20)


def test_more_rows_than_32_bits_count():
    """Counts a billionfold add a billionfold to sums and bins."""
    few = np.random.default_rng(1).integers(3, 8, (2, 2, 6))
    values = np.array([0.1, -3.0, np.nan, 7.5, 1e-3, 2.0])
    many = ValueCounts(few * 10**9, values)
    small = ValueCounts(few.astype(np.int64), values)
    extremes, bins = counted.ranges(small), bins_of(counted.ranges(small), 4)
    np.testing.assert_array_equal(counted.ranges(many).present, extremes.present * 1e9)
    for got, one in zip(counted.sums(many, extremes), counted.sums(small, extremes), strict=True):
        assert as_integers(got) == [10**9 * total for total in as_integers(one)]
    for chosen, n_bins in ((bins, 4), (None, 5)):
        expected = counted.histogram(small, chosen, n_bins) * 10**9
        np.testing.assert_array_equal(counted.histogram(many, chosen, n_bins), expected)


def as_integers(words):
    """Integers of 128 bits with a sign, the lower 64 first."""
    return [int(low) + (int(high.astype(np.int64)) << 64) for low, high in words.reshape(-1, 2)]


def test_nothing_was_counted():
    nothing = ValueCounts(np.zeros((2, 3, 4), np.int32), np.arange(4.0))
    extremes = counted.ranges(nothing)
    assert np.all(extremes.minimum == np.inf)
    assert extremes.whole.tolist() == [1, 1]
    assert not any(words.any() for words in counted.sums(nothing, extremes))
    assert not counted.histogram(nothing, None, 5).any()
    empty = ValueCounts(np.zeros((0, 2, 0), np.int64), np.zeros(0))
    assert counted.ranges(empty).minimum.shape == (2, 0)


def layouts(X):
    yield np.ascontiguousarray(X)
    yield np.asfortranarray(X)
    yield np.repeat(X, 2, axis=1)[:, ::2]
    yield np.repeat(X, 3, axis=0)[::3]
    yield np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def bytes_agree(X, codes, n_classes):
    expected = twins_counted.byte_counts(X, codes, n_classes)
    for dtype in (np.int32, np.int64):
        counts = np.zeros((X.shape[1], n_classes, 256), dtype)
        counted.add_byte_counts(X, codes, counts)
        np.testing.assert_array_equal(counts, expected)


# About the borders of lines of 32 columns, of eight of them, and where a line holds several rows.
COLUMNS = [1, 2, 3, 10, 11, 16, 17, 31, 32, 33, 63, 64, 255, 256, 257, 300]


@pytest.mark.parametrize("n_columns", COLUMNS)
@pytest.mark.parametrize("levels", [2, 40, 256])
def test_bytes_of_any_width_and_layout(n_columns, levels):
    rng = np.random.default_rng(n_columns)
    X = (256 - levels + rng.integers(0, levels, (700, n_columns))).astype(np.uint8)
    X[:, ::7] = rng.integers(0, 3, X[:, ::7].shape)
    codes = rng.integers(-1, 2, 700)
    for layout in layouts(X):
        bytes_agree(layout, codes, 2)


@pytest.mark.parametrize("n_rows", [0, 1, 63, 64, 65, 255, 256, 510, 511, 16_384, 16_385, 33_000])
def test_bytes_of_any_number_of_rows(n_rows):
    rng = np.random.default_rng(n_rows)
    X = rng.integers(0, 256, (n_rows, 34), dtype=np.uint8)
    X[:, :32] %= 40
    for n_classes in (1, 3, 300):
        bytes_agree(X, rng.integers(-1, n_classes, n_rows), n_classes)


@pytest.mark.parametrize("byte", [0, 47, 48, 247, 248, 249, 255])
@pytest.mark.parametrize("n_columns", [1, 40])
def test_one_value_fills_its_cell(byte, n_columns):
    """Nothing flows over where every row holds the same, or two that are far apart."""
    X = np.full((70_000, n_columns), byte, np.uint8)
    bytes_agree(X, np.zeros(len(X), int), 1)
    X[1::2] = 128
    bytes_agree(X, np.zeros(len(X), int), 1)


def test_counts_are_added_to_what_is_there():
    X = np.random.default_rng(2).integers(0, 256, (500, 5), dtype=np.uint8)
    counts = np.full((5, 1, 256), 7, np.int32)
    counted.add_byte_counts(X, np.zeros(500, int), counts)
    np.testing.assert_array_equal(counts - 7, twins_counted.byte_counts(X, np.zeros(500, int), 1))


def test_wrong_arguments_are_rejected():
    counts, values = np.ones((3, 2, 4), np.int32), np.arange(4.0)
    good = ValueCounts(counts, values)
    X, codes = np.zeros((10, 3), np.uint8), np.zeros(10, np.int32)
    extremes = counted.ranges(good)
    wrong = [
        lambda: counted.ranges(ValueCounts(counts, values[:3])),
        lambda: counted.ranges(ValueCounts(counts, np.array([0, 1, 2, np.inf]))),
        lambda: counted.sums(ValueCounts(counts[:2], values), extremes),
        lambda: counted.histogram(good, bins_of(extremes, 9), 3),
        lambda: _featrank.value_quantile_histogram(good, np.zeros((3, 2, 0), np.int32)),
        lambda: counted.add_byte_counts(X, codes[:9], np.zeros((3, 1, 256), np.int32)),
        lambda: counted.add_byte_counts(X, codes + 1, np.zeros((3, 1, 256), np.int32)),
        lambda: counted.add_byte_counts(X, codes, np.zeros((2, 1, 256), np.int32)),
        lambda: counted.add_byte_counts(X, codes, np.zeros((3, 1, 255), np.int32)),
    ]
    for wrong_call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            wrong_call()
