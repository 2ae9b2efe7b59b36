"""FCBF against the published algorithm written plainly, and against scikit-feature."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.metrics import mutual_info_score

from featrank import FCBF
from featrank._utils.progress import progress_to
from featrank.kernels import Groups
from featrank.pairwise.mdl import mdl_intervals

from .plain_uncertainty import discrete, uncertainties, uncertainty


def plain_fcbf(with_class, pairs, delta):
    """Return the predominant features in order."""
    left = [f for f in np.argsort(-with_class, kind="stable") if with_class[f] >= max(delta, 1e-12)]
    found = []
    while left:
        first, *rest = left
        found.append(int(first))
        left = [g for g in rest if pairs[first, g] < with_class[g] - 1e-12]
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("delta", [0.0, 0.03])
def test_predominant_features_are_those_of_the_published_algorithm(seed, delta):
    X, y = discrete(seed)
    with_class, pairs = uncertainties(X, y)
    wanted = plain_fcbf(with_class, pairs, delta)
    ranker = FCBF(delta=delta, binning="width").fit(X, y)
    np.testing.assert_allclose(ranker.relevance_, with_class, atol=1e-12)
    assert ranker.order_[: len(wanted)].tolist() == wanted
    assert np.flatnonzero(ranker.predominant_).tolist() == sorted(wanted)
    assert 1 < len(wanted) < 25


def test_intervals_are_drawn_by_the_classes():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, ::2]
    ranker = FCBF().fit(X, y)
    codes = np.empty(X.shape, int)
    codes[np.argsort(y, kind="stable")] = mdl_intervals(X, Groups.of(y, 2)).codes.T
    with_class, pairs = uncertainties(codes, y)
    wanted = plain_fcbf(with_class, pairs, 0)
    cut = with_class > 0
    np.testing.assert_allclose(ranker.relevance_[cut], with_class[cut], atol=1e-12)
    assert ranker.order_[: len(wanted)].tolist() == wanted
    assert ranker.predominant_.sum() == len(wanted) > 3


def test_scores_put_the_predominant_first_then_the_removed_then_those_below_delta():
    X, y = discrete(0)
    ranker = FCBF(delta=0.02, binning="width").fit(X, y)
    su, kept = ranker.relevance_, ranker.predominant_
    np.testing.assert_array_equal(ranker.scores_, su + kept)
    removed = ~kept & (su >= 0.02)
    groups = [np.flatnonzero(kept), np.flatnonzero(removed), np.flatnonzero(su < 0.02)]
    assert all(len(group) for group in groups)
    order = [group[np.argsort(-su[group], kind="stable")] for group in groups]
    np.testing.assert_array_equal(ranker.order_, np.concatenate(order))
    np.testing.assert_array_equal(ranker.score_components()["relevance"], su)


def test_the_number_of_features_changes_no_score():
    X, y = discrete(1)
    wanted = FCBF().fit(X, y)
    for count in (1, 5, 20):
        ranker = FCBF(count).fit(X, y)
        np.testing.assert_array_equal(ranker.scores_, wanted.scores_)
        assert ranker.support_.sum() == count


def test_a_copy_and_a_recoding_are_removed_however_the_classes_are_reported():
    """SU(f, g) = SU(g, C) = 1 to the last bit: equality removes too."""
    X, y = discrete(2, n_classes=2)
    X = np.column_stack([X, y, 5 - 3 * y, X[:, 0]])
    ranker = FCBF(binning="width").fit(X, y)
    assert ranker.scores_[25] == 2
    assert np.flatnonzero(ranker.predominant_).tolist() == [25]


def test_features_that_tell_nothing_are_never_predominant():
    y = np.arange(40) % 2
    X = np.column_stack([np.ones(40), np.arange(40) // 2 % 2, np.arange(40) // 20])
    for binning in ("mdl", "width", "quantile"):
        ranker = FCBF(binning=binning).fit(X, y)
        assert not ranker.predominant_.any()
        np.testing.assert_array_equal(ranker.scores_, -1 if binning == "mdl" else 0)


def test_noise_gets_no_cut_and_ranks_by_what_the_best_one_would_tell():
    X, y = make_classification(100, 200, n_informative=5, n_redundant=0, random_state=0)
    ranker = FCBF().fit(X, y)
    whole = ranker.relevance_ <= 0
    assert whole.sum() > 170
    assert ranker.predominant_.sum() > 1
    assert not ranker.predominant_[whole].any()
    for feature in np.flatnonzero(whole)[:10]:
        x = X[:, feature]
        best = max(np.sort(x)[:-1], key=lambda cut: mutual_info_score(x <= cut, y))
        wanted = uncertainty(x <= best, y) - 1
        assert ranker.scores_[feature] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("binning", ["mdl", "width", "quantile"])
def test_sparse_data_ranks_as_dense(binning):
    X, y = discrete(3)
    X[X < 3] = 0
    wanted = FCBF(binning=binning).fit(X, y)
    for storage in (sparse.csr_array, sparse.csc_matrix):
        got = FCBF(binning=binning, n_jobs=2).fit(storage(X), y)
        np.testing.assert_array_equal(got.scores_, wanted.scores_)
        np.testing.assert_array_equal(got.predominant_, wanted.predominant_)


def test_data_in_parts_ranks_as_in_memory():
    import dask.array as da

    X, y = discrete(4)
    for options in ({"binning": "width"}, {}):
        wanted = FCBF(**options).fit(X, y)
        got = FCBF(**options).fit(da.from_array(X, chunks=(40, 25)), y)
        np.testing.assert_array_equal(got.scores_, wanted.scores_)
        np.testing.assert_array_equal(got.predominant_, wanted.predominant_)


@pytest.mark.parametrize("binning", ["mdl", "width"])
def test_progress_ends_when_all_are_examined(binning):
    X, y = discrete(0)
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        FCBF(binning=binning).fit(X, y)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1]


@pytest.mark.parametrize("seed", range(3))
def test_scikit_feature_agrees_where_its_order_is_right(seed):
    """It turns SU into integers, so that it examines features by index: sort them by SU first."""
    fcbf = pytest.importorskip("skfeature.function.information_theoretical_based.FCBF").fcbf
    X, y = discrete(seed)
    X = X[:, np.argsort(-FCBF(binning="width").fit(X, y).relevance_, kind="stable")]
    ranker = FCBF(binning="width").fit(X, y)
    theirs = fcbf(X.astype(int), y, mode="index")
    assert theirs.tolist() == ranker.order_[: ranker.predominant_.sum()].tolist()
