"""What notebooks show: the best features with bars, tables and pages; nothing from data acts."""

import re
import webbrowser
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline

import featrank
from featrank.base.registry import methods
from featrank.evaluation import Protocol, compare
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.report import Column, Grid, Paragraph, Report, comparison_report

BAD = "<img src=x onerror=alert(1)>\x1b[31m\"'&"


class Tags(HTMLParser):
    """Collects tags with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def names(self):
        return {tag for tag, _ in self.found}


def bars(html):
    return [float(a["width"]) for tag, a in Tags(html).found if tag == "rect"]


@pytest.fixture
def named(data):
    X, y = data
    names = [f"gene {j}" for j in range(12)]
    names[4] = BAD
    return pd.DataFrame(X, columns=names), y


def require_harmless(html):
    tags = Tags(html)
    assert tags.names() <= {"div", "p", "table", "thead", "tbody", "tr", "th", "td", "b"} | {
        "svg",
        "rect",
    }
    assert not [name for _, a in tags.found for name in a if name.startswith("on")]
    assert "\x1b" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html


def test_a_ranking_has_bars_as_long_as_its_scores(named):
    ranking = featrank.rank(*named, "fisher")
    html = ranking._repr_html_()
    require_harmless(html)
    scores = np.sort(ranking.scores)[::-1][:10]
    np.testing.assert_allclose(bars(html), 160 * scores / scores[0], atol=0.06)


def test_bars_of_infinite_negative_and_no_scores():
    scores = np.array([np.inf, 2.0, 1.0, 0.0, -1.0])
    ranking = featrank.Ranking("m", {}, list("abcde"), scores)
    assert bars(ranking._repr_html_()) == [160.0, 128.0, 64.0, 0.0, 0.0]
    for same in (0.0, -1.0):
        flat = featrank.Ranking("m", {}, list("ab"), np.full(2, same))
        assert bars(flat._repr_html_()) == [0.0, 0.0]
    sure = featrank.Ranking("m", {}, list("ab"), np.full(2, np.inf))
    assert bars(sure._repr_html_()) == [160.0, 160.0]


@pytest.mark.parametrize("name", methods())
def test_a_fitted_ranker_shows_its_best_features_beside_the_diagram(name, named):
    X, y = named
    ranker = methods()[name]()
    plain = ranker._repr_html_()
    assert "<rect" not in plain
    ranker.fit(X, y)
    for html in (ranker._repr_html_(), ranker._repr_mimebundle_()["text/html"]):
        assert "sk-top-container" in html
        head, best = html.split("<p>The best 10 of 12 features</p>")
        assert "<rect" not in head
        cells = re.findall(r"<td>(\d+)</td><td>(.*?)</td><td>(.*?)</td>", best)
        first = X.columns[ranker.order_[0]]
        assert [int(rank) for rank, *_ in cells] == list(range(1, 11))
        assert unescape(cells[0][1]) == first.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
        assert "<img" not in best


def test_scikit_learn_decides_whether_there_is_a_diagram(data):
    ranker = featrank.FisherScore().fit(*data)
    assert "<td>x4</td>" in ranker._repr_html_()
    assert "<rect" not in make_pipeline(ranker)._repr_html_()
    with config_context(display="text"):
        assert set(ranker._repr_mimebundle_()) == {"text/plain"}
        assert not hasattr(ranker, "_repr_html_")


@pytest.fixture(scope="module")
def comparison():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 8)) + np.linspace(1, 0, 8) * y[:, None]
    protocol = Protocol(n_repeats=3, n_features=(2, 4), C=(1,))
    return compare(X, y, {BAD: "fisher", "mi": "mi"}, protocol, dataset="made")


def test_a_comparison_is_its_table_with_the_best_in_bold(comparison):
    html = comparison._repr_html_()
    require_harmless(html)
    assert "Comparison of 2 methods over 3 trials" in html
    cells = re.findall(r"<tr><td>.*?</tr>", html)
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in cells]
    assert [unescape(row[0])[:4] for row in rows] == ["<img", "mi", "rand"]
    expected = [*comparison.table(), comparison.baseline_row()]
    for column, key in enumerate((2, 4, "average"), 1):
        values = [round(row[key], 4) for row in expected]
        for row, value in zip(rows, values, strict=True):
            text = f"{value:.4f}"
            assert row[column] == (f"<b>{text}</b>" if value == max(values) else text)


def report():
    grid = Grid([Column("a")], [[BAD]], title="A grid")
    return Report({"answer": 42}, [{"answer": 42}], [Paragraph("It is 42."), grid])


def test_the_page_is_the_same_in_a_file_and_as_a_text(tmp_path):
    made = report()
    made.write_html(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == made.html()
    made.write_html(str(tmp_path / "b.txt"))
    assert (tmp_path / "b.txt").read_text(encoding="utf-8") == made.html()
    with pytest.raises(UsageError, match="Cannot write"):
        made.write_html(tmp_path / "absent" / "a.html")


def test_a_notebook_gets_the_page_in_a_frame(comparison):
    for made in (report(), comparison_report(comparison)):
        tags = Tags(made._repr_html_()).found
        ((name, attributes),) = tags
        assert name == "iframe"
        assert attributes["srcdoc"] == made.html()
        assert "allow-same-origin" not in attributes["sandbox"]


def test_open_writes_and_shows_a_private_file(monkeypatch, tmp_path):
    shown = []
    monkeypatch.setattr(webbrowser, "open", lambda url: shown.append(url) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = report().open()
    assert isinstance(path, Path)
    assert path.read_text(encoding="utf-8") == report().html()
    assert shown == [path.as_uri()]
    assert path.parent.parent == tmp_path
    assert path.parent.stat().st_mode & 0o077 == 0
    monkeypatch.chdir(tmp_path)
    assert report().open("mine.html") == tmp_path / "mine.html"


def test_open_without_a_browser_says_where_the_page_is(monkeypatch, tmp_path):
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    with pytest.warns(FeatrankWarning, match=r"a page\.html"):
        assert report().open(tmp_path / "a page.html").exists()
