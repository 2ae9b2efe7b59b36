"""``featrank methods``: what there is to choose from, as the classes themselves say."""

from typing import TYPE_CHECKING, Any

import click

from featrank.cli import output as out
from featrank.cli.params import OPTIONS

if TYPE_CHECKING:
    from rich.table import Table

    from featrank.base import Ranker

# Place in the list of commands.
ORDER = 8

FACTS = (
    "name",
    "kind",
    "supervised",
    "multiclass",
    "accepts_sparse",
    "accepts_nan",
    "stochastic",
    "complexity",
    "published_complexity",
    "reference",
)


@click.command("methods")
@out.format_option
def command(layout: str | None) -> None:
    """List the ranking methods.

    For T samples and n features: what each method is, what it costs here, what its publication
    says, and where it comes from.
    """
    from featrank.registry import methods

    facts = [_facts(cls) for cls in methods().values()]
    layout = out.stdout_layout(layout)
    stream = out.stdout_stream(layout)
    if layout == "table":
        out.write_rich(stream, _table(facts))
    elif layout == "json":
        out.write_json(stream, facts)
    else:
        out.write_csv(stream, FACTS, ([entry[fact] for fact in FACTS] for entry in facts))


def _facts(cls: "type[Ranker]") -> dict[str, Any]:
    return {
        **{fact: getattr(cls, fact) for fact in FACTS},
        "params": {
            name: value for name, value in cls().get_params().items() if name not in OPTIONS
        },
    }


def _table(facts: list[dict[str, Any]]) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    headings = ("Method", "Type", "Class", "Complexity", "Published", "Reference")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in headings:
        # Names stay whole; formulas and references may take several lines.
        table.add_column(heading, no_wrap=heading in headings[:3], overflow="fold")
    for entry in facts:
        cells = (
            entry["name"],
            entry["kind"],
            "supervised" if entry["supervised"] else "unsupervised",
            entry["complexity"],
            entry["published_complexity"],
            entry["reference"],
        )
        table.add_row(*map(Text, cells))
    return table
