import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from featrank.solvers.one_standard_error import (
    at_best_setting,
    last_within_one_error,
    stratified_folds,
    within_one_error,
)


@pytest.mark.parametrize("seed", range(20))
def test_last_within_one_error_written_plainly(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal([0.7, 0.8, 0.79, 0.78, 0.5], 0.05, size=(5, 5))
    scores += rng.normal(0, 0.2, size=(5, 1))  # easy and hard folds
    best = max(range(5), key=lambda place: scores[:, place].mean())
    alike = []
    for place in range(5):
        behind = scores[:, best] - scores[:, place]
        if behind.mean() <= behind.std(ddof=1) / 5**0.5:
            alike.append(place)
    assert last_within_one_error(scores) == alike[-1]
    assert np.flatnonzero(within_one_error(scores)).tolist() == alike


def test_easy_and_hard_folds_do_not_hide_a_difference():
    folds = np.array([0.6, 0.7, 0.8, 0.9, 0.5])[:, None]
    assert last_within_one_error(folds + np.array([0.05, 0.04, 0.0])) == 0


def test_differences_that_do_not_matter_are_none():
    """Nearly perfect folds have errors that are too small to be believed."""
    scores = np.array([[1.0, 0.983, 0.9], [1.0, 0.99, 0.99], [1.0, 1.0, 0.9], [1.0, 1.0, 0.95]])
    assert last_within_one_error(scores) == 0
    assert last_within_one_error(scores, 0.01) == 1


def test_what_is_unknown_does_not_count():
    scores = np.array([[0.5, 0.9, 0.8], [0.5, np.nan, 0.9], [0.5, 0.9, 0.7]])
    assert last_within_one_error(scores) == 1  # the last is 0.15 ± 0.05 behind where both are
    assert last_within_one_error(np.full((3, 4), np.nan)) == 3


def test_a_candidate_without_a_score_is_not_the_best():
    """Nothing is known of it, where others are known to be worse than 0."""
    scores = np.array([[-0.5, np.nan], [-0.4, np.nan]])
    assert last_within_one_error(scores) == 0
    own, best = at_best_setting(scores[:, np.newaxis])
    assert best.tolist() == [0]
    assert own.tolist() == [[-0.5], [-0.4]]


def test_equal_scores_go_to_the_last():
    assert last_within_one_error(np.full((5, 11), 0.1 + 0.2)) == 10


def test_each_candidate_has_its_own_best_setting():
    scores = np.array([[[0.1, 0.9], [0.8, 0.8]], [[0.5, 0.7], [0.8, 0.2]]])
    own, best = at_best_setting(scores)
    assert best.tolist() == [1, 0]
    assert own.tolist() == [[0.9, 0.8], [0.7, 0.8]]


def test_folds_are_those_of_scikit_learn_and_fewer_for_a_small_class():
    y = np.repeat([0, 1], [20, 3])
    for wanted, used in ((2, 2), (5, 3)):
        expected = StratifiedKFold(used, shuffle=True, random_state=7).split(y, y)
        for got, plain in zip(stratified_folds(y, wanted, 7), expected, strict=True):
            assert [part.tolist() for part in got] == [part.tolist() for part in plain]


def test_groups_stay_together():
    y, groups = np.arange(40) % 2, np.arange(40) // 4
    for train, rest in stratified_folds(y, 5, 0, groups):
        assert not set(groups[train]) & set(groups[rest])
