"""Rankings for tools of enrichment analysis: .rnk, .grp and .gmt files."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

import featrank
from featrank.exceptions import UsageError
from featrank.report import Paragraph, Report, file_format, ranking_report, write
from featrank.report.formats import notes_of

# One feature separates a class exactly.
pytestmark = pytest.mark.filterwarnings("ignore:.*(copy|copies) of the target")
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


def test_rnk_files_contain_all_features_from_the_highest_t_to_the_lowest(data, rankings, written):
    X, y = data
    report = ranking_report(rankings["a"], top=2)
    rows = lines(written(report, "rnk"))
    names, values = [name for name, _ in rows], [float(value) for _, value in rows]
    plain = [name.translate({9: " ", 10: " "}) for name in NAMES]
    assert sorted(names) == sorted(plain)
    assert values == sorted(values, reverse=True)
    t = ttest_ind(X[y == "a"], X[y != "a"], equal_var=False).statistic
    for name, value in zip(names, values, strict=True):
        if name not in ("flat", "separates"):
            assert value == pytest.approx(t[plain.index(name)])
    found = dict(zip(names, values, strict=True))
    assert found["flat"] == 0
    assert found["separates"] == -2 * max(abs(v) for n, v in found.items() if n != "separates")
    statistic, complete = notes_of("rnk", report)
    assert "Welch's t: positive values are higher in 'a' than in the rest" in statistic
    assert "does not contain the scores of fisher" in statistic
    assert "contains all 8 features" in complete
    assert len(notes_of("rnk", ranking_report(rankings["a"]))) == 1


def test_rnk_files_of_several_classes_need_a_class(data, rankings, written, tmp_path):
    ranking = featrank.rank(*data, "fisher", feature_names=NAMES)
    with pytest.raises(UsageError, match=r"Use `of_class=\.\.\.`"):
        written(ranking_report(ranking), "rnk")
    ranking.save(tmp_path / "a.rnk", of_class="a")
    rankings.save(tmp_path / "same.rnk", of_class="a")
    assert (tmp_path / "a.rnk").read_text() == (tmp_path / "same.rnk").read_text()
    assert (tmp_path / "a.rnk").read_text() == written(ranking_report(rankings["a"]), "rnk")


def test_rnk_files_of_unsupervised_rankings_are_rejected(written):
    X = np.random.default_rng(0).normal(size=(20, 4))
    with pytest.raises(UsageError, match="A signed statistic needs a target"):
        written(ranking_report(featrank.rank(X, method="laplacian")), "rnk")


def test_directions_for_a_quantity_are_of_the_samples_that_are_known():
    rng = np.random.default_rng(0)
    y = np.arange(30.0)
    X = np.column_stack([y, -y, rng.normal(size=30)]) + 0.1 * rng.normal(size=(30, 3))
    X[:, 2] = np.where(y < 12, 5.0, np.nan)
    X[25:, 0] = np.nan
    ranking = featrank.rank(X, y, "relieff", task="regression")
    assert ranking.direction(np.arange(3)) == ["higher", "lower", "same"]
    assert ranking.markers() == ["x0"]


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
    with pytest.raises(UsageError, match=r"Use `of_class=\.\.\.`"):
        write(ranking_report(rankings), to=path)
    assert not path.exists()


def test_one_ranking_has_no_markers_of_classes(data, written):
    with pytest.raises(UsageError, match="Use `per_class=True`"):
        written(ranking_report(featrank.rank(*data, "fisher")), "gmt")


@pytest.mark.parametrize("layout", ["rnk", "grp", "gmt"])
def test_other_reports_have_none_of_them(layout, written):
    with pytest.raises(UsageError, match=r"not a ranking\. Use one of these formats: table, csv"):
        written(Report({}, [{"rank": 1}], [Paragraph("It is 42.")]), layout)


def test_the_table_has_the_test_last_and_names_it(rankings, written):
    report = ranking_report(rankings, top=3, test="wilcoxon")
    assert [column.head for column in report.shown[0].columns] == [
        "rank", "feature", "score", "direction", "log2 FC", "p (Wilcoxon)", "p adj.",
    ]  # fmt: skip
    columns = rankings.columns(test="wilcoxon")
    pairs = list(zip(columns["class"], columns["p_adjusted"], strict=True))
    found = {label: sum(p <= 0.05 for own, p in pairs if own == label) for label in "abc"}
    assert report.content["test"] == {
        "name": "wilcoxon",
        "adjustment": "benjamini-hochberg",
        "value_scale": "log2",
        "compared_with": "the rest",
        "level": 0.05,
        "significant": [{"class": label, "features": n} for label, n in found.items()],
    }
    p_values, significant = report.notes[:2]
    assert significant.startswith(f"a: {found['a']}, b: {found['b']}, c: {found['c']} of 8")
    for part in ("Wilcoxon's", "over 8 features", "does not use"):
        assert part in p_values
    *_, scale = ranking_report(rankings, test="welch", values="linear").notes
    assert scale == "Fold changes assume linear values (not logarithms)."
    plain = ranking_report(rankings, top=3, test=None)
    assert "test" not in plain.content
    assert not plain.notes


def test_what_is_not_defined_is_empty(written):
    y = np.array(["one", *"bbbcccc"])
    X = np.random.default_rng(0).normal(size=(8, 3))
    rankings = featrank.rank(X, y, "fisher", per_class=True, min_class_size=1)
    report = ranking_report(rankings, test="welch")
    assert [row[-2:] for row in report.shown[2].rows] == [("", "")] * 3
    rows = written(report, "csv").splitlines()
    assert rows[-1].endswith(",,")
    assert '"p_value": null' in written(report, "json")
