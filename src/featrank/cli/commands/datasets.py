"""``featrank datasets``: the paper's data sets, what is at hand of them, and how to get them."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli import output as out
from featrank.cli.files import require_table_file
from featrank.cli.messages import Messages
from featrank.cli.options import output_path, require_folder
from featrank.exceptions import UsageError, unknown_name
from featrank.report.plain_text import one_line

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.datasets import Dataset

# Place in the list of commands.
ORDER = 7

COLUMNS = ("name", "samples", "classes", "features", "paper_samples", "paper_features", "at_hand")
NOTES = """\
`featrank datasets NAME` fetches a set, verifies it, and says where it lies; files NAME.npz are
looked for in the folder that the environment variable FEATRANK_DATA names, then in the cache.
The paper's VOC 2007 (about 10,000 images, 20 classes) is no table: it needs a file of features.
"""


@click.command("datasets")
@click.argument("name", required=False)
@click.option("--output", "-o", type=output_path, help="Write the set NAME as a table, too.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors.")
@out.format_option
def command(name: str | None, output: Path | None, quiet: bool, layout: str | None) -> None:
    """List the data sets of the EC-FS paper, or fetch the one called NAME.

    \b
    featrank datasets
    featrank datasets colon
    featrank datasets colon --output colon.csv
    """
    layout = out.stdout_layout(layout)
    if name is None:
        if output is not None:
            raise click.UsageError("--output is for one data set. Give its NAME.")
        _list(layout)
        return
    if output is not None:
        require_folder(output)
        require_table_file(output)
    _fetch(name, output, layout, Messages(quiet))


def _list(layout: str) -> None:
    rows = [*_papers(), *_built_in()]
    stream = out.stdout_stream(layout)
    if layout == "table":
        from rich.text import Text

        out.write_rich(stream, _table(rows), Text(NOTES, end=""))
    elif layout == "json":
        out.write_json(stream, rows)
    else:
        out.write_csv(stream, COLUMNS, ([_blank(row[c]) for c in COLUMNS] for row in rows))


def _blank(value: Any) -> Any:
    return "" if value is None else value


def _papers() -> Iterable[dict[str, Any]]:
    from featrank.datasets import table

    for row in table():
        yield {**row, "at_hand": _place(row["found"], row["address"])}


def _built_in() -> Iterable[dict[str, Any]]:
    from featrank.datasets import load, names

    registered = {row["name"] for row in _papers()}
    for name in names():
        if name not in registered:
            data = load(name)
            nothing = dict.fromkeys(("paper_samples", "paper_features", "found", "address"))
            yield {**nothing, **_sizes(data), "at_hand": "built-in"}


def _sizes(data: "Dataset") -> dict[str, Any]:
    samples, features = data.X.shape
    return {
        "name": data.name,
        "samples": samples,
        "classes": len(set(data.y.tolist())),
        "features": features,
    }


def _place(found: Any, address: Any) -> str:
    """Return where a file is, or how it is to be had."""
    from featrank.datasets.places import cache_folder

    if found is None:
        return "missing" if address else "missing, no public address"
    return "in the cache" if Path(found).parent == cache_folder() else "FEATRANK_DATA"


def _table(rows: list[dict[str, Any]]) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("data set", no_wrap=True)
    for head in ("samples", "classes", "features"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("paper's Table 1", justify="right")
    table.add_column("at hand", no_wrap=True)
    for row in rows:
        sizes = (f"{row[key]:,}" for key in ("samples", "classes", "features"))
        paper = row["paper_samples"], row["paper_features"]
        published = "–" if paper[0] is None else f"{paper[0]:,} × {paper[1]:,}"
        style = "red" if row["at_hand"].startswith("missing") else ""
        table.add_row(row["name"], *sizes, published, Text(row["at_hand"], style))
    return table


def _fetch(name: str, output: Path | None, layout: str, messages: Messages) -> None:
    from featrank.datasets import load, names

    if name not in names():
        raise UsageError(unknown_name("data set", name, names()))
    with messages.progress(f"Fetching {name}"):
        data = load(name)
    facts = _facts(data)
    _tell(facts, layout)
    if output is not None:
        _export(data, output, messages)


def _facts(data: "Dataset") -> dict[str, Any]:
    from collections import Counter

    from featrank.datasets import REGISTRY
    from featrank.datasets.places import find

    source = REGISTRY.get(data.name)
    path = None if source is None else find(data.name)
    sizes = Counter(data.y.tolist())
    return {
        **_sizes(data),
        "class_sizes": {str(label): count for label, count in sizes.items()},
        "description": data.description,
        "file": None if path is None else str(path),
        "citation": None if source is None else source.citation,
        "licence": None if source is None else source.licence,
    }


def _tell(facts: dict[str, Any], layout: str) -> None:
    stream = out.stdout_stream(layout)
    if layout == "json":
        out.write_json(stream, facts)
    elif layout == "csv":
        plain = {key: value for key, value in facts.items() if key != "class_sizes"}
        out.write_csv(stream, list(plain), [[_blank(value) for value in plain.values()]])
    else:
        out.write_rich(stream, *_sentences(facts))


def _sentences(facts: dict[str, Any]) -> list[Any]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    classes = ", ".join(f"{label} {count:,}" for label, count in facts["class_sizes"].items())
    lines = {
        "what": facts["description"],
        "samples": f"{facts['samples']:,}",
        "features": f"{facts['features']:,}",
        "classes": classes,
        "file": facts["file"] or "none: it comes with scikit-learn",
        "verified": "yes" if facts["file"] else "",
        "citation": facts["citation"],
        "licence": facts["licence"],
    }
    table = Table(box=box.SIMPLE, show_header=False, title=facts["name"], title_justify="left")
    for head, text in lines.items():
        if text:
            table.add_row(head, Text(one_line(text)))
    return [table]


def _export(data: "Dataset", output: Path, messages: Messages) -> None:
    from featrank import tables

    with messages.working(f"Writing {output.name}"):
        table = tables.Table(data.X, data.feature_names, data.y, data.target_name)
        tables.write(output, table)
    messages.say(f"Wrote {str(output)!r}; its target is {data.target_name!r}.")
