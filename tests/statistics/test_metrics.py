"""Metrics against scikit-learn and the definitions written plainly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn import metrics as sk

from featrank.exceptions import DataError
from featrank.statistics import (
    average_precision,
    average_precision_11,
    average_precisions,
    mean_average_precision,
    r2,
    roc_auc,
    spearman,
)

# Few distinct scores: ties everywhere.
CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=25).filter(
    lambda rows: 0 < sum(label for label, _ in rows) < len(rows)
)


def plain_11_point(y, scores):
    """For each recall the best precision over all thresholds that reach it."""
    total = 0.0
    for tenth in range(11):
        best = 0.0
        for threshold in scores:
            drawn = [label for label, score in zip(y, scores, strict=True) if score >= threshold]
            if 10 * sum(drawn) >= tenth * sum(y):
                best = max(best, sum(drawn) / len(drawn))
        total += best
    return total / 11


@given(CASES)
@settings(max_examples=150, deadline=None)
def test_binary_metrics_with_ties(rows):
    y, scores = np.array([label for label, _ in rows]), np.array([score for _, score in rows])
    assert roc_auc(y, scores) == pytest.approx(sk.roc_auc_score(y, scores))
    assert average_precision(y, scores) == pytest.approx(sk.average_precision_score(y, scores))
    assert average_precision_11(y, scores) == pytest.approx(plain_11_point(y, scores))


@pytest.mark.parametrize("decimals", [1, 8])
def test_macro_auc_as_scikit_learn(decimals):
    rng = np.random.default_rng(0)
    y = np.array(["a", "b", "c", "d"])[rng.integers(0, 4, size=80)]
    scores = rng.dirichlet(np.ones(4), size=80)
    coarse = scores.round(decimals)
    expected = np.mean([sk.roc_auc_score(y == c, coarse[:, j]) for j, c in enumerate("abcd")])
    assert roc_auc(y, coarse) == pytest.approx(expected)
    whole = sk.roc_auc_score(y, scores, multi_class="ovr", average="macro")
    assert roc_auc(y, scores) == pytest.approx(whole)


def test_absent_class_is_left_out():
    y, scores = np.array([0, 0, 1, 1]), np.array([[3, 1, 0], [2, 3, 1], [1, 2, 2], [0, 4, 3]])
    found = roc_auc(y, scores, classes=[0, 1, 2])
    assert found == pytest.approx((1 + 0.75) / 2)


def test_two_columns_are_the_second():
    y, scores = [0, 1, 1, 0], np.array([0.2, 0.3, 0.9, 0.4])
    assert roc_auc(y, np.column_stack([1 - scores, scores])) == roc_auc(y, scores) == 0.75


def test_extremes():
    y, up = [0, 0, 1], [1, 2, 3]
    assert roc_auc(y, up) == average_precision(y, up) == average_precision_11(y, up) == 1
    assert roc_auc(y, [3, 2, 1]) == 0
    assert roc_auc(y, [1, 1, 1]) == 0.5
    assert average_precision(y, [1, 1, 1]) == pytest.approx(1 / 3)
    assert average_precision_11([1] * 10, range(10)) == 1


def test_recall_of_three_tenths_reaches_three_tenths():
    # The third positive of ten is the last with full precision: recalls 0 to 0.3 have it.
    y = [1, 1, 1, *[0] * 90, *[1] * 7]
    found = average_precision_11(y, -np.arange(100))
    assert found == pytest.approx((4 * 1 + 7 * 0.1) / 11)


def test_map_over_classes():
    rng = np.random.default_rng(1)
    Y, scores = rng.integers(0, 2, size=(40, 5)), rng.normal(size=(40, 5))
    expected = sk.average_precision_score(Y, scores, average="macro")
    assert mean_average_precision(Y, scores) == pytest.approx(expected)
    eleven = [plain_11_point(Y[:, j], scores[:, j]) for j in range(5)]
    np.testing.assert_allclose(average_precisions(Y, scores, eleven_point=True), eleven)
    assert mean_average_precision(Y, scores, eleven_point=True) == pytest.approx(np.mean(eleven))


def test_class_without_positives_has_no_precision():
    Y, scores = np.array([[1, 0], [0, 0]]), np.array([[0.2, 0.3], [0.1, 0.4]])
    assert np.isnan(average_precisions(Y, scores)).tolist() == [False, True]
    assert np.isnan(average_precision_11([0, 0], [1, 2]))
    assert mean_average_precision(Y, scores) == 1


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: roc_auc([1, 1], [0.1, 0.2]), "at least two classes"),
        (lambda: roc_auc([0, 1], [0.1, np.nan]), "NaN or infinity"),
        (lambda: roc_auc([0, 1], [0.1]), "2 labels"),
        (lambda: roc_auc([0, 1, 2], [0.1, 0.2, 0.3]), "do not fit 3 classes"),
        (lambda: roc_auc([0, 0], [0.1, 0.2], classes=[0, 1]), "not defined"),
        (lambda: average_precision([0, 2], [0.1, 0.2]), "indicator"),
        (lambda: average_precision([0, 1], [[0.1], [0.2]]), "one dimension"),
        (lambda: mean_average_precision([0, 1], [0.1, 0.2]), "samples × classes"),
        (lambda: mean_average_precision([[0], [0]], [[0.1], [0.2]]), "not defined"),
    ],
)
def test_refusals(call, says):
    with pytest.raises(DataError, match=says):
        call()


@pytest.mark.parametrize("decimals", [0, 6])
def test_quantities_as_scikit_learn_and_scipy(decimals):
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, found = rng.normal(size=(2, 12)).round(decimals) * 10
        assert r2(y, found) == pytest.approx(sk.r2_score(y, found))
        assert spearman(y, found) == pytest.approx(spearmanr(y, found).statistic)
        assert spearman(y, np.exp(found)) == pytest.approx(spearman(y, found))


def test_quantities_that_tell_nothing():
    y = [1.0, 2.0, 4.0]
    assert r2(y, np.full(3, np.mean(y))) == 0
    assert spearman(y, [5.0, 5.0, 5.0]) == 0
    assert np.isnan([r2([3, 3], [1, 2]), spearman([3, 3], [1, 2])]).all()
    assert (spearman(y, y), spearman(y, np.negative(y))) == (1, -1)


@pytest.mark.parametrize("metric", [r2, spearman])
@pytest.mark.parametrize(
    ("y", "found", "says"),
    [
        ([1, 2], [1, 2, 3], "one number per sample"),
        ([[1], [2]], [[1], [2]], "one number per sample"),
        ([], [], "one number per sample"),
        ([1, 2], [1, np.nan], "NaN or infinity"),
        ([1, np.inf], [1, 2], "NaN or infinity"),
    ],
)
def test_quantities_that_are_refused(metric, y, found, says):
    with pytest.raises(DataError, match=says):
        metric(y, found)
