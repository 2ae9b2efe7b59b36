"""Help with options under headings: each option names its group.

To add an option, call ``option`` with one of the groups below. An option without a group is listed
last, under "Other".
"""

from collections.abc import Callable
from typing import Any

import click

DATA = "Data"
TARGET = "Target"
METHOD = "Method"
EVALUATION = "Evaluation"
OUTPUT = "Output"
MISSING = "Missing values and text"
RUN = "Run"
LARGE = "Large data"
OTHER = "Other"

#: The headings, in the order of the help.
GROUPS = (DATA, TARGET, METHOD, EVALUATION, OUTPUT, MISSING, RUN, LARGE, OTHER)

# Width of the column with the names of the options.
_NAMES = 22

Decorator = Callable[[Any], Any]


class Option(click.Option):
    """An option with a group. A string as ``show_default`` describes a default of None."""

    def __init__(self, *args: Any, group: str = OTHER, **settings: Any):
        super().__init__(*args, **settings)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return the default and whether the option is required, without ranges of numbers."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        if isinstance(self.show_default, str):
            extra["default"] = (ctx.default_map or {}).get(self.name, self.show_default)
        return extra


def option(*names: str, group: str, **settings: Any) -> Decorator:
    """Return the decorator that adds an option to a command, under a heading."""
    return click.option(*names, cls=Option, group=group, **settings)


class GroupedCommand(click.Command):
    """A command whose help has the options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of each group."""
        records: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                records[getattr(param, "group", OTHER)].append(record)
        for group in filter(records.get, GROUPS):
            with formatter.section(group):
                formatter.write_dl(records[group], col_max=_NAMES)


def grouped_command(
    name: str, cls: type[click.Command] = GroupedCommand, **settings: Any
) -> Decorator:
    """Return the decorator that makes a command with grouped help."""
    return click.command(name, cls=cls, **settings)
