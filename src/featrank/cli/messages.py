"""Progress and messages on stderr. The progress bar appears on terminals only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import perf_counter

import click

from featrank._utils.plain_text import one_line
from featrank.cli.shell_terms import in_shell_terms


def announce(kind: str, sentence: str) -> None:
    """Print a note, a warning or an error on stderr: ``note: ...``."""
    click.echo(f"{kind}: {one_line(in_shell_terms(sentence))}", err=True)


def _rate(done: int, seconds: float) -> str:
    """Return the reading rate over all passes, or an empty string for other steps."""
    from featrank._utils.budget import written_size
    from featrank._utils.progress import Bytes

    return f"{written_size(done / seconds)}/s" if isinstance(done, Bytes) and seconds > 0 else ""


class Messages:
    """Prints messages and progress, unless ``quiet``."""

    def __init__(self, quiet: bool):
        self.quiet = quiet

    def say(self, sentence: str) -> None:
        """Print what was done."""
        if not self.quiet:
            click.echo(one_line(in_shell_terms(sentence)), err=True)

    def note(self, sentence: str) -> None:
        """Print a note on the result or the data."""
        if not self.quiet:
            announce("note", sentence)

    @contextmanager
    def progress(self, what: str) -> Iterator[None]:
        """Show a progress bar, which moves if the code inside reports progress."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        from rich import progress as rich
        from rich.console import Console

        from featrank._utils.progress import progress_to

        doing, rate = map(rich.TextColumn, ("{task.description}", "{task.fields[rate]}"))
        columns = rich.SpinnerColumn(), doing, rich.BarColumn(), rate, rich.TimeRemainingColumn()
        with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(one_line(what).replace("[", r"\["), total=None, rate="")
            start = perf_counter()

            def show(done: int, total: int) -> None:
                rate = _rate(done, perf_counter() - start)
                bar.update(task, completed=done, total=total, rate=rate)

            with progress_to(show):
                yield

    @contextmanager
    def stages(self) -> Iterator[None]:
        """Show the current stage and the duration of each, and announce long ones."""
        if self.quiet:
            yield
            return
        from featrank._utils.progress import on_notify, stages_to

        shown = stages_to(self._stage) if sys.stderr.isatty() else nullcontext()
        with on_notify(self.note), shown:
            yield

    @contextmanager
    def _stage(self, what: str, done: str) -> Iterator[None]:
        start = perf_counter()
        with self.progress(what):
            yield
        if done:
            self.say(f"{done} in {perf_counter() - start:.2f} s.")
