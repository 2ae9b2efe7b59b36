"""Sentences of reproduction.md that follow the figures."""

import json
from collections import Counter
from collections.abc import Iterable
from textwrap import fill

from reproduction_runs import Runs, number

from featrank.reproduction.methods import TOOLBOX
from featrank.reproduction.published import METHODS, areas
from featrank.reproduction.report import Cell

# A difference of averages that is told apart from others, in points.
FAR = 3.0
# What an earlier grid of C began with.
SMALL = 1e-4


def findings_part(runs: Runs) -> str:
    """Return what the run shows, a point a line."""
    points = (
        best_methods(runs),
        own_difference(runs),
        told_apart(runs),
        chosen_alpha(runs),
        mean_differences(runs),
        far_cells(runs),
        small_regularisation(runs),
        empty_cells(runs),
    )
    return "\n".join(_wrapped(point) for point in points if point)


def _wrapped(point: str) -> str:
    return fill(f"- {point}", 100, subsequent_indent="  ", break_on_hyphens=False)


def best_methods(runs: Runs) -> str:
    """Say which method has the best average on each set, here and in the paper.

    Only methods with the trials of EC-FS are compared.
    """
    here = {name: _best(_with_same_trials(runs, name)) for name in runs.names}
    own = [name for name, cell in here.items() if cell and cell.method == "ec-fs"]
    there = [name for name in runs.names if areas(name) and _paper_best(name) == "ec-fs"]
    best = _listed(f"`{c.method}` on {name} ({number(c.ours)})" for name, c in here.items() if c)
    return (
        f"**Best averages**, of the methods with as many trials as `ec-fs`: {best}. `ec-fs` has "
        f"it on {_listed(own) or 'no set'} here, and in the paper on {_listed(there) or 'no set'}."
    )


def own_difference(runs: Runs) -> str:
    """Say how far EC-FS is from what is published for it."""
    parts = []
    for method in ("ec-fs", TOOLBOX):
        cells = ((name, runs.average(name, method)) for name in runs.names)
        shown = [f"{number(c.difference, '+')} on {n}" for n, c in cells if c and _differs(c)]
        if shown:
            parts.append(f"`{method}` {_listed(shown)}")
    if not parts:
        return ""
    return f"**EC-FS less the paper's figures for it:** {'; '.join(parts)}."


def told_apart(runs: Runs) -> str:
    """Say in how many comparisons another method can be told from EC-FS."""
    parts = []
    for name in runs.names:
        for done in runs.of(name):
            if "ec-fs" not in done.methods or len(done.methods) < 2 or len(done.trials) < 5:
                continue
            tests = done.pairwise_tests("ec-fs")
            told = [test for test in tests if test.corrected_significant]
            better = sum(test.corrected.difference < 0 for test in told)
            parts.append(
                f"{len(told)} of {len(tests)} on {name}"
                + (f" (the other is better in {better})" if told else "")
            )
    if not parts:
        return ""
    return (
        "**Comparisons of `ec-fs` with another method at one number of features** that the "
        "corrected resampled t-test tells apart, p < 0.05 (`featrank significance`): "
        f"{_listed(parts)}. One in twenty would be if none differed."
    )


def chosen_alpha(runs: Runs) -> str:
    """Say which alpha EC-FS took most often."""
    parts = []
    for name in runs.names:
        counts = Counter(json.loads(row["params"])["alpha"] for row in runs.rows(name, "ec-fs"))
        if counts:
            alpha, count = counts.most_common(1)[0]
            share = 100 * count / counts.total()
            parts.append(f"{alpha:g} on {name} ({share:.0f} %, {len(counts)} values in all)")
    if not parts:
        return ""
    return f"**The alpha that `ec-fs` took most often:** {_listed(parts)}."


def mean_differences(runs: Runs) -> str:
    """Say how far the paper's methods are from the published averages, all together."""
    parts = []
    for name in runs.names:
        cells = [c for c in _averages(runs, name) if c.method in METHODS and _differs(c)]
        if cells:
            mean = sum(c.difference or 0.0 for c in cells) / len(cells)
            parts.append(f"{number(mean, '+')} on {name}")
    return f"**Mean difference of the paper's methods:** {_listed(parts)}." if parts else ""


def far_cells(runs: Runs) -> str:
    """List averages that are far from the published ones."""
    cells = [c for name in runs.names for c in _averages(runs, name) if _differs(c)]
    far = sorted(
        (c for c in cells if abs(c.difference or 0.0) > FAR), key=lambda c: c.difference or 0.0
    )
    if not far:
        return f"**No average is more than {FAR:g} points from the published one.**"
    shown = _listed(f"`{c.method}` on {c.dataset} ({number(c.difference, '+')})" for c in far)
    return f"**More than {FAR:g} points from the published average:** {shown}."


def small_regularisation(runs: Runs) -> str:
    """Say for which methods a small C is chosen on MADELON."""
    name = "madelon"
    shares = {}
    for method in runs.methods:
        chosen = [row["C"] for row in runs.rows(name, method)]
        if chosen:
            shares[method] = 100 * sum(C <= 1.001 * SMALL for C in chosen) / len(chosen)
    if not shares:
        return ""
    few = [f"`{method}` ({share:.0f} %)" for method, share in shares.items() if share <= 50]
    return (
        f"**On MADELON cross-validation chooses C = 0.0001 or less** in "
        f"{sum(shares.values()) / len(shares):.0f} % of the choices, and in most of every method's "
        + (f"but {_listed(few)}." if few else "own.")
    )


def empty_cells(runs: Runs) -> str:
    """Say how many cells have no figure, or not that of all trials."""
    lost = [
        (count, len(done.trials))
        for name in runs.names
        for done in runs.of(name)
        for count, _ in done.failures().values()
    ]
    empty = sum(count == trials for count, trials in lost)
    if not lost:
        return ""
    return (
        f"**Of the methods on the data sets {empty} finished no trial and {len(lost) - empty} not "
        "all of them**: see [the list](#trials-without-a-score). Means are over finished trials."
    )


def _averages(runs: Runs, name: str) -> list[Cell]:
    return [c for c in runs.cells(name) if c.column == "average" and c.ours is not None]


def _with_same_trials(runs: Runs, name: str) -> list[Cell]:
    own = {label for done in runs.of(name) if "ec-fs" in done.methods for label in done.methods}
    return [cell for cell in _averages(runs, name) if cell.method in own]


def _differs(cell: Cell) -> bool:
    return cell.difference is not None


def _best(cells: list[Cell]) -> Cell | None:
    return max(cells, key=lambda cell: cell.ours or 0.0, default=None)


def _paper_best(name: str) -> str:
    published = areas(name)
    return max(published, key=lambda method: published[method]["average"])


def _listed(parts: Iterable[str]) -> str:
    *some, last = list(parts) or [""]
    return f"{', '.join(some)} and {last}" if some else last
