"""FDRSelector around every ranker, with scikit-learn's contract."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.estimator_checks import parametrize_with_checks

import featrank
from featrank import FisherScore, SelectorRanker
from featrank.base.registry import methods
from featrank.error_control import FDRSelector
from featrank.exceptions import DataError, UsageError
from featrank.sources import Blocks, open_dataset

SUPERVISED = {name: cls for name, cls in methods().items() if cls.supervised}
UNSUPERVISED = [name for name, cls in methods().items() if not cls.supervised]
REGRESSION = [name for name, cls in SUPERVISED.items() if "regression" in cls.tasks]
SPARSE = [name for name, cls in SUPERVISED.items() if cls.accepts_sparse]
TRUE = 3


@pytest.fixture
def made():
    """Return 40 × 30 values and two classes; column 3 separates them."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 30))
    X[:, TRUE] += 5 * y
    return X, y


def fitted(ranker, X, y, n_draws=3, **given):
    return FDRSelector(ranker, n_draws=n_draws).fit(X, y, **given)


def correlation(X, y):
    """Score features by their absolute correlation with the codes of y."""
    codes = np.unique(y, return_inverse=True)[1]
    return np.abs(np.corrcoef(X.T, codes)[-1, :-1])


def check_result(selector, n_features=30):
    """Check that all parts of a result agree."""
    q, control = selector.q_values_, selector.control_
    assert q.shape == (n_features,)
    assert ((q > 0) & (q <= 1)).all()
    np.testing.assert_array_equal(selector.support_, q <= selector.fdr)
    np.testing.assert_array_equal(control.support, selector.get_support())
    assert control.smallest_fdr == q.min()


# Every kind of ranker


@pytest.mark.parametrize("name", SUPERVISED)
def test_every_method_puts_a_true_feature_near_the_top(made, name):
    selector = fitted(SUPERVISED[name](), *made)
    check_result(selector)
    assert TRUE in np.argsort(selector.q_values_, kind="stable")[:3]
    assert selector.control_.method == name


@pytest.mark.parametrize("name", SUPERVISED)
def test_every_method_ranks_for_three_classes(made, name):
    X, _ = made
    y = np.array(["a", "b", "c"])[np.arange(40) % 3]
    check_result(fitted(name, X, y))


@pytest.mark.parametrize("name", REGRESSION)
def test_every_method_with_regression(made, name):
    X, _ = made
    y = 4 * X[:, 7] + np.random.default_rng(1).normal(size=40)
    selector = fitted(SUPERVISED[name](task="regression"), X, y, 6)
    check_result(selector)
    assert selector.q_values_[7] == selector.q_values_.min()


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_input_has_the_result_of_dense_input(made, name):
    X, y = made
    X = np.where(X > 0.5, X, 0)
    dense, sparse = fitted(name, X, y), fitted(name, csr_matrix(X), y)
    np.testing.assert_allclose(sparse.q_values_, dense.q_values_)


def test_methods_without_sparse_support_say_so(made):
    with pytest.raises(DataError, match="ReliefF needs dense data"):
        fitted("relieff", csr_matrix(made[0]), made[1])


@pytest.mark.parametrize(
    ("ranker", "name"),
    [
        (SelectKBest(f_classif, k=5), "SelectKBest"),
        (SelectorRanker(SelectKBest(f_classif, k=5)), "SelectKBest"),
        (LogisticRegression(), "LogisticRegression"),
        (correlation, "correlation"),
    ],
)
def test_selectors_models_and_functions(made, ranker, name):
    selector = fitted(ranker, *made, 20)
    check_result(selector)
    assert selector.get_support(indices=True).tolist() == [TRUE]
    assert selector.control_.method == name
    assert f", as {name} sees it" in selector.control_.notes()[1]


def test_a_random_model_gives_the_same_result_twice(made):
    first, second = (fitted(RandomForestClassifier(10), *made).q_values_ for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert first.argmin() == TRUE


# What the result depends on


@pytest.mark.parametrize("name", ["fisher", "ec-fs", "relieff", "boruta", "mrmr"])
def test_threads_do_not_change_the_result(made, name):
    one, two = (FDRSelector(name, n_draws=6, n_jobs=n).fit(*made).q_values_ for n in (1, 2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("name", ["fisher", "boruta"])
def test_only_the_seed_changes_the_result(made, name):
    X, y = made
    y = np.random.default_rng(1).permutation(y)  # no q-value is at its bound
    again, same, other = (
        FDRSelector(name, n_draws=6, random_state=seed).fit(X, y).q_values_ for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(again, same)
    assert (same != other).any()


def test_a_refit_forgets(made):
    X, y = made
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(30)])
    selector = FDRSelector("fisher", n_draws=6).fit(frame, y)
    assert selector.feature_names_in_.tolist() == frame.columns.tolist()
    selector.fit(X[:, :12], y)
    assert not hasattr(selector, "feature_names_in_")
    assert selector.n_features_in_ == len(selector.q_values_) == 12
    expected = FDRSelector("fisher", n_draws=6).fit(X[:, :12], y)
    np.testing.assert_array_equal(selector.q_values_, expected.q_values_)


def test_the_ranker_and_the_values_stay_as_they_are(made):
    X, y = made
    X.setflags(write=False)
    ranker = FisherScore()
    fitted(ranker, X, y)
    assert not hasattr(ranker, "scores_")


def test_features_to_select_and_the_order_of_columns_do_not_matter(made):
    X, y = made
    np.testing.assert_array_equal(
        fitted(FisherScore(2), X, y).q_values_, fitted(FisherScore(), X, y).q_values_
    )


def test_few_draws_stop_when_nothing_can_be_reached(made):
    hopeless = fitted(lambda X, y: np.zeros(X.shape[1]), *made, 40).control_
    assert (hopeless.stopped_early, hopeless.n_draws) == (True, 10)
    useful = fitted("fisher", *made, 40).control_
    assert (useful.stopped_early, useful.n_draws) == (False, 40)


# Groups


def test_decoys_keep_groups_together(made, monkeypatch):
    X, y = made
    groups = np.repeat([f"p{i}" for i in range(10)], 4)
    drawn = []
    own = featrank.error_control.draws.permuted_rows
    monkeypatch.setattr(
        "featrank.error_control.draws.permuted_rows",
        lambda *given: drawn.append(own(*given)) or drawn[-1],
    )
    fitted("relieff", X, y, groups=groups)
    assert len(drawn) == 3
    for rows in drawn:
        assert all(len({*groups[rows[groups == one]]}) == 1 for one in np.unique(groups))


def test_groups_of_a_pure_batch_effect_claim_nothing():
    """Ten patients with four samples each: samples are not evidence, patients are."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(10), 4)
    y = groups % 2
    X = rng.normal(size=(10, 200))[groups] + rng.normal(0, 0.2, size=(40, 200))
    with_groups = FDRSelector("fisher").fit(X, y, groups=groups)
    assert with_groups.control_.n_selected == 0
    assert FDRSelector("fisher").fit(X, y).control_.n_selected > 20


def test_pairs_of_samples_of_each_patient_claim_what_differs_within_pairs():
    """Permuting whole pairs would leave the target as it is, and decoys as good as features."""
    rng = np.random.default_rng(0)
    groups, y = np.repeat(np.arange(20), 2), np.arange(40) % 2
    X = rng.normal(size=(20, 100))[groups] + rng.normal(0, 0.5, size=(40, 100))
    X[:, :5] += 4 * y[:, None]
    selector = FDRSelector("fisher").fit(X, y, groups=groups)
    assert selector.support_[:5].sum() >= 4
    assert selector.control_.n_selected <= 6


@pytest.mark.parametrize("name", ["fisher", "ec-fs", "relieff"])
def test_groups_by_name(made, name):
    X, y = made
    groups = [f"p{i // 4}" for i in range(40)]
    frame = pd.DataFrame(X).rename(columns=str).assign(patient=groups, kind=y)
    by_name = fitted(name, frame, "kind", groups="patient")
    np.testing.assert_array_equal(by_name.q_values_, fitted(name, X, y, groups=groups).q_values_)
    assert (by_name.q_values_ != fitted(name, X, y).q_values_).any()
    assert by_name.n_features_in_ == 30


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (np.arange(10), "inconsistent numbers of samples"),
        ([None, *"abc" * 13], "groups contains missing values"),
    ],
)
@pytest.mark.parametrize("name", ["fisher", "relieff"])
def test_wrong_groups(made, name, groups, message):
    with pytest.raises(ValueError, match=message):
        fitted(name, *made, groups=groups)


# scikit-learn


@parametrize_with_checks(
    [
        FDRSelector(FisherScore(), n_draws=2),
        FDRSelector(FisherScore(task="regression"), n_draws=2),
    ]
)
def test_estimator(estimator, check):
    check(estimator)


def test_clone_and_pickle(made):
    selector = FDRSelector(FisherScore(), 0.2, n_draws=20)
    copy = clone(selector)
    assert copy.get_params(deep=False).keys() == selector.get_params(deep=False).keys()
    assert (copy.fdr, copy.n_draws) == (0.2, 20)
    fit = copy.fit(*made)
    loaded = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(loaded.transform(made[0]), fit.transform(made[0]))
    assert loaded.control_.sentence() == fit.control_.sentence()


def test_names_and_set_output(made):
    X, y = made
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(30)])
    selector = FDRSelector("fisher", n_draws=20).set_output(transform="pandas").fit(frame, y)
    assert selector.get_feature_names_out().tolist() == ["gene 3"]
    pd.testing.assert_frame_equal(selector.transform(frame), frame[["gene 3"]])


def test_transform_with_nothing_selected(made):
    X, y = made
    selector = FDRSelector("fisher", n_draws=2).fit(X, y)
    assert selector.control_.n_selected == 0
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape == (40, 0)


def test_in_a_pipeline(made):
    model = make_pipeline(FDRSelector("fisher", n_draws=20), LogisticRegression())
    assert model.fit(*made).score(*made) > 0.9


def test_not_fitted(made):
    with pytest.raises(NotFittedError):
        FDRSelector("fisher").transform(made[0])


# Errors


@pytest.mark.parametrize("name", UNSUPERVISED)
def test_methods_that_do_not_use_the_target(made, name):
    with pytest.raises(UsageError, match="does not use the target, so `fdr` has no meaning"):
        fitted(name, *made)
    with pytest.raises(UsageError, match="does not use the target"):
        featrank.rank(made[0], method=name, fdr=0.1)


@pytest.mark.parametrize(
    "params",
    [
        {"fdr": 0},
        {"fdr": 1},
        {"fdr": "0.1"},
        {"n_draws": 1},
        {"n_draws": "many"},
        {"time_budget": 0},
        {"random_state": -1},
    ],
)
def test_wrong_parameters(made, params):
    with pytest.raises(InvalidParameterError, match=f"'{next(iter(params))}' parameter"):
        FDRSelector("fisher", **params).fit(*made)


def test_a_target_is_required(made):
    with pytest.raises(DataError, match="FisherScore requires y"):
        FDRSelector("fisher").fit(made[0])


def test_unknown_methods(made):
    with pytest.raises(UsageError, match="Did you mean 'fisher'"):
        fitted("fishr", *made)
    with pytest.raises(UsageError, match="Pass an instance"):
        fitted(FisherScore, *made)


# rank


def test_rank_has_the_result_of_the_selector(made):
    ranking = featrank.rank(*made, "fisher", fdr=0.2)
    expected = FDRSelector("fisher", 0.2).fit(*made)
    np.testing.assert_array_equal(ranking.fdr_control.q_values, expected.q_values_)
    frame = ranking.to_frame()
    assert frame["q_value"].to_list() == expected.q_values_[ranking.order].tolist()
    assert frame["claimed"].to_list() == expected.support_[ranking.order].tolist()
    assert ranking.notes()[-2:] == expected.control_.notes()


def test_rank_without_a_level_has_no_claims(made):
    ranking = featrank.rank(*made, "fisher")
    assert ranking.fdr_control is None
    assert "q_value" not in ranking.columns()


def test_the_order_does_not_depend_on_the_level(made):
    plain, controlled = (featrank.rank(*made, "relieff", fdr=fdr) for fdr in (None, 0.1))
    np.testing.assert_array_equal(plain.order, controlled.order)


def test_rank_per_class(made):
    X, _ = made
    y = np.array(list("abc"))[np.arange(40) % 3]
    X[y == "b", 8] += 6
    found = featrank.rank(X, y, "fisher", fdr=0.1, per_class=True)
    assert found["b"].fdr_control.support[8]
    for label, ranking in found.items():
        expected = FDRSelector("fisher").fit(X, y == label).q_values_
        np.testing.assert_array_equal(ranking.fdr_control.q_values, expected)


@pytest.mark.parametrize("name", ["fisher", "ec-fs", "relieff"])
def test_rank_with_groups(made, name):
    groups = np.arange(40) // 4
    ranking = featrank.rank(*made, name, fdr=0.1, groups=groups)
    expected = FDRSelector(name).fit(*made, groups=groups)
    np.testing.assert_array_equal(ranking.fdr_control.q_values, expected.q_values_)


def test_groups_without_a_level_still_need_tuning(made):
    with pytest.raises(UsageError, match="ReliefF does not support groups"):
        featrank.rank(*made, "relieff", groups=np.arange(40) // 4)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample_weight": np.ones(40)}, "`fdr` does not support `sample_weight`"),
        ({"fdr": 1.5}, "`fdr` must lie between 0 and 1, got 1.5"),
        ({"fdr": "high"}, "`fdr` must lie between 0 and 1, got 'high'"),
        ({"fdr": 0}, "`fdr` must lie between 0 and 1, got 0"),
        ({"fdr": float("nan")}, "`fdr` must lie between 0 and 1, got nan"),
    ],
)
def test_rank_reports_errors_before_it_ranks(made, monkeypatch, given, message):
    monkeypatch.setattr(FisherScore, "fit", lambda *args, **rest: pytest.fail("ranked"))
    with pytest.raises(UsageError, match=message):
        featrank.rank(*made, "fisher", **{"fdr": 0.1, **given})


# Data in chunks


@pytest.fixture
def path(made, tmp_path):
    np.save(tmp_path / "X.npy", made[0])
    return tmp_path / "X.npy"


@pytest.mark.parametrize("ranker", ["fisher", "mi", "ec-fs", featrank.ECFS(alpha=0.5)])
def test_chunks_have_the_result_of_memory(made, path, ranker):
    found = FDRSelector(ranker, n_draws=12).fit(open_dataset(path), made[1])
    expected = FDRSelector(ranker, n_draws=12).fit(*made)
    np.testing.assert_array_equal(found.q_values_, expected.q_values_)


def test_all_draws_of_a_batch_are_read_in_one_pass(made):
    X, y = made
    passes = []

    def blocks():
        passes.append(1)
        return [(X, y)]

    FDRSelector("fisher", n_draws=2).fit(Blocks(blocks))
    few = len(passes)
    passes.clear()
    FDRSelector("fisher", n_draws=10).fit(Blocks(blocks))
    assert len(passes) == few


def test_methods_that_read_chunks_in_other_ways(made, path):
    with pytest.raises(UsageError, match=r"single-pass methods only.*MRMR needs all values"):
        fitted("mrmr", open_dataset(path), made[1])


def test_a_checkpoint_is_rejected(made, path, tmp_path):
    with pytest.raises(UsageError, match="`fdr` does not support `checkpoint`"):
        fitted("fisher", open_dataset(path), made[1], checkpoint=tmp_path / "checkpoint")
