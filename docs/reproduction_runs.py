"""The runs behind reproduction.md, stacked, and the format of its numbers."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featrank.evaluation import Comparison, read_comparison
from featrank.reproduction.methods import methods_by_label
from featrank.reproduction.report import Cell, side_by_side

NONE = "–"


@dataclass(frozen=True)
class Runs:
    """Comparisons by dataset: several if methods ran with different numbers of trials."""

    comparisons: Mapping[str, Sequence[Comparison]]

    @property
    def names(self) -> list[str]:
        """The data sets, in the paper's order."""
        return list(self.comparisons)

    @property
    def methods(self) -> list[str]:
        """The methods of any run, the paper's first."""
        found = {
            label for done in self.comparisons.values() for each in done for label in each.methods
        }
        known = list(methods_by_label("all"))
        return [*(name for name in known if name in found), *sorted(found - set(known))]

    def of(self, name: str) -> Sequence[Comparison]:
        """Return the comparisons on a data set."""
        return self.comparisons.get(name, ())

    def cells(self, name: str) -> list[Cell]:
        """Return our numbers on a dataset next to the paper's, by method."""
        cells = [cell for done in self.of(name) for cell in side_by_side(name, done)]
        return sorted(cells, key=lambda cell: self.methods.index(cell.method))

    def average(self, name: str, method: str) -> Cell | None:
        """Return a method's average over the numbers of features."""
        wanted = (method, "average")
        return next((c for c in self.cells(name) if (c.method, c.column) == wanted), None)

    def rows(self, name: str, method: str | None = None) -> list[dict[str, Any]]:
        """Return the rows of a data set that have a score, of one method or of all."""
        wanted = self.methods if method is None else [method]
        return [
            row
            for done in self.of(name)
            for trial in done.trials
            for row in trial.rows
            if row["status"] == "ok" and row["method"] in wanted
        ]


def read_runs(folder: Path, known: Sequence[str]) -> tuple[Runs, Runs]:
    """Return the leak-free and the leaky runs on these datasets, anywhere in a folder."""
    leak_free: dict[str, list[Comparison]] = {}
    leaky: dict[str, list[Comparison]] = {}
    paths = sorted(path.parent for path in folder.rglob("manifest.json"))
    for path in sorted(
        (path for path in paths if path.name in known), key=lambda p: known.index(p.name)
    ):
        done = read_comparison(path)
        if done.trials:
            group = leaky if done.manifest["protocol"].get("leaky") else leak_free
            _add(group.setdefault(path.name, []), done, path)
    return Runs(leak_free), Runs(leaky)


def _add(found: list[Comparison], done: Comparison, path: Path) -> None:
    twice = {label for each in found for label in each.methods} & set(done.methods)
    if twice:
        raise SystemExit(f"{path} repeats methods of another run: {', '.join(sorted(twice))}.")
    found.append(done)


def command(manifest: Mapping[str, Any]) -> str:
    """Return the command of a run, without local folders."""
    given = manifest["command"][1:]
    places = [place + 1 for place, word in enumerate(given[:-1]) if word == "--out-dir"]
    for place in places:
        given[place] = "/".join(Path(given[place]).parts[-2:])
    return shlex.join(["featrank", *given])


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table. All columns except the first are numbers."""
    align = ["---", *("---:" for _ in header[1:])]
    lines = [header, align, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def number(value: float | None, sign: str = "", column: str = "") -> str:
    """Return a number of a table. Minus signs are as wide as plus signs."""
    if value is None:
        return NONE
    digits = ".3g" if column == "seconds" else ".2f"
    return f"{value:{sign}{digits}}".replace("-", "−")
