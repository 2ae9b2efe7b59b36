"""The leaky protocol: what it ranks on, and that nobody can mistake its results."""

import json

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from featrank import FisherScore
from featrank.evaluation import Protocol, compare, compare_labels, read_comparison
from featrank.evaluation.data import Data
from featrank.exceptions import UsageError


@pytest.fixture
def made():
    rng = np.random.default_rng(1)
    y = np.arange(45) % 2
    X = rng.normal(size=(45, 30))
    X[:, :3] += 0.8 * y[:, None]
    return X, y


def test_features_are_ranked_on_all_rows_and_nothing_else_is(made):
    """Against scikit-learn: rank everything, then tune C and train on the training rows alone."""
    X, y = made
    protocol = Protocol(n_repeats=4, n_features=(4,), C=(0.01, 1.0), leaky=True)
    done = compare(X, y, ["fisher"], protocol)
    order = np.argsort(FisherScore().fit(X, y).ranking_)
    data = Data.of(X, y, None, "made")
    for trial in range(4):
        np.testing.assert_array_equal(done.rankings["fisher"][trial], order)
        train, test = protocol.split(data, trial)
        chosen = X[:, order[:4]]
        place = {row: number for number, row in enumerate(train)}
        folds = [
            ([place[r] for r in fit], [place[r] for r in rest])
            for fit, rest in protocol.inner(data, train, trial)
        ]
        svm = make_pipeline(StandardScaler(), SVC(kernel="linear"))
        search = GridSearchCV(svm, {"svc__C": [0.01, 1.0]}, scoring="roc_auc", cv=folds)
        search.fit(chosen[train], y[train])
        row = done.trials[trial].rows[0]
        assert row["C"] == search.best_params_["svc__C"]
        assert row["score"] == pytest.approx(search.score(chosen[test], y[test]), abs=1e-9)


def test_the_honest_protocol_ranks_on_the_training_rows(made):
    X, y = made
    done = compare(X, y, ["fisher"], Protocol(n_repeats=4, n_features=(4,), C=(1.0,)))
    everything = np.argsort(FisherScore().fit(X, y).ranking_)
    assert not any(np.array_equal(order, everything) for order in done.rankings["fisher"])


def test_alpha_is_chosen_inside_the_training_rows(made):
    X, y = made
    protocol = Protocol(n_repeats=3, n_features=(4,), C=(1.0,), leaky=True)
    params = compare(X, y, ["ec-fs"], protocol).frame.filter(method="ec-fs")["params"]
    assert len(params) == 3
    assert all(0 <= json.loads(text)["alpha"] <= 1 for text in params)


def test_results_say_what_they_are(made, tmp_path):
    X, y = made
    leaky = Protocol(n_repeats=2, n_features=(4,), C=(1.0,), leaky=True)
    compare(X, y, ["fisher"], leaky, dataset="made", out_dir=tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["protocol"]["leaky"] is True
    assert manifest["data"]["name"] == "made (LEAKY: ranked on all rows)"
    assert "LEAKY" in (tmp_path / "results.csv").read_text().splitlines()[1]
    assert "LEAKY" in repr(read_comparison(tmp_path))
    honest = Protocol(n_repeats=2, n_features=(4,), C=(1.0,))
    with pytest.raises(UsageError, match=r"different data .* and protocol .leaky."):
        compare(X, y, ["fisher"], honest, dataset="made", out_dir=tmp_path, resume=True)


def test_labels_have_no_leaky_protocol(made):
    X, y = made
    Y = np.column_stack([y, 1 - y])
    with pytest.raises(UsageError, match="not supported for multi-label data"):
        compare_labels(X, Y, ["fisher"], Protocol(n_repeats=1, n_features=(2,), leaky=True))
