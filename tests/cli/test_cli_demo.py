import re

import numpy as np

from featrank import ECFS
from featrank.cli.commands.demo import METHODS
from featrank.datasets import make_microarray


def test_marks_and_counts_are_those_of_the_truth(run):
    result = run("demo")
    assert result.exit_code == 0, result.stderr
    data = make_microarray(random_state=0)
    ranker = ECFS(20).fit(data.X, data.y)
    order = ranker.order_
    kinds = {column: kind for kind, columns in data.truth.items() for column in columns}
    shown = re.findall(r"(\d+) +(gene\d+) +[\d.]+ +(\w+)", result.stdout)
    assert shown == [
        (str(rank), data.feature_names[column], kinds[column])
        for rank, column in enumerate(order[:20], 1)
    ]
    planted = np.concatenate([data.truth["informative"], data.truth["correlated"]])
    found = len(np.intersect1d(order[:100], planted))
    assert found > 90
    assert f"The top 100 contains {found} of the 100 informative genes." in result.stdout
    assert f"featrank used alpha = {ranker.alpha_:g}" in result.stderr
    stars = len(np.intersect1d(order[:20], data.truth["informative"]))
    assert result.stdout.count("★") == stars > 0


def test_five_methods_are_compared_and_the_folder_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setattr("featrank.cli.commands.demo.TRIALS", 1)
    folder = tmp_path / "demo"
    for _ in range(2):
        result = run("demo", "--compare", folder)
        assert result.exit_code == 0, result.stderr
        second = result.stdout.partition("Which method ranks best?")[2]
        heads = [line.split()[0] for line in second.splitlines() if line.strip()]
        assert [head for head in heads if head in METHODS] == list(METHODS)
        assert f"The results are in {str(folder)!r}" in result.stdout
    assert (folder / "results.csv").exists()
    assert run("stability", folder).exit_code == 1  # one trial has no stability


def test_the_report_states_the_planted_signal(run, tmp_path):
    result = run("demo", "--compare", tmp_path / "demo")
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    for text in (" ".join(result.stdout.split()), page):
        assert "The features predict the class: with permuted class labels" in text
        assert "The choice of features matters: " in text
        assert "Ranked on all samples, the top 10 features are gene" in text
    assert "Do not rely on this ranking" not in page
    count = re.search(r"(\d+) of the 10 named genes were simulated with signal", result.stdout)[1]
    assert int(count) >= 7
