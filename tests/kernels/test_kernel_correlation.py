import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from featrank.kernels import _featrank
from featrank.kernels.correlation import add_absolute_half, unit_ranks

SIZES = [1, 2, 3, 4, 5, 8, 9, 17, 64, 131]
TYPES = [np.float32, np.float64]


def ranks_twin(block):
    """Average ranks, centred, of length 1, the first that is not 0 positive; one row a column."""
    ranks = rankdata(block, axis=0).T - (len(block) + 1) / 2
    rows = [row / np.linalg.norm(row) if row.any() else row for row in ranks]
    return np.array([row * np.sign(row[np.flatnonzero(row)[:1]].sum() or 1) for row in rows])


def half_twin(panel, vector):
    """The rows of |R| from the diagonal on, and their mirror below them, times the vector."""
    height, width = panel.shape
    full = np.zeros((width, width))
    full[:height] = np.triu(np.abs(panel))
    full[:height, :height] += np.triu(full[:height, :height], 1).T
    full[height:, :height] = full[:height, height:].T
    return full @ vector


def ranked(block, dtype=np.float64):
    out = np.full((block.shape[1], block.shape[0]), np.nan, dtype)
    keys = unit_ranks(block, out)
    return out, keys


@pytest.mark.parametrize("n_samples", [1, 2, 3, 60, 1023, 1024, 3000])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("ties", [True, False])
def test_ranks(n_samples, dtype, ties):
    block = np.random.default_rng(n_samples).normal(size=(n_samples, 7)).astype(dtype)
    block = block.round(1) if ties else block
    np.testing.assert_allclose(ranked(block)[0], ranks_twin(block), atol=1e-14)


@pytest.mark.parametrize("dtype", TYPES)
def test_ranks_of_any_layout_and_type(dtype):
    X = np.random.default_rng(0).normal(size=(40, 9)).astype(dtype)
    expected = ranks_twin(X)
    for block in (X, np.asfortranarray(X), np.repeat(X, 3, axis=1)[:, ::3], X[::-1].copy()[::-1]):
        for out in TYPES:
            np.testing.assert_allclose(ranked(block, out)[0], expected, atol=np.finfo(out).eps)


@settings(max_examples=40, deadline=None)
@given(arrays(float, (6, 3), elements=st.integers(-2, 2) | st.floats(-1e300, 1e300)))
def test_ranks_of_awkward_values(block):
    np.testing.assert_allclose(ranked(block)[0], ranks_twin(block), atol=1e-14)


def test_a_constant_has_no_ranks():
    assert not ranked(np.full((5, 2), 3.0))[0].any()


def test_keys_tell_ranks_apart_up_to_direction():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    rows, keys = ranked(np.column_stack([x, -x, np.exp(x), x + 1e-3 * rng.normal(size=50)]))
    assert keys[0] == keys[1] == keys[2] != keys[3]
    np.testing.assert_array_equal(rows[0], rows[1])
    _, many = ranked(rng.integers(0, 2, size=(30, 5000)).astype(float))
    assert len(np.unique(many)) == 5000


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_product_with_half_a_matrix(width, dtype):
    rng = np.random.default_rng(width)
    for height in {1, min(3, width), min(6, width), width}:
        panel, vector = rng.normal(size=(height, width)).astype(dtype), rng.normal(size=width)
        start = rng.normal(size=width)
        result = start.copy()
        add_absolute_half(panel, vector, result)
        expected = start + half_twin(panel.astype(float), vector)
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


def test_what_is_left_of_the_diagonal_is_not_read():
    panel = np.random.default_rng(0).normal(size=(11, 14))
    plain, odd = np.zeros(14), np.zeros(14)
    add_absolute_half(panel, np.ones(14), plain)
    panel[np.tril_indices(11, -1)] = np.nan
    add_absolute_half(panel, np.ones(14), odd)
    np.testing.assert_array_equal(plain, odd)


def test_instruction_sets_give_the_same_bits():
    rng = np.random.default_rng(0)
    panel, vector = rng.normal(size=(50, 203)).astype(np.float32), rng.normal(size=203)
    results = []
    for wide in (False, True):
        _featrank.use_wide_vectors(wide)
        results.append(np.zeros(203))
        add_absolute_half(panel, vector, results[-1])
    np.testing.assert_array_equal(*results)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="diagonal"):
        add_absolute_half(np.ones((3, 2)), np.ones(2), np.ones(2))
    with pytest.raises(ValueError, match="length"):
        add_absolute_half(np.ones((2, 3)), np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match="shape"):
        unit_ranks(np.ones((4, 2)), np.ones((4, 2)))
