"""What must not matter."""

import numpy as np

from .tools import assert_same_scores, problem, scores_of


def check_column_order(make_ranker):
    """Columns in another order carry their scores with them."""
    X, y = problem()
    order = np.random.default_rng(1).permutation(X.shape[1])
    wanted = scores_of(make_ranker(), X, y)[order]
    got = scores_of(make_ranker(), X[:, order], y)
    assert_same_scores(make_ranker(), got, wanted, "the order of columns")


def check_row_order(make_ranker):
    X, y = problem()
    order = np.random.default_rng(1).permutation(X.shape[0])
    wanted = scores_of(make_ranker(), X, y)
    got = scores_of(make_ranker(), X[order], y[order])
    assert_same_scores(make_ranker(), got, wanted, "the order of rows")


def check_label_names(make_ranker):
    X, y = problem()
    wanted = scores_of(make_ranker(), X, y)
    renamed = {
        "swapped labels": 1 - y,
        "labels far apart": np.where(y, -1000, 7),
        "string labels": np.where(y, "Aa", "zz"),
        "objects": np.where(y, "x", "ü").astype(object),
        "booleans": y == 0,
        "float labels": np.where(y, 2.0, 5.0),
        "a list": y.tolist(),
    }
    if make_ranker()._regresses:  # numbers are no names
        numbers = {"booleans": y == 1, "floats": y.astype(np.float32), "a list": y.tolist()}
        renamed = numbers | {"objects": y.astype(object)}
    for naming, labels in renamed.items():
        got = scores_of(make_ranker(), X, labels)
        assert_same_scores(make_ranker(), got, wanted, naming)
    if make_ranker().multiclass and not make_ranker()._regresses:
        X, y = problem(n_classes=4)
        wanted = scores_of(make_ranker(), X, y)
        got = scores_of(make_ranker(), X, np.array(["d", "a", "c", "b"])[y])
        assert_same_scores(make_ranker(), got, wanted, "names of four classes")
