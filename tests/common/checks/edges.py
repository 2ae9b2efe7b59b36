"""The smallest, widest and dullest tables."""

import warnings

import numpy as np

from .tools import SIGNAL, assert_ranks, assert_refused, problem


def check_one_feature(make_ranker):
    X, y = problem(n_features=1, signal=0)
    ranker = make_ranker(n_features_to_select=1).fit(X, y)
    assert_ranks(ranker, 1)
    assert ranker.transform(X).shape == X.shape


def check_two_samples_a_class(make_ranker):
    X, y = problem(n_samples=4)
    assert_ranks(make_ranker().fit(X, y), X.shape[1])


def check_one_class_is_refused(make_ranker):
    X, _ = problem()
    ranker = make_ranker()
    if ranker._regresses:
        assert_refused(lambda: ranker.fit(X, np.ones(len(X))), "a single value", "must vary")
    elif ranker.supervised:
        what = ("a single class (sick)", "at least two")
        assert_refused(lambda: ranker.fit(X, ["sick"] * len(X)), "a single class", *what)


def check_far_more_features_than_samples(make_ranker):
    X, y = problem(n_samples=40, n_features=160, signal=159)
    ranker = make_ranker().fit(X, y)
    assert_ranks(ranker, 160)
    assert ranker.order_[0] == 159, "the signal is lost among many features"


def check_dull_columns(make_ranker):
    """Columns without spread, equal columns and few values: no NaN, and no 0/0 on the way."""
    X, y = problem()
    half = X.copy()
    half[:, SIGNAL + 1 :] = 3.0
    tables = {
        "only constants": np.ones_like(X),
        "only zeros": np.zeros_like(X),
        "many constants": half,
        "equal columns": np.repeat(X[:, [SIGNAL]], 20, axis=1),
        "few values": np.round(X),
        "two values": (X > 8.5).astype(float),
        "one value that differs": np.eye(60, 20),
        "the class itself": np.column_stack([X, y.astype(float)]),
    }
    for kind, table in tables.items():
        ranker = make_ranker()
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            try:
                ranker.fit(table, y)
            except RuntimeWarning as warning:
                raise AssertionError(f"{kind}: {warning}") from warning
        assert_ranks(ranker, table.shape[1])
        if kind.startswith("only"):
            assert np.array_equal(ranker.order_, np.arange(20)), f"{kind}: not the order of columns"


def check_large_means(make_ranker):
    """A mean of a million times the spread does not hide the signal."""
    X, y = problem()
    ranker = make_ranker().fit(X + 2.0**20, y)
    assert_ranks(ranker, X.shape[1])
    assert ranker.order_[0] == SIGNAL, "a large mean hides the signal"
