"""What a method may return as scores, and what it is told otherwise."""

import numpy as np
import pandas as pd
import pytest

from featrank import FisherScore, Ranker
from featrank.exceptions import FeatrankError, MethodError


class Stranger(Ranker):
    """A method that returns what it was given."""

    def __init__(self, n_features_to_select=None, *, returned=None):
        self.n_features_to_select = n_features_to_select
        self.returned = returned

    _parameter_constraints = Ranker._parameter_constraints

    def _score(self, X, y):
        return self.returned


def told(data, returned):
    with pytest.raises(MethodError) as caught:
        Stranger(returned=returned).fit(*data)
    assert isinstance(caught.value, FeatrankError)
    return str(caught.value)


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_scores_that_cannot_be_ranked(data, bad):
    scores = np.arange(12.0)
    scores[[3, 7]] = bad
    message = told(data, scores)
    assert message.startswith("Stranger._score returned NaN or -inf for 2 of 12 features")
    assert "column 3" in message
    assert "perfect separation" in message


def test_the_first_feature_without_a_score_is_named(frame):
    with pytest.raises(MethodError, match="'gene 11'"):
        Stranger(returned=[0.0] * 11 + [np.nan]).fit(*frame)


@pytest.mark.parametrize(
    ("returned", "shape"),
    [
        (np.ones(11), (11,)),
        (np.ones(13), (13,)),
        (np.ones((12, 1)), (12, 1)),
        (np.ones((1, 12)), (1, 12)),
        (np.float64(1), ()),
        ([], (0,)),
    ],
)
def test_scores_of_the_wrong_shape(data, returned, shape):
    message = told(data, returned)
    assert "Stranger._score must return one score per feature: expected shape (12,)" in message
    assert f"got {shape}." in message


@pytest.mark.parametrize(
    ("returned", "named"),
    [
        (None, "but returned NoneType."),
        (np.ones(12) + 0j, "complex128"),
        (np.array(["high"] * 12), "<U4"),
        (np.array([1.0] * 11 + [None], dtype=object), "object"),
        (np.zeros(12, dtype="timedelta64[s]"), "timedelta64"),
        ({"gene": 1.0}, "but returned dict of type object"),
        ([[1.0], [1.0, 2.0]], "but returned list"),
    ],
)
def test_scores_that_are_no_numbers(data, returned, named):
    message = told(data, returned)
    assert "Stranger._score must return one real number per feature" in message
    assert named in message


@pytest.mark.parametrize(
    "convert",
    [np.asarray, list, pd.Series, np.float32, lambda s: s.astype(np.int8), lambda s: s > 5],
)
def test_other_numbers_become_floats(data, convert):
    ranker = Stranger(returned=convert(np.arange(12.0))).fit(*data)
    assert ranker.scores_.dtype == np.float64
    assert ranker.order_[0] == (11 if ranker.scores_[11] == 11 else 6)


def test_infinity_is_a_score(data):
    scores = np.arange(12.0)
    scores[[2, 5]] = np.inf
    assert Stranger(returned=scores).fit(*data).order_[:3].tolist() == [2, 5, 11]


def test_scores_are_checked_with_weights_too(data):
    class Broken(FisherScore):
        def _combine(self, vectors):
            return np.full(12, np.nan)

    with pytest.raises(MethodError, match=r"Broken\._score"):
        Broken().fit(*data, sample_weight=np.ones(60))
