"""Copies of features are found, and stay copies when they are standardised."""

import numpy as np

from featrank.solvers.duplicate_columns import originals
from featrank.solvers.standardise import standardised


def test_duplicates_are_found_by_value():
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 0.0, 1.0], size=(5, 400))
    columns = [column.tobytes() for column in (X + 0.0).T.copy()]
    assert originals(X).tolist() == [columns.index(column) for column in columns]
    assert len(set(columns)) < 400


def test_standardised_duplicates_are_equal_to_the_last_bit():
    X = np.random.default_rng(0).normal(size=(20, 6001)) + 5
    X[:, [777, 4096, 6000]] = X[:, :1]
    for table in (X, np.asfortranarray(X), X.astype(np.float32)):
        found = originals(standardised(table)[0])
        assert found[[777, 4096, 6000]].tolist() == [0, 0, 0]
        assert len(set(found.tolist())) == 5998
