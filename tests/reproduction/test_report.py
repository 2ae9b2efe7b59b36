import numpy as np
import pytest

from featrank.evaluation import Comparison
from featrank.evaluation.trials import Trial
from featrank.exceptions import UsageError
from featrank.reproduction.methods import TOOLBOX, methods_by_label
from featrank.reproduction.report import side_by_side

KS = (50, 100, 150, 200)


def row(trial, method, k, score, seconds=0.5, status="ok", reason=""):
    return {
        "trial": trial, "method": method, "k": k, "score": score, "ranking_seconds": seconds,
        "status": status, "reason": reason,
    }  # fmt: skip


@pytest.fixture
def comparison():
    """Two trials; EC-FS loses the second one."""
    nan = float("nan")
    first = [row(0, m, k, 0.9 + k / 10000) for m in ("ec-fs", TOOLBOX, "mrmr") for k in KS]
    lost = [row(1, "ec-fs", k, nan, nan, "over time", "took longer than 1 s") for k in KS]
    second = lost + [row(1, m, k, 0.8, 1.5) for m in (TOOLBOX, "mrmr") for k in KS]
    trials = [Trial(0, first), Trial(1, second)]
    manifest = {"data": {"name": "made"}}
    return Comparison(trials, ["ec-fs", TOOLBOX, "mrmr"], KS, manifest)


def test_cells_hold_ours_the_papers_and_the_difference(comparison):
    cells = {(c.method, c.column): c for c in side_by_side("colon", comparison)}
    assert len(cells) == 3 * 6
    cell = cells["ec-fs", "50"]
    assert (cell.ours, cell.paper) == (pytest.approx(90.5), 91.40)
    assert cell.difference == pytest.approx(90.5 - 91.40)
    assert (cell.trials, cell.deviation) == (1, None)
    cell = cells[TOOLBOX, "average"]
    assert (cell.ours, cell.paper) == (pytest.approx((91.25 + 80) / 2), 91.06)
    assert cell.deviation == pytest.approx(np.std([91.25, 80], ddof=1))
    assert cells[TOOLBOX, "seconds"].ours == pytest.approx(1.0)
    assert (cells["mrmr", "200"].paper, cells["mrmr", "200"].difference) == (None, None)


def test_other_data_have_nothing_of_the_papers_beside_them(comparison):
    cells = side_by_side("gina_like_mnist", comparison)
    assert all(cell.paper is None and cell.difference is None for cell in cells)


def test_failures_are_counted_by_trial(comparison):
    assert comparison.failures() == {"ec-fs": (1, "took longer than 1 s")}


def test_methods_by_name():
    from featrank.base.registry import methods

    assert list(methods_by_label("paper"))[-2:] == ["ec-fs", TOOLBOX]
    assert set(methods_by_label("all")) == {*methods(), TOOLBOX}
    assert (methods_by_label("all")[TOOLBOX].kernel, methods_by_label("ec-fs")["ec-fs"].kernel) == (
        "toolbox",
        "product",
    )
    with pytest.raises(UsageError, match="Did you mean 'fisher'"):
        methods_by_label("fischer")


def test_lists_of_methods():
    """The paper's methods and their rivals first, and every method in one list or the other."""
    main, others = list(methods_by_label("main")), list(methods_by_label("others"))
    assert main[:9] == list(methods_by_label("paper"))
    assert "mrmr" in main
    assert not set(main) & set(others)
    assert [*main, *others] == list(methods_by_label("all"))
