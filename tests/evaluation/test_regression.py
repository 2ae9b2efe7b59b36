"""Comparisons for a regression target, checked against scikit-learn."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer_names, mean_absolute_error, r2_score
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    StratifiedShuffleSplit,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

from featrank import FisherScore, LaplacianScore, ReliefF, methods
from featrank.base.ranker import Ranker
from featrank.evaluation import NFeaturesCV, Protocol, compare, compare_labels, leak_check
from featrank.evaluation.data import Data
from featrank.evaluation.method_entries import supports_regression
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.summaries.regression import strata_of

QUANTITY = {"task": "regression", "n_repeats": 3, "n_features": (2, 5), "inner_cv": 3}
SCORES = {"r2": r2_score, "spearman": lambda y, found: spearmanr(y, found).statistic}


@pytest.fixture
def dose():
    """Return 50 × 12 and a quantity; columns 0 and 7 go along with it."""
    rng = np.random.default_rng(0)
    X = rng.normal(5, 1, size=(50, 12)) * rng.uniform(0.5, 20, 12)
    y = 100 + 3 * X[:, 0] / X[:, 0].std() - 2 * X[:, 7] / X[:, 7].std() + rng.normal(size=50)
    return X, y


def predicted(X, y, train, rest, columns, penalty):
    """Predict by scikit-learn's ridge regression on standardised columns."""
    scaler = StandardScaler().fit(X[train][:, columns])
    model = Ridge(alpha=penalty * len(train))
    model.fit(scaler.transform(X[train][:, columns]), y[train])
    return model.predict(scaler.transform(X[rest][:, columns]))


@pytest.mark.parametrize("scorer", ["r2", "spearman"])
@pytest.mark.parametrize("penalty", [1e-3, 1.0, 30.0])
def test_scores_are_those_of_ridge_by_hand(dose, scorer, penalty):
    X, y = dose
    protocol = Protocol(**QUANTITY, penalties=(penalty,), scoring=scorer)
    found = compare(X, y, ["relieff", "laplacian"], protocol)
    data = Data.of(X, y, None, "data", "regression")
    for name in found.methods:
        for trial, order in enumerate(found.rankings[name]):
            train, test = protocol.split(data, trial)
            for k in protocol.feature_counts:
                guess = predicted(X, y, train, test, order[:k], penalty)
                expected = SCORES[scorer](y[test], guess)
                assert found.scores(name, k)[trial] == pytest.approx(expected, abs=1e-9)


def test_the_penalty_is_chosen_inside_the_training_rows(dose):
    X, y = dose
    protocol = Protocol(**QUANTITY, penalties=(100.0, 1.0, 0.01))
    found = compare(X, y, ["laplacian"], protocol)
    data = Data.of(X, y, None, "data", "regression")
    train, test = protocol.split(data, 0)
    folds = protocol.inner(data, train, 0)
    assert sorted(row for _, rest in folds for row in rest) == sorted(train)
    for k in protocol.feature_counts:
        means = []
        for penalty in protocol.penalties:
            each = []
            for fit, rest in folds:
                order = LaplacianScore().fit(X[fit]).order_[:k]
                each.append(r2_score(y[rest], predicted(X, y, fit, rest, order, penalty)))
            means.append(np.mean(each))
        chosen = protocol.penalties[int(np.argmax(means))]
        row = found.frame.filter(trial=0, method="laplacian", k=k)
        assert row["penalty"].item() == chosen
        assert row["C"].item() is None
        guess = predicted(X, y, train, test, found.rankings["laplacian"][0][:k], chosen)
        assert row["score"].item() == pytest.approx(r2_score(y[test], guess), abs=1e-9)


def test_any_scorer_of_scikit_learn(dose):
    X, y = dose
    protocol = Protocol(**QUANTITY, penalties=(1.0,), scoring="neg_mean_absolute_error")
    found = compare(X, y, ["laplacian"], protocol)
    assert found.scoring == "neg_mean_absolute_error"
    train, test = protocol.split(Data.of(X, y, None, "data", "regression"), 2)
    guess = predicted(X, y, train, test, found.rankings["laplacian"][2][:5], 1.0)
    expected = -mean_absolute_error(y[test], guess)
    assert found.scores("laplacian", 5)[2] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("regressor", [KNeighborsRegressor(3), SVR(kernel="linear")])
def test_any_regressor_takes_the_place_of_the_ridge(dose, regressor):
    X, y = dose
    protocol = Protocol(**QUANTITY, estimator=regressor, C=(1.0,))
    found = compare(X, y, ["laplacian"], protocol)
    assert found.manifest["protocol"]["estimator"] == repr(regressor)
    train, test = protocol.split(Data.of(X, y, None, "data", "regression"), 1)
    columns = found.rankings["laplacian"][1][:2]
    model = make_pipeline(StandardScaler(), regressor).fit(X[train][:, columns], y[train])
    expected = r2_score(y[test], model.predict(X[test][:, columns]))
    assert found.scores("laplacian", 2)[1] == pytest.approx(expected, abs=1e-9)


def test_methods_that_have_a_task_get_it(dose):
    found = compare(
        *dose, {"mine": ReliefF(n_neighbors=3), "other": "laplacian"}, Protocol(**QUANTITY)
    )
    mine, other = found.manifest["methods"]
    assert (mine["params"]["task"], mine["params"]["n_neighbors"]) == ("regression", 3)
    assert "task" not in other["params"]
    order = ReliefF(n_neighbors=3, task="regression", n_features_to_select=5).fit(*dose).order_
    frame = found.features().filter(method="mine").sort("rank")
    assert frame["column"].to_list() == order.tolist()


def test_every_method_that_can_finds_what_goes_along_with_the_target(dose):
    """Of the supervised ones: those without labels need not."""
    able = {name: cls for name, cls in methods().items() if supports_regression(cls)}
    found = compare(*dose, list(able), Protocol(**QUANTITY | {"n_repeats": 2}, penalties=(0.1,)))
    assert found.failures() == {}
    assert found.missing_parts() == []
    for name, cls in able.items():
        if cls.supervised:
            assert found.scores(name, 5).min() > 0.5, name


def test_a_method_for_classes_is_refused_with_those_that_can(dose):
    unable = [name for name, cls in methods().items() if not supports_regression(cls)]
    for name in unable[:2]:
        with pytest.raises(UsageError, match=f"'{name}' does not support regression.*relieff"):
            compare(*dose, ["laplacian", name], Protocol(**QUANTITY))


def test_a_method_for_quantities_is_refused_among_classes(dose):
    X, y = dose
    with pytest.raises(
        UsageError, match=r"'relieff' has the task regression, and .* for classification"
    ):
        compare(
            X,
            y > np.median(y),
            [ReliefF(task="regression")],
            Protocol(n_repeats=1, n_features=(2,)),
        )


class Spy(Ranker):
    """Ranks by the target's correlation, and keeps the targets that each fit saw."""

    name = "spy"
    tasks = ("classification", "regression")
    seen = []  # noqa: RUF012

    def __init__(self, n_features_to_select=None, *, task="classification"):
        self.n_features_to_select = n_features_to_select
        self.task = task

    def _score(self, X, y):
        self.seen.append(y)
        return np.abs(np.corrcoef(X.T, y)[-1, :-1])


class Broken(Spy):
    name = "broken"

    def _score(self, X, y):
        raise ValueError("no such\n luck")


def test_rankers_see_the_quantities_of_training_rows_alone(dose):
    X, y = dose
    protocol = Protocol(**QUANTITY | {"n_repeats": 1})
    Spy.seen.clear()
    compare(X, y, [Spy()], protocol)
    train, test = protocol.split(Data.of(X, y, None, "data", "regression"), 0)
    *folds, whole, everything = Spy.seen
    assert len(folds) == 3
    assert np.array_equal(whole, y[train])
    assert np.array_equal(everything, y)
    assert not any(np.isin(y[test], seen).any() for seen in (*folds, whole))


def test_what_fails_leaves_rows_with_the_reason(dose):
    found = compare(*dose, [Broken(), "laplacian"], Protocol(**QUANTITY))
    assert found.failures() == {"broken": (3, "ValueError: no such luck")}
    assert not np.isnan(found.scores("laplacian", 2)).any()


def test_test_rows_whose_target_is_the_same_have_no_score(dose):
    X, y = dose
    y = y.copy()
    y[:10] = 7.0
    fold = np.where(np.arange(50) < 10, 0, -1)
    protocol = Protocol(**QUANTITY | {"n_repeats": 1}, cv=PredefinedSplit(fold))
    for scorer in ("r2", "spearman"):
        found = compare(X, y, ["laplacian"], Protocol(**{**vars(protocol), "scoring": scorer}))
        [(count, reason)] = found.failures().values()
        assert count == 1
        assert "the target is constant" in reason


def test_jobs_change_nothing(dose):
    one, two = (
        compare(*dose, ["relieff", "inf-fs"], Protocol(**QUANTITY), n_jobs=n) for n in (1, 2)
    )
    assert one.frame.drop("ranking_seconds").equals(two.frame.drop("ranking_seconds"))
    assert one.values_with_target().equals(two.values_with_target())


def test_the_unit_of_the_target_changes_nothing(dose):
    X, y = dose
    methods = ["relieff", "laplacian"]
    first = compare(X, y, methods, Protocol(**QUANTITY))
    for other in (y * 1e-9, y / 7 + 1e4):
        second = compare(X, other, methods, Protocol(**QUANTITY))
        for name in methods:
            assert second.scores(name, 5) == pytest.approx(first.scores(name, 5), abs=1e-6)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scorer", ["r2", "spearman"])
def test_powers_of_two_as_units_of_the_target_change_no_bit(dose, scorer):
    X, y = dose
    methods, protocol = ["fisher", "ec-fs"], Protocol(**QUANTITY | {"n_repeats": 2}, scoring=scorer)
    first = compare(X, y, methods, protocol)
    for exponent in (-900, -600, 450):
        unit = 2.0**exponent
        second = compare(X, unit * y, methods, protocol)
        assert second.frame["score"].equals(first.frame["score"])
        assert second.values_with_target().equals(first.values_with_target())
        sizes = [found.manifest["facts"]["target"]["sd"] for found in (first, second)]
        assert sizes[1] == unit * sizes[0]


def test_groups_that_tell_a_target_are_told_in_any_unit(dose):
    batch = np.arange(50) % 4
    once = Protocol(**QUANTITY | {"n_repeats": 1})
    with pytest.warns(UserWarning, match="explain 100 % of the variance"):
        compare(dose[0], batch * 1e-200, ["laplacian"], once, groups=batch)


@pytest.mark.parametrize(("scorer", "most"), [("r2", 0.1), ("spearman", 0.35)])
def test_a_shuffled_target_is_not_predicted(dose, scorer, most):
    X, y = dose
    able = [name for name, cls in methods().items() if "regression" in cls.tasks]
    protocol = Protocol(**QUANTITY | {"n_repeats": 2}, penalties=(1.0,), scoring=scorer)
    rng = np.random.default_rng(0)
    shuffled = [compare(X, rng.permutation(y), able, protocol).table() for _ in range(6)]
    for each in zip(*shuffled, strict=True):
        assert np.mean([row["average"] for row in each]) < most, each[0]["method"]
    true = compare(X, y, able, protocol).table()
    assert min(row["average"] for row in true) > most


def test_splits_are_alike_in_the_target(dose):
    X, y = dose
    y = np.sort(np.exp(y - 100))  # long tails
    data = Data.of(X, y, None, "data", "regression")
    protocol = Protocol(**QUANTITY)
    fifths = strata_of(y, 6)
    assert np.bincount(fifths).tolist() == [10] * 5
    for trial in range(20):
        train, test = protocol.split(data, trial)
        assert sorted([*train, *test]) == list(range(50))
        counts = np.bincount(fifths[test], minlength=5)
        assert counts.min() >= 3
        assert counts.max() <= 4
        for fit, rest in protocol.inner(data, train, trial):
            assert set(fit).isdisjoint(rest)
            assert set(fifths[rest]) == set(range(5))
    others = {tuple(protocol.split(data, trial)[1]) for trial in range(20)}
    assert len(others) == 20


def test_groups_stay_together(dose):
    X, y = dose
    groups = np.arange(50) // 5
    data = Data.of(X, y, groups, "data", "regression")
    protocol = Protocol(**QUANTITY)
    for trial in range(6):
        train, test = protocol.split(data, trial)
        assert set(groups[train]).isdisjoint(groups[test])
        for fit, rest in protocol.inner(data, train, trial):
            assert set(groups[fit]).isdisjoint(groups[rest])
    assert compare(X, y, ["relieff"], protocol, groups=groups).failures() == {}


@pytest.mark.parametrize(
    ("y", "least", "sizes"),
    [
        (np.arange(20.0), 2, [4] * 5),
        (np.arange(7.0), 3, [3, 4]),
        (np.arange(7.0), 4, [7]),
        (np.repeat([0.0, 5.0], [38, 2]), 2, [38, 2]),
        (np.repeat([0.0, 5.0], [38, 2]), 3, [40]),
        (np.repeat([1.0, 2.0, 3.0], 10), 6, [10, 10, 10]),
    ],
)
def test_strata_have_so_many_rows_at_least(y, least, sizes):
    codes = strata_of(y, least)
    assert np.bincount(codes).tolist() == sizes
    assert (np.diff(codes) >= 0).all()
    assert all(len(set(codes[y == value])) == 1 for value in set(y.tolist()))


def test_few_rows_are_compared(dose):
    X, y = dose
    found = compare(X[:8], y[:8], ["relieff"], Protocol(**QUANTITY | {"n_features": (2,)}))
    assert found.failures() == {}


def test_selectors_and_functions_of_others(dose):
    def distance(X, y):
        return np.abs(X.T @ (y - y.mean())) / X.std(axis=0)

    given = {"k best": SelectKBest(f_regression), "model": Ridge(), "distance": distance}
    found = compare(*dose, given, Protocol(**QUANTITY))
    assert found.failures() == {}
    assert set(found.rankings["k best"][0][:2]) == {0, 7}


def test_targets_that_are_no_quantity(dose):
    X, y = dose
    cases = {
        "contains strings": np.where(y > 100, "high", "low"),
        "a single value": np.ones(50),
        "beyond 1e": y * 1e200,
        "inconsistent numbers of samples": y[:49],
    }
    for words, target in cases.items():
        with pytest.raises(DataError, match=words):
            compare(X, target, ["relieff"], Protocol(**QUANTITY))
    by_class = Protocol(**QUANTITY, cv=StratifiedShuffleSplit(3, random_state=0))
    with pytest.raises(DataError, match="cannot split the rows"):
        compare(X, y, ["relieff"], by_class)


def test_samples_without_a_target_value_are_left_out(dose):
    X, y = dose
    gap = y.copy()
    gap[3] = np.nan
    with pytest.warns(FeatrankWarning, match=r"1 of 50 samples has no target value.*\(row 4\)"):
        found = compare(X, gap, ["relieff"], Protocol(**QUANTITY))
    expected = compare(np.delete(X, 3, 0), np.delete(y, 3), ["relieff"], Protocol(**QUANTITY))
    assert found.manifest["data"] == expected.manifest["data"]


def test_protocols_that_contradict_themselves(dose):
    with pytest.raises(UsageError, match="'spearman' is for regression"):
        Protocol(scoring="spearman")
    with pytest.raises(UsageError, match="Unknown task 'regresion'"):
        Protocol(task="regresion")
    for penalties in ((), (0.0, 1.0), (-1.0,)):
        with pytest.raises(UsageError, match="penalties must hold positive numbers"):
            Protocol(penalties=penalties)
    with pytest.raises(UsageError, match="Labels are classes"):
        compare_labels(dose[0], dose[0][:, :2] > 5, ["fisher"], Protocol(task="regression"))


@pytest.mark.parametrize("model", [LinearSVC(), make_pipeline(StandardScaler(), SVC())])
def test_a_classifier_is_refused_for_a_quantity(model):
    with pytest.raises(UsageError, match=r"is a classifier, and .* regression\. Pass a regressor"):
        Protocol(task="regression", estimator=model)
    assert Protocol(estimator=model).estimator is model


@pytest.mark.parametrize("model", [Ridge(), GridSearchCV(SVR(), {"C": [1.0]})])
def test_a_regressor_is_refused_for_classes(model):
    with pytest.raises(
        UsageError, match=r"is a regressor, and .* classification\. Pass a classifier"
    ):
        Protocol(estimator=model)
    assert Protocol(task="regression", estimator=model).estimator is model


def test_models_that_do_not_say_what_they_are_for_are_taken():
    class Other:
        """Neither a classifier nor a regressor to scikit-learn."""

    for model in (Other(), BaseEstimator()):
        for task in ("classification", "regression"):
            assert Protocol(task=task, estimator=model).estimator is model
    with pytest.raises(UsageError, match=r"LinearSVC is a class.*LinearSVC\(\)"):
        Protocol(estimator=LinearSVC)


@pytest.mark.parametrize("scorer", ["roc_auc", "accuracy", "f1_macro", "neg_log_loss"])
def test_scorers_of_classes_are_refused_for_a_quantity(scorer):
    with pytest.raises(UsageError, match=rf"'{scorer}' is for classification, .* Use 'r2'"):
        Protocol(task="regression", scoring=scorer)
    assert Protocol(scoring=scorer).scoring == scorer


@pytest.mark.parametrize("scorer", ["r2", "spearman", "neg_mean_squared_error", "max_error"])
def test_scorers_of_quantities_are_refused_for_classes(scorer):
    if scorer == "max_error" and scorer not in get_scorer_names():
        scorer = "neg_max_error"  # what later versions of scikit-learn call it
    with pytest.raises(UsageError, match=rf"'{scorer}' is for regression, .* Use `task="):
        Protocol(scoring=scorer)
    assert Protocol(task="regression", scoring=scorer).scoring == scorer


def test_unknown_scorers_are_refused_with_near_ones():
    for task in ("classification", "regression"):
        with pytest.raises(UsageError, match=r"Unknown scorer 'spearmann'.*'spearman'"):
            Protocol(task=task, scoring="spearmann")


def test_batches_that_tell_the_target_are_told(dose):
    X, _ = dose
    batch = np.arange(50) % 4
    once = Protocol(**QUANTITY | {"n_repeats": 1})
    with pytest.warns(
        UserWarning, match=r"The 4 groups explain \d+ % of the variance of the target"
    ):
        compare(X, 10.0 * batch + X[:, 0] / 50, ["relieff"], once, groups=batch)


def test_leaks_are_seen_by_a_shuffled_quantity():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 1000)), rng.normal(size=60)
    honest = make_pipeline(ReliefF(10, task="regression"), Ridge())
    check = leak_check(honest, X, y, n_permutations=7)
    assert not check.leaks
    assert check.scores.mean() < 0

    def selected_before(X, y):
        chosen = SelectKBest(f_regression).fit_transform(X, y)
        return cross_val_score(Ridge(), chosen, y, scoring="r2").mean()

    assert leak_check(selected_before, X, y, n_permutations=7, chance=0.0).leaks


def test_how_many_features_for_a_quantity(dose):
    X, y = dose
    model = make_pipeline(StandardScaler(), Ridge())
    found = NFeaturesCV(ReliefF(task="regression"), model, ks=[1, 2, 12], rule="best").fit(X, y)
    assert found.n_features_ == 2
    assert set(np.flatnonzero(found.support_)) == {0, 7}
    order = [ReliefF(task="regression").fit(np.delete(X, slice(0, 10), 0), y[10:]).order_[0]]
    model.fit(X[10:][:, order], y[10:])
    first = r2_score(y[:10], model.predict(X[:10][:, order]))
    scores = cross_val_score(model, X[:, order], y, cv=5, scoring="r2")
    assert scores[0] == pytest.approx(first)
    assert NFeaturesCV(LaplacianScore(), model, ks=[2]).fit(X, y).n_features_ == 2
    with pytest.raises(DataError, match="continuous"):
        NFeaturesCV(FisherScore(), model, cv=PredefinedSplit(np.arange(50) % 2)).fit(X, y)
