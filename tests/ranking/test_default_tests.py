"""Tests of two classes, in memory and in chunks, and which one is the default."""

import numpy as np
import pytest

import featrank
from featrank.exceptions import UsageError
from featrank.sources import Blocks
from featrank.statistics import class_tests
from featrank.summaries import FeatureRanges

from ..statistics.moderated_t_golden import golden

FIELDS = ("log2_fold_change", "mean_class", "mean_rest", "statistic", "p_value", "p_adjusted")


def drawn(sizes, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([f"class {c}" for c in range(len(sizes))], sizes)
    X = rng.normal(8, 1, (len(y), 30))
    X[y == "class 1", :3] += 3
    return X, y


@pytest.mark.parametrize(
    ("sizes", "test"), [((9, 30), "moderated-t"), ((30, 9), "moderated-t"), ((10, 10), "welch")]
)
def test_few_samples_in_either_class_are_tested_by_the_moderated_t(sizes, test):
    assert featrank.rank(*drawn(sizes), "fisher").default_test() == test


def test_one_small_class_decides_for_a_table_of_classes():
    rankings = featrank.rank(*drawn((40, 40, 5)), "fisher", per_class=True)
    assert rankings["class 0"].default_test() == "welch"
    assert rankings["class 2"].default_test() == "moderated-t"
    assert rankings.default_test() == "moderated-t"


def test_there_is_no_test_without_two_classes():
    X, y = drawn((20, 20, 20))
    of_three = featrank.rank(X, y, "fisher")
    regression = featrank.rank(X, X.sum(axis=1), "fisher", task="regression")
    unsupervised = featrank.rank(X, y, "laplacian")
    for ranking in (of_three, regression, unsupervised):
        assert ranking.default_test() is None
        assert ranking.compared_classes() is None
        assert ranking.computed_tests() == []
    with pytest.raises(UsageError, match="for all classes"):
        of_three.to_frame(test="welch")
    with pytest.raises(UsageError, match="for regression"):
        regression.to_frame(test="welch")


def test_the_second_class_is_compared_with_the_first():
    ranking = featrank.rank(*drawn((12, 12)), "fisher")
    assert ranking.compared_classes() == ("class 1", "class 0")
    frame = ranking.to_frame(3, test="welch")
    assert (frame["log2_fold_change"] > 2).all()


@pytest.mark.parametrize("test", ["welch", "moderated-t"])
def test_data_in_chunks_is_tested_alike(test):
    X, y = drawn((12, 8))
    X[3, 4] = np.nan
    data = Blocks([(X[:7], y[:7]), (X[7:13], y[7:13]), (X[13:], y[13:])])
    ranking = featrank.rank(data, method="fisher", missing="skip")
    assert ranking.default_test() == "moderated-t"
    wanted = class_tests(X, (y == "class 1").astype(int), test)
    for name in FIELDS:
        got = getattr(ranking.tested(test), name)
        np.testing.assert_allclose(got, getattr(wanted, name), rtol=1e-9, err_msg=name)
    assert ranking.tested(test).scales.usual == wanted.scales.usual


def test_ranks_are_not_known_in_chunks():
    X, y = drawn((12, 8))
    ranking = featrank.rank(Blocks([(X[:7], y[:7]), (X[7:], y[7:])]), method="fisher")
    with pytest.raises(UsageError, match=r"Wilcoxon's rank-sum test needs whole columns.*welch"):
        ranking.to_frame(test="wilcoxon")


def test_data_that_is_read_once_has_no_default_test():
    X, y = drawn((12, 8))
    once = Blocks(iter([(X[:7], y[:7]), (X[7:], y[7:])]))
    ranges = FeatureRanges.given(["class 0", "class 1"], X.min(axis=0), X.max(axis=0))
    ranking = featrank.rank(once, method="fisher", ranges=ranges)
    assert ranking.default_test() is None


def test_a_table_shows_limmas_p_values_of_all_features():
    limma = golden("three_against_three")
    ranking = featrank.rank(limma["x"], limma["group"].astype(int), "moderated-t")
    frame = ranking.to_frame(5, test="moderated-t")
    np.testing.assert_allclose(frame["p_value"], np.sort(limma["p"])[:5], rtol=1e-9)
