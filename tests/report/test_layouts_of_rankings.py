"""Rankings for tools of enrichment analysis: .rnk, .grp and .gmt files."""

import numpy as np
import pytest

import featrank
from featrank.exceptions import UsageError
from featrank.ranking import Ranking
from featrank.report import Paragraph, Report, file_format, ranking_report, write
from featrank.report.formats import notes_of

NAMES = ["up", "down", "tab\tin", "two\nlines", "separates", "flat", "größe μ", "a,b"]


@pytest.fixture
def data():
    """Return features of three classes: up and down tell of the first, separates is exact."""
    rng = np.random.default_rng(0)
    y = np.array(["a", "b", "c"])[np.arange(60) % 3]
    X = rng.normal(5, 1, (60, 8))
    X[y == "a", 0] += 3
    X[y == "a", 1] -= 2
    X[:, 4] = y != "a"
    X[:, 5] = 1
    return X, y


@pytest.fixture
def rankings(data):
    return featrank.rank(*data, "fisher", per_class=True, feature_names=NAMES)


def lines(text):
    assert text.endswith("\n")
    return [line.split("\t") for line in text.removesuffix("\n").split("\n")]


def test_scores_of_a_class_have_the_sign_of_their_direction(data, rankings, written):
    X, y = data
    rows = lines(written(ranking_report(rankings["a"]), "rnk"))
    names, scores = [name for name, _ in rows], [float(score) for _, score in rows]
    assert sorted(names) == sorted(name.translate({9: " ", 10: " "}) for name in NAMES)
    assert scores == sorted(scores, reverse=True)
    found = dict(zip(names, scores, strict=True))
    for j, name in enumerate(names):
        place = [one.translate({9: " ", 10: " "}) for one in NAMES].index(name)
        gap = X[y == "a", place].mean() - X[y != "a", place].mean()
        assert np.sign(scores[j]) == np.sign(gap)
        if name != "separates":
            assert abs(scores[j]) == rankings["a"].scores[place]
    assert (names[0], names[-1]) == ("up", "separates")  # which is lower in the class
    assert np.isfinite(scores).all()
    assert found["separates"] < -max(scores)


def test_scores_below_0_are_no_directions(written):
    """ReliefF gives what is worse than nothing a score below 0; only the order counts."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 12)), np.arange(40) % 2
    X[:, 0] += 2 * y
    ranking = featrank.rank(X, y, "relieff", per_class=True)[1]
    assert ranking.scores.min() < 0
    rows = lines(written(ranking_report(ranking), "rnk"))
    for name, score in rows:
        column = X[:, int(name[1:])]
        gap = column[y == 1].mean() - column[y == 0].mean()
        assert float(score) * gap >= 0
    strongest = sorted(rows, key=lambda row: -abs(float(row[1])))
    assert [name for name, _ in strongest] == ranking.top(12)


def test_a_ranking_of_all_classes_has_no_sign_and_a_note_says_so(data, written):
    ranking = featrank.rank(*data, "fisher", feature_names=[f"g{j}" for j in range(8)])
    report = ranking_report(ranking, top=5)
    rows = lines(written(report, "rnk"))
    assert [name for name, _ in rows] == ranking.top(5)
    scores = [float(score) for _, score in rows]
    assert scores == sorted(scores, reverse=True)
    assert scores[1:] == ranking.scores[ranking.order[1:5]].tolist()
    (note,) = notes_of("rnk", report)
    assert "--of-class" in note
    of_class = featrank.rank(*data, "fisher", per_class=True)["a"]
    assert not notes_of("rnk", ranking_report(of_class))


@pytest.mark.parametrize("method", ["ec-fs", "relieff"])
def test_scores_for_a_quantity_have_the_sign_of_its_correlation(written, method):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 12))
    y = 2 * X[:, 0] - X[:, 1] + rng.normal(size=60)
    X[:, 5] = 4.0
    ranking = featrank.rank(X, y, method, task="regression")
    report = ranking_report(ranking)
    scores = {name: float(score) for name, score in lines(written(report, "rnk"))}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    for feature in ranking_report(ranking, details=True).rows:
        assert scores[feature["feature"]] * np.nan_to_num(feature["pearson"]) >= 0
    assert scores["x5"] == 0
    assert scores["x1"] < 0 < scores["x0"]
    strongest = sorted(scores, key=lambda name: -abs(scores[name]))
    assert strongest[:2] == ranking.top(2)
    (note,) = notes_of("rnk", report)
    assert "correlation with the target" in note
    assert "class" not in note


def test_directions_for_a_quantity_are_of_the_samples_that_are_known():
    rng = np.random.default_rng(0)
    y = np.arange(30.0)
    X = np.column_stack([y, -y, rng.normal(size=30)]) + 0.1 * rng.normal(size=(30, 3))
    X[:, 2] = np.where(y < 12, 5.0, np.nan)
    X[25:, 0] = np.nan
    ranking = featrank.rank(X, y, "relieff", task="regression")
    assert ranking.direction(np.arange(3)) == ["higher", "lower", "same"]
    assert ranking.markers() == ["x0"]


def test_what_looks_at_no_target_has_no_sign(written):
    X = np.random.default_rng(0).normal(size=(20, 4))
    (note,) = notes_of("rnk", ranking_report(featrank.rank(X, method="laplacian")))
    assert "laplacian looks at no target" in note
    assert "--of-class" not in note


def test_only_infinite_scores(written):
    report = ranking_report(Ranking("mine", {}, ["x", "y"], np.array([0.0, np.inf])))
    assert written(report, "rnk") == "y\t1.0\nx\t0.0\n"


def test_a_list_has_a_name_a_line_best_first(rankings, written):
    text = written(ranking_report(rankings["a"]), "grp")
    best = [name.replace("\t", " ").replace("\n", " ") for name in rankings["a"].top(8)]
    assert text == "\n".join(best) + "\n"
    assert written(ranking_report(rankings["a"], top=2), "grp") == "\n".join(best[:2]) + "\n"


def test_markers_are_a_line_a_class(rankings, written):
    rows = lines(written(ranking_report(rankings), "gmt"))
    assert [row[0] for row in rows] == ["a", "b", "c"]
    for label, about, *names in rows:
        frame = rankings[label].to_frame()
        higher = frame.filter(frame["direction"] == "higher")["feature"].to_list()
        assert names == [name.replace("\t", " ").replace("\n", " ") for name in higher]
        assert f"higher in {label}" in about
    for row in lines(written(ranking_report(rankings, top=2), "gmt")):
        assert len(row) == 2 + 2  # two that are higher, wherever they rank


def test_fifty_markers_unless_another_number_is_asked_for(written):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 300)), np.array(["x", "label\twith tab"])[np.arange(30) % 2]
    rankings = featrank.rank(X, y, "fisher", per_class=True)
    rows = lines(written(ranking_report(rankings), "gmt"))
    assert [len(row) for row in rows] == [52, 52]
    assert rows[0][0] == "label with tab"
    longer = lines(written(ranking_report(rankings, top=90), "gmt"))
    assert [len(row) for row in longer] == [92, 92]
    assert [row[2:52] for row in longer] == [row[2:] for row in rows]


def test_a_suffix_names_the_layout(rankings, tmp_path):
    for name, first in (("m.gmt", "a\thigher"), ("m.GMT", "a\thigher")):
        write(ranking_report(rankings), to=tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(first)
    assert file_format(None, tmp_path / "genes.rnk") == "rnk"
    assert file_format(None, tmp_path / "genes.grp") == "grp"


@pytest.mark.parametrize("layout", ["rnk", "grp"])
def test_several_classes_are_no_one_ranking(rankings, layout, tmp_path):
    path = tmp_path / f"genes.{layout}"
    with pytest.raises(UsageError, match="--of-class LABEL"):
        write(ranking_report(rankings), to=path)
    assert not path.exists()


def test_one_ranking_has_no_markers_of_classes(data, written):
    with pytest.raises(UsageError, match="--per-class"):
        written(ranking_report(featrank.rank(*data, "fisher")), "gmt")


@pytest.mark.parametrize("layout", ["rnk", "grp", "gmt"])
def test_other_reports_have_none_of_them(layout, written):
    with pytest.raises(UsageError, match=r"something else\. Choose one of table, csv"):
        written(Report({}, [{"rank": 1}], [Paragraph("It is 42.")]), layout)


def test_the_table_has_the_test_last_and_names_it(rankings, written):
    report = ranking_report(rankings, top=3, test="wilcoxon")
    assert [column.head for column in report.shown[0].columns] == [
        "rank", "feature", "score", "direction", "log2 FC", "p (Wilcoxon)", "p adj.",
    ]  # fmt: skip
    assert report.content["test"] == {
        "name": "wilcoxon",
        "adjustment": "benjamini-hochberg",
        "value_scale": "log2",
    }
    p_values, scale = report.notes
    for part in ("Wilcoxon's", "over 8 features", "does not use"):
        assert part in p_values
    assert scale.startswith("Fold changes assume log2 values. Use `values=...` to change this.")
    _, scale = ranking_report(rankings, test="welch", values="linear").notes
    assert scale == "Fold changes assume linear values (not logarithms)."
    plain = ranking_report(rankings, top=3)
    assert "test" not in plain.content
    assert not plain.notes


def test_what_is_not_defined_is_empty(written):
    y = np.array(["one", *"bbbcccc"])
    X = np.random.default_rng(0).normal(size=(8, 3))
    rankings = featrank.rank(X, y, "fisher", per_class=True)
    report = ranking_report(rankings, test="welch")
    assert [row[-2:] for row in report.shown[2].rows] == [("", "")] * 3
    rows = written(report, "csv").splitlines()
    assert rows[-1].endswith(",,")
    assert '"p_value": null' in written(report, "json")
