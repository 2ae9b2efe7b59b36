import numpy as np
import pandas as pd
import pytest

pytest.register_assert_rewrite("tests.common")


@pytest.fixture
def data():
    """Return 60 × 12 floats and two classes; column 4 separates the classes."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(loc=8, size=(60, 12))
    X[:, 4] += 6 * y
    return X, y


@pytest.fixture
def names():
    return [f"gene {j}" for j in range(12)]


@pytest.fixture
def frame(data, names):
    """Return the same data as a pandas frame with names, and labels that are strings."""
    X, y = data
    return pd.DataFrame(X, columns=names), np.where(y, "sick", "well")
