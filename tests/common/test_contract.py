"""What a fitted ranker holds, and its life as a scikit-learn estimator."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils import estimator_html_repr, get_tags

from featrank import ECFS, InfFSSupervised, Ranker, kernels, rank
from featrank.base.ranker import best_first


@pytest.mark.parametrize(
    ("wanted", "count"),
    [(None, 12), (1, 1), (12, 12), (np.int64(3), 3), (0.5, 6), (0.01, 1), (0.99, 11), (1.0, 12)],
)
def test_number_of_features(data, wanted, count):
    ranker = ECFS(n_features_to_select=wanted).fit(*data)
    assert ranker.support_.sum() == count
    assert ranker.transform(data[0]).shape == (60, count)
    assert ranker.ranking_[ranker.support_].max() == count


def test_a_fraction_is_not_cut_by_rounding():
    """0.29 · 100 is 28.999999999999996 in floating point."""
    X = np.random.default_rng(0).normal(size=(10, 100))
    for share in (0.29, np.float64(0.29), np.float32(0.29), np.float16(0.29)):
        assert ECFS(n_features_to_select=share).fit(X, np.arange(10) % 2).support_.sum() == 29
        assert rank(X, np.arange(10) % 2, "fisher", top=share).ranker.get_support().sum() == 29


@pytest.mark.parametrize("wanted", [0, -1, 0.0, 1.5, -0.5, "all", np.nan])
def test_impossible_numbers_of_features(data, wanted):
    with pytest.raises(ValueError, match="n_features_to_select"):
        ECFS(n_features_to_select=wanted).fit(*data)


def test_attributes(data):
    ranker = ECFS(n_features_to_select=3).fit(*data)
    kinds = {"scores_": np.float64, "ranking_": np.int64, "order_": np.int64, "support_": np.bool_}
    for name, dtype in kinds.items():
        assert getattr(ranker, name).shape == (12,)
        assert getattr(ranker, name).dtype == dtype
    assert ranker.order_[0] == 4
    assert ranker.ranking_[4] == 1
    assert ranker.n_features_in_ == 12
    assert ranker.classes_.tolist() == [0, 1]


def test_order_is_by_score_then_by_index():
    scores = np.array([2.0, np.inf, 2.0, -1.0, 2.0, np.inf, 0.0, -0.0])
    assert best_first(scores).tolist() == [1, 5, 0, 2, 4, 6, 7, 3]
    assert kernels.places(best_first(scores)).tolist() == [3, 1, 4, 8, 5, 2, 6, 7]


@pytest.mark.parametrize("levels", [1, 2, 5, 10_000])
def test_order_with_many_ties(levels):
    scores = np.random.default_rng(levels).integers(0, levels, 3000).astype(float)
    assert np.array_equal(best_first(scores), np.argsort(-scores, kind="stable"))


def test_before_fit(data):
    with pytest.raises(NotFittedError):
        ECFS().transform(data[0])
    with pytest.raises(NotFittedError):
        ECFS().get_support()


def test_selector_interface(data):
    X, y = data
    ranker = ECFS(n_features_to_select=3).fit(X, y)
    chosen = ranker.get_support(indices=True)
    assert chosen.tolist() == sorted(ranker.order_[:3])
    assert ranker.get_feature_names_out().tolist() == [f"x{j}" for j in chosen]
    restored = ranker.inverse_transform(ranker.transform(X))
    assert np.array_equal(restored[:, chosen], X[:, chosen])
    assert not np.delete(restored, chosen, axis=1).any()


def test_refit_forgets_names_classes_and_size(frame, data):
    ranker = ECFS().fit(*frame)
    ranker.fit(data[0][:, :5], data[1] * 7)
    assert not hasattr(ranker, "feature_names_in_")
    assert ranker.classes_.tolist() == [0, 7]
    assert np.array_equal(ranker.scores_, ECFS().fit(data[0][:, :5], data[1]).scores_)


def test_a_failed_refit_raises_again_on_the_next_call(data):
    X, y = data
    ranker = ECFS(n_features_to_select=9).fit(X, y)
    for _ in range(2):
        with pytest.raises(ValueError, match="n_features_to_select=9"):
            ranker.fit(X[:, :5], y)


def test_parameters_can_be_read_and_set(data):
    ranker = ECFS(3, alpha=0.25)
    assert ranker.get_params()["alpha"] == 0.25
    ranker.set_params(alpha=0.75, n_features_to_select=2).fit(*data)
    assert np.array_equal(ranker.scores_, ECFS(alpha=0.75).fit(*data).scores_)
    assert ranker.support_.sum() == 2
    with pytest.raises(ValueError, match="beta"):
        ranker.set_params(beta=1)
    with pytest.raises(TypeError, match="positional"):
        ECFS(3, 0.5)


def test_clone(data):
    ranker = ECFS(2, alpha=0.25, kernel="symmetric").fit(*data)
    copy = clone(ranker)
    assert copy.get_params() == ranker.get_params()
    assert not hasattr(copy, "scores_")


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


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_pickle(frame, protocol):
    X, y = frame
    ranker = ECFS(n_features_to_select=3).fit(X, y)
    loaded = pickle.loads(pickle.dumps(ranker, protocol))
    assert np.array_equal(loaded.scores_, ranker.scores_)
    assert np.array_equal(loaded.get_feature_names_out(), ranker.get_feature_names_out())
    assert np.array_equal(loaded.transform(X), ranker.transform(X))


def test_grid_search_over_the_method_and_the_number(data):
    pipeline = make_pipeline(MinMaxScaler(), ECFS(), LogisticRegression())
    grid = {"ecfs__alpha": [0.2, 0.8], "ecfs__n_features_to_select": [1, 4]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(*data)
    best = search.best_estimator_["ecfs"]
    assert len(search.cv_results_["params"]) == 4
    assert best.alpha == search.best_params_["ecfs__alpha"]
    assert best.support_.sum() == search.best_params_["ecfs__n_features_to_select"]
    assert search.best_score_ > 0.95


def test_names_go_through_a_pipeline(frame):
    pipeline = make_pipeline(MinMaxScaler(), ECFS(n_features_to_select=1), LogisticRegression())
    pipeline.set_output(transform="pandas").fit(*frame)
    assert pipeline[:-1].get_feature_names_out().tolist() == ["gene 4"]


def test_cross_validation_with_labels_that_are_strings(frame):
    pipeline = make_pipeline(ECFS(n_features_to_select=2), LogisticRegression())
    assert cross_val_score(pipeline, *frame, cv=3).mean() > 0.95


def test_tags_follow_the_class():
    class Unlike(Ranker):
        supervised = False
        accepts_sparse = True
        accepts_nan = True

        def _score(self, X, y):
            raise NotImplementedError

    tags = get_tags(Unlike())
    assert not tags.target_tags.required
    assert tags.input_tags.sparse
    assert tags.input_tags.allow_nan
    tags = get_tags(ECFS())
    assert tags.target_tags.required
    assert tags.input_tags.sparse
    assert not tags.input_tags.allow_nan


@pytest.fixture
def wide():
    rng = np.random.default_rng(1)
    y = np.arange(30) % 3
    return rng.normal(loc=1, size=(30, 300)) + y[:, None] * rng.random(300), y


@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize("block_bytes", [1, 30_000, 60_000, 2**30])
@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_blocks_and_workers_give_the_same_bits(wide, monkeypatch, n_jobs, block_bytes, binning):
    wanted = ECFS(binning=binning).fit(*wide).scores_
    monkeypatch.setattr("featrank.summaries.columns.BLOCK_BYTES", block_bytes)
    assert np.array_equal(ECFS(binning=binning, n_jobs=n_jobs).fit(*wide).scores_, wanted)


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
