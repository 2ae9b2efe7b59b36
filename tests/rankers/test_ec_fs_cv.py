"""alpha="cv": the weight of EC-FS chosen inside the rows given, against it written out plainly."""

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import featrank
from featrank import ECFS
from featrank.datasets import make_microarray
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.solvers.evaluate_orders import COSTS

ALPHAS = (0.0, 0.5, 0.8, 1.0)


def made(n_samples=60, n_features=80, n_classes=2, seed=0):
    """Return features of varied spread; the first ten differ a little between classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.gamma(2.0, rng.uniform(0.5, 3, n_features), (n_samples, n_features))
    X[:, :10] += 0.8 * (y[:, None] == np.arange(10) % n_classes)
    return X, y


def loud_noise(seed, n_samples=80, n_features=500):
    """Return thirty useful features, somewhat loud, and after them three useless and louder."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    X = rng.normal(10, 0.5, (n_samples, n_features))
    X[:, :30] += rng.normal(0, 1, (n_samples, 30)) + 0.8 * y[:, None]
    X[:, 30:33] += rng.normal(0, 4, (n_samples, 3))
    return X, y


def plain_scores(X, y, k, folds):
    """Return the AUC by alpha and fold, each alpha with its best C."""
    table = np.empty((len(ALPHAS), len(COSTS), len(folds)))
    for fold, (train, rest) in enumerate(folds):
        for row, alpha in enumerate(ALPHAS):
            best = ECFS(k, alpha=alpha).fit(X[train], y[train]).get_support(indices=True)
            scaler = StandardScaler().fit(X[train][:, best])
            fit, other = (scaler.transform(X[rows][:, best]) for rows in (train, rest))
            for column, C in enumerate(COSTS):
                each = []
                for label in np.unique(y)[1:] if y.max() == 1 else np.unique(y):
                    model = SVC(kernel="linear", C=C, tol=1e-6).fit(fit, y[train] == label)
                    each.append(roc_auc_score(y[rest] == label, model.decision_function(other)))
                table[row, column, fold] = np.mean(each)
    best = table.mean(axis=2).argmax(axis=1)
    return table[np.arange(len(ALPHAS)), best]


def largest_alike(scores):
    """Return the largest alpha that cannot be told from the best one."""
    behind = scores[np.argmax(scores.mean(axis=1))] - scores
    alike = behind.mean(axis=1) <= np.maximum(behind.std(axis=1, ddof=1) / np.sqrt(5), 0.01)
    return max(np.array(ALPHAS)[alike])


def assert_near(scores, expected):
    """Nearly all are equal; of 32 pairs of rows or more, near ties may fall to either side."""
    off = np.abs(scores - expected)
    assert (off < 1e-12).mean() >= 0.9
    assert off.max() < 0.07
    assert off.mean() < 0.004


def seeded(seed=0):
    """Return the seed of the folds that a random_state draws."""
    return np.random.RandomState(seed).randint(2**31)


@pytest.fixture
def count(monkeypatch):
    """Let rankings be evaluated with one number of features alone."""
    return lambda k: monkeypatch.setattr("featrank.base.tuning.COUNTS", (k,))


@pytest.mark.parametrize(("n_classes", "k"), [(2, 5), (2, 30), (3, 8)])
def test_scores_are_those_of_separate_fits_and_plain_svms(n_classes, k, count):
    X, y = made(n_classes=n_classes)
    count(k)
    ranker = ECFS(alphas=ALPHAS).fit(X, y)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seeded()).split(X, y))
    assert ranker.alphas_.tolist() == list(ALPHAS)
    assert_near(ranker.cv_scores_, plain_scores(X, y, k, folds))
    assert ranker.alpha_ == largest_alike(ranker.cv_scores_)


@pytest.mark.parametrize(
    ("n_features", "counts"), [(1, [1]), (9, [1]), (10, [1, 5]), (120, [1, 5, 10, 20, 50])]
)
def test_scores_are_means_over_numbers_of_features_up_to_a_half(n_features, counts, count):
    X, y = made(n_features=120)
    X = X[:, :n_features]
    whole = ECFS(alphas=ALPHAS).fit(X, y)
    each = []
    for k in counts:
        count(k)
        each.append(ECFS(alphas=ALPHAS).fit(X, y).cv_scores_)
    np.testing.assert_allclose(whole.cv_scores_, np.mean(each, axis=0), atol=1e-12)
    assert whole.alpha_ == largest_alike(whole.cv_scores_)


def test_classes_against_the_rest_share_folds_cut_by_all_classes(count):
    X, y = made(n_classes=3)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seeded()).split(X, y))
    count(8)
    for label, ranker in ECFS(alphas=ALPHAS).fit_per_class(X, y).items():
        assert_near(ranker.cv_scores_, plain_scores(X, (y == label).astype(int), 8, folds))


@pytest.mark.parametrize("seed", range(3))
def test_the_order_does_not_depend_on_how_many_features_are_selected(seed):
    X, y = loud_noise(seed)
    whole = ECFS().fit(X, y)
    for k in (1, 5, 50, 499, 0.5):
        some = ECFS(k).fit(X, y)
        assert some.alpha_ == whole.alpha_
        np.testing.assert_array_equal(some.order_, whole.order_)
    names = featrank.rank(X, y).top(50)
    assert names == featrank.rank(X, y, top=50).top(50)


def test_the_ranking_is_that_of_a_fit_with_the_alpha_chosen():
    X, y = made()
    ranker = ECFS(alphas=(0.3, 0.7)).fit(X, y)
    fixed = ECFS(alpha=ranker.alpha_).fit(X, y)
    assert np.array_equal(ranker.scores_, fixed.scores_)
    assert np.array_equal(ranker.graph_.to_dense(), fixed.graph_.to_dense())
    assert fixed.alpha_ == ranker.alpha_ in (0.3, 0.7)


@pytest.mark.parametrize("seed", range(8))
def test_a_loud_useless_feature_is_not_at_the_head_of_a_set_that_does_without_it(seed):
    """Among twenty features a few useless ones do little harm; at the head they mislead."""
    X, y = loud_noise(seed)
    assert not {30, 31, 32} & {*ECFS(20).fit(X, y).order_[:5]}


def test_spread_that_misleads_is_given_no_weight():
    data = make_microarray(n_features=1000, random_state=0)
    ranker = ECFS(50).fit(data.X, data.y)
    planted = {*data.truth["informative"], *data.truth["correlated"]}
    assert ranker.alpha_ >= 0.9
    assert len(planted & {*ranker.order_[:50]}) >= 45
    assert len(planted & {*ECFS(50, alpha=0.5).fit(data.X, data.y).order_[:50]}) < 40


def test_same_bits_for_any_number_of_threads_and_again():
    X, y = made(n_features=300)
    one, two, again = (ECFS(n_jobs=jobs).fit(X, y) for jobs in (1, 2, 1))
    for other in (two, again):
        assert np.array_equal(one.cv_scores_, other.cv_scores_)
        assert np.array_equal(one.scores_, other.scores_)


def test_another_seed_draws_other_folds():
    X, y = made()
    first, second = (ECFS(random_state=seed).fit(X, y).cv_scores_ for seed in (0, 1))
    assert np.any(first != second)


@pytest.mark.parametrize("layout", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_data_has_the_scores_of_the_same_dense_data(layout):
    X, y = made()
    X[X < 1.5] = 0
    dense, thin = ECFS().fit(X, y), ECFS().fit(layout(X), y)
    assert np.array_equal(dense.cv_scores_, thin.cv_scores_)
    assert dense.alpha_ == thin.alpha_


def test_fewer_folds_for_a_small_class():
    X, y = made()
    y[:] = np.arange(60) < 3
    assert ECFS().fit(X, y).cv_scores_.shape == (11, 3)


def test_a_class_of_one_member_has_a_documented_alpha_and_a_warning():
    X, y = made()
    y[:] = np.arange(60) < 1
    with pytest.warns(FeatrankWarning, match=r"single member.* alpha = 1 \(relevance only\)"):
        ranker = ECFS().fit(X, y)
    assert ranker.alpha_ == 1
    assert ranker.cv_scores_.shape == (11, 0)
    assert np.array_equal(ranker.scores_, ECFS(alpha=1.0).fit(X, y).scores_)


def test_groups_stay_together(count):
    """Rows come in near copies: only folds that keep copies together see that nothing is known."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(5, 1, (20, 60)), 4, axis=0) + rng.normal(0, 0.01, (80, 60))
    y, groups = np.repeat(np.arange(20) % 2, 4), np.repeat(np.arange(20), 4)
    count(5)
    apart, together = ECFS().fit(X, y), ECFS().fit(X, y, groups=[f"batch {g}" for g in groups])
    assert apart.cv_scores_.max() > 0.9
    assert together.cv_scores_.mean() < 0.75
    cut = StratifiedGroupKFold(5, shuffle=True, random_state=seeded()).split(X, y, groups)
    expected = plain_scores(X, y, 5, list(cut))
    got = ECFS(alphas=ALPHAS).fit(X, y, groups=groups).cv_scores_
    np.testing.assert_allclose(got, expected, atol=0.07)


def test_fewer_groups_than_folds_make_fewer_folds():
    X, y = made()
    assert ECFS().fit(X, y, groups=np.arange(60) // 20).cv_scores_.shape == (11, 3)


@pytest.mark.parametrize("groups", [np.zeros(60), np.arange(60) % 2])
def test_groups_that_leave_no_folds_are_reported(groups):
    """One group of all rows; and a group a class, so that no fold has both on either side."""
    X, y = made()
    with pytest.warns(FeatrankWarning, match="groups cannot be split into two folds"):
        ranker = ECFS().fit(X, y, groups=groups)
    assert ranker.alpha_ == 1
    assert ranker.notes() == []


def test_folds_whose_other_rows_are_of_one_class_do_not_count():
    X, y = made()
    y = np.sort(y)
    ranker = ECFS().fit(X, y, groups=np.arange(60) // 6)
    assert not np.isnan(ranker.cv_scores_).any()
    assert ranker.cv_scores_.shape[1] >= 2


@pytest.mark.parametrize("groups", [[None, "b"] * 30, [np.nan, 1.0] * 30])
def test_rows_without_a_group_are_rejected(groups):
    X, y = made()
    with pytest.raises(DataError, match="groups contains missing values"):
        ECFS().fit(X, y, groups=groups)


@pytest.mark.parametrize(("n_samples", "n_features"), [(60, 30), (60, 200), (100, 1000)])
def test_one_clear_feature_is_first_whatever_the_spread_of_noise(n_samples, n_features):
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(n_samples, n_features))
        y = (np.arange(n_samples) >= n_samples // 2).astype(int)
        X[:, 0] += 2 * y
        assert ECFS().fit(X, y).order_[0] == 0


def test_groups_come_through_metadata_routing():
    X, y = made()
    groups = np.arange(60) // 3
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(ECFS(5).set_fit_request(groups=True), GaussianNB())
        fitted = pipeline.fit(X, y, groups=groups)[0]
        cross_validate(pipeline, X, y, params={"groups": groups}, cv=StratifiedGroupKFold(3))
    assert np.array_equal(fitted.cv_scores_, ECFS(5).fit(X, y, groups=groups).cv_scores_)
    assert np.any(fitted.cv_scores_ != ECFS(5).fit(X, y).cv_scores_)


def test_rows_without_weight_take_no_part():
    X, y = made()
    weight = (np.arange(60) % 10 < 7).astype(float)
    kept = weight > 0
    weighted = ECFS(5).fit(X, y, sample_weight=weight)
    assert np.array_equal(weighted.cv_scores_, ECFS(5).fit(X[kept], y[kept]).cv_scores_)


def test_a_fit_with_a_number_forgets_the_scores_of_the_one_before():
    X, y = made()
    ranker = ECFS().fit(X, y)
    ranker.set_params(alpha=0.3).fit(X, y)
    assert not hasattr(ranker, "cv_scores_")
    assert not hasattr(ranker, "alphas_")
    assert ranker.alpha_ == 0.3


@pytest.mark.parametrize("alphas", [(), (0.5, 1.2), [-0.1], [[0, 1]]])
def test_values_that_cannot_be_chosen_from_are_rejected(alphas):
    with pytest.raises(UsageError, match="alphas"):
        ECFS(alphas=alphas).fit(*made())


def test_groups_of_another_length_are_rejected():
    X, y = made()
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ECFS().fit(X, y, groups=np.arange(59))


def test_many_rows_are_judged_by_some_of_them():
    rng = np.random.default_rng(0)
    y = np.arange(6000) % 2
    X = rng.normal(3, 1, (6000, 12))
    X[:, 3] += 2 * y
    ranker = ECFS(1).fit(X, y)
    assert ranker.order_[0] == 3
    assert ranker.cv_scores_.max() == pytest.approx(0.92, abs=0.03)


def test_a_rare_class_among_many_rows_is_judged_too():
    """Of 16,000 training rows a thousand judge; of 8 rare ones none may be lost."""
    rng = np.random.default_rng(0)
    y = np.zeros(20000, dtype=int)
    y[rng.choice(20000, 8, replace=False)] = 1
    X = rng.normal(3, 1, (20000, 12))
    X[:, 3] += 6 * y
    ranker = ECFS(2).fit(X, y)
    assert ranker.cv_scores_[-1].min() > 0.95  # alpha 1, in every fold
    assert ranker.order_[0] == 3
