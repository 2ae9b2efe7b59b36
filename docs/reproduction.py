"""Write the generated parts of reproduction.md from a folder of results. Run by: make reproduction.

The folder may contain several runs, each in its own folder, with different methods and numbers of
trials. Only the content between the markers changes.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from reproduction_leaks import granularity_part, leaky_part
from reproduction_runs import NONE, Runs, command, number, read_runs, table
from reproduction_text import findings_part

from featrank.plots import save
from featrank.reproduction.experiments import CHALLENGE, MICROARRAY
from featrank.reproduction.methods import TOOLBOX
from featrank.reproduction.published import notes
from featrank.reproduction.report import Cell
from featrank.reproduction.stability import KS, curves, draw_curves

DOCS = Path(__file__).parent
PAGE, IMAGE = DOCS / "reproduction.md", DOCS / "images" / "stability.png"
BEGIN, END = "<!-- {}: begin {} -->", "<!-- {}: end -->"


def main() -> int:
    """Fill the page from the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.stderr.write("Usage: python docs/reproduction.py RESULTS_DIR\n")
        return 2
    leak_free, leaky = read_runs(Path(sys.argv[1]), (*MICROARRAY.known, *CHALLENGE.known))
    if not leak_free.names:
        sys.stderr.write(f"{sys.argv[1]} has no results on the paper's datasets.\n")
        return 1
    parts = {
        "run": run_part(leak_free),
        "summary": summary_part(leak_free),
        "findings": findings_part(leak_free),
        "granularity": granularity_part(),
        "leaky": leaky_part(leak_free, leaky),
        "microarray": tables_part(MICROARRAY.known, leak_free),
        "challenge": tables_part(CHALLENGE.known, leak_free),
        "alpha": alpha_part(leak_free),
        "C": regularisation_part(leak_free),
        "stability": stability_part(leak_free),
        "losses": losses_part(leak_free),
        "notes": notes_part(),
    }
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")
    return 0


def filled(text: str, parts: dict[str, str], made_by: str = "(make reproduction)") -> str:
    """Return the page with each part between its markers."""
    for name, part in parts.items():
        begin, end = BEGIN.format(name, made_by), END.format(name)
        head, rest = text.split(begin)
        _, tail = rest.split(end)
        text = f"{head}{begin}\n\n{part}\n\n{end}{tail}"
    return text


def run_part(runs: Runs) -> str:
    """Return the commands, versions and datasets of the runs."""
    manifests = [(name, done, done.manifest) for name in runs.names for done in runs.of(name)]
    commands = Counter(command(manifest) for _, _, manifest in manifests)
    first = manifests[0][2]
    versions = ", ".join(f"{name} {version}" for name, version in first["versions"].items())
    header = ("data set", "samples", "features", "methods", "trials", "started on")
    rows = [
        (
            name,
            str(manifest["data"]["samples"]),
            str(manifest["data"]["features"]),
            str(len(manifest["methods"])),
            str(len(done.trials)),
            manifest["created"][:10],
        )
        for name, done, manifest in manifests
    ]
    block = "\n".join(["```", *commands, "```"])
    return f"{block}\n\nWith {versions}.\n\n{table(header, rows)}"


def summary_part(runs: Runs) -> str:
    """Return the averages over the numbers of features, with all datasets in one table."""
    cells = [cell for name in runs.names for cell in runs.cells(name)]
    chosen = {(c.method, c.dataset): c for c in cells if c.column == "average"}
    header = ["method"]
    for name in runs.names:
        header += [name, "paper", "difference"] if _in_paper(name, cells) else [name]
    rows = []
    for method in runs.methods:
        row = [f"`{method}`"]
        for name in runs.names:
            row += _summary_cells(chosen.get((method, name)), _in_paper(name, cells))
        rows.append(row)
    return table(header, rows)


def _in_paper(name: str, cells: Sequence[Cell]) -> bool:
    return any(cell.dataset == name and cell.paper is not None for cell in cells)


def _summary_cells(cell: Cell | None, in_paper: bool) -> list[str]:
    if cell is None:
        return [NONE] * (3 if in_paper else 1)
    ours = number(cell.ours)
    if cell.deviation is not None:
        ours += f" ± {cell.deviation:.1f}"
    return [ours, number(cell.paper), number(cell.difference, "+")] if in_paper else [ours]


def tables_part(names: Iterable[str], runs: Runs) -> str:
    """Return the paper's tables: our number, the paper's and the difference."""
    tables = [f"### {name}\n\n{cell_table(runs.cells(name))}" for name in names if runs.of(name)]
    return "\n\n".join(tables)


def cell_table(cells: Sequence[Cell]) -> str:
    """Return the table of one data set."""
    columns = list(dict.fromkeys(cell.column for cell in cells))
    header = ["method", "", *("time (s)" if c == "seconds" else c for c in columns)]
    rows = []
    for method in dict.fromkeys(cell.method for cell in cells):
        row = [cell for cell in cells if cell.method == method]
        rows.append([f"`{method}`", "ours", *(number(c.ours, "", c.column) for c in row)])
        if any(cell.paper is not None for cell in row):
            rows.append(["", "paper", *(number(c.paper, "", c.column) for c in row)])
            rows.append(["", "difference", *(number(c.difference, "+", c.column) for c in row)])
    return table(header, rows)


def alpha_part(runs: Runs) -> str:
    """Return how often each alpha of EC-FS was chosen, over all numbers of features."""
    header, rows = ["data set", "method", *(f"{step / 10:g}" for step in range(11))], []
    for name in runs.names:
        for method in ("ec-fs", TOOLBOX):
            chosen = [
                round(10 * json.loads(row["params"])["alpha"]) for row in runs.rows(name, method)
            ]
            if chosen:
                shares = _shares(chosen, range(11))
                rows.append([name, f"`{method}`", *shares])
    return table(header, rows)


def regularisation_part(runs: Runs) -> str:
    """Return how often each C was chosen, over all methods and numbers of features."""
    chosen = {name: [row["C"] for row in runs.rows(name)] for name in runs.names}
    values = sorted({C for each in chosen.values() for C in each})
    rows = [[name, *_shares(each, values)] for name, each in chosen.items()]
    return table(["data set", *(f"{C:g}" for C in values)], rows)


def _shares(chosen: Sequence[Any], values: Iterable[Any]) -> list[str]:
    counts = Counter(chosen)
    return [f"{100 * counts[value] / len(chosen):.0f} %" for value in values]


def stability_part(runs: Runs) -> str:
    """Draw the plot, and return it with the index at some k."""
    sets = {
        name: {m: c for done in runs.of(name) for m, c in curves(done).items()}
        for name in MICROARRAY.known
        if runs.of(name)
    }
    sets = {name: {m: each[m] for m in runs.methods if m in each} for name, each in sets.items()}
    if not any(sets.values()):
        return "Stability needs at least two trials."
    save(draw_curves(sets), IMAGE)
    shown = (10, 50, 100, 200)
    header = ["method", *(f"{name}, k = {k}" for name in sets for k in shown)]
    rows = []
    for method in runs.methods:
        row = [f"`{method}`"]
        for found in sets.values():
            values = found.get(method)
            row += [NONE if values is None else f"{values[KS.index(k)]:.2f}" for k in shown]
        rows.append(row)
    image = f"![Kuncheva's index against the number of features](images/{IMAGE.name})"
    return f"{image}\n\n{table(header, rows)}"


def losses_part(runs: Runs) -> str:
    """Return which methods have no scores, and why."""
    rows = [
        (name, f"`{method}`", f"{count} of {len(done.trials)}", reason)
        for name in runs.names
        for done in runs.of(name)
        for method, (count, reason) in done.failures().items()
    ]
    if not rows:
        return "Every method finished every trial."
    return table(("data set", "method", "trials without a score", "reason"), rows)


def notes_part() -> str:
    """Return printed numbers that contradict each other."""
    rows = [
        (
            f"{note.table}: {note.dataset}, {note.method}",
            note.printed or NONE,
            note.recomputed or NONE,
            note.note,
        )
        for note in notes()
        if note.kind in ("misprint", "repeated")
    ]
    return table(("cell", "printed", "mean of the cells", "note"), rows)


if __name__ == "__main__":
    sys.exit(main())
