"""The report of a gauntlet: realised false discovery rates and power."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from featrank.error_control import Gauntlet, Rate, Scenario
from featrank.exceptions import counted
from featrank.report.document import Grid, Paragraph, Report, described, make_columns

__all__ = ["gauntlet_report"]

HEADS = ("any claim", "FDR", "power", "claims")


def gauntlet_report(gauntlet: Gauntlet) -> Report:
    """Return the rates of each scenario, with 95 % intervals.

    Parameters
    ----------
    gauntlet : Gauntlet
        Returned by ``featrank.error_control.run_gauntlet`` or ``featrank.gauntlet_file``.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.error_control import run_gauntlet
    >>> X = np.random.default_rng(0).normal(size=(40, 100))
    >>> gauntlet = run_gauntlet(X, np.arange(40) % 2, "fisher", n_runs=5, effects=(2.0,))
    >>> gauntlet_report(gauntlet).content["scenarios"][0]["n_planted"]
    0
    """
    facts: dict[str, Any] = asdict(gauntlet)
    content = described("gauntlet", 1, {**facts, "holds": gauntlet.holds})
    title = (
        f"{gauntlet.method} at a false discovery rate of {gauntlet.fdr:g}, on "
        f"{counted(gauntlet.n_samples, 'sample')} × {counted(gauntlet.n_features, 'feature')} "
        f"({gauntlet.scenarios[0].n_runs} runs, 95 % intervals)"
    )
    rows = [_row(scenario) for scenario in gauntlet.scenarios]
    cells = [_cells(scenario) for scenario in gauntlet.scenarios]
    grid = Grid(make_columns(("labels",), HEADS, whole=True), cells, title)
    return Report(content, rows, [grid, Paragraph(gauntlet.sentence())], gauntlet.notes())


def _row(scenario: Scenario) -> dict[str, Any]:
    rates = {"any_claim": scenario.any_claim, "fdr": scenario.fdr, "power": scenario.power}
    ends = ("mean", "low", "high")
    flat = {
        f"{name}_{end}": None if rate is None else getattr(rate, end)
        for name, rate in rates.items()
        for end in ends
    }
    known = ("n_planted", "effect", "n_runs")
    return {name: getattr(scenario, name) for name in known} | flat | {"claims": scenario.mean_size}


def _cells(scenario: Scenario) -> list[str]:
    planted = f"{scenario.n_planted} planted, {scenario.effect:g} SD"
    return [
        planted if scenario.n_planted else "random",
        _written(scenario.any_claim),
        _written(scenario.fdr),
        "" if scenario.power is None else _written(scenario.power),
        f"{scenario.mean_size:.1f}",
    ]


def _written(rate: Rate) -> str:
    return f"{rate.mean:.2f} ({rate.low:.2f}–{rate.high:.2f})"
