"""Splits of multi-label rows: every label in proportion, groups together, same seed same rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from featrank.evaluation.multilabel.split import held_out


def labels(seed, n_samples=90, shares=(0.5, 0.2, 0.08, 0.04)):
    return np.random.default_rng(seed).random((n_samples, len(shares))) < shares


@given(st.integers(0, 10_000), st.sampled_from([1 / 3, 0.25, 0.5]))
@settings(max_examples=60, deadline=None)
def test_every_label_is_divided_in_proportion(seed, share):
    Y = labels(seed)
    test = held_out(Y, share, seed)
    assert abs(test.sum() - share * len(Y)) <= 2
    assert (np.abs(Y[test].sum(axis=0) - share * Y.sum(axis=0)) <= 2.5).all()


def test_two_samples_of_a_label_are_on_both_sides():
    for seed in range(30):
        Y = labels(seed)
        Y[:, 3] = False
        Y[[7, 40], 3] = True
        assert held_out(Y, 1 / 3, seed)[[7, 40]].sum() == 1


def test_rare_labels_are_balanced_better_than_by_chance():
    """Five samples of a label: by chance none of them is in the test in 13 % of splits."""
    for seed in range(40):
        Y = labels(seed)
        Y[:, 2] = False
        Y[10:15, 2] = True
        assert held_out(Y, 1 / 3, seed)[10:15].sum() in (1, 2)


def test_same_seed_same_rows():
    Y = labels(1)
    assert np.array_equal(held_out(Y, 0.3, 5), held_out(Y, 0.3, 5))
    assert not np.array_equal(held_out(Y, 0.3, 5), held_out(Y, 0.3, 6))


def test_groups_stay_together():
    groups = np.arange(90) // 3
    for seed in range(10):
        Y = labels(seed)
        test = held_out(Y, 1 / 3, seed, groups)
        assert set(test.reshape(30, 3).sum(axis=1)) == {0, 3}
        assert test.sum() == pytest.approx(30, abs=6)
        assert Y[test, 0].sum() == pytest.approx(Y[:, 0].sum() / 3, abs=3)
