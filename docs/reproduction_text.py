"""Sentences of reproduction.md that depend on the numbers."""

import json
from collections import Counter
from collections.abc import Iterable
from textwrap import fill

from reproduction_runs import Runs, number

from featrank.reproduction.methods import TOOLBOX
from featrank.reproduction.published import METHODS, areas
from featrank.reproduction.report import Cell

# A difference of averages that is worth a mention, in points.
FAR = 3.0
# The smallest C of an earlier grid.
SMALL = 1e-4


def findings_part(runs: Runs) -> str:
    """Return the findings of the run as a list."""
    points = (
        best_methods(runs),
        own_difference(runs),
        significant_differences(runs),
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
    """Report which method has the best average on each dataset, here and in the paper.

    Only methods with the trials of EC-FS are compared.
    """
    here = {name: _best(_with_same_trials(runs, name)) for name in runs.names}
    own = [name for name, cell in here.items() if cell and cell.method == "ec-fs"]
    there = [name for name in runs.names if areas(name) and _paper_best(name) == "ec-fs"]
    best = _listed(f"`{c.method}` on {name} ({number(c.ours)})" for name, c in here.items() if c)
    return (
        f"**Best averages** among the methods with as many trials as `ec-fs`: {best}. `ec-fs` is "
        f"best on {_listed(own) or 'no dataset'} here, and on {_listed(there) or 'no dataset'} in "
        "the paper."
    )


def own_difference(runs: Runs) -> str:
    """Report how far EC-FS is from its published numbers."""
    parts = []
    for method in ("ec-fs", TOOLBOX):
        cells = ((name, runs.average(name, method)) for name in runs.names)
        shown = [f"{number(c.difference, '+')} on {n}" for n, c in cells if c and _differs(c)]
        if shown:
            parts.append(f"`{method}` {_listed(shown)}")
    if not parts:
        return ""
    return f"**Difference between EC-FS and its published numbers:** {'. '.join(parts)}."


def significant_differences(runs: Runs) -> str:
    """Report in how many comparisons another method differs significantly from EC-FS."""
    parts = []
    for name in runs.names:
        for done in runs.of(name):
            if "ec-fs" not in done.methods or len(done.methods) < 2 or len(done.trials) < 5:
                continue
            tests = done.pairwise_tests("ec-fs")
            significant = [test for test in tests if test.corrected_significant]
            better = sum(test.corrected.difference < 0 for test in significant)
            parts.append(
                f"{len(significant)} of {len(tests)} on {name}"
                + (f" (the other method is better in {better})" if significant else "")
            )
    if not parts:
        return ""
    return (
        "**Significant differences** between `ec-fs` and another method at one number of features "
        "(corrected resampled t-test, p < 0.05, `featrank significance`): "
        f"{_listed(parts)}. Without any difference, one in twenty is expected."
    )


def chosen_alpha(runs: Runs) -> str:
    """Report which alpha EC-FS chose most often."""
    parts = []
    for name in runs.names:
        counts = Counter(json.loads(row["params"])["alpha"] for row in runs.rows(name, "ec-fs"))
        if counts:
            alpha, count = counts.most_common(1)[0]
            share = 100 * count / counts.total()
            parts.append(f"{alpha:g} on {name} ({share:.0f} %, {len(counts)} distinct)")
    if not parts:
        return ""
    return f"**The alpha that `ec-fs` chose most often:** {_listed(parts)}."


def mean_differences(runs: Runs) -> str:
    """Report the mean difference between the paper's methods and their published averages."""
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
    """Report for which methods cross-validation chooses a small C on MADELON."""
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
        f"**On MADELON, cross-validation chooses C = 0.0001 or less** in "
        f"{sum(shares.values()) / len(shares):.0f} % of the cases, and for every method in more "
        f"than half{f', except {_listed(few)}' if few else ''}."
    )


def empty_cells(runs: Runs) -> str:
    """Report how many methods failed in some or all trials."""
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
        f"**Trials without a score:** on some dataset, {empty} methods finished no trial and "
        f"{len(lost) - empty} did not finish all. See [the list](#trials-without-a-score). Means "
        "are over finished trials."
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
