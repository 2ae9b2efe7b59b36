"""MRMR, MIFS, JMI and CMIM against plain loops and other packages."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.feature_selection import f_classif

from featrank import CMIM, JMI, MIFS, MRMR
from featrank._utils.progress import progress_to
from featrank.data.matrix import Matrix
from featrank.exceptions import DataError

from .plain_information import binned, greedy, joint_relevances, redundancies, relevances
from .selection import selected_criterion


def sample(n_samples=90, n_features=14, n_classes=3, seed=0):
    return make_classification(
        n_samples,
        n_features,
        n_informative=5,
        n_redundant=4,
        n_classes=n_classes,
        random_state=seed,
    )


def agree(ranker, relevance, value, X, y, count=None):
    count = count or X.shape[1]
    ranker.set_params(n_features_to_select=count).fit(X, y)
    chosen, values = greedy(relevance, value, count)
    assert ranker.order_[:count].tolist() == chosen
    np.testing.assert_allclose(selected_criterion(ranker), values, atol=1e-11)
    np.testing.assert_allclose(ranker.relevance_, relevance, atol=1e-12)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("n_samples", [90, 250])
def test_mid_and_miq_equal_a_plain_loop(seed, n_samples):
    X, y = sample(n_samples, seed=seed)
    codes = binned(X)
    relevance, redundancy = relevances(codes, y), redundancies(codes)
    agree(MRMR(), relevance, lambda f, S: relevance[f] - redundancy[f, S].mean(), X, y)
    quotient = MRMR(criterion="miq")
    agree(quotient, relevance, lambda f, S: relevance[f] / redundancy[f, S].mean(), X, y)


@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0])
def test_mifs_equals_a_plain_loop(beta):
    X, y = sample()
    codes = binned(X, 7)
    relevance, redundancy = relevances(codes, y), redundancies(codes)
    ranker = MIFS(beta=beta, bins=7)
    agree(ranker, relevance, lambda f, S: relevance[f] - beta * redundancy[f, S].sum(), X, y)


def test_mid_is_mifs_with_a_beta_of_one_over_the_number_chosen():
    X, y = sample(200)
    mid = MRMR().fit(X, y)
    for n_chosen in range(1, 13):
        mifs = MIFS(beta=1 / n_chosen)
        # A step of MIFS from where MID stands: the criterion with this beta, same S.
        tables = Matrix(X, y).pair_tables(mifs)
        chosen = mid.order_[:n_chosen]
        left = np.setdiff1d(np.arange(14), chosen)
        total = sum(tables.redundancy(int(s), left) for s in chosen)
        values = mifs._criterion(tables.relevance()[left], total, n_chosen)
        assert left[np.argmax(values)] == mid.order_[n_chosen]
        assert values.max() == pytest.approx(selected_criterion(mid)[n_chosen], abs=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_jmi_equals_a_plain_loop(seed):
    X, y = sample(120, seed=seed)
    codes = binned(X, 5)
    pairs = joint_relevances(codes, y)
    agree(JMI(bins=5), relevances(codes, y), lambda f, S: pairs[f, S].sum(), X, y)


@pytest.mark.parametrize("seed", range(3))
def test_cmim_equals_a_plain_loop(seed):
    X, y = sample(120, n_features=20, seed=seed)
    codes = binned(X, 4)
    relevance = relevances(codes, y)
    given = joint_relevances(codes, y) - relevance  # I(f; y | s), by the chain rule

    def value(f, S):
        return max(min(relevance[f], *given[f, S]), 0.0)

    agree(CMIM(bins=4), relevance, value, X, y)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_fcq_equals_a_plain_loop(seed, dtype):
    X, y = sample(seed=seed, n_features=40)
    X = X.astype(dtype)
    statistic = f_classif(X.astype(float), y)[0]
    size = np.maximum(np.abs(np.corrcoef(X.T.astype(float))), 0.001)
    ranker = MRMR(criterion="fcq").fit(X, y)
    chosen, values = greedy(statistic, lambda f, S: statistic[f] / size[f, S].mean(), 40)
    assert ranker.order_.tolist() == chosen
    np.testing.assert_allclose(
        selected_criterion(ranker), values, rtol=1e-8 if dtype is np.float64 else 1e-4
    )
    share = ranker.relevance_
    np.testing.assert_allclose(share / (1 - share) * (90 - 3) / 2, statistic, rtol=1e-6)


def test_lazy_searches_choose_as_if_they_looked_at_every_candidate(monkeypatch):
    """In blocks of one candidate each is the best of its block, and so is completed."""
    X, y = sample(150, n_features=200)
    lazy = [MRMR(30, criterion="fcq").fit(X, y), CMIM(30).fit(X, y)]
    monkeypatch.setattr("featrank.pairwise.argmax_ties.CALL_VALUES", 0)
    eager = [MRMR(30, criterion="fcq").fit(X, y), CMIM(30).fit(X, y)]
    for one, other in zip(eager, lazy, strict=True):
        np.testing.assert_array_equal(one.order_, other.order_)
        np.testing.assert_array_equal(selected_criterion(one), selected_criterion(other))


METHODS = [MRMR, lambda **p: MRMR(criterion="miq", **p), MIFS, JMI, CMIM]
ALL = [*METHODS, lambda **p: MRMR(criterion="fcq", **p)]


@pytest.mark.parametrize("make", ALL)
def test_the_chosen_come_first_and_the_rest_by_relevance(make):
    X, y = sample()
    few, full = make(n_features_to_select=4).fit(X, y), make().fit(X, y)
    np.testing.assert_array_equal(few.order_[:4], full.order_[:4])
    rest = few.order_[4:]
    np.testing.assert_array_equal(few.relevance_[rest], np.sort(few.relevance_[rest])[::-1])
    assert few.support_.sum() == 4
    assert few.scores_[few.order_[3]] > few.scores_[rest].max()
    assert len(selected_criterion(few)) == 4


@pytest.mark.parametrize("make", ALL)
def test_features_without_spread_are_chosen_last(make):
    X, y = sample()
    X[:, [2, 9]] = 0.1, -4.0
    ranker = make().fit(X, y)
    assert ranker.order_[-2:].tolist() == [2, 9]
    assert np.isnan(ranker.criterion_[[2, 9]]).all()


@pytest.mark.parametrize("make", ALL)
def test_duplicates_are_worth_the_same_and_the_first_one_wins(make):
    X, y = sample()
    X = np.column_stack([X, X])
    ranker = make().fit(X, y)
    np.testing.assert_array_equal(ranker.relevance_[:14], ranker.relevance_[14:])
    assert np.all(ranker.ranking_[:14] < ranker.ranking_[14:])


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("n_jobs", [2, -1])
def test_threads_change_nothing(make, n_jobs, monkeypatch):
    X, y = sample(n_features=60)
    wanted = make(n_features_to_select=20).fit(X, y)
    monkeypatch.setattr("featrank.pairwise.contingency.CALL_ROWS", 300)
    monkeypatch.setattr("featrank.pairwise.correlation.CALL_VALUES", 300)
    monkeypatch.setattr("featrank.pairwise.argmax_ties.CALL_VALUES", 700)
    got = make(n_features_to_select=20, n_jobs=n_jobs).fit(X, y)
    np.testing.assert_array_equal(got.scores_, wanted.scores_)
    np.testing.assert_array_equal(selected_criterion(got), selected_criterion(wanted))


@pytest.mark.parametrize("make", METHODS)
def test_quantile_bins_see_ranks_only(make):
    X, y = sample()
    wanted = make(binning="quantile", bins=8).fit(X, y)
    got = make(binning="quantile", bins=8).fit(np.exp(X), y)
    np.testing.assert_array_equal(got.order_, wanted.order_)
    assert not np.array_equal(wanted.order_, make(bins=8).fit(X, y).order_)


@pytest.mark.parametrize("make", ALL)
def test_progress_is_reported_at_each_choice(make):
    X, y = sample()
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        make(n_features_to_select=5).fit(X, y)
    assert seen == [(step, 5) for step in range(1, 6)]


def exclusive_or():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 12)).astype(float)
    y = (X[:, 3] != X[:, 8]).astype(int)
    X[:, 3] = np.where(rng.random(400) < 0.15, y, X[:, 3])
    return X, y


def test_jmi_finds_what_only_a_pair_tells():
    X, y = exclusive_or()
    assert set(JMI(2).fit(X, y).order_[:2]) == {3, 8}
    assert MRMR().fit(X, y).ranking_[8] > 2


def test_miq_of_features_that_share_nothing():
    """The two choices are independent of each other, to the last count."""
    X = np.array(np.meshgrid([0, 1], [0, 1], [0, 1, 2])).reshape(3, -1).T.astype(float)
    X = np.repeat(X, 3, axis=0)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    ranker = MRMR(criterion="miq").fit(X, y)
    assert ranker.order_.tolist() == [0, 1, 2]
    assert selected_criterion(ranker)[1] == np.inf
    assert selected_criterion(ranker)[2] == 0


def test_fcq_with_features_that_separate_the_classes_exactly():
    X, y = sample(n_classes=2)
    X[:, 5], X[:, 11] = y, 3.0 - y
    ranker = MRMR(criterion="fcq").fit(X, y)
    assert ranker.order_[:2].tolist() == [5, 11]
    assert selected_criterion(ranker)[:2].tolist() == [np.inf, np.inf]
    assert np.all(np.isfinite(ranker.scores_))


def test_more_bins_than_a_byte_can_tell_are_rejected():
    X, y = sample()
    with pytest.raises(ValueError, match="bins"):
        MRMR(bins=257).fit(X, y)


@pytest.mark.parametrize("make", [*ALL, lambda: MRMR(binning="quantile")])
@pytest.mark.parametrize("n_samples", [90, 5000])
def test_values_that_are_not_finite_are_rejected_by_column(make, n_samples):
    X, y = sample(n_samples)
    X[3, 5] = X[70, 5] = np.nan
    X[8, 11] = np.inf
    with pytest.raises(DataError, match=r"column 5 \(2\), column 11"):
        make().fit(X, y)


def integer_sample(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 300)
    X = rng.integers(0, 6, (300, 25)) + y[:, None] * rng.integers(0, 2, 25)
    return X.astype(float), y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("criterion", ["mid", "miq"])
def test_fast_select_agrees_on_integers(seed, criterion):
    fast_select = pytest.importorskip("fast_select")
    X, y = integer_sample(seed)
    theirs = fast_select.mRMR(12, method=criterion.upper(), backend="cpu").fit(X.astype(int), y)
    assert MRMR(12, criterion=criterion).fit(X, y).order_[:12].tolist() == (
        theirs.top_features_.tolist()
    )


def test_mrmr_selection_agrees_on_fcq():
    mrmr = pytest.importorskip("mrmr")
    import pandas as pd

    X, y = sample(200, n_features=40)
    theirs = mrmr.mrmr_classif(pd.DataFrame(X), pd.Series(y), K=15, n_jobs=1, show_progress=False)
    assert MRMR(15, criterion="fcq").fit(X, y).order_[:15].tolist() == theirs


def test_mrmrs_agrees_on_fcq():
    mrmrs = pytest.importorskip("mrmrs")
    import polars as pl

    X, y = sample(200, n_features=40)
    frame = pl.DataFrame(X, schema=[str(j) for j in range(40)])
    theirs = mrmrs.mrmr(frame, pl.Series("y", y.astype(float)), 15, "classification")
    ours = MRMR(15, criterion="fcq").fit(X, y).order_[:15]
    assert ours.tolist() == [int(feature.name) for feature in theirs]
