"""Command groups whose commands are the modules of a package."""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

import click

from featrank.cli.shell_terms import remember_command
from featrank.exceptions import unknown_name


class Commands(click.Group):
    """The commands of a package. Each module has a ``command`` and its position ``ORDER``."""

    def __init__(self, *args: Any, package: str, **options: Any):
        super().__init__(*args, **options)
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return sorted(self._names(), key=lambda name: self._module(name).ORDER)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in self._names():
            return None
        command: click.Command = self._module(cmd_name).command
        remember_command(ctx, command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command to run. An error for an unknown command suggests similar names."""
        if args[0] not in self._names() and not args[0].startswith("-"):
            raise click.UsageError(unknown_name("command", args[0], self._names()), ctx)
        return super().resolve_command(ctx, args)

    def _names(self) -> list[str]:
        path = import_module(self.package).__path__
        return [info.name.replace("_", "-") for info in pkgutil.iter_modules(path)]

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self.package}.{name.replace('-', '_')}")
