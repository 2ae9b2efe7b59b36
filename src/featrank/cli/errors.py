"""Errors are printed as one line on stderr and an exit code, without a traceback."""

import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from featrank.cli.messages import announce
from featrank.cli.shell_terms import in_shell_terms
from featrank.exceptions import FeatrankError, UsageError

# Shells report programs ended by a signal as 128 plus the number of the signal.
INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13
TERMINATED = 128 + 15


class Terminated(KeyboardInterrupt):
    """SIGTERM was received. It is handled like Ctrl-C."""


class Failure(click.ClickException):
    """The command failed. ``context`` is the command whose usage is shown, if any."""

    def __init__(self, message: str, context: click.Context | None = None):
        # Here, since click shows it when the command that messages refer to is gone.
        super().__init__(in_shell_terms(message))
        self.context = context

    def show(self, file: Any = None) -> None:
        """Print the error, after the usage of a command that was called with wrong options."""
        if self.context is not None:
            usage, path = self.context.get_usage(), self.context.command_path
            click.echo(f"{usage}\nTry '{path} --help' for help.\n", err=True)
        announce("error", self.message)


class BadCall(Failure):
    """The command line is invalid."""

    exit_code = 2


@contextmanager
def reported() -> Iterator[None]:
    """Turn exceptions into errors that click shows, or into an exit code."""
    try:
        with _ended_by_signals(), _short_warnings():
            yield
            sys.stdout.flush()
    except (Failure, click.exceptions.Exit, click.exceptions.NoArgsIsHelpError):
        raise
    except click.UsageError as error:
        raise BadCall(error.format_message(), error.ctx) from error
    except click.ClickException as error:
        raise Failure(error.format_message()) from error
    except Terminated:
        click.echo("\nTerminated.", err=True)
        raise click.exceptions.Exit(TERMINATED) from None
    except KeyboardInterrupt:
        click.echo("\nInterrupted.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _abandon_stdout()
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except Exception as error:
        raise _failure(error) from error


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let SIGTERM end a command like Ctrl-C, which cleans up its files and processes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: Any) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _failure(error: Exception) -> Failure:
    if os.environ.get("FEATRANK_DEBUG") == "1":
        traceback.print_exception(error)
    if isinstance(error, OSError):
        _abandon_stdout()
    kind = BadCall if isinstance(error, UsageError) else Failure
    return kind(_sentence(error))


def _sentence(error: Exception) -> str:
    if isinstance(error, FeatrankError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"The data does not fit into memory. {error}"
    if isinstance(error, OSError):
        return f"System error: {error.strerror or error}."
    return f"Unexpected {type(error).__name__}: {error} (set FEATRANK_DEBUG=1 to see where)."


def _abandon_stdout() -> None:
    # The rest of the buffer would raise again when Python flushes it at exit.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _short_warnings() -> Iterator[None]:
    """Show only warnings for users, one per line on stderr."""
    with warnings.catch_warnings():
        if os.environ.get("FEATRANK_DEBUG") != "1":
            warnings.simplefilter("ignore")
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _show_warning
        yield


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    announce("warning", str(message))
