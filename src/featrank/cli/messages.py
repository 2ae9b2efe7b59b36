"""Progress and messages, on stderr only: a spinner on a terminal, nothing of it in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import perf_counter
from typing import Any

import click

from featrank.report.plain_text import one_line


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

    @contextmanager
    def progress(self, what: str) -> Iterator[None]:
        """Show a bar while a fit lasts; it moves where the method reports how far it is."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeRemainingColumn,
        )

        from featrank.progress import progress_to

        columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn()
        text = one_line(what).replace("[", r"\[")
        with Progress(
            *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
        ) as bar:
            task = bar.add_task(text, total=None)
            with progress_to(lambda done, total: bar.update(task, completed=done, total=total)):
                yield

    @contextmanager
    def stages(self) -> Iterator[None]:
        """Show what the work inside is at, and how long its stages took."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        from featrank.progress import stages_to

        with stages_to(self._stage):
            yield

    @contextmanager
    def _stage(self, what: str, done: str) -> Iterator[None]:
        start = perf_counter()
        with self.progress(what):
            yield
        if done:
            self.remark(f"{done} in {perf_counter() - start:.2f} s.")

    def remark(self, sentence: str) -> None:
        """Print a sentence that only someone at a terminal cares for."""
        if sys.stderr.isatty():
            self.say(sentence)
