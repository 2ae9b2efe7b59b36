"""Tables for the terminal: ours, the paper's and the difference in each cell."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from featrank.report.plain_text import one_line
from featrank.report.wide import Wide

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.reproduction.report import Cell

NONE = "–"


def tables(title: str, cells: "Mapping[str, Sequence[Cell]]") -> list[Any]:
    """Return what rich renders: a title, a table a data set."""
    from rich.text import Text

    legend = "ROC AUC (%) of a linear SVM on the first k features: ours, the paper's, difference"
    parts = (Wide(_table(name, cells[name]), keys=2) for name in cells)
    return [Text(title, "bold"), Text(legend), *parts]


def _table(dataset: str, cells: "Sequence[Cell]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    columns = list(dict.fromkeys(cell.column for cell in cells))
    trials = max(cell.trials for cell in cells)
    # The paper's own data sets as it writes them; what stands in for one keeps its name.
    name = dataset.upper() if any(cell.paper is not None for cell in cells) else dataset
    name += one_line(cells[0].dataset.removeprefix(dataset))
    title = Text(f"{name}, {trials} trials", "bold")
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("method", no_wrap=True)
    table.add_column("", style="dim", no_wrap=True)
    for column in columns:
        head = "time (s)" if column == "seconds" else column
        table.add_column(head, justify="right", no_wrap=True)
    best = _best(cells)
    for method in dict.fromkeys(cell.method for cell in cells):
        row = [cell for cell in cells if cell.method == method]
        for line in _lines(row, best):
            table.add_row(*line)
    return table


def _lines(row: "Sequence[Cell]", best: dict[str, str]) -> Iterable[list[Any]]:
    from rich.text import Text

    ours = [_shown(cell.ours, cell.column) for cell in row]
    bold = ["bold" if best.get(c.column) == text else "" for c, text in zip(row, ours, strict=True)]
    texts = [Text(text, mark) for text, mark in zip(ours, bold, strict=True)]
    yield [Text(one_line(row[0].method)), "ours", *texts]
    if any(cell.paper is not None for cell in row):
        yield ["", "paper", *(_shown(cell.paper, cell.column) for cell in row)]
        yield ["", "difference", *(_signed(cell) for cell in row)]


def _best(cells: "Sequence[Cell]") -> dict[str, str]:
    best: dict[str, float] = {}
    for cell in cells:
        if cell.ours is not None and cell.column != "seconds":
            best[cell.column] = max(cell.ours, best.get(cell.column, cell.ours))
    return {column: _shown(value, column) for column, value in best.items()}


def _shown(value: float | None, column: str) -> str:
    if value is None:
        return NONE
    return f"{value:.3g}" if column == "seconds" else f"{value:.2f}"


def _signed(cell: "Cell") -> str:
    if cell.difference is None:
        return NONE
    if cell.column == "seconds":
        return f"{cell.difference:+.3g}"
    return f"{cell.difference:+.2f}"
