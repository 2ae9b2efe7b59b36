"""The tests across data sets, for people: ranks with bars, and sentences."""

from typing import TYPE_CHECKING, Any

from featrank.cli.commands.significance import p_text
from featrank.report.plain_text import one_line
from featrank.report.wide import Wide

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.statistics import FriedmanTest, NemenyiTest

    from .significance_several import Found, Scores


def report(scores: "Scores", found: "Found") -> list[Any]:
    """Return what rich writes: scores and ranks, then a part for each test."""
    from rich.text import Text

    parts: list[Any] = [Text(_title(scores)), Wide(_scores(scores, found.nemenyi), keys=3)]
    if found.nemenyi is not None:
        parts.append(Text(_nemenyi(found.nemenyi)))
    if found.friedman is not None:
        parts.append(Text(_friedman(found.friedman)))
    if found.pairs:
        head = Text("\nWilcoxon's signed-rank test of pairs:")
        parts += [head, _pairs(found), *map(Text, _about_pairs(scores, found))]
    return parts


def _title(scores: "Scores") -> str:
    ks = ", ".join(map(str, scores.ks))
    datasets = len(scores.datasets)
    return f"Average ranks over {datasets} data sets (1 is best), and mean scores in % for k: {ks}"


def _scores(scores: "Scores", test: "NemenyiTest | None") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text
    from scipy.stats import rankdata

    ranks = rankdata(-scores.table, axis=1).mean(axis=0)
    table = Table(box=box.SIMPLE_HEAD)
    groups = [] if test is None else test.groups
    for head in ("rank", "", "method", *scores.datasets, "average"):
        side = "left" if head in ("", "method") else "right"
        table.add_column(Text(head), justify=side, no_wrap=True)  # type: ignore[arg-type]
    for place in sorted(range(len(scores.methods)), key=lambda j: float(ranks[j])):
        name = scores.methods[place]
        bars = " ".join("┃" if name in group else " " for group in groups)
        values = [*scores.table[:, place].tolist(), float(scores.table[:, place].mean())]
        cells = [f"{100 * value:.2f}" for value in values]
        table.add_row(f"{ranks[place]:.2f}", bars, Text(one_line(name)), *cells)
    return table


def _nemenyi(test: "NemenyiTest") -> str:
    told = f"Nemenyi: ranks differ by more than chance (p < {test.level:g}) if they are "
    told += f"{test.critical_difference:.2f} apart. "
    if not test.groups:
        return told + "All methods differ."
    return told + "Methods that share a bar ┃ are not told apart."


def _friedman(test: "FriedmanTest") -> str:
    p_values = f"p = {p_text(test.p_value)}, by Iman and Davenport's F {p_text(test.f_p_value)}"
    differ = test.f_p_value < 0.05
    return f"Friedman: {p_values}: the methods {'differ' if differ else 'are not told apart'}."


def _pairs(found: "Found") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for head in ("method", "other"):
        table.add_column(head, no_wrap=True)
    for head in ("difference (%)", "p", "p, Holm"):
        table.add_column(head, justify="right")
    for pair in found.pairs:
        style = "bold" if pair.adjusted_p_value < 0.05 else ""
        table.add_row(
            Text(one_line(pair.first)),
            Text(one_line(pair.second)),
            f"{100 * pair.difference:+.2f}",
            p_text(pair.p_value),
            Text(p_text(pair.adjusted_p_value), style),
        )
    return table


def _about_pairs(scores: "Scores", found: "Found") -> list[str]:
    lines = [f"Holm: p-values adjusted for the {len(found.pairs)} comparisons made."]
    count = len(scores.datasets)
    if 2 / 2**count >= 0.05:
        lines.append(
            f"{count} data sets are too few for this test: p cannot fall below {2 / 2**count:g}; "
            "6 are needed for p < 0.05."
        )
    return lines
