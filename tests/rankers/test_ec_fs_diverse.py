"""DiverseECFS against determinants, and what it promises of copies, constants and separators."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification

from featrank import ECFS, DiverseECFS
from featrank._utils.progress import progress_to
from featrank.exceptions import DataError, UsageError

from .selection import selected_criterion


def sample(n_samples=60, n_features=12, n_classes=2, seed=0):
    X, y = make_classification(
        n_samples,
        n_features,
        n_informative=4,
        n_redundant=3,
        n_classes=n_classes,
        random_state=seed,
    )
    return X * np.exp(np.random.default_rng(seed).normal(0, 1, n_features)) + 3, y


def centrality(X, y, **params):
    scores = ECFS(kernel="symmetric", **{"alpha": 1.0, **params}).fit(X, y).scores_
    return scores / scores.max()


def unexplained(similarity, chosen, feature):
    """det K_{S ∪ i} / det K_S, the part of i that S leaves."""

    def volume(features):
        sign, log = np.linalg.slogdet(similarity[np.ix_(features, features)])
        return sign * np.exp(log)

    return volume([*chosen, feature]) / volume(chosen) if chosen else 1.0


def by_determinants(X, c, count, diversity=1.0):
    """Choose by brute force; stop where nothing is left to gain."""
    similarity = np.corrcoef(X, rowvar=False) ** 2
    chosen, gains = [], []
    while len(chosen) < count:
        left = [f for f in range(len(c)) if f not in chosen]
        gain = [c[f] * max(unexplained(similarity, chosen, f), 0) ** diversity for f in left]
        chosen.append(left[int(np.argmax(gain))])
        gains.append(max(gain))
    return chosen, gains


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_classes", [2, 4])
def test_each_choice_enlarges_the_determinant_most(seed, n_classes):
    X, y = sample(n_classes=n_classes, seed=seed)
    c = centrality(X, y)
    L = np.sqrt(np.outer(c, c)) * np.corrcoef(X, rowvar=False) ** 2
    order = DiverseECFS().fit(X, y).order_
    for step in range(8):
        left = order[step:]
        volumes = [
            np.linalg.slogdet(L[np.ix_(S, S)])[1]
            for S in ([*order[:step], feature] for feature in left)
        ]
        assert np.argmax(volumes) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_regression_target_has_the_centrality_of_a_regression(seed):
    X = sample(seed=seed)[0]
    y = np.exp(0.1 * X[:, 0]) - X[:, 3] + np.random.default_rng(seed).normal(size=60)
    c = centrality(X, y, task="regression")
    ranker = DiverseECFS(8, task="regression").fit(X, y)
    chosen, gains = by_determinants(X, c, 8)
    assert ranker.order_[:8].tolist() == chosen
    np.testing.assert_allclose(selected_criterion(ranker), gains, atol=1e-10)
    np.testing.assert_allclose(ranker.relevance_, c, rtol=1e-12)


def test_a_regression_selects_no_duplicate_of_a_feature():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 40))
    y = 2 * X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=80)
    X[:, 2:6] = X[:, [0]] * [1, -2, 3, 4] + 5
    chosen = DiverseECFS(2, task="regression").fit(X, y).get_support(indices=True)
    assert 1 in chosen
    assert len({*chosen} & {0, 2, 3, 4, 5}) == 1


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("diversity", [0.3, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n_samples", [15, 60])
def test_the_criterion_is_what_brute_force_gives(seed, diversity, n_samples):
    X, y = sample(n_samples, seed=seed)
    ranker = DiverseECFS(8, diversity=diversity).fit(X, y)
    chosen, gains = by_determinants(X, centrality(X, y), 8, diversity)
    assert ranker.order_[:8].tolist() == chosen
    np.testing.assert_allclose(selected_criterion(ranker), gains, rtol=1e-6)


@pytest.mark.parametrize(
    "params", [{"alpha": 0.7}, {"bins": 4}, {"bins": 6, "binning": "quantile"}]
)
def test_relevance_is_the_centrality_of_the_symmetric_graph(params):
    X, y = sample(150)
    ranker = DiverseECFS(5, **params).fit(X, y)
    c = centrality(X, y, **params)
    np.testing.assert_allclose(ranker.relevance_, c, rtol=1e-12)
    assert ranker.order_[:5].tolist() == by_determinants(X, c, 5)[0]
    graph = ECFS(kernel="symmetric", **{"alpha": 1.0, **params}).fit(X, y)
    for own in ("fisher_", "information_", "spread_"):
        np.testing.assert_array_equal(getattr(ranker, own), getattr(graph, own))


def test_without_spread_the_centrality_has_a_closed_form():
    """The leading eigenvector of f·mᵀ + m·fᵀ is f/|f| + m/|m|."""
    X, y = sample(150)
    ranker = DiverseECFS().fit(X, y)
    f, m = ranker.fisher_, ranker.information_
    expected = f / np.linalg.norm(f) + m / np.linalg.norm(m)
    np.testing.assert_allclose(ranker.relevance_, expected / expected.max(), atol=1e-10)


def test_without_diversity_the_order_is_that_of_the_centrality():
    X, y = sample(n_features=40)
    X = np.column_stack([X, X])
    ranker = DiverseECFS(diversity=0).fit(X, y)
    graph = ECFS(alpha=1.0, kernel="symmetric").fit(X, y)
    np.testing.assert_array_equal(ranker.order_, graph.order_)
    np.testing.assert_array_equal(selected_criterion(ranker), ranker.relevance_[ranker.order_])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("diversity", [0.25, 1.0, 3.0])
def test_duplicates_come_after_all_that_adds_something(dtype, diversity):
    X, y = sample(200)
    copies = np.column_stack([X, X, -2.5 * X, 10 - X / 3]).astype(dtype)
    ranker = DiverseECFS(diversity=diversity).fit(copies, y)
    alone = DiverseECFS(diversity=diversity).fit(X.astype(dtype), y)
    # Copies in other units differ by rounding, so any of them may stand for the feature.
    with_gain = int(np.sum(selected_criterion(alone) > 1e-6))
    assert (ranker.order_[:with_gain] % 12).tolist() == alone.order_[:with_gain].tolist()
    assert np.all(selected_criterion(ranker)[with_gain + 4 :] < 1e-6)


def test_the_first_of_exact_duplicates_wins():
    X, y = sample(200)
    X = np.column_stack([X, X, X])
    ranker = DiverseECFS().fit(X, y)
    assert np.all(ranker.ranking_[:12] < ranker.ranking_[12:24])
    assert np.all(ranker.ranking_[12:24] < ranker.ranking_[24:])
    left = ranker.order_[selected_criterion(ranker) == 0]
    assert len(left) >= 24
    np.testing.assert_array_equal(ranker.relevance_[left], np.sort(ranker.relevance_[left])[::-1])


def test_ten_duplicates_of_the_best_leave_room_for_the_others():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    best, second = rng.normal(2 * y), rng.normal(1.5 * y)
    noise = rng.normal(size=(80, 20))
    X = np.column_stack([*[best] * 10, second, noise])
    assert DiverseECFS(2).fit(X, y).order_[:2].tolist() == [0, 10]
    assert ECFS(alpha=1.0, kernel="symmetric").fit(X, y).ranking_[:10].max() == 10
    assert DiverseECFS().fit(X, y).ranking_[1:10].min() > 20


def test_more_features_than_samples_can_have_a_gain():
    """ρ² has the rank of all products of two of T - 1 directions, at most T·(T - 1)/2."""
    rng = np.random.default_rng(0)
    n_samples, most = 8, 28
    y = np.arange(n_samples) % 2
    X = rng.normal(size=(n_samples, 60)) + y[:, None]
    ranker = DiverseECFS().fit(X, y)
    assert n_samples < np.sum(selected_criterion(ranker) > 0) <= most
    assert sorted(ranker.order_) == list(range(60))
    count = 15
    assert ranker.order_[:count].tolist() == by_determinants(X, centrality(X, y), count)[0]


def test_constants_come_last_and_have_no_gain():
    X, y = sample()
    X[:, [2, 9]] = 0.1, -4.0
    ranker = DiverseECFS().fit(X, y)
    assert ranker.order_[-2:].tolist() == [2, 9]
    assert selected_criterion(ranker)[-2:].tolist() == [0, 0]
    assert ranker.relevance_[[2, 9]].tolist() == [0, 0]


@pytest.mark.parametrize("diversity", [0.0, 0.5, 1.0])
def test_exact_separators_come_first_unless_they_are_duplicates(diversity):
    X, y = sample(90, n_classes=3)
    X[:, 5], X[:, 11] = y == 2, 3.0 * (y == 0)
    ranker = DiverseECFS(diversity=diversity).fit(X, y)
    assert set(ranker.order_[:2]) == {5, 11}
    assert np.all(np.isfinite(ranker.scores_))
    X[:, 11] = 7 - 2.0 * X[:, 5]
    copies = DiverseECFS(diversity=diversity).fit(X, y)
    assert copies.order_[0] == 5
    assert (copies.ranking_[11] > 10) == (diversity > 0)


def test_scale_shift_and_order_of_columns_change_nothing():
    X, y = sample(120, 30, 3)
    wanted = DiverseECFS(15).fit(X, y)
    moved = DiverseECFS(15).fit(X * np.logspace(-6, 6, 30) - 5, y)
    np.testing.assert_array_equal(moved.order_, wanted.order_)
    order = np.random.default_rng(0).permutation(30)
    permuted = DiverseECFS(15).fit(X[:, order], y)
    np.testing.assert_array_equal(order[permuted.order_], wanted.order_)
    np.testing.assert_allclose(selected_criterion(permuted), selected_criterion(wanted), rtol=1e-10)


def test_single_precision_chooses_the_same():
    X, y = sample(300, 40)
    wanted, got = (DiverseECFS(20).fit(data, y) for data in (X, X.astype(np.float32)))
    assert got.order_[:20].tolist() == wanted.order_[:20].tolist()
    np.testing.assert_allclose(selected_criterion(got), selected_criterion(wanted), rtol=1e-4)


def test_any_type_of_numbers_is_taken():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.integers(0, 9, (60, 10)) + 2 * y[:, None]
    wanted = DiverseECFS(5).fit(X.astype(float), y)
    for dtype in (np.int64, np.uint8, np.float16, ">f8"):
        np.testing.assert_array_equal(DiverseECFS(5).fit(X.astype(dtype), y).order_, wanted.order_)


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("diversity", [0.5, 1.0])
def test_threads_and_batches_change_nothing(n_jobs, diversity, monkeypatch):
    """The work is cut up as that on large data is."""
    X, y = sample(90, 400, seed=3)
    wanted = DiverseECFS(100, diversity=diversity).fit(X, y)
    monkeypatch.setattr("featrank.pairwise.volume.LEAST_BATCH", 7)
    monkeypatch.setattr("featrank.pairwise.volume.BATCH_VALUES", 900)
    monkeypatch.setattr("featrank.pairwise.volume.FIRST_STEPS", 3)
    monkeypatch.setattr("featrank.pairwise.volume.GATHERED", 2)
    monkeypatch.setattr("featrank._utils.threads.WORTH_A_THREAD", 1)
    got = DiverseECFS(100, diversity=diversity, n_jobs=n_jobs).fit(X, y)
    np.testing.assert_array_equal(got.scores_, wanted.scores_)
    np.testing.assert_array_equal(selected_criterion(got), selected_criterion(wanted))


def test_the_chosen_come_first_and_the_rest_by_relevance():
    X, y = sample(n_features=30)
    few, full = DiverseECFS(4).fit(X, y), DiverseECFS().fit(X, y)
    np.testing.assert_array_equal(few.order_[:4], full.order_[:4])
    rest = few.order_[4:]
    np.testing.assert_array_equal(few.relevance_[rest], np.sort(few.relevance_[rest])[::-1])
    assert few.support_.sum() == len(selected_criterion(few)) == 4


def test_progress_is_reported_at_each_choice():
    X, y = sample()
    seen = []
    with progress_to(lambda done, total: seen.append((done, total))):
        DiverseECFS(5).fit(X, y)
    assert seen == [(step, 5) for step in range(1, 6)]


def test_parameters_out_of_range_are_refused():
    X, y = sample()
    for wrong in ({"diversity": -1.0}, {"alpha": 1.5}, {"bins": 1}, {"binning": "log"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            DiverseECFS(**wrong).fit(X, y)


@pytest.mark.parametrize("layout", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_data_is_ranked_as_the_same_dense_data(layout, dtype):
    X, y = sample(n_features=200)
    X[X < 3] = 0
    X = X.astype(dtype)
    dense, stored = DiverseECFS(20).fit(X, y), DiverseECFS(20).fit(layout(X), y)
    np.testing.assert_array_equal(stored.order_[:20], dense.order_[:20])
    np.testing.assert_allclose(selected_criterion(stored), selected_criterion(dense), rtol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_data_in_chunks_has_the_bits_of_data_in_memory(tmp_path, dtype):
    X, y = sample(n_samples=90, n_features=400)
    X = X.astype(dtype)
    np.save(tmp_path / "data.npy", X)
    whole = DiverseECFS(150).fit(X, y)
    chunks = DiverseECFS(150).fit(tmp_path / "data.npy", y, memory="16MB")
    np.testing.assert_array_equal(chunks.scores_, whole.scores_)
    np.testing.assert_array_equal(selected_criterion(chunks), selected_criterion(whole))
    np.testing.assert_array_equal(chunks.classes_, whole.classes_)


def test_candidates_that_do_not_fit_into_memory_are_an_error(tmp_path):
    X, y = sample(n_samples=8000, n_features=400)
    np.save(tmp_path / "data.npy", X)
    with pytest.raises(DataError, match=r"candidate features of 'data.npy' need .* memory"):
        DiverseECFS(300).fit(tmp_path / "data.npy", y, memory="16MB")


@pytest.mark.parametrize("name", ["checkpoint", "ranges"])
def test_options_of_single_pass_methods_are_rejected(tmp_path, name):
    X, y = sample()
    np.save(tmp_path / "data.npy", X)
    with pytest.raises(UsageError, match=f"DiverseECFS does not support `{name}`"):
        DiverseECFS().fit(tmp_path / "data.npy", y, **{name: tmp_path / "c"})
