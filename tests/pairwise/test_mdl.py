"""Fayyad and Irani's intervals against a plain recursion, and against published cuts."""

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris

from featrank._utils import panels
from featrank.kernels import Groups
from featrank.pairwise import mdl
from featrank.pairwise.mdl import mdl_intervals


def class_entropy(y):
    shares = [count / len(y) for count in np.bincount(y).tolist() if count]
    return -sum(share * log2(share) for share in shares)


def plain_cuts(x, y, counted=True):
    """Return the cuts of one feature, midpoints; m is N - 1 unless places are counted."""
    values = np.unique(x)
    places = (values[:-1] + values[1:]) / 2
    if not len(places):
        return []

    def untold(cut):
        return sum(len(part) * class_entropy(part) for part in (y[x < cut], y[x > cut])) / len(y)

    left = [round(untold(cut), 12) for cut in places]
    best = places[int(np.argmin(left))]
    below, above = x < best, x > best
    c, c1, c2 = (len(np.unique(part)) for part in (y, y[below], y[above]))
    change = c * class_entropy(y) - c1 * class_entropy(y[below]) - c2 * class_entropy(y[above])
    m = len(places) if counted else len(y) - 1
    least = (np.log2(m) + np.log2(3.0**c - 2) - change) / len(y)
    if c == 1 or class_entropy(y) - untold(best) <= least + 1e-12:
        return []
    halves = (plain_cuts(x[part], y[part], counted) for part in (below, above))
    return sorted([best, *(cut for half in halves for cut in half)])


def codes_of(X, y):
    """Codes of samples by features, rows as they are given."""
    groups = Groups.of(y, y.max() + 1)
    codes = np.empty(X.shape, np.uint8)
    codes[groups.order] = mdl_intervals(X, groups).codes.T
    return codes


def assert_plain(X, y):
    codes = codes_of(X, y)
    for x, got in zip(X.T, codes.T, strict=True):
        np.testing.assert_array_equal(got, np.searchsorted(plain_cuts(x, y), x))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4), st.sampled_from([0.3, 3.0, 1000.0]))
def test_codes_are_those_of_the_plain_recursion(seed, n_classes, steps):
    """Values of many ties and of none, several classes, features that tell more and less."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(70) % n_classes)
    X = rng.normal(size=(70, 6)) + y[:, None] * np.array([0, 0.5, 1, 2, 4, -3])
    assert_plain(np.round(X * steps) / steps, y)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_codes_of_real_data(load):
    X, y = load(return_X_y=True)
    assert_plain(X[:300, :8], y[:300])


def test_the_plain_recursion_finds_the_cuts_that_are_published_for_iris():
    """With N - 1 for the places, as the paper has it and R's ``discretization`` prints them."""
    X, y = load_iris(return_X_y=True)
    cuts = [plain_cuts(x, y, counted=False) for x in X.T]
    published = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for got, wanted in zip(cuts, published, strict=True):
        np.testing.assert_allclose(got, wanted)


def test_an_alternating_feature_is_cut_at_every_change_that_pays():
    y = np.repeat(np.arange(10) % 2, 30)
    codes = codes_of(np.arange(300.0)[:, None], y)
    np.testing.assert_array_equal(codes[:, 0], np.repeat(np.arange(10), 30))


def test_more_intervals_than_a_byte_tells_are_joined_at_the_top():
    y = np.repeat(np.arange(300) % 2, 40)
    codes = codes_of(np.arange(len(y), dtype=float)[:, None], y)[:, 0]
    np.testing.assert_array_equal(codes, np.minimum(np.repeat(np.arange(300), 40), 255))


def test_neither_blocks_nor_threads_nor_storage_nor_units_matter(monkeypatch):
    X, y = load_iris(return_X_y=True)
    X = np.where(X < 2, 0, X)
    wanted = codes_of(X, y)
    np.testing.assert_array_equal(codes_of(np.exp(X) - 7, y), wanted)
    np.testing.assert_array_equal(codes_of(X.astype(np.float32), y), wanted)
    np.testing.assert_array_equal(codes_of(sparse.csc_array(X), y), wanted)
    monkeypatch.setattr(mdl, "BLOCK_COUNTS", 1)
    monkeypatch.setattr(panels, "TOGETHER", 3)
    groups = Groups.of(y, 3)
    np.testing.assert_array_equal(mdl_intervals(X, groups, n_jobs=2).codes.T, wanted)


def test_many_classes_do_not_overflow():
    y = np.arange(1600) % 800
    assert codes_of(np.column_stack([y, np.ones(1600)]).astype(float), y)[:, 1].max() == 0
