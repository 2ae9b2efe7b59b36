"""Odd calls end in an answer or in a sentence, leave their input alone, and repeat to the bit."""

import os
import pickle
import re
import warnings

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

import featrank
from featrank.evaluation import Protocol, compare
from featrank.exceptions import FeatrankError

from .odd_inputs import frames, labels, matrices, sparse_matrices

# FEATRANK_FUZZ is how many examples `make fuzz` asks for.
ASKED = int(os.environ.get("FEATRANK_FUZZ", 0))


def profile(examples):
    return settings(
        max_examples=max(examples, ASKED * examples // 1000),
        deadline=None,
        derandomize=not ASKED,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


METHODS = featrank.methods()


def tried(call):
    """Return what a call gives, or its refusal, which has to be a sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (FeatrankError, ValueError, TypeError) as error:
            return refusal(error)


def refusal(error):
    text = str(error)
    assert re.search(r"\w+ \w+", text), f"{type(error).__name__}({text!r}) is no sentence"
    assert "featrank kernel" not in text, text
    assert "incompatible function arguments" not in text, text
    return type(error).__name__, text


def same(first, second):
    """Hold that two outcomes are the same to the bit."""
    if isinstance(first, tuple) or isinstance(second, tuple):
        assert first == second
        return
    np.testing.assert_array_equal(first.scores, second.scores)
    np.testing.assert_array_equal(first.order, second.order)


def sound(ranking):
    if not isinstance(ranking, tuple):
        assert not np.isnan(ranking.scores).any()
        assert not np.isneginf(ranking.scores).any()
        assert sorted(ranking.order.tolist()) == list(range(len(ranking.scores)))


def bytes_of(value):
    """Return what tells whether an input was changed."""
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return value.tobytes(), value.dtype.str, value.strides, value.flags.writeable
    if sparse.issparse(value):  # whose flags SciPy sets whenever somebody asks
        stored = value if value.format in ("csr", "csc", "coo") else value.tocoo()
        names = ("row", "col") if stored.format == "coo" else ("indices", "indptr")
        return value.format, *(getattr(stored, name).tobytes() for name in ("data", *names))
    return pickle.dumps(value)


def ranked(X, y, method, n_jobs):
    parameters = {"n_jobs": n_jobs} if "n_jobs" in METHODS[method]().get_params() else {}
    return tried(lambda: featrank.rank(X, y, method, **parameters))


def check_rank(X, y, method):
    before = bytes_of(X), bytes_of(y)
    first = ranked(X, y, method, 1)
    sound(first)
    same(first, ranked(X, y, method, 2))
    assert (bytes_of(X), bytes_of(y)) == before


def height_of(X):
    return X.shape[0] if hasattr(X, "shape") else len(X)


@profile(600)
@given(st.data())
def test_rank_of_odd_arrays(data):
    X = data.draw(matrices())
    check_rank(X, data.draw(labels(height_of(X))), data.draw(st.sampled_from(sorted(METHODS))))


@profile(300)
@given(st.data())
def test_rank_of_odd_sparse_matrices(data):
    X = data.draw(sparse_matrices())
    check_rank(X, data.draw(labels(height_of(X))), data.draw(st.sampled_from(sorted(METHODS))))


@profile(300)
@given(st.data())
def test_rank_of_odd_frames(data):
    X = data.draw(frames())
    check_rank(X, data.draw(labels(height_of(X))), data.draw(st.sampled_from(sorted(METHODS))))


@profile(300)
@given(st.data())
def test_fit_and_transform(data):
    """What was fitted transforms the same data, to as many columns as it says."""
    X = data.draw(matrices() | sparse_matrices() | frames())
    y = data.draw(labels(height_of(X)))
    count = data.draw(st.sampled_from([None, 1, 2, 0.5, 1.0, 0, -1, 99, np.int8(1), True, "2"]))
    cls = data.draw(st.sampled_from([featrank.FisherScore, featrank.ECFS, featrank.MRMR]))
    before = bytes_of(X), bytes_of(y)
    ranker = tried(lambda: cls(n_features_to_select=count).fit(X, y))
    if not isinstance(ranker, tuple):
        kept = ranker.transform(X)
        assert kept.shape == (height_of(X), ranker.get_support().sum())
    assert (bytes_of(X), bytes_of(y)) == before


PROTOCOL = Protocol(n_repeats=1, n_features=(1,), C=(1.0,), inner_cv=2)


@profile(60)
@given(st.data())
def test_compare(data):
    X = data.draw(matrices() | frames())
    y = data.draw(labels(height_of(X)))
    before = bytes_of(X), bytes_of(y)
    found = [tried(lambda: compare(X, y, ["fisher"], PROTOCOL)) for _ in range(2)]
    assert (bytes_of(X), bytes_of(y)) == before
    if isinstance(found[0], tuple) or isinstance(found[1], tuple):
        assert found[0] == found[1]
        return
    tables = [pd.DataFrame(one.table()).drop(columns="seconds", errors="ignore") for one in found]
    pd.testing.assert_frame_equal(*tables, check_exact=True)
