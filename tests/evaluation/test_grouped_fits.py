"""Rows that belong together stay together where a method tunes itself on all rows."""

import numpy as np
import pytest

from featrank import ECFS, ReliefF
from featrank.evaluation import Protocol, compare
from featrank.exceptions import UsageError


def test_the_fit_to_all_rows_knows_the_groups():
    rng = np.random.default_rng(8)
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


def test_the_fits_of_trials_know_the_groups():
    seen = []

    class Spy(ECFS):
        def fit(self, X, y=None, sample_weight=None, groups=None, **reading):
            seen.append(groups)
            return super().fit(X, y, sample_weight, groups, **reading)

    groups = np.repeat(np.arange(40), 2)
    y = (np.arange(40) % 2)[groups]
    X = np.random.default_rng(0).normal(size=(80, 20))
    protocol = Protocol(n_repeats=1, n_features=(5,), C=(0.1, 1.0), inner_cv=2)
    compare(X, y, {"spy": Spy()}, protocol, groups=groups)
    # Two folds, all training rows, and all rows.
    assert len(seen) == 4
    assert all(len(part) < 80 for part in seen[:3])
    assert all({*np.bincount(part)} <= {0, 2} for part in seen)


def test_any_method_that_tunes_itself_keeps_groups_together():
    groups = np.repeat(np.arange(12), 4)
    y = (np.arange(12) % 2)[groups]
    X = np.random.default_rng(0).normal(size=(12, 30))[groups]
    X += 0.01 * np.random.default_rng(1).normal(size=X.shape)
    together = ReliefF(n_neighbors="cv").fit(X, y, groups=groups)
    apart = ReliefF(n_neighbors="cv").fit(X, y)
    assert together.cv_scores_.mean() < apart.cv_scores_.mean() - 0.1
    with pytest.raises(UsageError, match="does not support groups"):
        ReliefF().fit(X, y, groups=groups)
