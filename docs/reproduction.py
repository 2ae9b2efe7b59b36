"""Write the generated parts of reproduction.md from a folder of results. Run by: make reproduction.

What stands between the marks is made anew; the prose around them stays.
"""

import json
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from featrank.evaluation import Comparison, read_comparison
from featrank.reproduction.experiments import CHALLENGE, MICROARRAY
from featrank.reproduction.methods import TOOLBOX
from featrank.reproduction.published import notes
from featrank.reproduction.report import Cell, failures, side_by_side
from featrank.reproduction.stability import KS, read_csv

DOCS = Path(__file__).parent
PAGE, IMAGE = DOCS / "reproduction.md", DOCS / "images" / "stability.png"
BEGIN, END = "<!-- {}: begin (make reproduction) -->", "<!-- {}: end -->"
NONE = "–"


def main() -> int:
    """Fill the page from the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.stderr.write("Usage: python docs/reproduction.py RESULTS_DIR\n")
        return 2
    folder = Path(sys.argv[1])
    known = (*MICROARRAY.known, *CHALLENGE.known)
    found = {name: read_comparison(folder / name) for name in known if (folder / name).is_dir()}
    parts = {
        "run": run_part(found),
        "summary": summary_part(found),
        "microarray": tables_part(MICROARRAY.known, found),
        "challenge": tables_part(CHALLENGE.known, found),
        "alpha": alpha_part(found),
        "stability": stability_part(folder),
        "losses": losses_part(found),
        "notes": notes_part(),
    }
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")
    return 0


def filled(text: str, parts: dict[str, str]) -> str:
    """Return the page with each part between its marks."""
    for name, part in parts.items():
        begin, end = BEGIN.format(name), END.format(name)
        head, rest = text.split(begin)
        _, tail = rest.split(end)
        text = f"{head}{begin}\n\n{part}\n\n{end}{tail}"
    return text


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are numbers."""
    align = ["---", *("---:" for _ in header[1:])]
    lines = [header, align, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def run_part(found: dict[str, Comparison]) -> str:
    """Return what was run, with what, on what."""
    manifests = {name: done.manifest for name, done in found.items()}
    commands = Counter(_command(manifest["command"]) for manifest in manifests.values())
    first = next(iter(manifests.values()))
    versions = ", ".join(f"{name} {version}" for name, version in first["versions"].items())
    header = ("data set", "samples", "features", "methods", "trials", "started on")
    rows = [
        (
            name,
            str(manifest["data"]["samples"]),
            str(manifest["data"]["features"]),
            str(len(manifest["methods"])),
            str(len(found[name].trials)),
            manifest["created"][:10],
        )
        for name, manifest in manifests.items()
    ]
    block = "\n".join(["```", *commands, "```"])
    return f"{block}\n\nWith {versions}.\n\n{table(header, rows)}"


def _command(arguments: list[str]) -> str:
    return shlex.join(["featrank", *arguments[1:]])


def summary_part(found: dict[str, Comparison]) -> str:
    """Return the averages over the numbers of features, all data sets in one table."""
    cells = [c for name, done in found.items() for c in side_by_side(name, done)]
    chosen = {(c.method, c.dataset): c for c in cells if c.column == "average"}
    header = ["method"]
    for name in found:
        header += [name, "paper", "difference"] if _in_paper(name, cells) else [name]
    rows = []
    for method in dict.fromkeys(cell.method for cell in cells):
        row = [f"`{method}`"]
        for name in found:
            row += _summary_cells(chosen.get((method, name)), _in_paper(name, cells))
        rows.append(row)
    return table(header, rows)


def _in_paper(name: str, cells: Sequence[Cell]) -> bool:
    return any(cell.dataset == name and cell.paper is not None for cell in cells)


def _summary_cells(cell: Cell | None, in_paper: bool) -> list[str]:
    if cell is None:
        return [NONE] * (3 if in_paper else 1)
    ours = _number(cell.ours)
    if cell.deviation is not None:
        ours += f" ± {cell.deviation:.1f}"
    return [ours, _number(cell.paper), _number(cell.difference, "+")] if in_paper else [ours]


def tables_part(names: Sequence[str], found: dict[str, Comparison]) -> str:
    """Return the paper's tables, ours, the paper's figure and the difference in each cell."""
    parts = []
    for name in names:
        if name in found:
            parts.append(f"### {name}\n\n{cell_table(side_by_side(name, found[name]))}")
    return "\n\n".join(parts)


def cell_table(cells: Sequence[Cell]) -> str:
    """Return the table of one data set."""
    columns = list(dict.fromkeys(cell.column for cell in cells))
    header = ["method", "", *("time (s)" if c == "seconds" else c for c in columns)]
    rows = []
    for method in dict.fromkeys(cell.method for cell in cells):
        row = [cell for cell in cells if cell.method == method]
        rows.append([f"`{method}`", "ours", *(_number(c.ours, "", c.column) for c in row)])
        if any(cell.paper is not None for cell in row):
            rows.append(["", "paper", *(_number(c.paper, "", c.column) for c in row)])
            rows.append(["", "difference", *(_number(c.difference, "+", c.column) for c in row)])
    return table(header, rows)


def alpha_part(found: dict[str, Comparison]) -> str:
    """Return how often each alpha of EC-FS was chosen, over all numbers of features."""
    header, rows = ["data set", "method", *(f"{step / 10:g}" for step in range(11))], []
    for name, done in found.items():
        for method in ("ec-fs", TOOLBOX):
            chosen = [
                round(10 * json.loads(row["params"])["alpha"])
                for trial in done.trials
                for row in trial.rows
                if row["method"] == method and row["status"] == "ok"
            ]
            if chosen:
                shares = [100 * chosen.count(step) / len(chosen) for step in range(11)]
                rows.append([name, f"`{method}`", *(f"{share:.0f} %" for share in shares)])
    return table(header, rows)


def stability_part(folder: Path) -> str:
    """Return the picture, which is copied to the pages, and the index at some k."""
    shutil.copyfile(folder / "stability.png", IMAGE)
    sets = read_csv(folder / "stability.csv")
    shown = (10, 50, 100, 200)
    header = ["method", *(f"{name}, k = {k}" for name in sets for k in shown)]
    rows = []
    for method in dict.fromkeys(method for curves in sets.values() for method in curves):
        row = [f"`{method}`"]
        for curves in sets.values():
            values = curves.get(method)
            row += [NONE if values is None else f"{values[KS.index(k)]:.2f}" for k in shown]
        rows.append(row)
    image = f"![Kuncheva's index against the number of features](images/{IMAGE.name})"
    return f"{image}\n\n{table(header, rows)}"


def losses_part(found: dict[str, Comparison]) -> str:
    """Return where methods have no scores, and why."""
    rows = [
        (name, f"`{method}`", f"{count} of {len(done.trials)}", reason)
        for name, done in found.items()
        for method, (count, reason) in failures(done).items()
    ]
    if not rows:
        return "Every method finished every trial."
    return table(("data set", "method", "trials without a score", "reason"), rows)


def notes_part() -> str:
    """Return where the printed figures contradict each other."""
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
    return table(("figure", "printed", "mean of the cells", "note"), rows)


def _number(value: float | None, sign: str = "", column: str = "") -> str:
    if value is None:
        return NONE
    digits = ".3g" if column == "seconds" else ".2f"
    return f"{value:{sign}{digits}}".replace("-", "−")


if __name__ == "__main__":
    sys.exit(main())
