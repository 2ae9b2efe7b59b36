"""One call from a file: the same as reading it and calling the library by hand."""

import re
from contextlib import nullcontext

import numpy as np
import pytest

import featrank
from featrank import tables
from featrank._utils.progress import progress_to, stages_to
from featrank.exceptions import DataError, FeatrankWarning, UsageError


@pytest.fixture
def values(data):
    X, y = data
    return X, np.where(y, "sick", "well")


@pytest.fixture
def file(values, names, tmp_path):
    X, y = values
    tables.write_table(tmp_path / "data.csv", tables.Table(X, names, y, "diagnosis"))
    return tmp_path / "data.csv"


@pytest.mark.parametrize("target", ["diagnosis", "-1", -1])
def test_ranks_what_the_file_holds(file, values, names, target):
    X, y = values
    found = featrank.rank_file(file, target, "fisher")
    assert found.feature_names == names
    np.testing.assert_array_equal(found.scores, featrank.FisherScore().fit(X, y).scores_)
    assert found.class_sizes() == [
        {"label": "sick", "samples": 30},
        {"label": "well", "samples": 30},
    ]


def test_options_reach_the_ranking(file, values, names):
    X, y = values
    found = featrank.rank_file(
        str(file), "diagnosis", top=3, drop="gene 4", alpha=0.3, n_jobs=1, per_class=True
    )
    kept = [j for j in range(12) if names[j] != "gene 4"]
    expected = featrank.rank(X[:, kept], y, top=3, alpha=0.3, per_class=True)
    for label in ("sick", "well"):
        np.testing.assert_array_equal(found[label].scores, expected[label].scores)
        assert found[label].params["alpha"] == 0.3


def test_quantities_groups_and_missing_values(tmp_path):
    rng = np.random.default_rng(0)
    X, dose = rng.normal(size=(60, 5)), rng.normal(size=60)
    X[:, 2] += 3 * dose
    X[7, 1] = np.nan
    patient = np.arange(60) // 4
    names = ["a", "b", "c", "d", "e", "patient"]
    tables.write_table(
        tmp_path / "data.csv", tables.Table(np.column_stack([X, patient]), names, dose, "dose")
    )
    found = featrank.rank_file(
        tmp_path / "data.csv", "dose", target_bins=3, groups="patient", missing="mean"
    )
    X[7, 1] = np.nanmean(X[:, 1])
    y = featrank.bin_target(dose, 3)
    expected = featrank.rank(X, y, groups=patient, feature_names=names[:5])
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-12)
    assert found.tuned_params() == expected.tuned_params()
    assert found.feature_names == names[:5]


def test_methods_that_take_no_labels_need_no_target(file):
    found = featrank.rank_file(file, method="laplacian", drop=["diagnosis"])
    assert len(found) == 12
    assert found.class_sizes() == []


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({}, "needs a target"),
        ({"target": -1, "top": 13}, "`top=13` exceeds the 12 features of 'data.csv'"),
        ({"target": -1, "method": "fischer"}, "Did you mean 'fisher'"),
        ({"target": -1, "alpah": 0.3}, "Did you mean 'alpha'"),
        ({"target": -1, "alpha": 3}, "alpha"),
        ({"target": -1, "n_job": 3}, "Did you mean 'n_jobs'"),
        ({"target": -1, "drop": "gene 99"}, "gene 99"),
        ({"target": -1, "missing": "zero"}, "zero"),
    ],
)
def test_what_cannot_be_is_refused(file, call, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        featrank.rank_file(file, **call)


@pytest.mark.parametrize("call", [{}, {"target": -1, "alpah": 1}, {"target": -1, "alpha": 3}])
def test_refusals_come_before_the_reading(file, monkeypatch, call):
    monkeypatch.setattr(tables, "read_file", lambda *_, **__: pytest.fail("was read"))
    with pytest.raises(UsageError):
        featrank.rank_file(file, **call)


def test_the_same_refusals_without_a_file(data):
    for params in ({"alpha": 3}, {"alpah": 0.3}, {"kernel": "cubic"}):
        with pytest.raises(UsageError, match=next(iter(params))):
            featrank.rank(*data, **params)


@pytest.mark.parametrize(("top", "count"), [(3, 3), (0.5, 6)])
def test_selects_the_best_as_a_file(file, values, tmp_path, top, count):
    X, y = values
    output = tmp_path / "small.parquet"
    done = featrank.select_file(file, output, "diagnosis", "fisher", top=top)
    best = {f"gene {j}" for j in featrank.FisherScore(count).fit(X, y).order_[:count]}
    assert set(done.kept) == best == set(done.ranking.top(count))
    kept = tables.read_table(output, target="diagnosis")
    assert kept.feature_names == done.kept
    np.testing.assert_array_equal(kept.y, y)
    np.testing.assert_array_equal(kept.X, X[:, [int(name.split()[1]) for name in done.kept]])
    assert (done.n_features, done.n_samples, done.output) == (12, 60, output)
    assert done.lost == ""
    bare = featrank.select_file(file, tmp_path / "small.npy", -1, "fisher", top=1)
    assert bare.lost == "no labels and no names"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("data.csv", "is the input itself"),
        ("small.docx", "Known extensions"),
        ("absent/small.csv", "does not exist"),
    ],
)
def test_outputs_that_cannot_be_are_refused_before_the_reading(file, monkeypatch, output, words):
    monkeypatch.setattr(tables, "read_file", lambda *_, **__: pytest.fail("was read"))
    with pytest.raises(UsageError, match=words):
        featrank.select_file(file, file.parent / output, -1, top=2)


def test_whoever_listens_hears_the_stages(file, tmp_path, capfd):
    heard = []

    def shown(what, done):
        heard.append((what, done))
        return nullcontext()

    with stages_to(shown), progress_to(lambda done, total: None):
        featrank.select_file(file, tmp_path / "small.csv", -1, "fisher", top=2)
    assert heard == [
        ("Reading data.csv", ""),
        ("Ranking 12 features", "Ranked 12 features of 60 samples by fisher"),
        ("Writing small.csv", ""),
    ]
    featrank.rank_file(file, -1, "fisher")
    assert len(heard) == 3
    assert capfd.readouterr() == ("", "")


def test_names_of_samples_are_no_target(tmp_path):
    (tmp_path / "d.csv").write_text("a,title\n1,u\n2,v\n3,w\n4,x\n")
    with (
        pytest.warns(FeatrankWarning, match="too small"),
        pytest.raises(DataError, match=r"different value for each of 4 samples \('u', 'v', …\)"),
    ):
        featrank.rank_file(tmp_path / "d.csv", "title", "fisher")
