"""Features next to their decoys: a view for single-pass methods, equal to a copied matrix."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from featrank import tables
from featrank.base.registry import methods
from featrank.base.summary import SummaryRanker
from featrank.data.matrix import Matrix
from featrank.data.opening import open_data
from featrank.data.with_decoys import (
    SharedMatrix,
    WithDecoys,
    copy_with_decoys,
    permuted_rows,
    prefetch_draws,
    take_rows,
)
from featrank.sources import open_dataset

SINGLE_PASS = {
    name: cls
    for name, cls in methods().items()
    if issubclass(cls, SummaryRanker) and cls.supervised
}
REGRESSION = [name for name, cls in SINGLE_PASS.items() if "regression" in cls.tasks]
N_SAMPLES, N_FEATURES = 60, 20


@pytest.fixture
def made():
    """Return 60 × 20 values with whole columns of few values, and three classes."""
    rng = np.random.default_rng(0)
    y = np.arange(N_SAMPLES) % 3
    X = rng.normal(5, 1, (N_SAMPLES, N_FEATURES))
    X[:, 0] += y
    X[:, 1] = X[:, 0] + rng.normal(0, 0.3, N_SAMPLES)
    X[:, 2] = rng.integers(0, 3, N_SAMPLES)
    X[:, 3] = 1
    return X, y


def drawn(seed=0, n_samples=N_SAMPLES, n_features=N_FEATURES):
    rng = np.random.default_rng(seed)
    return permuted_rows(rng, n_samples), rng.permutation(2 * n_features)


def scores_on(data, ranker, classes=None):
    """Return the scores that a method gives to opened data."""
    ranker._set_fitted_shape(data.n_features, None)
    if classes is not None:
        ranker.classes_ = classes
    return ranker._fit(data).scores_


def both_scores(cls, X, y, draw, **params):
    """Return the scores of features and decoys, described and copied."""
    opened = cls(**params)
    with open_data(opened, X, y, {}) as data:
        assert isinstance(data, Matrix)
        classes = getattr(opened, "classes_", None)
        described = scores_on(WithDecoys(SharedMatrix(data), *draw), cls(**params), classes)
        copied = scores_on(copy_with_decoys(data, *draw), cls(**params), classes)
    return described, copied


def test_there_are_single_pass_methods():
    assert {"ec-fs", "fisher", "mi"} <= set(SINGLE_PASS)
    assert "ec-fs" in REGRESSION


@pytest.mark.parametrize("groups", [None, np.arange(31) // 4, np.arange(31) % 2, np.zeros(31)])
def test_permuted_rows_hold_every_row_once(groups):
    rows = permuted_rows(np.random.default_rng(0), 31, groups)
    np.testing.assert_array_equal(np.sort(rows), np.arange(31))


def test_permuted_rows_depend_on_the_seed():
    first, second = (permuted_rows(np.random.default_rng(seed), 50) for seed in (0, 1))
    assert (first != second).any()


def test_groups_of_one_size_change_places_as_a_whole():
    groups = np.random.default_rng(1).permutation(np.repeat(list("abcdef"), 5))
    rows = permuted_rows(np.random.default_rng(0), 30, groups)
    moved = {name: {*groups[rows[groups == name]]} for name in "abcdef"}
    assert all(len(names) == 1 for names in moved.values())
    assert {name for names in moved.values() for name in names} == set("abcdef")
    assert any(names != {name} for name, names in moved.items())


def test_rows_of_a_group_are_shuffled():
    groups, y = np.repeat(np.arange(30), 2), np.arange(60) % 2
    moved = y[permuted_rows(np.random.default_rng(0), 60, groups)]
    assert 10 < (moved != y).sum() < 50


def test_groups_of_several_sizes_stay_together_but_for_a_few():
    groups = np.repeat(np.arange(12), [1, 2, 3, 4] * 3)
    rows = permuted_rows(np.random.default_rng(0), 30, groups)
    pieces = sum(len({*groups[rows[groups == one]]}) for one in range(12))
    assert pieces < 2 * 12


def test_copied_columns_are_the_features_and_their_permuted_rows(made):
    X, y = made
    rows, columns = drawn()
    both = copy_with_decoys(Matrix(X, y, 3), rows, columns).X
    np.testing.assert_array_equal(both[:, columns[:N_FEATURES]], X)
    np.testing.assert_array_equal(both[:, columns[N_FEATURES:]], X[rows])
    sparse = copy_with_decoys(Matrix(csr_matrix(X), y, 3), rows, columns).X
    np.testing.assert_array_equal(sparse.toarray(), both)


def test_columns_and_cells_are_those_of_the_copy(made):
    X, y = made
    draw = drawn()
    view, copied = WithDecoys(Matrix(X, y, 3), *draw), copy_with_decoys(Matrix(X, y, 3), *draw)
    wanted = np.array([0, 7, 8, 21, 39])
    np.testing.assert_array_equal(view.columns(wanted), copied.X[:, wanted])
    rows = np.array([2, 3, 30, 59])
    for found, part in zip(
        view.cells([(rows, wanted), (rows[:2], wanted[3:])]),
        [copied.X[np.ix_(rows, wanted)], copied.X[np.ix_(rows[:2], wanted[3:])]],
        strict=True,
    ):
        np.testing.assert_array_equal(found, part)


def test_take_rows(made):
    X, y = made
    part = take_rows(Matrix(X, y, 3, groups=y * 2), np.array([3, 5, 8]))
    np.testing.assert_array_equal(part.X, X[[3, 5, 8]])
    np.testing.assert_array_equal(part.groups, [0, 4, 4])
    assert (part.y.tolist(), part.n_classes) == ([0, 2, 2], 3)


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("name", SINGLE_PASS)
def test_a_view_has_the_scores_of_the_copy(made, name, sparse):
    X, y = made
    X = csr_matrix(np.where(X > 4.5, X, 0)) if sparse else X
    described, copied = both_scores(SINGLE_PASS[name], X, y, drawn())
    np.testing.assert_array_equal(described, copied)


@pytest.mark.parametrize("seed", range(3))
def test_a_view_has_the_tuned_scores_of_the_copy(made, seed):
    X, y = made
    described, copied = both_scores(SINGLE_PASS["ec-fs"], X, y > 0, drawn(seed), alpha="cv")
    np.testing.assert_array_equal(described, copied)


@pytest.mark.parametrize("name", REGRESSION)
def test_a_view_has_the_scores_of_the_copy_for_regression(made, name):
    X, y = made
    target = y + np.random.default_rng(1).normal(size=len(y))
    described, copied = both_scores(SINGLE_PASS[name], X, target, drawn(), task="regression")
    np.testing.assert_allclose(described, copied, rtol=1e-9)


@pytest.fixture(params=["npy", "parquet"])
def dataset(request, made, tmp_path):
    """Return a file that is read in chunks, and its target."""
    X, y = made
    path = tmp_path / f"data.{request.param}"
    names = [f"gene {j}" for j in range(N_FEATURES)]
    tables.write_table(path, tables.Table(X, names, y, "kind"))
    return (path, y) if request.param == "npy" else (open_dataset(path, target="kind"), None)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("name", ["ec-fs", "fisher", "mi"])
def test_draws_in_chunks_have_the_scores_in_memory(made, dataset, name):
    X, y = made
    draws = [drawn(seed) for seed in range(3)]
    cls, params = SINGLE_PASS[name], {"alpha": 0.5} if name == "ec-fs" else {}
    expected = [both_scores(cls, X, y, draw, **params)[1] for draw in draws]
    opened = cls(**params)
    with open_data(opened, *dataset, {}) as data:
        assert not isinstance(data, Matrix)
        views = [WithDecoys(data, *draw) for draw in draws]
        prefetch_draws(views, opened)
        found = [scores_on(view, cls(**params)) for view in views]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("small_chunks")
def test_a_tuned_draw_in_chunks_has_the_scores_in_memory(made, dataset):
    X, y = made
    _, expected = both_scores(SINGLE_PASS["ec-fs"], X, y, drawn(), alpha="cv")
    opened = SINGLE_PASS["ec-fs"](alpha="cv")
    with open_data(opened, *dataset, {}) as data:
        found = scores_on(WithDecoys(data, *drawn()), SINGLE_PASS["ec-fs"](alpha="cv"))
    np.testing.assert_array_equal(found, expected)


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr("featrank.data.reader.Reader.block_bytes", lambda self, source: 2000)


def test_a_shared_matrix_describes_its_own_rows_once(made, monkeypatch):
    X, y = made
    calls = []
    own = Matrix.vectors
    monkeypatch.setattr(
        Matrix, "vectors", lambda self, *given: calls.append(given) or own(self, *given)
    )
    ranker = SINGLE_PASS["fisher"]()
    with open_data(ranker, X, y, {}) as data:
        shared = SharedMatrix(data)
        for seed in range(3):
            scores_on(WithDecoys(shared, *drawn(seed)), SINGLE_PASS["fisher"](), ranker.classes_)
    assert len(calls) == 1 + 3
