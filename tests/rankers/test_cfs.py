"""CFS against every subset, a plain best-first search, scikit-feature and what Weka prints."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from featrank import CFS
from featrank._utils.progress import progress_to
from featrank.kernels import Groups
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.mdl import mdl_intervals

from .plain_uncertainty import discrete, uncertainties
from .selection import selected_criterion

# Quinlan's fourteen days: outlook, temperature, humidity, windy, and whether to play.
WEATHER = """
sunny hot high false no, sunny hot high true no, overcast hot high false yes,
rainy mild high false yes, rainy cool normal false yes, rainy cool normal true no,
overcast cool normal true yes, sunny mild high false no, sunny cool normal false yes,
rainy mild normal false yes, sunny mild normal true yes, overcast mild high true yes,
overcast hot normal false yes, rainy mild high true no
"""


def weather():
    columns = zip(*(day.split() for day in WEATHER.split(",")), strict=True)
    codes = [np.unique(column, return_inverse=True)[1] for column in columns]
    return np.column_stack(codes[:-1]).astype(float), codes[-1]


def merit(subset, with_class, pairs):
    subset = list(subset)
    k = len(subset)
    between = (pairs[np.ix_(subset, subset)].sum() - k) / (k * (k - 1)) if k > 1 else 0.0
    return k * with_class[subset].mean() / np.sqrt(k + k * (k - 1) * between)


def plain_best_first(with_class, pairs, patience):
    """Return the best subset in the order of its choice: a queue, and no shortcut."""
    features = range(len(with_class))
    queue, seen, best, best_merit, stale = [()], set(), (), 0.0, 0
    while queue and stale < patience:
        head, *queue = queue
        stale += 1
        children = [(*head, f) for f in features if f not in head and with_class[f] > 1e-12]
        for child in children:
            if frozenset(child) not in seen:
                seen.add(frozenset(child))
                queue.append(child)
                if merit(child, with_class, pairs) > best_merit + 1e-5:
                    best, best_merit, stale = child, merit(child, with_class, pairs), 0
        queue = sorted(queue, key=lambda subset: -merit(subset, with_class, pairs))[:patience]
    return list(best), best_merit


@pytest.mark.parametrize("seed", range(6))
def test_the_subset_is_the_best_of_all_subsets(seed):
    X, y = discrete(seed, n_features=9)
    with_class, pairs = uncertainties(X, y)
    every = [subset for k in range(1, 10) for subset in combinations(range(9), k)]
    wanted = max(every, key=lambda subset: merit(subset, with_class, pairs))
    ranker = CFS(binning="width").fit(X, y)
    assert np.flatnonzero(ranker.subset_).tolist() == list(wanted)
    assert selected_criterion(ranker)[-1] == pytest.approx(
        merit(wanted, with_class, pairs), abs=1e-12
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("patience", [1, 5])
def test_the_search_is_that_of_a_plain_queue(seed, patience):
    X, y = discrete(seed)
    with_class, pairs = uncertainties(X, y)
    wanted, best_merit = plain_best_first(with_class, pairs, patience)
    ranker = CFS(binning="width", patience=patience).fit(X, y)
    assert sorted(wanted) == np.flatnonzero(ranker.subset_).tolist()
    assert ranker.order_[: len(wanted)].tolist() == wanted
    assert selected_criterion(ranker)[-1] == pytest.approx(best_merit, abs=1e-12)
    for k in range(1, len(wanted) + 1):
        expected = merit(wanted[:k], with_class, pairs)
        assert selected_criterion(ranker)[k - 1] == pytest.approx(expected, abs=1e-12)


def test_patience_can_lead_out_of_a_local_best():
    """One seed where the greedy path ends early, found by trying some."""
    found = []
    for seed in range(40):
        X, y = discrete(seed, n_samples=60, n_features=12)
        greedy, patient = (CFS(binning="width", patience=p).fit(X, y) for p in (1, 5))
        found.append(selected_criterion(patient)[-1] - selected_criterion(greedy)[-1])
    assert min(found) >= 0
    assert max(found) > 1e-4


@pytest.mark.parametrize(
    ("load", "attributes", "merit"),
    [
        (load_iris, [3, 4], "0.887"),
        (load_breast_cancer, [2, 7, 8, 14, 21, 23, 24, 27, 28], "0.667"),
        (load_wine, [1, 5, 6, 7, 10, 11, 12, 13], "0.809"),
    ],
)
def test_subset_and_merit_are_what_weka_prints(load, attributes, merit):
    """Weka 3.6.14: CfsSubsetEval -L -s "BestFirst -D 1 -N 5" on the same values."""
    ranker = CFS().fit(*load(return_X_y=True))
    assert (np.flatnonzero(ranker.subset_) + 1).tolist() == attributes
    assert f"{selected_criterion(ranker)[-1]:.3f}" == merit


def test_weather_as_weka_prints_it():
    """The same call: merit of best subset found: 0.247; selected attributes: 1, 3."""
    ranker = CFS(binning="width").fit(*weather())
    assert ranker.order_[:2].tolist() == [0, 2]
    assert np.flatnonzero(ranker.subset_).tolist() == [0, 2]
    assert f"{selected_criterion(ranker)[-1]:.3f}" == "0.247"


def test_intervals_are_drawn_by_the_classes():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, ::2]
    codes = np.empty(X.shape, int)
    codes[np.argsort(y, kind="stable")] = mdl_intervals(X, Groups.of(y, 2)).codes.T
    wanted, best_merit = plain_best_first(*uncertainties(codes, y), 5)
    ranker = CFS().fit(X, y)
    assert ranker.order_[: len(wanted)].tolist() == wanted
    assert selected_criterion(ranker)[-1] == pytest.approx(best_merit, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_locally_predictive_features_are_nearer_to_the_class(seed):
    X, y = discrete(seed)
    with_class, pairs = uncertainties(X, y)
    plain = CFS(binning="width").fit(X, y)
    wanted = plain.order_[: plain.subset_.sum()].tolist()
    for f in np.argsort(-with_class, kind="stable"):
        if f not in wanted and pairs[f, wanted].max() <= with_class[f] + 1e-12:
            wanted.append(int(f))
    ranker = CFS(binning="width", locally_predictive=True).fit(X, y)
    assert ranker.order_[: len(wanted)].tolist() == wanted
    assert ranker.subset_.sum() == len(wanted)
    assert selected_criterion(ranker)[-1] == pytest.approx(
        merit(wanted, with_class, pairs), abs=1e-12
    )


def test_some_locally_predictive_features_are_added():
    X, y = weather()
    ranker = CFS(binning="width", locally_predictive=True).fit(X, y)
    assert ranker.subset_.tolist() == [True, False, True, True]


def test_scikit_feature_has_the_same_merit():
    skfeature = pytest.importorskip("skfeature.function.statistical_based.CFS")
    X, y = discrete(1)
    ranker = CFS(binning="width").fit(X, y)
    for k in (1, 3, ranker.subset_.sum()):
        theirs = skfeature.merit_calculation(X[:, ranker.order_[:k]], y)
        assert selected_criterion(ranker)[k - 1] == pytest.approx(theirs, abs=1e-12)


def test_the_subset_comes_first_then_the_others_by_relevance():
    X, y = discrete(0)
    ranker = CFS().fit(X, y)
    count = ranker.subset_.sum()
    assert set(ranker.order_[:count]) == set(np.flatnonzero(ranker.subset_))
    rest = ranker.relevance_[ranker.order_[count:]]
    np.testing.assert_array_equal(rest, np.sort(rest)[::-1])
    np.testing.assert_allclose(np.diff(ranker.scores_[ranker.order_[:count]]), -1)
    assert ranker.scores_[ranker.order_[count - 1]] > ranker.scores_[ranker.order_[count]]


def test_the_number_of_features_changes_no_score():
    X, y = discrete(1)
    wanted = CFS().fit(X, y)
    for count in (1, 5, 20):
        ranker = CFS(count).fit(X, y)
        np.testing.assert_array_equal(ranker.scores_, wanted.scores_)
        np.testing.assert_array_equal(ranker.subset_, wanted.subset_)
        assert ranker.support_.sum() == count


def test_a_copy_of_one_feature_adds_nothing_and_comes_after_it():
    """The merit of two copies is that of one; of more features it may be larger with a copy."""
    X, y = discrete(2)
    best = X[:, [CFS(1, binning="width").fit(X, y).order_[0]]]
    ranker = CFS(binning="width").fit(np.column_stack([best, best, best]), y)
    assert ranker.subset_.tolist() == [True, False, False]
    ranker = CFS(binning="width").fit(np.column_stack([X, X]), y)
    assert np.all(ranker.ranking_[:25] < ranker.ranking_[25:])


def test_nothing_is_chosen_where_nothing_tells_anything():
    y = np.arange(40) % 2
    X = np.column_stack([np.ones(40), np.arange(40) // 2 % 2, np.arange(40) // 20])
    for binning in ("mdl", "width", "quantile"):
        for added in (False, True):
            ranker = CFS(binning=binning, locally_predictive=added).fit(X, y)
            assert not ranker.subset_.any()
            assert len(selected_criterion(ranker)) == 0


def test_only_pairs_that_are_needed_are_counted(monkeypatch):
    """One pass for each subset that is expanded, over features that tell something."""
    passes = []
    plain = Contingency.pair_sums

    def counting(self, chosen, candidates):
        passes.append(len(candidates))
        return plain(self, chosen, candidates)

    monkeypatch.setattr(Contingency, "pair_sums", counting)
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = rng.normal(size=(100, 300))
    X[:, :6] += 2 * y[:, None]
    ranker = CFS().fit(X, y)
    assert len(passes) < ranker.subset_.sum() + 15
    assert max(passes) == np.count_nonzero(ranker.relevance_ > 0) < 30


@pytest.mark.parametrize("binning", ["mdl", "width", "quantile"])
def test_sparse_data_ranks_as_dense(binning):
    X, y = discrete(3)
    X[X < 3] = 0
    wanted = CFS(binning=binning).fit(X, y)
    for storage in (sparse.csr_array, sparse.csc_matrix):
        got = CFS(binning=binning, n_jobs=2).fit(storage(X), y)
        np.testing.assert_array_equal(got.scores_, wanted.scores_)
        np.testing.assert_array_equal(selected_criterion(got), selected_criterion(wanted))


def test_data_in_parts_ranks_as_in_memory():
    import dask.array as da

    X, y = discrete(4)
    for options in ({"binning": "width"}, {}):
        wanted = CFS(**options).fit(X, y)
        got = CFS(**options).fit(da.from_array(X, chunks=(40, 25)), y)
        np.testing.assert_array_equal(got.scores_, wanted.scores_)
        np.testing.assert_array_equal(got.subset_, wanted.subset_)


@pytest.mark.parametrize("binning", ["mdl", "width"])
def test_progress_grows_to_its_end(binning):
    X, y = discrete(0)
    seen = []
    with progress_to(lambda done, total: seen.append(done / total)):
        CFS(binning=binning).fit(X, y)
    assert seen == sorted(seen)
    assert seen[-1] == 1
