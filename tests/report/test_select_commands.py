"""Commands to copy: they run, and they choose what the method of the comparison chose."""

import shlex

import polars as pl
import pytest
from click.testing import CliRunner

from featrank import ECFS
from featrank.cli import main
from featrank.report.select_commands import select_command


def typed(ranker_params, method="ec-fs", k=3):
    before, after = select_command({"method": method, "params": ranker_params})
    return f"{before} {k} {after}"


def test_a_copied_command_selects_what_the_method_ranks_best(frame, tmp_path, monkeypatch):
    X, y = frame
    pl.from_pandas(X.assign(COL=y)).write_csv(tmp_path / "FILE.csv")
    monkeypatch.chdir(tmp_path)
    ranker = ECFS(alpha=0.3, kernel="symmetric", n_features_to_select=3)
    words = shlex.split(typed(ranker.get_params()).replace("FILE", "FILE.csv"))
    result = CliRunner().invoke(main, words[1:], catch_exceptions=False)
    assert result.exit_code == 0
    chosen = pl.read_csv("small.csv").columns
    assert chosen[:-1] == list(ranker.fit(X, y).get_feature_names_out())


def test_usual_parameters_are_not_typed():
    assert typed(ECFS(n_jobs=2, n_features_to_select=9).get_params()) == (
        "featrank select FILE --target COL -m ec-fs --top 3 --output small.csv"
    )


@pytest.mark.parametrize(
    "entry",
    [
        {"method": "MyRanker", "params": {}},
        {"method": "ec-fs", "params": {"alpha": "array([0.1, 0.2])"}},
        {"method": "ec-fs", "params": {"kernel": "none"}},
        {"method": "ec-fs", "params": {"kernel": "; rm -rf *"}},
    ],
)
def test_what_cannot_be_typed_has_no_command(entry):
    assert select_command(entry) is None
