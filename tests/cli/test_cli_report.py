"""``featrank report``, ``open``, ``compare --report`` and ``rank --report``."""

import json
import webbrowser

import numpy as np
import pytest


def test_report_goes_into_the_folder(run, results):
    done = run("report", results)
    assert done.exit_code == 0, done.output
    text = (results / "report.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    for question in (
        "What is the answer",
        "Which features?",
        "How many features?",
        "Which method wins?",
    ):
        assert question in text
    # The page does not stand in the way of reading the folder again.
    assert run("stability", results).exit_code == 0


def test_report_of_several_has_ranks(run, made_results, tmp_path):
    done = run("report", *made_results, "-o", tmp_path / "all.html")
    assert done.exit_code == 0, done.output
    assert "critical difference" in (tmp_path / "all.html").read_text(encoding="utf-8")


def test_open_asks_the_browser(run, results, monkeypatch):
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or True)
    assert run("open", results).exit_code == 0
    assert asked == [(results / "report.html").resolve().as_uri()]


@pytest.mark.parametrize("points", [(), ("--points",)])
def test_compare_writes_a_page(run, table, tmp_path, points):
    page = tmp_path / "new.html"
    done = run(
        "compare", table, "-t", "diagnosis", "-m", "fisher,mi", "--trials", 2,
        "--n-features", "1,2", "--report", page, *points,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert ('class="point"' in text) == bool(points)
    assert str(tmp_path) not in text


def test_rank_writes_a_page(run, table, tmp_path):
    done = run("rank", table, "-t", "diagnosis", "--report", tmp_path / "new.html")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "new.html").read_text(encoding="utf-8")
    assert "What do they look like?" in text
    assert str(tmp_path) not in text
    assert "\x1b" not in text


@pytest.mark.parametrize("command", ["rank", "compare"])
def test_points_need_a_page(run, table, command):
    done = run(command, table, "-t", "diagnosis", "--points")
    assert done.exit_code == 2
    assert "--report FILE" in done.output


def test_no_folder_to_write_to(run, results, tmp_path):
    done = run("report", results, "-o", tmp_path / "none" / "page.html")
    assert done.exit_code == 2
    assert "does not exist" in done.output


@pytest.mark.parametrize("facts", [5, [], {"missing": "x"}, {"class_sizes": [1]}])
def test_facts_of_somebody_else_are_not_shown(run, results, facts):
    path = results / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"facts": facts}))
    done = run("report", results)
    assert done.exit_code == 0, done.output
    assert "contain no description of the data" in (results / "report.html").read_text(
        encoding="utf-8"
    )


def test_pages_show_warnings_with_the_options_of_the_command(run, write_table, tmp_path):
    rng = np.random.default_rng(0)
    X = np.round(rng.lognormal(4, 1.5, 60) * rng.lognormal(0, 0.3, (20, 60)))
    path = write_table({f"g{j}": X[:, j] for j in range(60)} | {"dx": np.arange(20) % 2})
    page, lines = tmp_path / "page.html", tmp_path / "table.md"
    done = run("rank", path, "-t", "dx", "--report", page, "-o", lines)
    assert done.exit_code == 0, done.output
    assert "warning: The values look like raw counts" in done.stderr
    for written in (page, lines):
        assert "Use --transform cpm,log1p." in written.read_text().replace("\\-", "-")
