"""Errors are reported as one sentence on stderr and an exit code, without a traceback."""

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

from featrank._utils.plain_text import one_line
from featrank.cli.shell_terms import in_shell_terms
from featrank.exceptions import FeatrankError, UsageError

# Shells report programs ended by a signal as 128 plus the number of the signal.
INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13
TERMINATED = 128 + 15


class Terminated(KeyboardInterrupt):
    """SIGTERM was received; handled like Ctrl-C."""


class BadCall(click.ClickException):
    """The command line is invalid."""

    exit_code = 2


@contextmanager
def reported() -> Iterator[None]:
    """Turn exceptions into errors that click shows, or into an exit code."""
    try:
        with _ended_by_signals(), _short_warnings():
            yield
            sys.stdout.flush()
    except (click.ClickException, click.exceptions.Exit):
        raise
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


def _failure(error: Exception) -> click.ClickException:
    if os.environ.get("FEATRANK_DEBUG") == "1":
        traceback.print_exception(error)
    if isinstance(error, OSError):
        _abandon_stdout()
    kind = BadCall if isinstance(error, UsageError) else click.ClickException
    return kind(one_line(in_shell_terms(_sentence(error))))


def _sentence(error: Exception) -> str:
    if isinstance(error, FeatrankError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"The data does not fit into memory. {error}"
    if isinstance(error, OSError):
        return f"The system refused: {error.strerror or error}."
    return f"Unexpected {type(error).__name__}: {error} (FEATRANK_DEBUG=1 shows where)."


def _abandon_stdout() -> None:
    # The rest of the buffer would raise again when Python flushes it at exit.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _short_warnings() -> Iterator[None]:
    """Show only warnings for users, each as a line on stderr."""
    with warnings.catch_warnings():
        if os.environ.get("FEATRANK_DEBUG") != "1":
            warnings.simplefilter("ignore")
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _show_warning
        yield


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    click.echo(f"Warning: {one_line(in_shell_terms(str(message)))}", err=True)
