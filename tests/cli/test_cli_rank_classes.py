"""``featrank rank`` for classes: tests beside the ranking, one class alone, lists of genes."""

import csv
import io
import json

import numpy as np
import pytest
from scipy import stats


@pytest.fixture
def values():
    """Return 12 genes of 45 samples and three classes; the class 7 is a number."""
    rng = np.random.default_rng(0)
    y = np.array(["tumour", "normal", "7"])[np.arange(45) % 3]
    X = np.round(rng.normal(8, 1, (45, 12)), 3)
    X[y == "tumour", 0] += 3
    X[y == "tumour", 1] -= 3
    return X, y


@pytest.fixture
def genes(values, write_table):
    X, y = values
    columns = {f"g{j}": X[:, j].tolist() for j in range(12)}
    return write_table({**columns, "state": y.tolist()})


@pytest.fixture
def rank(run, genes):
    return lambda *args: run("rank", genes, "-t", "state", "-m", "fisher", *args)


def records(result):
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


@pytest.mark.parametrize("test", ["welch", "wilcoxon"])
def test_p_values_beside_the_ranking(rank, values, test):
    X, y = values
    given = () if test == "welch" else ("--test", test)  # the default
    result = rank("--per-class", "--top", "3", *given)
    for row in records(result):
        own, rest = X[y == row["class"]], X[y != row["class"]]
        if test == "welch":
            p = stats.ttest_ind(own, rest, equal_var=False).pvalue
        else:
            p = stats.mannwhitneyu(own, rest, method="asymptotic").pvalue
        j = int(row["feature"][1:])
        assert float(row["p_value"]) == pytest.approx(p[j], rel=1e-6)
        adjusted = stats.false_discovery_control(p)[j]
        assert float(row["p_adjusted"]) == pytest.approx(adjusted, rel=1e-6)
        change = own[:, j].mean() - rest[:, j].mean()
        assert float(row["log2_fold_change"]) == pytest.approx(change, rel=1e-6)
    assert "over 12 features. The ranking does not use them." in result.stderr
    assert (
        "warning: Fold changes assume log2 values, which is a guess. If the values have another "
        "scale, set it with --value-scale ln, log1p, log10 or linear.\n"
    ) in result.stderr
    assert result.stderr.count("Fold changes assume") == 1


def test_no_test_and_other_values(rank):
    plain = rank("--per-class", "--test", "none")
    assert list(records(plain)[0]) == ["class", "rank", "feature", "score", "direction"]
    assert plain.stderr == ""
    told = json.loads(rank("--per-class", "--value-scale", "log1p", "-f", "json").stdout)
    assert told["test"]["value_scale"] == "log1p"


def test_the_table_at_80_columns(rank, monkeypatch):
    from featrank.report.formats import text

    monkeypatch.setattr(text, "WIDTH", 80)
    for more in ((), ("--details",)):
        result = rank("--per-class", "-f", "table", *more)
        assert max(map(len, result.stdout.splitlines())) <= 80
        for heading in ("log2 FC", "p (Welch)", "p adj."):
            assert result.stdout.count(heading) == 3


def test_one_class_alone(rank, values, tmp_path):
    rows = records(rank("--of-class", "tumour"))
    every = records(rank("--per-class"))
    assert rows == [row for row in every if row["class"] == "tumour"]
    assert {row["class"] for row in records(rank("--of-class", "7", "--per-class"))} == {"7"}
    figure, page = tmp_path / "best.svg", tmp_path / "page.html"
    result = rank("--of-class", "tumour", "--plot", figure, "--report", page)
    assert result.exit_code == 0, result.stderr
    assert "tumour" in figure.read_text(encoding="utf-8")
    assert "g0" in page.read_text(encoding="utf-8")


def test_lists_for_enrichment_tools(rank, values, tmp_path):
    result = rank("--of-class", "tumour", "-o", tmp_path / "t.rnk")
    assert result.exit_code == 0, result.stderr
    assert "Wrote 12 features to" in result.stderr
    assert "p-values" not in result.stderr
    lines = (tmp_path / "t.rnk").read_text().splitlines()
    assert len(lines) == 12
    assert lines[0].startswith("g0\t")
    assert lines[-1].startswith("g1\t-")
    assert "Welch's t: positive values are higher in 'tumour'" in result.stderr
    of_all = rank("-f", "rnk")
    assert of_all.exit_code == 2
    assert "there are 3 classes. Use --of-class LABEL." in of_all.stderr
    assert rank("-f", "grp", "--top", "2").stdout.split() in (["g0", "g1"], ["g1", "g0"])
    result = rank("--per-class", "--top", "4", "-o", tmp_path / "m.gmt")
    assert "Wrote the markers of 3 classes to" in result.stderr
    sets = [line.split("\t") for line in (tmp_path / "m.gmt").read_text().splitlines()]
    assert [one[0] for one in sets] == ["7", "normal", "tumour"]
    assert sets[2][2] == "g0"
    assert "g1" not in sets[2]
    X, y = values
    for label, _, *names in sets:
        higher = X[y == label].mean(axis=0) > X[y != label].mean(axis=0)
        assert len(names) == min(4, higher.sum())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("--test", "welch"),
            "--test is for tests of two classes, or of a class against the rest. Add",
        ),
        (("--value-scale", "log2"), "--value-scale is for tests of two classes"),
        (("--per-class", "--test", "none", "--value-scale", "log2"), "Leave out --value-scale"),
        (("--of-class", "tumor"), "Unknown class 'tumor'. Did you mean 'tumour'?"),
        (("--per-class", "-f", "rnk"), "--of-class LABEL"),
        (("--per-class", "-o", "genes.grp"), "--of-class LABEL"),
        (("-f", "gmt"), "--per-class"),
        (("--of-class", "tumour", "-f", "rnk", "--test", "welch"), "Leave out --test"),
        (("--per-class", "--report", "page.html"), "--of-class LABEL"),
        (("--per-class", "--plot", "best.png"), "--of-class LABEL"),
    ],
)
def test_what_does_not_go_together_is_refused(rank, args, message):
    result = rank(*args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_other_commands_do_not_offer_lists_of_features(run):
    assert "rnk" in run("rank", "--help").stdout
    for command in ("methods", "stability", "compare", "datasets"):
        assert "|rnk" not in run(command, "--help").stdout
    assert run("methods", "-f", "rnk").exit_code == 2
