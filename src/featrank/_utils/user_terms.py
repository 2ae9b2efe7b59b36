"""Messages in the user's own interface: Python by default, options of a command in the shell."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_translate: ContextVar[Callable[[str], str]] = ContextVar("featrank_terms", default=str)


def in_user_terms(message: str) -> str:
    """Return a message, which is written for Python, in the terms of the user's interface."""
    return _translate.get()(message)


@contextmanager
def user_terms(translate: Callable[[str], str]) -> Iterator[None]:
    """Translate the messages of reports that are written inside.

    Examples
    --------
    >>> with user_terms(str.upper):
    ...     in_user_terms("Look.")
    'LOOK.'
    >>> in_user_terms("Look.")
    'Look.'
    """
    token = _translate.set(translate)
    try:
        yield
    finally:
        _translate.reset(token)
