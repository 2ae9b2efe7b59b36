"""What single methods ask of the command line: infinite scores, early stops, progress."""

import json

import pytest
from click.testing import CliRunner

from featrank.cli import main

CSV = "a,b,c,class\n1,5,0,x\n1,4,1,x\n2,6,0,y\n2,3,1,y\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(CSV)
    return str(path)


def run(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_an_infinite_score_is_valid_json(table):
    text = run("rank", table, "--target", "class", "--method", "fisher", "--format", "json")
    features = json.loads(text, parse_constant=pytest.fail)["features"]
    first = {"rank": 1, "feature": "a", "score": None, "perfect_separation": True}
    assert features[0].items() >= first.items()
    assert not any(
        feature["perfect_separation"] or feature["score"] is None for feature in features[1:]
    )


def test_an_infinite_score_in_a_table(table):
    text = run("rank", table, "--target", "class", "--method", "fisher", "--format", "table")
    assert "inf" in text


def test_a_fraction_selects_as_the_ranker_does(table, tmp_path):
    output = tmp_path / "small.csv"
    run("select", table, "--target", "class", "--fraction", "0.67", "--output", str(output))
    assert output.read_text().splitlines()[0].count(",") == 2
