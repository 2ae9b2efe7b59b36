import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from featrank import ECFS, FisherScore
from featrank.evaluation import NFeaturesCV
from featrank.exceptions import DataError, FeatrankWarning, UsageError


@pytest.fixture
def planted():
    """Return 300 × 30; the mean of columns 3, 7, 11 and 20 tells the classes, each a part of it."""
    rng = np.random.default_rng(1)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 30))
    X[:, [3, 7, 11, 20]] += 1.5 * y[:, None]
    return X, y


def test_finds_the_planted_number():
    """Neighbours suffer from noise and from a lost feature: four are best, whatever the draw."""
    counts = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = np.arange(200) % 2
        X = rng.normal(size=(200, 30))
        X[:, [3, 7, 11, 20]] += 1.2 * y[:, None]
        neighbours = KNeighborsClassifier()
        selector = NFeaturesCV(FisherScore(), neighbours, ks=[1, 2, 4, 8, 16], cv=10).fit(X, y)
        counts.append(selector.n_features_)
        if selector.n_features_ == 4:
            assert selector.get_support(indices=True).tolist() == [3, 7, 11, 20]
            assert selector.transform(X).shape == (200, 4)
    assert np.median(counts) == 4


def test_curve_is_a_cross_validation_of_the_pipeline(planted):
    X, y = planted
    folds = StratifiedKFold(4)
    selector = NFeaturesCV(FisherScore(), GaussianNB(), ks=[2, 6], cv=folds).fit(X, y)
    for place, k in enumerate([2, 6]):
        plain = make_pipeline(FisherScore(k), GaussianNB())
        scores = cross_val_score(plain, X, y, cv=folds)
        assert selector.curve_["mean"][place] == pytest.approx(scores.mean(), abs=1e-12)
        error = scores.std(ddof=1) / 2
        assert selector.curve_["standard_error"][place] == pytest.approx(error, abs=1e-12)


def test_rules_differ_by_one_standard_error(planted):
    X, y = planted
    ks = range(1, 31)
    best = NFeaturesCV(FisherScore(), GaussianNB(), ks=ks, rule="best").fit(X, y)
    curve = best.curve_
    top = np.argmax(curve["mean"])
    assert best.n_features_ == ks[top]
    within = curve["mean"] >= curve["mean"][top] - curve["standard_error"][top]
    assert (
        clone(best).set_params(rule="one-standard-error").fit(X, y).n_features_
        == ks[np.argmax(within)]
    )


def test_default_counts_end_with_all(planted):
    selector = NFeaturesCV(FisherScore(), GaussianNB()).fit(*planted)
    assert selector.curve_["k"].tolist() == [1, 2, 5, 10, 20, 30]


def test_works_in_a_pipeline_and_a_search(planted):
    X, y = planted
    inside = NFeaturesCV(ECFS(), GaussianNB(), ks=[1, 4], cv=3)
    pipeline = make_pipeline(StandardScaler(), inside, GaussianNB())
    search = GridSearchCV(pipeline, {"nfeaturescv__ranker__alpha": [0.0, 1.0]}, cv=2).fit(X, y)
    assert search.best_params_ == {"nfeaturescv__ranker__alpha": 1.0}


def test_chooses_parameters_with_the_count():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 20)) * np.r_[1, np.full(19, 5.0)] + 50
    X[:, 0] += 3 * y
    selector = NFeaturesCV(
        ECFS(normalize=None), GaussianNB(), ks=[1], param_grid={"alpha": [0.0, 1.0]}
    ).fit(X, y)
    assert selector.best_params_ == {"alpha": 1.0}
    assert selector.ranker_.alpha == 1.0
    assert selector.get_support(indices=True).tolist() == [0]


def test_refuses_counts_beyond_the_features(planted):
    with pytest.raises(UsageError, match="from 1 to 30"):
        NFeaturesCV(FisherScore(), GaussianNB(), ks=[31]).fit(*planted)


@pytest.fixture
def dose():
    """Return 40 × 6 and a quantity that goes along with column 4."""
    X = np.random.default_rng(0).normal(size=(40, 6))
    return X, 3 * X[:, 4] + np.random.default_rng(1).normal(size=40)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e160, 1e307])
def test_targets_whose_squares_are_no_numbers(dose, unit):
    X, y = dose
    selector = NFeaturesCV(FisherScore(task="regression"), Ridge())
    with pytest.raises(DataError, match=r"squares of such numbers.*Multiply or divide"):
        selector.fit(X, unit * y)
    assert selector.fit(X, y * 1e-100).n_features_ == selector.fit(X, y).n_features_ == 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_folds_without_a_score(dose):
    selector = NFeaturesCV(FisherScore(task="regression"), Ridge(), cv=LeaveOneOut())
    with pytest.raises(DataError, match=r"The score is NaN in every fold.*fewer folds"):
        selector.fit(*dose)
    single = PredefinedSplit(np.r_[2, np.arange(39) % 2])  # one fold has a single row
    with pytest.warns(FeatrankWarning, match="NaN in 1 of 3 folds"):
        selector.set_params(cv=single).fit(*dose)
    assert np.isfinite(selector.curve_["mean"]).all()
    assert selector.get_support(indices=True).tolist() == [4]


def test_a_single_split_is_enough(dose):
    once = [(np.arange(30), np.arange(30, 40))]
    assert NFeaturesCV(FisherScore(task="regression"), Ridge(), cv=once).fit(*dose).n_features_ == 1


def test_a_fold_with_one_value_of_the_target(dose, planted):
    X, _ = dose
    rare = np.where(np.arange(40) == 30, 1.0, 0.0)
    selector = NFeaturesCV(FisherScore(task="regression"), Ridge())
    with pytest.raises(DataError, match=r"fold 4 of 5 have one value .* \(0.0\).*cv=KFold"):
        selector.fit(X, rare)
    with pytest.raises(DataError, match=r"a single value .*Check the target column"):
        selector.fit(X, np.ones(40))
    X, y = planted
    halves = NFeaturesCV(FisherScore(), GaussianNB(), cv=KFold(2))
    with pytest.raises(DataError, match=r"fold 1 of 2 have one value .*cv=StratifiedKFold"):
        halves.fit(X, np.sort(y))
