"""The ranker by the moderated t, against limma's numbers."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from featrank import FisherScore, ModeratedT
from featrank.sources import Blocks

from ..statistics.moderated_t_golden import TWO_CLASSES, golden

COMPLETE = [case for case in TWO_CLASSES if case != "missing_values"]


@pytest.mark.parametrize("case", COMPLETE)
def test_scores_are_the_sizes_of_limmas_t(case):
    limma = golden(case)
    ranker = ModeratedT().fit(limma["x"], limma["group"])
    np.testing.assert_allclose(ranker.scores_, np.abs(limma["t"]), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ranker.prior_freedom_, limma["df_prior"][0], rtol=1e-9)
    np.testing.assert_allclose(ranker.prior_variance_, limma["s2_prior"][0], rtol=1e-9)


def test_more_classes_are_ranked_by_limmas_f():
    limma = golden("three_classes")
    ranker = ModeratedT().fit(limma["x"], limma["group"])
    np.testing.assert_allclose(ranker.scores_, limma["F"], rtol=1e-9)


def test_regression_is_limmas_t_of_the_slope():
    limma = golden("regression")
    ranker = ModeratedT(task="regression").fit(limma["x"], limma["y"])
    np.testing.assert_allclose(ranker.scores_, np.abs(limma["t"]), rtol=1e-9)
    np.testing.assert_allclose(ranker.prior_freedom_, limma["df_prior"][0], rtol=1e-9)
    np.testing.assert_allclose(ranker.prior_variance_, limma["s2_prior"][0], rtol=1e-9)


def test_one_class_against_the_rest_has_its_own_prior():
    limma = golden("three_classes")
    of_classes = ModeratedT().fit_per_class(limma["x"], limma["group"])
    for label, ranker in of_classes.items():
        alone = ModeratedT().fit(limma["x"], limma["group"] == label)
        np.testing.assert_allclose(ranker.scores_, alone.scores_, rtol=1e-10)


def test_a_small_variance_by_chance_does_not_win():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 500)), np.repeat([0, 1], 3)
    X[:, 0] += 4 * y
    X[:, 1] = [0.0, 0.001, 0.002, 0.2, 0.201, 0.202]
    assert FisherScore().fit(X, y).ranking_[1] == 1
    ranking = ModeratedT().fit(X, y).ranking_
    assert ranking[0] == 1
    assert ranking[1] > 50


def test_constants_score_nothing_and_a_single_separating_feature_infinity():
    y = np.array([0, 0, 0, 1, 1, 1])
    constant = np.full((6, 1), 0.1)
    assert ModeratedT().fit(np.hstack([constant, y[:, None]]), y).scores_.tolist() == [0, np.inf]
    several = ModeratedT().fit(
        np.column_stack([constant, y, [1.0, 2, 3, 3, 2, 1], [1, 5, 2, 8, 3, 9]]), y
    )
    assert several.scores_[0] == 0
    assert np.isfinite(several.scores_).all()


def test_missing_values_in_chunks_are_those_of_limma():
    limma = golden("missing_values")
    data = Blocks([(limma["x"][:5], limma["group"][:5]), (limma["x"][5:], limma["group"][5:])])
    ranker = ModeratedT().fit(data, missing="skip")
    np.testing.assert_allclose(ranker.scores_, np.abs(limma["t"]), rtol=1e-9)


def test_sparse_data_and_weights_give_the_same_scores():
    limma = golden("ten_against_twelve")
    X, y = np.where(limma["x"] < 7, 0, limma["x"]), limma["group"].astype(int)
    wanted = ModeratedT().fit(X, y).scores_
    np.testing.assert_allclose(ModeratedT().fit(csr_array(X), y).scores_, wanted, rtol=1e-10)
    weights = np.arange(len(y)) % 3
    repeated = ModeratedT().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).scores_
    weighted = ModeratedT().fit(X, y, sample_weight=weights).scores_
    np.testing.assert_allclose(weighted, repeated, rtol=1e-10)
