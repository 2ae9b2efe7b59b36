"""What a class declares: it is the only record of a method."""

import inspect
import re
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.sparse import coo_array, csc_array, csc_matrix, csr_array, csr_matrix
from sklearn.utils import get_tags

from featrank.base.ranker import FAMILIES, TASKS

from .tools import (
    SIGNAL,
    assert_ranks,
    assert_refused,
    assert_same_scores,
    parameters_of,
    problem,
    scores_of,
)

KINDS = {"filter", "wrapper", "embedded"}
INVARIANCES = {"shift", "scale", "monotone"}
TRAITS = ("supervised", "multiclass", "accepts_sparse", "accepts_nan", "stochastic", "selects")


def check_class_says_what_it_is(make_ranker):
    cls = type(make_ranker())
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cls.name), f"name is {cls.name!r}"
    assert cls.kind in KINDS, f"kind is {cls.kind!r}"
    assert cls.family in FAMILIES, f"family is {cls.family!r}"
    assert set(cls.tasks) <= set(TASKS), f"tasks are {cls.tasks}"
    assert ("regression" in cls.tasks) == ("task" in parameters_of(make_ranker())), (
        "a method has a parameter task if and only if it declares that it takes quantities"
    )
    for trait in TRAITS:
        assert isinstance(getattr(cls, trait), bool), f"{trait} is not a bool"
    for text in ("purpose", "complexity", "published_complexity", "reference"):
        assert getattr(cls, text, None), f"{text} is missing"
    assert getattr(cls, "invariances", frozenset()) <= INVARIANCES, "unknown invariance"
    tags = get_tags(make_ranker())
    declared = (cls.supervised, cls.accepts_sparse, cls.accepts_nan)
    tagged = (tags.target_tags.required, tags.input_tags.sparse, tags.input_tags.allow_nan)
    assert tagged == declared, "the tags of scikit-learn are not those of the class"


def check_signature(make_ranker):
    """The first parameter is the number of features; all others go by name."""
    ranker = make_ranker()
    first, *others = inspect.signature(type(ranker)).parameters.values()
    assert (first.name, first.default) == ("n_features_to_select", None), "wrong first parameter"
    for parameter in others:
        assert parameter.kind is parameter.KEYWORD_ONLY, f"{parameter.name} goes by position"
    assert ranker.stochastic == ("random_state" in parameters_of(ranker)), (
        "a method has random_state if and only if it declares itself stochastic"
    )
    assert set(ranker._parameter_constraints) == set(parameters_of(ranker)), (
        "not every parameter has constraints"
    )


def check_docstring(make_ranker):
    ranker = make_ranker()
    text = inspect.getdoc(type(ranker))
    headings = {title for title, line in pairwise(text.splitlines()) if set(line) == {"-"}}
    missing = {"Parameters", "References", "Examples"} - headings
    assert not missing, f"the docstring lacks {missing}"
    for name in parameters_of(ranker):
        assert f"\n{name} : " in text, f"{name} is not documented"


def check_labels_are_used_as_declared(make_ranker):
    ranker = make_ranker()
    X, y = problem()
    if ranker.supervised:
        assert_refused(lambda: ranker.fit(X), "a fit without labels", "requires y")
        return
    assert_ranks(ranker.fit(X), X.shape[1])
    with_labels = scores_of(make_ranker(), X, y)
    assert np.array_equal(ranker.scores_, with_labels), "labels change an unsupervised ranking"


def check_several_classes_as_declared(make_ranker):
    ranker = make_ranker()
    X, y = problem(n_classes=3)
    if not ranker.multiclass and not ranker._regresses:
        assert_refused(lambda: ranker.fit(X, y), "a third class", "two classes", "3")
        return
    X[:, SIGNAL] -= 6 * np.minimum(y, 1)  # classes 0 and 1 alone say nothing
    assert ranker.fit(X, y).order_[0] == SIGNAL, "a signal of the third class is not seen"


def check_how_many_to_keep_as_declared(make_ranker):
    """The features that a method keeps by itself are its best ones, if it says which."""
    X, y = problem(n_samples=80)
    ranker = make_ranker(n_features_to_select="auto")
    if not ranker.selects:
        assert_refused(
            lambda: ranker.fit(X, y),
            '"auto"',
            "cannot choose the number of features",
            "`n_features_to_select=20`",
            "boruta",
        )
        return
    ranker.fit(X, y)
    kept = ranker.get_support(indices=True)
    assert 0 < len(kept) < X.shape[1], "all features or none are kept"
    assert set(kept) == set(ranker.order_[: len(kept)]), "those kept are not the best"
    assert SIGNAL in kept, "the signal is not kept"
    assert f"keeps {len(kept)} of" in " ".join(ranker.notes()), "remarks do not tell how many"
    every = make_ranker().fit(X, y)
    assert np.array_equal(every.scores_, ranker.scores_), "scores depend on it"
    assert every.support_.all(), "features are dropped unasked"


def check_sparse_as_declared(make_ranker):
    ranker = make_ranker()
    X, y = problem()
    X[X < 7.5] = 0
    if not ranker.accepts_sparse:
        fit = ranker.fit
        assert_refused(lambda: fit(csr_array(X), y), "sparse data", "sparse", "toarray")
        return
    arrays, matrices = (csr_array, csc_array, coo_array), (csr_matrix, csc_matrix)
    for kind, containers in ((np.float64, arrays), (np.float32, matrices)):
        table = X.astype(kind)
        dense = scores_of(make_ranker(n_features_to_select=3), table, y)
        for container in containers:
            sparse = container(table)
            ranker = make_ranker(n_features_to_select=3).fit(sparse, y)
            assert np.array_equal(ranker.scores_, dense), f"{container.__name__}: other scores"
            assert np.array_equal(ranker.transform(sparse).toarray(), table[:, ranker.support_])


def check_missing_values_as_declared(make_ranker):
    ranker = make_ranker()
    X, y = problem()
    X[[3, 5], 2] = np.nan
    if not ranker.accepts_nan:
        what = ("column 2 (2)", "SimpleImputer")
        assert_refused(lambda: ranker.fit(X, y), "NaN", *what)
        return
    assert_ranks(ranker.fit(X, y), X.shape[1])
    assert ranker.order_[0] == SIGNAL, "two missing values hide the signal"


def check_infinity_is_refused(make_ranker):
    """Beside NaN too, where NaN is accepted."""
    X, y = problem()
    X[0, 3] = np.nan if make_ranker().accepts_nan else X[0, 3]
    for value in (np.inf, -np.inf):
        X[[1, 4, 9], 0] = value
        assert_refused(
            lambda: make_ranker().fit(X, y), "infinity", "infinity: 3 values in 1", "column 0 (3)"
        )


def check_values_too_large_are_refused(make_ranker):
    """Their squares must not overflow; what is a little smaller gives finite scores."""
    X, y = problem()
    large = X.copy()
    for value in (1e200, -1e200):
        large[[1, 4], 0] = value
        what = ("too large", "2 values in 1 of 20 columns", "column 0 (2)", "Rescale")
        assert_refused(lambda: make_ranker().fit(large, y), "1e200", *what)
    X[:, 3] *= 1e140
    assert np.isfinite(scores_of(make_ranker(), X, y)).all(), "1e140 makes infinite scores"


def check_unusable_columns_are_named(make_ranker):
    X, y = problem()
    accepts_nan = make_ranker().accepts_nan
    for value in [np.inf, 1e200, *([] if accepts_nan else [np.nan])]:
        frame = pd.DataFrame(X).add_prefix("gene ")
        frame.iloc[[2, 8], 5] = value
        what = ("2 values in 1 of 20 columns", "'gene 5' (2)")
        assert_refused(lambda frame=frame: make_ranker().fit(frame, y), f"{value}", *what)


def check_what_is_no_number_is_refused(make_ranker):
    """Dates, and integers that would not be the same as float64, are refused by column."""
    X, y = problem()
    days = (X * 100).astype("datetime64[D]")
    days[0, 0] = np.datetime64("NaT")
    durations = (X * 100).astype("timedelta64[s]")
    for table in (days, durations, durations.astype(object), days.tolist()):
        assert_refused(lambda table=table: make_ranker().fit(table, y), "a date", "dates")
    integers = np.round(4 * X).astype(np.int64)
    integers[:, 2] = 2**53 + y
    assert_refused(lambda: make_ranker().fit(integers, y), "2**53 + 1", "2**53", "column 2")


def check_declared_invariances(make_ranker):
    ranker = make_ranker()
    X, y = problem()
    power = np.random.default_rng(1).integers(-3, 4, size=X.shape[1]).astype(float)
    maps = {
        "shift": lambda: X + 8 * power,
        "scale": lambda: X * 2**power,
        "monotone": lambda: np.where(power > 0, X**3, np.exp(X / 4)),
    }
    wanted = scores_of(ranker, X, y)
    for invariance in sorted(getattr(ranker, "invariances", frozenset())):
        got = scores_of(make_ranker(), maps[invariance](), y)
        assert_same_scores(ranker, got, wanted, f"{invariance}, against the declaration")
