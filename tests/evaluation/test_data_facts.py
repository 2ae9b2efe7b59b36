"""What is kept of the data itself: counts, and nothing of single samples."""

import numpy as np
import pytest

from featrank.evaluation import Protocol, compare


@pytest.fixture
def spoilt():
    """Values with every kind of trouble, in known numbers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 12))
    X[:, 1] = X[:, 0]
    X[:, 2] = 3
    X[:, 3] = -1
    X[5] = X[4]
    X[:2, 7] = np.nan
    X[3:6, 8] = 0
    X[:, 9] *= 1000
    return X, np.arange(40) % 4 == 0


def test_facts_of_a_spoilt_table(spoilt):
    X, y = spoilt
    protocol = Protocol(n_repeats=1, n_features=(2,), C=(1.0,), inner_cv=2)
    facts = compare(X, y, ["fisher"], protocol).manifest["facts"]
    sd_range = facts.pop("sd_range")
    assert facts == {
        "class_sizes": [30, 10],
        "missing": 2 / 480,
        "features_with_missing": 1,
        "samples_with_missing": 2,
        "zeros": 3 / 480,
        "constant": 2,
        "duplicate_features": 1,
        "duplicate_rows": 1,
    }
    deviations = np.nanstd(np.delete(X, [2, 3], axis=1), axis=0)
    expected = [deviations.min(), np.median(deviations), deviations.max()]
    np.testing.assert_allclose(sd_range, expected, rtol=1e-12)


def test_a_constant_of_any_size_is_constant():
    X = np.column_stack([np.full(20, 0.1), np.full(20, 1e9 + 0.1), np.arange(20.0)])
    protocol = Protocol(n_repeats=1, n_features=(1,), C=(1.0,), inner_cv=2)
    facts = compare(X, np.arange(20) % 2, ["fisher"], protocol).manifest["facts"]
    assert (facts["constant"], facts["duplicate_features"]) == (2, 0)
