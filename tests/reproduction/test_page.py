"""The page of the reproduction is written from several runs, and its sentences follow them."""

import importlib.util
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from featrank.evaluation import Protocol, compare, read_comparison
from featrank.reproduction.methods import methods_by_label

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def script(monkeypatch, tmp_path):
    """Return the script that writes the page, with a copy of the page to write to."""
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(DOCS)
    spec = importlib.util.spec_from_file_location("page_script", DOCS / "reproduction.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = tmp_path / "reproduction.md"
    page.write_text((DOCS / "reproduction.md").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(module, "PAGE", page)
    monkeypatch.setattr(module, "IMAGE", tmp_path / "stability.png")
    return module


@pytest.fixture
def results(tmp_path):
    """Two honest runs with other methods and trials, and a leaky one, on made data."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 205)), np.arange(40) % 2
    X[:, :20] += 0.5 * y[:, None]
    runs = {
        "main": (methods_by_label("fisher,ec-fs"), Protocol(n_repeats=5, C=(0.01, 1.0))),
        "others": (methods_by_label("mi"), Protocol(n_repeats=2, C=(0.01, 1.0))),
        "leaky": (methods_by_label("fisher"), Protocol(n_repeats=2, C=(0.01, 1.0), leaky=True)),
    }
    for name, (methods, protocol) in runs.items():
        out = tmp_path / "results" / name / "colon"
        compare(X, y, methods, protocol, dataset="colon", out_dir=out)
    return tmp_path / "results"


def part(text, name):
    return text.split(f"<!-- {name}: begin (make reproduction) -->")[1].split(f"<!-- {name}: end")[
        0
    ]


def written(script, folder, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["reproduction.py", str(folder)])
    assert script.main() == 0
    return script.PAGE.read_text(encoding="utf-8")


def test_runs_are_joined_and_the_leaky_one_stands_apart(script, results, monkeypatch):
    text = written(script, results, monkeypatch)
    mean = {
        method: 100 * np.mean([done.scores(method, k) for k in done.n_features])
        for done in map(read_comparison, (results / "main" / "colon", results / "others" / "colon"))
        for method in done.methods
    }
    for method, value in mean.items():
        row = next(r for r in part(text, "summary").splitlines() if r.startswith(f"| `{method}`"))
        assert f"| {value:.2f} ±" in row
    best = max(("fisher", "ec-fs"), key=mean.get)
    assert f"`{best}` on colon ({mean[best]:.2f})" in part(text, "findings")
    leaky = read_comparison(results / "leaky" / "colon")
    honest = read_comparison(results / "main" / "colon")
    with_leak = 100 * np.mean([leaky.scores("fisher", k) for k in leaky.n_features])
    without = 100 * np.mean([honest.scores("fisher", k)[:2] for k in honest.n_features])
    assert f"| {without:.2f} | {with_leak:.2f} |" in part(text, "leaky")
    assert "LEAKY" in part(text, "leaky")
    assert "LEAKY" not in part(text, "summary")
    assert script.IMAGE.read_bytes().startswith(b"\x89PNG")


def test_the_table_of_granularity_is_up_to_date(script):
    text = script.PAGE.read_text(encoding="utf-8")
    assert part(text, "granularity").strip() == script.granularity_part()


def test_a_method_in_two_runs_is_refused(script, results, monkeypatch):
    shutil.copytree(results / "main" / "colon", results / "again" / "colon")
    with pytest.raises(SystemExit, match="repeats methods of another run: ec-fs, fisher"):
        written(script, results, monkeypatch)
