import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featrank import kernels

from . import twins

SIZES = [0, 1, 2, 7, 8, 9, 15, 16, 17, 400]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("weight", [1.0, -0.3, 0.0])
def test_largest_of_two(size, weight):
    rng = np.random.default_rng(size)
    level, vector, start = np.sort(rng.normal(size=size)), rng.normal(size=size), rng.random(size)
    result = start.copy()
    kernels.add_largest_of_two(level, vector, weight, result)
    expected = start + weight * twins.largest_of_two(level, vector)
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


def test_equal_levels_get_equal_bits():
    rng = np.random.default_rng(0)
    level = np.sort(rng.integers(0, 12, 300) / 7)
    result = np.zeros(300)
    kernels.add_largest_of_two(level, rng.random(300), 0.7, result)
    for value in np.unique(level):
        assert len(np.unique(result[level == value])) == 1


@pytest.mark.parametrize("size", SIZES)
def test_dot(size):
    rng = np.random.default_rng(size)
    a, b = rng.normal(size=size), rng.normal(size=size)
    assert kernels.dot(a, b) == pytest.approx(a @ b, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("size", SIZES)
def test_add_scaled(size):
    rng = np.random.default_rng(size)
    vector, start = rng.normal(size=size), rng.normal(size=size)
    result = start.copy()
    kernels.add_scaled(-0.3, vector, result)
    np.testing.assert_array_equal(result, start + -0.3 * vector)


@pytest.mark.parametrize("size", SIZES[1:])
def test_advance(size):
    rng = np.random.default_rng(size)
    image, vector = rng.normal(size=size), rng.normal(size=size)
    new_image, new_vector = image.copy(), vector.copy()
    eigenvalue, length, residual = kernels.advance(new_image, new_vector)
    np.testing.assert_allclose(new_vector, image / np.linalg.norm(image), rtol=1e-13)
    np.testing.assert_array_equal(new_image, 0)
    assert eigenvalue == pytest.approx(vector @ image, rel=1e-12, abs=1e-13)
    assert length == pytest.approx(np.linalg.norm(image), rel=1e-13)
    assert residual == pytest.approx(np.linalg.norm(image - eigenvalue * vector), rel=1e-12)


def test_advance_stays_where_the_image_is_nothing():
    vector = np.array([0.6, 0.8])
    assert kernels.advance(np.zeros(2), vector) == (0, 0, 0)
    np.testing.assert_array_equal(vector, [0.6, 0.8])


@settings(max_examples=150, deadline=None)
@given(
    arrays(
        np.float64,
        st.integers(0, 120),
        elements=st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 1 + 2.0**-52]),
    )
)
def test_argsort_is_stable(values):
    np.testing.assert_array_equal(kernels.argsort(values), np.argsort(values, kind="stable"))


@pytest.mark.parametrize("decimals", [0, 2, 17])
def test_argsort_of_many(decimals):
    values = np.random.default_rng(0).normal(size=20_000).round(decimals)
    np.testing.assert_array_equal(kernels.argsort(values), np.argsort(values, kind="stable"))


def test_argsort_of_values_that_agree_in_their_leading_bits():
    values = 1 + np.random.default_rng(0).integers(0, 200, 3000) * 2.0**-52
    np.testing.assert_array_equal(kernels.argsort(values), np.argsort(values, kind="stable"))


def test_lengths_that_differ_are_refused():
    short, long = np.ones(3), np.ones(4)
    for call in (
        lambda: kernels.dot(short, long),
        lambda: kernels.add_scaled(1.0, short, long),
        lambda: kernels.add_largest_of_two(short, long, 1.0, long),
        lambda: kernels.add_largest_of_two(long, long, 1.0, short),
        lambda: kernels.advance(short, long),
    ):
        with pytest.raises(ValueError, match="featrank kernel"):
            call()


@pytest.mark.parametrize("size", SIZES)
def test_gather(size):
    rng = np.random.default_rng(size)
    source, order = rng.normal(size=size), rng.permutation(size)
    np.testing.assert_array_equal(kernels.gather(source, order), source[order])


@pytest.mark.parametrize("place", [-1, 3])
def test_gather_refuses_places_that_do_not_exist(place):
    with pytest.raises(ValueError, match="order must index"):
        kernels.gather(np.ones(3), np.array([0, place]))


@pytest.mark.parametrize("shift", [-0.3, 0.7])
def test_advance_with_a_shift(shift):
    rng = np.random.default_rng(4)
    A, vector = rng.random((9, 9)), rng.random(9)
    vector /= np.linalg.norm(vector)
    image, moved = A @ vector, vector.copy()
    eigenvalue, length, residual = kernels.advance(image.copy(), moved, shift)
    shifted = (A + shift * np.eye(9)) @ vector
    assert eigenvalue == pytest.approx(vector @ image, rel=1e-12)
    assert length == pytest.approx(np.linalg.norm(shifted), rel=1e-13)
    assert residual == pytest.approx(np.linalg.norm(image - eigenvalue * vector), rel=1e-12)
    np.testing.assert_allclose(moved, shifted / np.linalg.norm(shifted), rtol=1e-12)


@pytest.mark.parametrize("size", SIZES)
def test_scatter(size):
    rng = np.random.default_rng(size)
    source, order = rng.normal(size=size), rng.permutation(size)
    np.testing.assert_array_equal(kernels.scatter(source, order)[order], source)


@pytest.mark.parametrize("size", [0, 1, 1000])
def test_places(size):
    order = np.random.default_rng(0).permutation(size)
    expected = np.argsort(order) + 1
    np.testing.assert_array_equal(kernels.places(order), expected)
