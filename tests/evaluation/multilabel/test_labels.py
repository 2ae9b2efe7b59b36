"""Comparisons on multi-label data: each label its own problem, all on one split."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import average_precision_score
from sklearn.model_selection import PredefinedSplit, ShuffleSplit
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from featrank import FisherScore
from featrank.base.ranker import Ranker
from featrank.evaluation import (
    LabelData,
    Protocol,
    average_precision_scorer,
    compare,
    compare_labels,
    read_comparison,
    read_label_comparison,
    read_labels,
)
from featrank.exceptions import DataError, UsageError
from tests.statistics.test_metrics import plain_11_point

QUICK = Protocol(n_repeats=2, n_features=(2, 4), C=(0.01, 0.1), inner_cv=3)


@pytest.fixture
def planted():
    """Return 90 × 20 with 3 labels; columns 4c to 4c + 3 tell label c."""
    rng = np.random.default_rng(0)
    Y = rng.random((90, 3)) < (0.5, 0.35, 0.3)
    X = rng.normal(5, 1, size=(90, 20))
    for label in range(3):
        X[:, 4 * label : 4 * label + 4] += 1.5 * Y[:, [label]]
    return X, Y.astype(int)


class Spy(Ranker):
    name = "spy"
    seen = []  # noqa: RUF012

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        self.seen.append((set(X[:, 0].tolist()), int(np.sum(y))))
        return X[0].astype(float)


class FailsOnRare(Spy):
    name = "fails on rare"

    def _score(self, X, y):
        if np.mean(y) < 0.4:
            raise ValueError("too rare")
        return X[0].astype(float)


def without_times(comparison):
    return comparison.frame.drop("ranking_seconds")


def test_each_label_has_its_own_features(planted):
    comparison = compare_labels(*planted, ["fisher", "ec-fs"], QUICK)
    for label, name in enumerate(comparison.classes):
        one = comparison.of_class(name)
        for order in one.rankings["fisher"]:
            assert set(order[:4]) == set(range(4 * label, 4 * label + 4))
        assert [trial.number for trial in one.trials] == [0, 1]
    assert (comparison.precisions(4) > 0.75).all()


def test_scores_are_those_of_a_plain_svm(planted):
    X, Y = planted
    split = np.where(np.arange(90) < 60, "train", "test")
    protocol = Protocol(n_features=(4,), C=(0.1,))
    comparison = compare_labels(X, Y, ["fisher"], protocol, split=split)
    usual, eleven = [], []
    for y in Y.T:
        columns = FisherScore(4).fit(X[:60], y[:60]).order_[:4]
        scaler = StandardScaler().fit(X[:60, columns])
        model = SVC(kernel="linear", C=0.1).fit(scaler.transform(X[:60, columns]), y[:60])
        decisions = model.decision_function(scaler.transform(X[60:, columns]))
        usual.append(average_precision_score(y[60:], decisions))
        eleven.append(plain_11_point(y[60:], decisions))
    assert comparison.precisions(4)[:, 0] == pytest.approx(usual, abs=1e-3)
    assert comparison.precisions(4, "11-point")[:, 0] == pytest.approx(eleven, abs=1e-3)
    assert comparison.mean_average_precision(4) == pytest.approx({"fisher": np.mean(usual)}, 1e-3)


def test_a_label_is_a_comparison_of_two_classes(planted):
    """Everything tuned, the same numbers as label by label with the same splits."""
    X, Y = planted
    splitter = ShuffleSplit(2, test_size=1 / 3, random_state=3)
    protocol = replace(QUICK, cv=splitter)
    together = compare_labels(X, Y, ["ec-fs", "mi"], protocol)
    alone = replace(protocol, scoring=average_precision_scorer)
    for label, name in enumerate(together.classes):
        expected = compare(X, Y[:, label], ["ec-fs", "mi"], alone)
        got = together.of_class(name)
        assert without_times(got).drop("label").equals(without_times(expected))
        assert "score_11" in expected.frame.columns


def test_parameters_are_tuned_for_each_label():
    """One label is told by features of large spread, among much noise; the other by small ones."""
    rng = np.random.default_rng(1)
    Y = rng.random((120, 2)) < 0.5
    X = rng.normal(50, 1, size=(120, 400))
    X[:, :10] += 20 * rng.normal(size=(120, 10))
    X[:, :10] += 15 * Y[:, [0]]
    X[:, 20:30] += 1.5 * Y[:, [1]]
    protocol = Protocol(n_repeats=2, n_features=(10,), C=(0.01, 1.0), inner_cv=3)
    frame = compare_labels(X, Y, ["ec-fs"], protocol).frame.filter(method="ec-fs")
    alphas = {
        name: {json.loads(text)["alpha"] for text in frame.filter(label=name)["params"]}
        for name in ("class 0", "class 1")
    }
    assert alphas["class 0"] != alphas["class 1"]
    assert 0.0 not in alphas["class 1"]
    assert (frame["score"] > 0.8).all()


def test_rankers_see_training_rows_only(planted):
    X, Y = planted
    Spy.seen.clear()
    split = np.repeat([0, 1, 2], 30)
    compare_labels(X, Y, [Spy()], replace(QUICK, n_features=(2,)), split=split)
    assert len(Spy.seen) == 3 * 4
    for label in range(3):
        fits = Spy.seen[4 * label : 4 * label + 4]
        assert fits[3] == (set(X[:60, 0]), Y[:60, label].sum())
        assert all(seen < set(X[:60, 0]) for seen, _ in fits[:3])


def test_labels_without_meaning_score_their_share():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(120, 100)), rng.random((120, 6)) < 0.5
    protocol = Protocol(n_repeats=3, n_features=(5,), C=(0.01,))
    means = compare_labels(X, Y, ["fisher", "mi"], protocol).mean_average_precision(5)
    assert list(means.values()) == pytest.approx([0.53, 0.53], abs=0.06)


def test_all_labels_share_the_split(planted):
    X, Y = planted
    protocol = replace(QUICK, n_features=(2,), C=(0.1,))
    Spy.seen.clear()
    compare_labels(X, Y, [Spy()], protocol)
    rows = [seen for seen, _ in Spy.seen]
    assert rows[0] == rows[1] == rows[2]
    assert rows[3] == rows[4] == rows[5] != rows[0]
    assert len(rows[0]) == 60


def test_jobs_change_nothing():
    X, Y = make_multilabel_classification(90, 20, n_classes=3, random_state=0)
    one = compare_labels(X, Y, ["ec-fs", "mi"], QUICK)
    two = compare_labels(X, Y, ["ec-fs", "mi"], QUICK, n_jobs=2)
    assert without_times(one).equals(without_times(two))
    assert [part.number for part in two.parts] == list(range(6))


def test_resume_takes_up_what_is_there(planted, tmp_path):
    X, Y = planted
    whole = compare_labels(X, Y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path)
    first = tmp_path / "trials" / "00000.npz"
    before = first.stat().st_mtime_ns
    (tmp_path / "trials" / "00004.npz").unlink()
    (tmp_path / "trials" / ".0a1b.00004.npz").write_bytes(b"half")
    assert len(read_label_comparison(tmp_path).parts) == 5
    with pytest.raises(UsageError, match="already contains results"):
        compare_labels(X, Y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path)
    again = compare_labels(X, Y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path, resume=True)
    assert without_times(again).equals(without_times(whole))
    assert first.stat().st_mtime_ns == before
    more = replace(QUICK, n_repeats=3)
    grown = compare_labels(X, Y, ["ec-fs", "fisher"], more, out_dir=tmp_path, resume=True)
    assert without_times(grown)[: len(whole.frame)].equals(without_times(whole))
    with pytest.raises(UsageError, match=r"different data \(sha256\)"):
        compare_labels(X, 1 - Y, ["ec-fs", "fisher"], more, out_dir=tmp_path, resume=True)
    with pytest.raises(UsageError, match=r"class_names"):
        compare_labels(
            X, Y, ["ec-fs", "fisher"], more, class_names=list("abc"), out_dir=tmp_path, resume=True
        )


def test_folder_has_both_precisions(planted, tmp_path):
    comparison = compare_labels(
        *planted, ["fisher"], QUICK, class_names=["cat", "dog", "cow"], out_dir=tmp_path
    )
    csv = pl.read_csv(tmp_path / "results.csv")
    assert csv.columns[-2:] == ["label", "score_11"]
    assert csv["label"].unique(maintain_order=True).to_list() == ["cat", "dog", "cow"]
    assert pl.read_parquet(tmp_path / "results.parquet").equals(comparison.frame)
    assert read_label_comparison(tmp_path).table(2) == comparison.table(2)
    with np.load(tmp_path / "rankings.npz") as stored:
        assert stored["fisher"].shape == (6, 20)
    with pytest.raises(UsageError, match="read_label_comparison"):
        read_comparison(tmp_path)
    compare(planted[0], planted[1][:, 0], ["fisher"], QUICK, out_dir=tmp_path / "one")
    with pytest.raises(UsageError, match="read_comparison"):
        read_label_comparison(tmp_path / "one")


def test_a_label_that_cannot_be_judged_has_a_reason(planted):
    X, Y = planted
    Y = np.column_stack([Y, np.zeros(90), np.ones(90), np.arange(90) == 3])
    comparison = compare_labels(X, Y, ["fisher", "mi"], QUICK)
    frame = comparison.frame
    reasons = {name: set(frame.filter(label=name)["reason"]) for name in comparison.classes}
    assert reasons["class 0"] == {""}
    assert reasons["class 3"] == {"0 training rows with the label 'class 3'; at least 2 are needed"}
    assert reasons["class 4"] == {
        "0 training rows without the label 'class 4'; at least 2 are needed"
    }
    assert all("with the label 'class 5'" in reason for reason in reasons["class 5"])
    assert set(frame.filter(label="class 3")["status"]) == {"no score"}
    assert np.isnan(comparison.precisions(2)).all(axis=1).tolist() == [False] * 3 + [True] * 3
    expected = comparison.precisions(2)[:3].mean(axis=0)
    assert list(comparison.mean_average_precision(2).values()) == pytest.approx(expected)
    assert comparison.table(2)[-1]["class"] == "mAP"


def test_a_method_that_lacks_a_label_has_no_mean(planted):
    comparison = compare_labels(*planted, [FailsOnRare(), "fisher"], QUICK)
    means = comparison.mean_average_precision(2)
    assert np.isnan(means["fails on rare"])
    assert 0 < means["fisher"] <= 1
    assert "ValueError: too rare" in set(comparison.frame["reason"])
    assert "fisher" in repr(comparison)


def test_difficult_rows_count_for_nothing(planted):
    X, Y = planted
    difficult = np.zeros_like(Y)
    difficult[::5, 1] = 1
    sides = np.where(np.arange(90) < 60, "trainval", "test")
    marked = np.where(difficult, 0, np.where(Y, 1, -1))
    one = compare_labels(X, Y, ["fisher"], QUICK, difficult=difficult, split=sides)
    two = compare_labels(X, marked, ["fisher"], QUICK, difficult=True, split=sides)
    assert one.precisions(2).tolist() == two.precisions(2).tolist()
    left = difficult[:, 1] == 0
    alone = compare_labels(X[left], Y[left][:, 1:2], ["fisher"], QUICK, split=sides[left])
    assert alone.precisions(2)[0, 0] == one.precisions(2)[1, 0]
    plain = compare_labels(X, Y, ["fisher"], QUICK, split=sides)
    assert plain.precisions(2)[0, 0] == one.precisions(2)[0, 0]
    assert plain.precisions(2)[1, 0] != one.precisions(2)[1, 0]


def test_classes_are_taken_one_against_the_rest():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 20)
    X = rng.normal(size=(60, 12))
    X[:, :3] += 3 * np.repeat(np.eye(3), 20, axis=0)
    one = compare_labels(X, y, ["fisher"], QUICK)
    two = compare_labels(
        X, y[:, None] == ["a", "b", "c"], ["fisher"], QUICK, class_names=list("abc")
    )
    assert one.classes == ("a", "b", "c")
    assert without_times(one).equals(without_times(two))


def test_signs_and_zeros_are_the_same_labels(planted):
    X, Y = planted
    zeros, signs, frame = (
        compare_labels(X, given, ["fisher"], QUICK)
        for given in (Y, 2 * Y - 1, pl.DataFrame(Y, schema=["cat", "dog", "cow"]).to_pandas())
    )
    assert zeros.precisions(2).tolist() == signs.precisions(2).tolist()
    assert frame.classes == ("cat", "dog", "cow")


def test_groups_and_splitters(planted):
    X, Y = planted
    groups = np.arange(90) // 3
    Spy.seen.clear()
    compare_labels(X, Y, [Spy()], replace(QUICK, n_features=(2,)), groups=groups)
    member = dict(zip(X[:, 0], groups, strict=True))
    for seen, _ in Spy.seen:
        inside = [member[value] for value in seen]
        assert all(inside.count(group) == 3 for group in inside)
    Spy.seen.clear()
    folds = PredefinedSplit(np.arange(90) % 2)
    compare_labels(X, Y, [Spy()], replace(QUICK, n_features=(2,), C=(1.0,), cv=folds))
    assert Spy.seen[0][0] == set(X[1::2, 0])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"Y": np.ones((4, 2))}, "Y has 4 rows; X has 90"),
        ({"Y": np.full((90, 2), 2)}, "Y contains 2"),
        ({"Y": np.full((90, 2), np.nan)}, "Y contains nan"),
        ({"Y": np.full((90, 2), "yes")}, "Y contains 'yes'"),
        ({"Y": np.ones((90, 2, 1))}, r"shape \(90, 2, 1\)"),
        ({"Y": np.arange(180).reshape(90, 2) % 3 - 1}, "difficult=True"),
        ({"difficult": True}, "no -1"),
        ({"difficult": np.ones((90, 2))}, r"shape of Y, \(90, 3\)"),
        ({"class_names": ["a", "b"]}, "expected 3 names"),
        ({"class_names": ["a", "b", "a"]}, "'a' twice"),
        ({"split": ["train"] * 90}, "no test rows"),
        ({"split": np.arange(90) % 2}, "no test rows"),
        ({"split": ["tset"] * 90}, "split contains 'tset'"),
        ({"split": np.arange(90)}, "codes 0"),
        ({"split": ["train", "test"]}, "split has 2 rows"),
        ({"groups": np.zeros((90, 2))}, "groups has shape"),
        ({"feature_names": ["a"]}, "expected 20 names"),
    ],
)
def test_wrong_data_is_told(planted, changes, says):
    given = {"Y": planted[1], **changes}
    with pytest.raises(DataError, match=says):
        LabelData.of(planted[0], given.pop("Y"), **given)


def test_wrong_calls_are_told(planted):
    with pytest.raises(UsageError, match="average precision"):
        compare_labels(*planted, ["fisher"], Protocol(scoring="accuracy"))
    with pytest.raises(UsageError, match="more than the 20 features"):
        compare_labels(*planted, ["fisher"], Protocol(n_features=(21,)))
    with pytest.raises(UsageError, match="jobs=0"):
        compare_labels(*planted, ["fisher"], QUICK, n_jobs=0)
    comparison = compare_labels(*planted, ["fisher"], replace(QUICK, C=(1.0,)))
    with pytest.raises(UsageError, match="k=3 was not run"):
        comparison.precisions(3)
    with pytest.raises(UsageError, match="11-point"):
        comparison.precisions(2, "11 point")
    with pytest.raises(UsageError, match="Unknown class"):
        comparison.of_class("cat")


def test_files(planted, tmp_path):
    X, Y = planted
    path = tmp_path / "labels.npz"
    names = np.array(["cat", "dog", "cow"])
    split = np.repeat([0, 1, 2], 30)
    difficult = np.array(True)
    features = np.array([f"unit {j}" for j in range(20)])
    np.savez(path, X=X.astype(np.float32), Y=2 * Y - 1, class_names=names, split=split,
             difficult=difficult, feature_names=features, ids=np.arange(90))  # fmt: skip
    data = read_labels(path)
    assert data.X.dtype == np.float32
    assert data.classes == ("cat", "dog", "cow")
    assert data.training.tolist() == [True] * 60 + [False] * 30
    assert np.array_equal(data.Y, Y == 1)
    assert data.counted.all()
    assert data.name == "labels"
    assert data.feature_names == tuple(features.tolist())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"Y": None}, "no array 'Y'"),
        ({"Y": np.zeros(90)}, "must be samples × classes"),
        ({"splits": np.zeros(90)}, "array 'splits' and no 'split'"),
        ({"class_names": np.array([1, "a", None], dtype=object)}, "pickle"),
    ],
)
def test_wrong_files_are_told(planted, tmp_path, change, says):
    arrays = {"X": planted[0], "Y": planted[1], **change}
    path = tmp_path / "labels.npz"
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(DataError, match=says):
        read_labels(path)


def test_damaged_files_are_told(tmp_path):
    path = tmp_path / "labels.npz"
    path.write_bytes(b"PK nothing")
    with pytest.raises(DataError, match="cannot be read"):
        read_labels(path)
