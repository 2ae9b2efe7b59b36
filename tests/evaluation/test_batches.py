"""Batches as groups: held out whole, doubted where they tell the class."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.model_selection import StratifiedShuffleSplit

from featrank.base.ranker import Ranker
from featrank.evaluation import Protocol, compare
from featrank.evaluation.data import Data
from featrank.exceptions import DataError, FeatrankWarning

QUICK = Protocol(n_repeats=4, n_features=(3,), C=(0.1, 1.0), inner_cv=2)


class Batches(Ranker):
    """Keeps the batches, which stand in the first column, that each fit saw."""

    name = "batches"
    seen: ClassVar[list] = []

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        self.seen.append(X[:, 0].copy())
        return X.sum(axis=0)


def rows(batches):
    X = np.random.default_rng(0).normal(size=(len(batches), 8))
    X[:, 0] = batches
    return X


def test_whole_batches_are_held_out():
    batches, y = np.arange(60) % 5, np.arange(60) // 30
    Batches.seen.clear()
    done = compare(rows(batches), y, [Batches()], QUICK, groups=batches)
    assert set(done.frame["status"]) == {"ok"}
    *inside, everything = Batches.seen
    assert np.unique(everything).tolist() == [0, 1, 2, 3, 4]
    for seen in inside:
        found, sizes = np.unique(seen, return_counts=True)
        assert len(found) < 5
        assert (sizes == 12).all()


@pytest.mark.parametrize("n_batches", [4, 8, 30])
def test_trials_hold_out_other_batches(n_batches):
    rng = np.random.default_rng(1)
    batches, y = rng.choice(n_batches, 300), np.arange(300) % 3
    data = Data.of(rows(batches), y, batches, "made")
    splits = [Protocol().split(data, trial) for trial in range(40)]
    held = [frozenset(batches[test]) for _, test in splits]
    assert len(set(held)) > min(n_batches / 2, 15)
    assert frozenset().union(*held) == set(range(n_batches))
    for (train, test), out in zip(splits, held, strict=True):
        assert sorted([*train, *test]) == list(range(300))
        assert not out & set(batches[train])
        assert abs(len(test) / 300 - 1 / 3) < 0.6 / n_batches + 0.05


def test_classes_are_on_both_sides_where_batches_allow_it():
    batches = np.repeat(np.arange(9), 10)
    y = batches % 3  # each class in three batches, each batch of one class
    data = Data.of(rows(batches), y, batches, "made")
    for trial in range(40):
        train, test = Protocol().split(data, trial)
        assert set(y[train]) == set(y[test]) == {0, 1, 2}
    with pytest.raises(DataError, match="a single group"):
        compare(rows(batches), y, ["fisher"], QUICK, groups=np.ones(90))


def test_batches_that_tell_the_class_are_doubted():
    batches = np.arange(60) % 6
    with pytest.warns(FeatrankWarning, match=r"The 6 groups predict the class of 100 %"):
        compare(rows(batches), batches // 3, ["fisher"], QUICK, groups=batches)


def test_a_class_of_one_batch_is_an_error_if_nothing_can_be_scored():
    batches = np.arange(60) % 5
    y = np.where((batches == 2) & (np.arange(60) < 30), "sick", "well")
    with pytest.raises(
        DataError, match=r"Of 2 classes, 1 occur in a single group: 'sick'. No method can"
    ):
        compare(rows(batches), y, ["fisher"], QUICK, groups=batches)


@pytest.mark.filterwarnings("ignore:The 5 groups are associated with the class")
def test_a_class_of_one_batch_is_a_warning_if_others_are_scored():
    batches, y = np.arange(90) % 5, np.arange(90) // 45
    y[batches == 2] = 2
    with pytest.warns(
        FeatrankWarning,
        match=r"Of 3 classes, 1 occur in a single group: '2'. These classes are not",
    ):
        done = compare(rows(batches), y, ["fisher"], QUICK, groups=batches)
    assert set(done.frame["status"]) == {"ok"}


@pytest.mark.filterwarnings("ignore:.*(copy|copies) of the target")
def test_a_splitter_that_cuts_groups_apart_may_have_a_class_of_one_batch():
    batches = np.arange(60) % 2
    cut = StratifiedShuffleSplit(4, random_state=0)
    protocol = Protocol(n_repeats=2, n_features=(3,), C=(1.0,), cv=cut)
    with pytest.warns(FeatrankWarning, match="The 2 groups predict the class"):
        done = compare(rows(batches), batches, ["fisher"], protocol, groups=batches)
    assert set(done.frame["status"]) == {"ok"}


def held_out(batches, y, protocol):
    """Return the batches that each trial holds out."""
    data = Data.of(rows(batches), y, batches, "made")
    splits = [protocol.split(data, trial) for trial in range(protocol.n_repeats)]
    return [tuple(np.unique(batches[test]).tolist()) for _, test in splits]


def uneven(sizes):
    """Return batches, and classes whose share differs from batch to batch."""
    batches = np.repeat(np.arange(len(sizes)), [sum(size) for size in sizes])
    y = np.concatenate([np.repeat([0, 1], size) for size in sizes])
    return batches, y


def test_every_batch_is_held_out_in_turn():
    batches, y = uneven([(9, 5), (7, 7), (5, 9)])
    found = held_out(batches, y, Protocol(n_repeats=9, n_features=(3,)))
    assert {batch: found.count(batch) for batch in found} == {(0,): 3, (1,): 3, (2,): 3}


def test_batches_of_one_class_are_not_held_out_alone():
    batches, y = uneven([(10, 0), (6, 6), (6, 6), (6, 6)])
    assert (0,) not in held_out(batches, y, Protocol(n_repeats=12, n_features=(3,)))


def test_trials_that_repeat_splits_give_a_warning():
    batches, y = uneven([(10, 6), (8, 8), (6, 10)])
    protocol = Protocol(n_repeats=6, n_features=(3,), C=(1.0,), inner_cv=2)
    with pytest.warns(FeatrankWarning, match=r"only 3 of the 6 trials are different splits"):
        compare(rows(batches), y, ["fisher"], protocol, groups=batches)
    compare(rows(batches), y, ["fisher"], replace(protocol, n_repeats=3), groups=batches)
