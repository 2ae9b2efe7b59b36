"""What all rankers inherit; what each must keep on its own is in the common suite."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_html_repr

from featrank import ECFS, InfFSSupervised, kernels, rank
from featrank.base.ranker import best_first


def test_a_fraction_is_not_cut_by_rounding():
    """0.29 · 100 is 28.999999999999996 in floating point."""
    X = np.random.default_rng(0).normal(size=(10, 100))
    for share in (0.29, np.float64(0.29), np.float32(0.29), np.float16(0.29)):
        assert ECFS(n_features_to_select=share).fit(X, np.arange(10) % 2).support_.sum() == 29
        assert rank(X, np.arange(10) % 2, "fisher", top=share).ranker.get_support().sum() == 29


def test_order_is_by_score_then_by_index():
    scores = np.array([2.0, np.inf, 2.0, -1.0, 2.0, np.inf, 0.0, -0.0])
    assert best_first(scores).tolist() == [1, 5, 0, 2, 4, 6, 7, 3]
    assert kernels.places(best_first(scores)).tolist() == [3, 1, 4, 8, 5, 2, 6, 7]


@pytest.mark.parametrize("levels", [1, 2, 5, 10_000])
def test_order_with_many_ties(levels):
    scores = np.random.default_rng(levels).integers(0, levels, 3000).astype(float)
    assert np.array_equal(best_first(scores), np.argsort(-scores, kind="stable"))


def test_a_failed_refit_raises_again_on_the_next_call(data):
    X, y = data
    ranker = ECFS(n_features_to_select=9).fit(X, y)
    for _ in range(2):
        with pytest.raises(ValueError, match="n_features_to_select=9"):
            ranker.fit(X[:, :5], y)


@pytest.mark.parametrize("cls", [ECFS, InfFSSupervised])
def test_parameters_set_after_the_fit_do_not_change_its_graph(data, cls):
    ranker = cls().fit(*data)
    before = ranker.graph_.to_dense()
    ranker.set_params(alpha="nonsense", **({"kernel": "none"} if cls is ECFS else {"directed": 7}))
    assert np.array_equal(ranker.graph_.to_dense(), before)
    assert "nonsense" in estimator_html_repr(make_pipeline(ranker))


def test_the_html_form_of_many_features_is_short(data):
    X = np.random.default_rng(0).random((4, 100_000))
    ranker = ECFS().fit(X, [0, 1, 0, 1])
    few = estimator_html_repr(ECFS().fit(*data))
    assert len(estimator_html_repr(ranker)) < 2 * len(few)


@pytest.fixture
def wide():
    rng = np.random.default_rng(1)
    y = np.arange(30) % 3
    return rng.normal(loc=1, size=(30, 300)) + y[:, None] * rng.random(300), y


@pytest.mark.parametrize("block_bytes", [1, 30_000, 60_000])
def test_blocks_and_workers_give_the_same_quantiles(wide, monkeypatch, block_bytes):
    """The common suite does this with bins of equal width."""
    wanted = ECFS(binning="quantile").fit(*wide).scores_
    monkeypatch.setattr("featrank.summaries.columns.BLOCK_BYTES", block_bytes)
    assert np.array_equal(ECFS(binning="quantile", n_jobs=2).fit(*wide).scores_, wanted)


def test_narrow_blocks_are_used(wide, monkeypatch):
    """The test above splits the table indeed."""
    seen = []

    class Counting(ECFS):
        def _describe(self, summary):
            seen.append(len(summary.moments.absolute_sum))
            return super()._describe(summary)

    monkeypatch.setattr("featrank.summaries.columns.BLOCK_BYTES", 30_000)
    Counting(alpha=0.5).fit(*wide)
    assert len(seen) > 2
    assert sum(seen) == 300
