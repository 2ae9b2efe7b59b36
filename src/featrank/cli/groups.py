"""Command groups whose commands are the modules of a package."""

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

import click

from featrank.cli.shell_terms import remember_command


class Commands(click.Group):
    """The commands of a package; each module has a ``command`` and its position ``ORDER``."""

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

    def _names(self) -> list[str]:
        path = import_module(self.package).__path__
        return [info.name.replace("_", "-") for info in pkgutil.iter_modules(path)]

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self.package}.{name.replace('-', '_')}")
