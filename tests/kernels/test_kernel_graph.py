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


def test_lengths_that_differ_are_rejected():
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


def levelled(size, n_terms, seed=0):
    """Return a graph for the kernel, and the same written out."""
    rng = np.random.default_rng(seed)
    left, right = rng.normal(size=(2, n_terms, size))
    level, weights = np.sort(rng.integers(0, 9, size) / 7), rng.normal(size=n_terms + 1)
    terms = np.einsum("t,ti,tj->ij", weights[:-1], left, right)
    dense = terms + weights[-1] * np.maximum.outer(level, level)
    return kernels.Levelled(left, right, level, weights), dense


@pytest.mark.parametrize("guess", [0.0, 0.3])
@pytest.mark.parametrize("shift", [0.0, 0.7])
@pytest.mark.parametrize("n_terms", [1, 2])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 63, 64, 65, 66, 130, 400])
def test_levelled_step(size, n_terms, shift, guess):
    graph, A = levelled(size, n_terms, seed=size)
    vector = np.random.default_rng(1).normal(size=size)
    length = np.linalg.norm(vector)
    moved, unit = vector.copy(), vector / length
    products = np.array([*(graph.right @ vector), graph.level @ vector])
    found = kernels.levelled_step(*graph, moved, products, 1 / length, shift, guess)
    image = A @ unit
    expected = image + shift * unit
    eigenvalue = unit @ image
    np.testing.assert_allclose(moved, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(products[:-1], graph.right @ moved, rtol=1e-9, atol=1e-10)
    assert products[-1] == pytest.approx(graph.level @ moved, rel=1e-9, abs=1e-10)
    gap = np.linalg.norm(image - eigenvalue * unit)
    assert found == pytest.approx((eigenvalue, np.linalg.norm(expected), gap), rel=1e-9, abs=1e-7)


def test_levelled_step_gives_equal_nodes_equal_bits():
    graph, _ = levelled(300, 1)
    same = kernels.Levelled(np.ones((1, 300)), graph.right, graph.level, np.array([0.3, 0.7]))
    vector = np.ones(300)
    products = np.array([*(graph.right @ vector), graph.level @ vector])
    kernels.levelled_step(*same, vector, products, 0.1, 0.2, 1.0)
    for value in np.unique(graph.level):
        assert len(np.unique(vector[graph.level == value])) == 1


def test_levelled_step_sees_a_residual_far_below_the_eigenvalue():
    graph, _ = levelled(50, 1)
    graph = graph._replace(left=np.abs(graph.left), right=np.abs(graph.left), weights=np.ones(2))
    A = graph.left.T @ graph.left + np.maximum.outer(graph.level, graph.level)
    values, vectors = np.linalg.eigh(A)
    vector = vectors[:, -1] + 1e-11 * vectors[:, 0]
    products = np.array([*(graph.right @ vector), graph.level @ vector])
    _, length, gap = kernels.levelled_step(*graph, vector, products, 1.0, 0.0, values[-1])
    assert length == pytest.approx(values[-1])
    assert gap == pytest.approx(1e-11 * (values[-1] - values[0]), rel=1e-3)


def test_levelled_step_refuses_what_does_not_fit():
    graph, _ = levelled(5, 2)
    three = kernels.Levelled(np.ones((3, 5)), np.ones((3, 5)), graph.level, np.ones(4))
    short = graph._replace(weights=np.ones(2))
    for wrong, n_products in ((three, 4), (short, 3), (graph, 2)):
        with pytest.raises(ValueError, match="featrank kernel"):
            kernels.levelled_step(*wrong, np.ones(5), np.ones(n_products), 1.0, 0.0, 0.0)


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
