"""Rows that belong together stay together where a method tunes itself on all rows."""

import numpy as np

from featrank import ECFS
from featrank.evaluation import Protocol, compare


def test_the_fit_to_all_rows_knows_the_groups():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 3)
    y = (np.arange(20) % 2)[groups]
    # Near copies within a group: folds that cut them apart see signal everywhere.
    X = rng.normal(size=(20, 40))[groups] * rng.uniform(0.5, 20, 40)
    X += 0.01 * rng.normal(size=X.shape)
    protocol = Protocol(n_repeats=1, n_features=(5,), C=(1.0,), inner_cv=2)
    found = compare(X, y, ["ec-fs"], protocol, groups=groups).features()
    expected = ECFS(5).fit(X, y, groups=groups)
    other = ECFS(5).fit(X, y)
    assert not np.allclose(expected.scores_, other.scores_)
    np.testing.assert_allclose(found["score"].to_numpy(), expected.scores_, rtol=1e-12)
