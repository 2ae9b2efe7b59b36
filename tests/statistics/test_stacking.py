"""Comparisons of several data sets, joined: means by hand, and clear refusals."""

from types import SimpleNamespace

import numpy as np
import pytest

from featrank.exceptions import DataError, UsageError
from featrank.statistics import stack_comparisons


def compared(dataset, scores, ks=(3, 6), scorer="ROC AUC", data_hash=None):
    """Return a stand-in for a comparison: method → trials × numbers of features."""
    return SimpleNamespace(
        methods=list(scores),
        n_features=ks,
        dataset=dataset,
        data_hash=data_hash or dataset,
        scoring=scorer,
        scores=lambda method, k: np.array(scores[method], dtype=float)[:, ks.index(k)],
    )


NAN = float("nan")
ONE = {"u": [[0.9, 0.7], [0.8, NAN]], "v": [[0.5, 0.5], [0.5, 0.9]]}
OTHER = {"v": [[0.1, 0.2]], "w": [[0.3, 0.3]], "u": [[0.4, 0.6]]}


def test_means_over_trials_and_shared_numbers_of_features():
    found = stack_comparisons([compared("a", ONE), compared("b", OTHER, ks=(6, 9))])
    assert (found.datasets, found.methods, found.n_features) == (["a", "b"], ["u", "v"], (6,))
    np.testing.assert_allclose(found.table, [[0.7, 0.7], [0.4, 0.1]])
    assert found.left_out == ["w"]


def test_scores_that_are_missing_do_not_count():
    found = stack_comparisons([compared("a", ONE), compared("b", OTHER)])
    np.testing.assert_allclose(found.table, [[0.8, 0.6], [0.5, 0.15]])
    np.testing.assert_allclose(
        stack_comparisons([compared("a", ONE), compared("b", OTHER)], n_features=[6, 6]).table,
        [[0.7, 0.7], [0.6, 0.2]],
    )


def test_data_of_one_name_get_others():
    pair = [compared("data", ONE, data_hash="1"), compared("data", OTHER, data_hash="2")]
    assert stack_comparisons(pair).datasets == ["data (1)", "data (2)"]
    assert stack_comparisons(pair, names=["x/results", "y/results"]).datasets == [
        "x/results",
        "y/results",
    ]


@pytest.mark.parametrize(
    ("comparisons", "call", "words"),
    [
        ([], {}, "two data sets or more, got 0"),
        ([compared("a", ONE)], {}, "two data sets or more, got 1"),
        ([compared("a", ONE), compared("a", ONE)], {}, r"'a \(1\)' and 'a \(2\)' are of the same"),
        ([compared("a", ONE), compared("a", ONE)], {"names": ["p", "q"]}, "'p' and 'q' are of the"),
        ([compared("a", ONE), compared("b", OTHER)], {"names": ["p"]}, "1 names for 2 comparisons"),
        ([compared("a", ONE), compared("b", OTHER, scorer="F1")], {}, "ranks: F1, ROC AUC"),
        ([compared("a", ONE), compared("b", OTHER, ks=(1, 2))], {}, "results have: none"),
        ([compared("a", ONE), compared("b", OTHER)], {"n_features": [3, 4]}, "results have: 3, 6"),
    ],
)
def test_refusals(comparisons, call, words):
    with pytest.raises(UsageError, match=words):
        stack_comparisons(comparisons, **call)


def test_one_shared_method_is_too_few():
    with pytest.raises(DataError, match="Fewer than two methods"):
        stack_comparisons([compared("a", {"u": [[0.5, 0.5]]}), compared("b", OTHER)])
