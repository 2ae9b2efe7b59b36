"""Selectors of scikit-learn and Boruta, models and functions as rankers: their own orders."""

import pickle
from functools import partial

import numpy as np
import pytest
from boruta import BorutaPy
from scipy.sparse import csr_matrix
from scipy.stats import spearmanr
from sklearn.base import BaseEstimator, clone
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    RFECV,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    SequentialFeatureSelector,
    VarianceThreshold,
    chi2,
    f_classif,
    mutual_info_classif,
)
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import BayesianRidge, LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from featrank import FisherScore, SelectorRanker
from featrank.exceptions import MethodError, UsageError


@pytest.fixture
def three():
    """Return 60 × 12 and three classes, which columns 7 to 10 tell apart, less and less."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 12))
    X[:, 7:11] += y[:, None] * np.array([1.2, 0.9, 0.6, 0.4])
    return X, y


def ranked(selector, data, seed=0):
    return SelectorRanker(selector, random_state=seed).fit(*data)


class Fitted(BaseEstimator):
    """Has some attributes once it is fitted."""

    def __init__(self, attributes=None):
        self.attributes = attributes

    def fit(self, X, y):
        for name, value in self.attributes.items():
            setattr(self, name, value)
        return self


@pytest.mark.parametrize("selector", [SelectKBest(k=2), SelectPercentile(percentile=10), f_classif])
def test_scores_are_those_of_the_score_function(three, selector):
    ranker = ranked(selector, three)
    wanted = f_classif(*three)[0]
    np.testing.assert_array_equal(ranker.scores_, wanted)
    np.testing.assert_array_equal(ranker.order_, np.argsort(-wanted))


@pytest.mark.parametrize("selector", [SelectKBest(f_classif, k=3), f_classif])
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_constants_come_last(three, selector):
    X, y = three
    X[:, [0, 7]] = 1.0
    ranker = ranked(selector, (X, y))
    assert set(ranker.order_[-2:]) == {0, 7}
    assert ranker.order_[0] == 8
    assert np.isfinite(ranker.scores_).all()


def test_the_order_of_rfe(three):
    """One feature a step, down to one: scikit-learn knows the whole order."""
    ranker = ranked(RFE(LinearSVC(random_state=0), n_features_to_select=1), three)
    wanted = RFE(LinearSVC(random_state=0), n_features_to_select=1).fit(*three).ranking_
    np.testing.assert_array_equal(ranker.ranking_, wanted)


@pytest.mark.parametrize(
    "make", [partial(RFE, n_features_to_select=5, step=4), partial(RFECV, step=5, cv=2)]
)
def test_features_that_rfe_keeps_go_by_its_last_model(three, make):
    ranker = ranked(make(LogisticRegression()), three)
    fitted = make(LogisticRegression()).fit(*three)
    kept = np.flatnonzero(fitted.support_)
    weights = np.square(fitted.estimator_.coef_).sum(axis=0)
    np.testing.assert_array_equal(ranker.order_[: len(kept)], kept[np.argsort(-weights)])
    assert (np.diff(fitted.ranking_[ranker.order_]) >= 0).all()


@pytest.mark.parametrize("getter", ["named_steps.svc.coef_", lambda model: model[-1].coef_])
def test_rfe_is_asked_as_it_asks_its_model(three, getter):
    model = make_pipeline(StandardScaler(), LinearSVC(random_state=0))
    model.steps[-1] = ("svc", model.steps[-1][1])
    make = partial(RFE, model, n_features_to_select=4, importance_getter=getter)
    ranker, fitted = ranked(make(), three), make().fit(*three)
    weights = np.square(fitted.estimator_[-1].coef_).sum(axis=0)
    wanted = np.flatnonzero(fitted.support_)[np.argsort(-weights)]
    np.testing.assert_array_equal(ranker.order_[:4], wanted)


def test_the_order_of_boruta(three):
    def boruta(**seeds):
        forest = RandomForestClassifier(max_depth=3, **seeds)
        return BorutaPy(forest, n_estimators=20, max_iter=15, **seeds)

    fitted = boruta(random_state=3).fit(*three)
    for ranker in (ranked(boruta(random_state=3), three), ranked(boruta(), three, seed=3)):
        assert (np.diff(fitted.ranking_[ranker.order_]) >= 0).all()
        first = ranker.order_[: (fitted.ranking_ == 1).sum()]
        assert len(first) > 1
        medians = np.median(fitted.importance_history_[1:, first], axis=0)
        assert (np.diff(medians) <= 0).all()


@pytest.mark.parametrize(
    "make",
    [
        partial(SelectFromModel, LogisticRegression(), max_features=4, threshold=-np.inf),
        partial(
            SelectFromModel, LogisticRegression(), max_features=4, threshold=-np.inf, norm_order=3
        ),
        partial(SelectFromModel, RandomForestClassifier(random_state=0), max_features=4),
    ],
)
def test_what_select_from_model_selects_comes_first(three, make):
    fitted = make().fit(*three)
    count = fitted.get_support().sum()
    assert set(ranked(make(), three).order_[:count]) == set(fitted.get_support(indices=True))


def test_models_go_by_importances_and_coefficients(three):
    forest = RandomForestClassifier(random_state=0)
    wanted = clone(forest).fit(*three).feature_importances_
    np.testing.assert_array_equal(ranked(forest, three).scores_, wanted)
    wanted = np.linalg.norm(LogisticRegression().fit(*three).coef_, axis=0)
    np.testing.assert_allclose(ranked(LogisticRegression(), three).scores_, wanted)
    X, y = three
    two = X[y < 2], y[y < 2]
    wanted = np.abs(LogisticRegression().fit(*two).coef_[0])
    np.testing.assert_allclose(ranked(LogisticRegression(), two).scores_, wanted)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_scores_of_something_else_are_not_taken_for_those_of_features(three):
    """These models keep scores of their settings, and of their iterations, in scores_."""
    X, y = three
    search = LogisticRegressionCV(Cs=[0.1, 1.0], cv=2)
    wanted = np.linalg.norm(clone(search).fit(X, y).coef_, axis=0)
    np.testing.assert_allclose(ranked(search, three).scores_, wanted)
    several = BayesianRidge(compute_score=True)
    n_scores = len(clone(several).fit(X[:, :4], y).scores_)
    X = X[:, 5 : 5 + n_scores]
    wanted = np.abs(clone(several).fit(X, y).coef_)
    np.testing.assert_allclose(ranked(several, (X, y)).scores_, wanted)


def test_coefficients_may_be_sparse_and_variances_count(three):
    coefficients = csr_matrix(np.arange(-6.0, 6.0)[None])
    scores = ranked(Fitted({"coef_": coefficients}), three).scores_
    np.testing.assert_array_equal(scores, np.abs(np.arange(-6, 6)))
    variances = three[0].var(axis=0)
    np.testing.assert_allclose(ranked(VarianceThreshold(), three).scores_, variances)


def test_a_pipeline_goes_by_its_last_step(three):
    X, y = three
    steps = StandardScaler(), VarianceThreshold(), LinearSVC(random_state=0)
    wanted = np.abs(LinearSVC(random_state=0).fit(StandardScaler().fit_transform(X), y).coef_)
    order = ranked(make_pipeline(*steps), three).order_
    np.testing.assert_array_equal(order, np.argsort(-np.linalg.norm(wanted, axis=0)))


def test_what_a_step_drops_comes_last(three):
    X, y = three
    kept = SelectKBest(k=5).fit(X, y).get_support(indices=True)
    order = ranked(make_pipeline(SelectKBest(k=5), LogisticRegression()), three).order_
    weights = np.linalg.norm(LogisticRegression().fit(X[:, kept], y).coef_, axis=0)
    np.testing.assert_array_equal(order[:5], kept[np.argsort(-weights)])


@pytest.mark.parametrize("step", [PCA(), FunctionTransformer(np.square)])
def test_a_pipeline_that_makes_other_features_is_refused(three, step):
    """As many components as features are no features all the same."""
    with pytest.raises(MethodError, match=r"create new features.*one-to-one"):
        ranked(make_pipeline(step, SelectKBest()), three)


def test_a_search_goes_by_its_best_estimator(three):
    grid = {"selectkbest__k": [2, 4]}
    search = GridSearchCV(make_pipeline(SelectKBest(), LogisticRegression()), grid, cv=2)
    best = clone(search).fit(*three).best_params_["selectkbest__k"]
    kept = SelectKBest(k=best).fit(*three).get_support(indices=True)
    assert set(ranked(search, three).order_[:best]) == set(kept)


def test_a_mask_alone_is_no_order(three):
    selector = SequentialFeatureSelector(LogisticRegression(), n_features_to_select=1, cv=2)
    message = r"SequentialFeatureSelector does not rank features.*ranking_.*\(X, y\)"
    with pytest.raises(MethodError, match=message):
        ranked(selector, three)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (None, "mine must return one real number per feature, but returned NoneType"),
        ([1.0, 2.0], r"mine must return one score per feature: expected shape \(12,\), got \(2,\)"),
        (np.full(12, np.nan), "mine returned NaN or -inf for 12 of 12 features"),
        (["a"] * 12, "mine must return one real number per feature"),
    ],
)
def test_functions_are_checked_as_methods_are(three, found, told):
    def mine(X, y):
        return found

    with pytest.raises(MethodError, match=told):
        ranked(mine, three)


def test_a_function_gets_codes_for_labels(three):
    X, y = three
    given = []

    def mine(X, y):
        given.append(y)
        return X.std(axis=0)

    ranker = ranked(mine, (X, np.array(["b", "c", "a"])[y]))
    np.testing.assert_array_equal(given[0], np.array([1, 2, 0])[y])
    np.testing.assert_array_equal(ranker.order_, np.argsort(-X.std(axis=0)))


TIED = {
    "scores": Fitted({"scores_": np.r_[np.zeros(8), np.ones(4)]}),
    "ranks": Fitted({"ranking_": np.r_[np.full(8, 2), np.ones(4)]}),
    "function": lambda X, y: [0] * 8 + [1] * 4,
}


@pytest.mark.parametrize("selector", TIED.values(), ids=TIED)
def test_no_column_gains_by_its_place(three, selector):
    orders = np.array([ranked(selector, three, seed).order_ for seed in range(400)])
    assert (np.sort(orders[:, :4]) == [8, 9, 10, 11]).all()
    places = np.argsort(orders, axis=1).mean(axis=0)
    # The mean of 400 places of 4 and of 8, each within 4.5 of its standard errors.
    np.testing.assert_allclose(places[8:], 1.5, atol=4.5 * 1.12 / 20)
    np.testing.assert_allclose(places[:8], 7.5, atol=4.5 * 2.29 / 20)
    again = ranked(selector, three, seed=7)
    np.testing.assert_array_equal(orders[7], again.order_)
    assert (np.diff(again.scores_[again.order_]) <= 0).all()
    np.testing.assert_array_equal(again.order_[again.ranking_ - 1], np.arange(12))


STOCHASTIC = {
    "model in rfe": RFE(RandomForestClassifier(n_estimators=3), step=4),
    "no random_state": SelectKBest(mutual_info_classif),
    "global generator": lambda X, y: np.random.random(X.shape[1]),  # noqa: NPY002
}


@pytest.mark.parametrize("selector", STOCHASTIC.values(), ids=STOCHASTIC)
def test_the_seed_reaches_whatever_is_random(three, selector):
    X, y = three
    rough = X.round(), y  # mutual information adds noise to tell equal values apart
    seeds = 2**32 - 1, 2**32 - 1, 1
    first, again, other = (ranked(selector, rough, seed).scores_ for seed in seeds)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_global_generators_are_left_as_they_were(three):
    np.random.seed(5)  # noqa: NPY002
    ranked(STOCHASTIC["global generator"], three)
    found = np.random.random()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    assert found == np.random.random()  # noqa: NPY002


def test_seeds_and_threads_that_are_given_stay(three):
    forest = RandomForestClassifier(n_estimators=2, n_jobs=2, random_state=9)
    model = SelectorRanker(RFE(forest), n_jobs=1, random_state=0).fit(*three).selector_.estimator_
    assert (model.n_jobs, model.random_state) == (1, 9)
    assert ranked(RFE(forest), three).selector_.estimator_.n_jobs == 2
    assert (forest.n_jobs, hasattr(forest, "estimators_")) == (2, False)


def test_rows_are_safe_from_the_selector(three):
    X, y = three

    def spoil(X, y):
        X[:] = y[:] = 0
        return X[0]

    before = X.copy(), y.copy()
    ranked(spoil, (X, y))
    ranked(make_pipeline(StandardScaler(copy=False), SelectKBest()), (X, y))
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])


@pytest.mark.parametrize("selector", [SelectKBest, FisherScore])
def test_classes_are_refused(three, selector):
    with pytest.raises(
        UsageError, match=rf"is a class\. Pass an instance: `{selector.__name__}\(\)`"
    ):
        ranked(selector, three)


@pytest.mark.parametrize("selector", [None, 3, "ec-fs"])
def test_what_cannot_rank_is_refused(three, selector):
    with pytest.raises(UsageError, match="cannot rank features"):
        ranked(selector, three)


def test_what_was_fitted_before_is_refused(three):
    """It would know the rows that it is judged by."""
    model = LogisticRegression().fit(*three)
    for selector in (
        FrozenEstimator(model),
        make_pipeline(SelectFromModel(FrozenEstimator(model))),
    ):
        with pytest.raises(UsageError, match="contains a FrozenEstimator"):
            ranked(selector, three)


def test_it_is_an_estimator_like_others(three):
    X, y = three
    X -= X.min()  # for chi2
    ranker = SelectorRanker(SelectKBest(k=1), 3).set_params(selector__k=2)
    assert clone(ranker).selector.k == 2
    again = pickle.loads(pickle.dumps(ranker.fit(X, y)))
    wanted = np.sort(np.argsort(-f_classif(X, y)[0])[:3])
    np.testing.assert_array_equal(again.transform(X), X[:, wanted])
    orders = ranker.rank_candidates(X, y, [{"selector__score_func": f} for f in (f_classif, chi2)])
    np.testing.assert_array_equal(orders[1], np.argsort(-chi2(X, y)[0]))


def test_a_ranking_without_finer_scores_agrees_with_the_ranks(three):
    ranks = np.array([3, 1, 2, 9, 8, 7, 4, 5, 6, 12, 11, 10])
    selector = Fitted({"ranking_": ranks, "scores_": np.arange(12.0)})
    assert spearmanr(ranked(selector, three).scores_, -ranks).statistic == pytest.approx(1)
    equal = Fitted({"ranking_": np.ones(12, dtype=int), "scores_": np.arange(12.0)})
    np.testing.assert_array_equal(ranked(equal, three).order_, np.arange(12)[::-1])
