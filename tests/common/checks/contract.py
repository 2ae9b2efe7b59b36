"""What goes in and what comes out, the same for every method."""

import pickle
import tempfile
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_html_repr

from .tools import (
    SIGNAL,
    assert_ranks,
    assert_refused,
    assert_same_scores,
    parameters_of,
    problem,
    scores_of,
)


def check_fitted_attributes(make_ranker):
    X, y = problem()
    ranker = make_ranker()
    assert ranker.fit(X, y) is ranker, "fit does not return the ranker"
    assert_ranks(ranker, X.shape[1])
    assert ranker.scores_.dtype == np.float64, "scores_ is not float64"
    assert ranker.ranking_.dtype == ranker.order_.dtype == np.int64, "ranks are not integers"
    assert ranker.support_.dtype == bool, "support_ is not boolean"
    assert ranker.n_features_in_ == X.shape[1]
    classes = [0, 1] if ranker.supervised and not ranker._regresses else None
    assert classes is None or ranker.classes_.tolist() == classes, "classes_ are others"
    assert not hasattr(ranker, "feature_names_in_"), "an array has no names"
    assert np.array_equal(ranker.ranking_[ranker.order_], np.arange(1, X.shape[1] + 1)), (
        "ranking_ and order_ disagree"
    )


def check_infinite_scores_mean_exact_separation(make_ranker):
    """Only a feature that is constant within each class scores inf, if the method says so."""
    cls = type(make_ranker())
    for n_classes in (2, 3):
        X, y = problem(n_classes=2 if not cls.multiclass else n_classes)
        near = np.where(np.arange(len(y)) == 0, 0.5, y)
        X = np.column_stack([X, y, 1.0 - y, near, np.ones(len(y)), 2.0**-30 * y])
        infinite = np.isinf(make_ranker().fit(X, y).scores_)
        groups = [X[y == code] for code in np.unique(y)]
        exact = np.all([np.ptp(group, axis=0) == 0 for group in groups], axis=0)
        assert not infinite[~exact | (np.ptp(X, axis=0) == 0)].any(), "an infinite score for less"
        assert not infinite.any() or "``inf``" in cls.__doc__, "infinite scores unannounced"


def check_can_be_shown_whatever_is_set(make_ranker):
    """A fitted ranker has a text, an HTML form and a clone after any ``set_params``."""
    X, y = problem()
    ranker = make_ranker().fit(X, y)
    for name, value in parameters_of(ranker).items():
        for nonsense in (None, "nonsense", -1, 2.5, np.nan, object(), np.ones((3, 3)), [], Path):
            ranker.set_params(**{name: nonsense})
            for show in (estimator_html_repr, repr, clone):
                try:
                    show(ranker)
                except Exception as error:
                    where = f"{show.__name__} after set_params({name}={nonsense!r})"
                    raise AssertionError(f"{where}: {error!r}") from error
        ranker.set_params(**{name: value})


def check_equal_scores_go_to_the_lower_index(make_ranker):
    X, y = problem()
    X[:, 11] = X[:, 3] = X[:, 15] = X[:, SIGNAL]
    ranker = make_ranker().fit(X, y)
    wanted = np.lexsort((np.arange(X.shape[1]), -ranker.scores_))
    assert np.array_equal(ranker.order_, wanted), "order_ is not by score, then by index"


def check_number_of_features(make_ranker):
    X, y = problem()
    best = make_ranker().fit(X, y).order_
    counts = [(None, 20), (1, 1), (5, 5), (20, 20), (np.int64(3), 3)]
    shares = [(0.25, 5), (0.01, 1), (0.99, 19), (1.0, 20)]
    for wanted, count in counts + shares:
        ranker = make_ranker(n_features_to_select=wanted).fit(X, y)
        assert_ranks(ranker, X.shape[1])
        chosen = np.flatnonzero(ranker.support_)
        assert len(chosen) == count, f"n_features_to_select={wanted} selects {len(chosen)}"
        # A ranker that tunes itself does so for the number of features that is asked for.
        wanted_order = ranker.order_ if ranker._tunes_itself else best
        assert set(chosen) == set(wanted_order[:count]), f"not the best {count} are selected"


def check_impossible_numbers_of_features_are_refused(make_ranker):
    X, y = problem()
    what = ("n_features_to_select=21 is more than the 20 features", "at most 20")
    assert_refused(lambda: make_ranker(n_features_to_select=21).fit(X, y), "k > n_features", *what)
    for wanted in (0, -1, 0.0, 1.5, -0.5, "all", np.nan):
        fit = make_ranker(n_features_to_select=wanted).fit
        assert_refused(lambda fit=fit: fit(X, y), f"k = {wanted}", "n_features_to_select")


def check_transform(make_ranker):
    """Selected columns come in the order of the input, not of their ranks."""
    X, y = problem()
    ranker = make_ranker(n_features_to_select=4).fit(X, y)
    selected = np.sort(ranker.order_[:4])
    assert np.array_equal(ranker.get_support(indices=True), selected)
    assert ranker.get_feature_names_out().tolist() == [f"x{j}" for j in selected], "wrong names"
    assert np.array_equal(ranker.transform(X), X[:, selected]), "transform gives other columns"
    assert np.array_equal(make_ranker(n_features_to_select=4).fit_transform(X, y), X[:, selected])
    restored = np.zeros_like(X)
    restored[:, selected] = X[:, selected]
    assert np.array_equal(ranker.inverse_transform(X[:, selected]), restored)
    for use in (make_ranker().get_support, lambda: make_ranker().transform(X)):
        assert_refused(use, "a ranker that is not fitted", "not fitted")


def check_inputs_are_untouched(make_ranker):
    for container in (np.asarray, pd.DataFrame):
        X, y = problem()
        table, X_before, y_before = container(X), X.copy(), y.copy()
        ranker = make_ranker(n_features_to_select=3)
        parameters = parameters_of(ranker)
        ranker.fit(table, y).transform(table)
        assert np.array_equal(table, X_before), "X is modified"
        assert np.array_equal(y, y_before), "y is modified"
        assert parameters_of(ranker) == parameters, "fit changes a parameter"


def check_refit_forgets(make_ranker):
    X, y = problem()
    fresh = make_ranker().fit(X, y)
    other = pd.DataFrame(problem(n_samples=40, n_features=9, seed=1)[0]).add_prefix("gene ")
    names = np.array([7.5, -2.0] if make_ranker()._regresses else ["b", "a"])
    ranker = make_ranker().fit(other, names[np.arange(40) % 2]).fit(X, y)
    assert np.array_equal(ranker.scores_, fresh.scores_), "scores remember the previous fit"
    assert set(vars(ranker)) == set(vars(fresh)), "attributes of the previous fit stay"


def check_same_seed_same_bits(make_ranker):
    X, y = problem()
    generator = np.random.mtrand._rand  # the one behind np.random.seed
    state = generator.get_state(legacy=False)
    try:
        first = scores_of(make_ranker(), X, y)
        after = generator.get_state(legacy=False)
        generator.seed(987)
        second = scores_of(make_ranker(), X, y)
    finally:
        generator.set_state(state)
    assert np.array_equal(first, second), "two fits of the same data differ"
    assert repr(after) == repr(state), "fit draws from the global random state"


def check_names(make_ranker):
    X, y = problem()
    names = np.array([f"gene {j}" for j in range(X.shape[1])])
    wanted = scores_of(make_ranker(), X, y)
    frame = pl.DataFrame(X, schema=list(names))
    for container in (pd.DataFrame(X, columns=names), frame, frame.to_arrow()):
        kind = type(container).__module__.split(".")[0]
        ranker = make_ranker(n_features_to_select=3).fit(container, y)
        seen = getattr(ranker, "feature_names_in_", ())
        assert list(seen) == list(names), f"names of a {kind} table are lost"
        out = ranker.get_feature_names_out()
        assert list(out) == list(names[ranker.support_]), f"wrong names out of a {kind} table"
        selected = ranker.transform(container)
        assert np.array_equal(selected, X[:, ranker.support_]), f"other columns of a {kind} table"
        full = scores_of(make_ranker(), container, y)
        assert_same_scores(ranker, full, wanted, f"a {kind} table", tolerance=1e-9)


def check_set_output(make_ranker):
    X, y = problem()
    X = pd.DataFrame(X).add_prefix("gene ").set_axis(range(100, 160), axis=0)
    frame = pl.from_pandas(X)
    for container, kind in [("pandas", pd.DataFrame), ("polars", pl.DataFrame)]:
        ranker = make_ranker(n_features_to_select=3).set_output(transform=container).fit(X, y)
        names = X.columns[ranker.support_]
        for table in (X, frame, frame.to_arrow()):
            out = ranker.transform(table)
            assert isinstance(out, kind), f"set_output(transform={container!r}) gives {type(out)}"
            assert list(out.columns) == list(names), "wrong names out"
            assert np.array_equal(out.to_numpy(), X[names].to_numpy()), "wrong columns out"
        if container == "pandas":
            assert ranker.transform(X).index.equals(X.index), "rows lose their index"


def check_memory_layout(make_ranker):
    X, y = problem()
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]))
    wide[::2, ::3] = X
    frozen = X.copy()
    frozen.flags.writeable = False
    layouts = {
        "Fortran order": np.asfortranarray(X),
        "strides": wide[::2, ::3],
        "strides of Fortran order": np.asfortranarray(wide)[::2, ::3],
        "negative strides": X[::-1, ::-1].copy()[::-1, ::-1],
        "read-only memory": frozen,
        "the other byte order": X.astype(">f8"),
        "nested lists": X.tolist(),
    }
    wanted = scores_of(make_ranker(), X, y)
    for layout, same in layouts.items():
        got = scores_of(make_ranker(), same, y)
        assert_same_scores(make_ranker(), got, wanted, layout, tolerance=1e-9)


def check_memory_mapped_files(make_ranker):
    X, y = problem()
    wanted = scores_of(make_ranker(n_features_to_select=3), X, y)
    for order in ("C", "F"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "X.npy"
            np.save(path, np.asarray(X, order=order))
            mapped = np.load(path, mmap_mode="r")
            ranker = make_ranker(n_features_to_select=3).fit(mapped, y)
            assert np.array_equal(ranker.transform(mapped), X[:, ranker.support_])
        assert_same_scores(ranker, ranker.scores_, wanted, "a memory-mapped file", tolerance=1e-9)


def check_float32(make_ranker):
    """The values are the same; methods that add up in float32 may round a little."""
    X, y = problem()
    wanted = scores_of(make_ranker(), X, y)
    for order in ("C", "F"):
        got = scores_of(make_ranker(), X.astype(np.float32, order=order), y)
        assert_same_scores(make_ranker(), got, wanted, "float32", tolerance=1e-4)


def check_numbers_of_any_type(make_ranker):
    """Integers, booleans and short floats rank as the same numbers in float64 do."""
    X, y = problem()
    tables = {
        (np.int8, np.uint16, np.int64, np.uint64): np.round(4 * X),
        (np.float16,): X.astype(np.float16).astype(np.float64),
        (np.bool_,): (X > 9).astype(np.float64),
    }
    for kinds, numbers in tables.items():
        wanted = scores_of(make_ranker(), numbers, y)
        for kind in kinds:
            table, name = numbers.astype(kind), kind.__name__
            ranker = make_ranker().fit(table, y)
            assert_same_scores(ranker, ranker.scores_, wanted, name, tolerance=1e-4)
            assert ranker.transform(table).dtype == kind, f"transform changes the type {name}"


def check_clone_and_pickle(make_ranker):
    X, y = problem()
    X = pd.DataFrame(X).add_prefix("gene ")
    ranker = make_ranker(n_features_to_select=3).fit(X, y)
    copy = clone(ranker)
    assert parameters_of(copy) == parameters_of(ranker), "a clone has other parameters"
    assert not hasattr(copy, "scores_"), "a clone is fitted"
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        loaded = pickle.loads(pickle.dumps(ranker, protocol))
        loaded_scores = getattr(loaded, "scores_", None)
        assert np.array_equal(loaded_scores, ranker.scores_), "a pickle loses the scores"
        assert list(loaded.get_feature_names_out()) == list(ranker.get_feature_names_out())
        assert np.array_equal(loaded.transform(X), ranker.transform(X))


def check_pipeline_and_grid_search(make_ranker):
    X, y = problem()
    pipeline = make_pipeline(make_ranker(), LogisticRegression())
    name = pipeline.steps[0][0]
    search = GridSearchCV(pipeline, {f"{name}__n_features_to_select": [1, 2]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.9, "a pipeline loses the signal"
    selected = search.best_estimator_[0].support_.sum()
    assert selected == search.best_params_[f"{name}__n_features_to_select"], (
        "the grid's parameter is not used"
    )


def check_blocks_and_workers(make_ranker):
    """Any split into blocks, any number of workers, the same bits."""
    if "n_jobs" not in parameters_of(make_ranker()):
        return
    X, y = problem(n_samples=30, n_features=200)
    wanted = scores_of(make_ranker(n_jobs=1), X, y)
    for size in (1, 40_000):
        with mock.patch("featrank.summaries.columns.BLOCK_BYTES", size):
            for n_jobs in (1, 2, -1):
                got = scores_of(make_ranker(n_jobs=n_jobs), X, y)
                assert np.array_equal(got, wanted), f"n_jobs={n_jobs} or blocks change scores"
