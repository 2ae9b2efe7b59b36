"""What help says of the files that commands read, from what the formats declare."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from featrank.exceptions import listed

if TYPE_CHECKING:
    from featrank.tables import Format


class TableCommand(click.Command):
    """A command on a table; its help ends with the formats of files."""

    action: str | None = "read"

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write which files there are."""
        self.epilog = (
            "FILE is a table with one row a sample. Its suffix names its format: "
            f"{', '.join(suffix for each in self.formats() for suffix in each.suffixes)}."
        )
        super().format_epilog(ctx, formatter)

    def formats(self) -> "Iterable[Format]":
        """Return what the formats of files declare of themselves."""
        from featrank.tables.format import formats

        return formats(self.action)


class RankingCommand(TableCommand):
    """A command that also reads tables in parts."""

    action = None


class TargetOption(click.Option):
    """The option --target; its help says what it names in each kind of file."""

    def get_help_record(self, ctx: click.Context) -> Any:
        """Return the name of the option and its help."""
        assert isinstance(ctx.command, TableCommand)
        self.help = _target_help(ctx.command.formats())
        return super().get_help_record(ctx)


def _target_help(formats: "Iterable[Format]") -> str:
    from featrank.tables.format import COLUMN

    by_target: dict[str, list[str]] = {}
    for each in formats:
        if each.target is None:
            what = f"the labels are {each.labels}"
        else:
            what = each.target + (f"; by default {each.labels}" if each.labels else "")
        by_target.setdefault(what, []).extend(each.names)
    by_target.pop(COLUMN, None)
    others = [f" In {listed(names, 'and')} files: {what}." for what, names in by_target.items()]
    return (
        "Column with the target, class labels or a quantity (--task), by name or by position (-1 "
        f"is the last).{''.join(others)}"
    )
