"""Progress and messages, on stderr only: a spinner on a terminal, nothing of it in a pipe."""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from .errors import one_line


class Messages:
    """Says what is going on, unless asked to be quiet."""

    def __init__(self, quiet: bool):
        self.quiet = quiet

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        if not self.quiet:
            click.echo(one_line(sentence), err=True)

    def working(self, what: str) -> AbstractContextManager[Any]:
        """Show a spinner while the work lasts."""
        if self.quiet or not sys.stderr.isatty():
            return nullcontext()
        from rich.console import Console
        from rich.text import Text

        return Console(stderr=True).status(Text(f"{one_line(what)} …"))

    def remark(self, sentence: str) -> None:
        """Print a sentence that only someone at a terminal cares for."""
        if sys.stderr.isatty():
            self.say(sentence)
