"""Warnings of a run are part of its result and of everything that is written from it."""

import json

import numpy as np
import pytest
from sklearn.model_selection import StratifiedShuffleSplit

import featrank
from featrank import compare_file
from featrank._utils.warn import warn_user
from featrank.evaluation import Protocol, compare, compare_labels, read_comparison
from featrank.exceptions import FeatrankWarning

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
PROTOCOL = Protocol(n_repeats=2, n_features=(2, 5), C=(1.0,), inner_cv=2)
TAG = "<b>&[x]"


def batches(n=40, seed=0):
    """Return data whose batch is the class, and the batches."""
    y = np.arange(n) % 2
    return np.random.default_rng(seed).normal(5, 1, size=(n, 12)), y, np.array(["a", "b"])[y]


def serious(result):
    return [str(one) for one in result.warnings if one.severity == "serious"]


def write_table(path, X, y, **columns):
    names = [f"g{j}" for j in range(X.shape[1])]
    rows = [",".join([*columns, *names, "dx"])]
    for i in range(len(X)):
        own = [str(each[i]) for each in columns.values()]
        rows.append(",".join([*own, *(f"{v:.4f}" for v in X[i]), str(y[i])]))
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_ranking_has_the_warnings_of_its_run():
    X, y, groups = batches()
    ranking = featrank.rank(X, y, groups=groups)
    assert "predict the class" in serious(ranking)[0]
    assert featrank.rank(X, y, "fisher").warnings == ()


def test_a_ranking_of_a_file_also_has_the_warnings_of_reading(tmp_path):
    X, y, groups = batches()
    labels = [*map(str, y[:-1]), ""]
    path = write_table(tmp_path / "table.csv", X, labels, batch=groups)
    ranking = featrank.rank_file(path, "dx", groups="batch")
    severities = [one.severity for one in ranking.warnings]
    assert (severities[0], severities[-1]) == ("serious", "info")
    assert "left out" in str(ranking.warnings[-1])


def test_rankings_per_class_have_the_warnings_of_their_run():
    X, y, _ = batches()
    labels = np.array(["a", "A"])[y]
    rankings = featrank.rank(X, labels, "fisher", per_class=True)
    assert ["differ only in case" in str(one) for one in rankings.warnings] == [True]
    assert rankings["a"].warnings == rankings.only("a").warnings == rankings.warnings


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_comparison_has_the_warnings_of_its_run(n_jobs, tmp_path):
    X, y, groups = batches()
    cv = StratifiedShuffleSplit(2, random_state=0)
    protocol = Protocol(n_features=(2,), C=(1.0,), inner_cv=2, cv=cv)
    done = compare(X, y, ["fisher"], protocol, groups=groups, n_jobs=n_jobs, out_dir=tmp_path)
    assert "predict the class" in serious(done)[0]
    again = read_comparison(tmp_path)
    assert [one.describe() for one in again.warnings] == done.manifest["warnings"]


def warns_in_trials(X, y):
    warn_user(f"Odd {len(X)}.", "serious")
    return X.mean(axis=0)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_warnings_of_trials_are_kept_once(n_jobs, tmp_path):
    X, y, _ = batches()
    done = compare(X, y, {"own": warns_in_trials}, PROTOCOL, n_jobs=n_jobs, out_dir=tmp_path)
    kept = [str(one) for one in done.warnings]
    assert len(kept) == 1
    assert kept[0].startswith("In ")
    assert "Odd" in kept[0]
    assert done.warnings[0].severity == "serious"
    assert [str(one) for one in read_comparison(tmp_path).warnings] == kept


def test_a_resumed_comparison_keeps_the_warnings_of_its_first_run(tmp_path):
    X, y, _ = batches()
    first = compare(X, y, {"own": warns_in_trials}, PROTOCOL, out_dir=tmp_path)
    resumed = compare(X, y, {"own": warns_in_trials}, PROTOCOL, out_dir=tmp_path, resume=True)
    assert first.manifest["warnings"] == resumed.manifest["warnings"] != []
    assert read_comparison(tmp_path).manifest["warnings"] == first.manifest["warnings"]


def test_a_comparison_of_a_file_has_the_warnings_of_reading(tmp_path):
    X, y, _ = batches()
    path = write_table(tmp_path / "table.csv", X, [*map(str, y[:-1]), ""])
    done = compare_file(path, "dx", ["fisher"], PROTOCOL)
    assert "left out" in str(done.warnings[0])


def test_a_comparison_of_labels_has_the_warnings_of_its_run(tmp_path):
    X, y, _ = batches()
    Y = np.column_stack([y, y[::-1]])
    done = compare_labels(X, Y, {"own": warns_in_trials}, PROTOCOL, out_dir=tmp_path)
    assert any("Odd" in str(one) for one in done.warnings)
    assert json.loads((tmp_path / "manifest.json").read_text())["warnings"]


def results(tmp_path):
    X, y, groups = batches()
    ranking = featrank.rank(X, y, groups=groups)
    done = compare(X, y, {"own": warns_in_trials}, PROTOCOL)
    marked = FeatrankWarning(f"About {TAG}.", "serious", "The batch was the class.")
    done.manifest["warnings"].append(marked.describe())
    return [ranking.with_warnings([*ranking.warnings, marked]), done]


@pytest.mark.parametrize("place", [0, 1])
def test_html_reports_show_warnings_at_the_top_and_escaped(place, tmp_path):
    result = results(tmp_path)[place]
    page = result.to_html()
    assert page.index('<aside class="warnings"') < page.index("<section")
    assert page.count('<li class="serious">') == len(serious(result)) == 2
    assert "About &lt;b&gt;&amp;[x]." in page
    assert TAG not in page
    assert "No problems found" not in page


@pytest.mark.parametrize("place", [0, 1])
def test_json_and_markdown_have_the_warnings(place, tmp_path):
    result = results(tmp_path)[place]
    result.save(tmp_path / "result.json")
    result.save(tmp_path / "result.md")
    content = json.loads((tmp_path / "result.json").read_text())
    kept = content["warnings"] if place == 0 else content["manifest"]["warnings"]
    assert [one["message"] for one in kept] == [str(one) for one in result.warnings]
    text = (tmp_path / "result.md").read_text()
    assert "**Serious problem:** About \\<b\\>\\&\\[x\\]." in text


@pytest.mark.parametrize("place", [0, 1])
def test_the_methods_section_mentions_what_limits_the_result(place, tmp_path):
    assert "The batch was the class." in results(tmp_path)[place].methods_section()


def test_a_report_without_warnings_has_no_list_of_them():
    X, y, _ = batches(60)
    page = featrank.rank(X, y, "fisher").to_html()
    assert 'class="warnings"' not in page
    assert "No problems found in the data." in page


@pytest.mark.parametrize("wrong", [3, [3], [{"message": "a"}], [{"message": "a", "severity": []}]])
def test_a_manifest_with_damaged_warnings_is_refused(wrong, tmp_path):
    X, y, _ = batches()
    compare(X, y, ["fisher"], PROTOCOL, out_dir=tmp_path)
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"warnings": wrong}))
    with pytest.raises(featrank.exceptions.DataError, match="warnings"):
        read_comparison(tmp_path)
