"""The methods of a run by name: those of the registry, and EC-FS as the authors' toolbox has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name

from .published import METHODS

if TYPE_CHECKING:
    from featrank.base import Ranker

TOOLBOX = "ec-fs (toolbox)"
# What needs no quotes in a shell.
SPELLINGS = {"ec-fs-toolbox": TOOLBOX, "ec-fs(toolbox)": TOOLBOX}


def chosen(text: str) -> dict[str, Ranker]:
    """Return the methods that a list of names means, by label; 'paper' and 'all' are lists too.

    Examples
    --------
    >>> list(chosen("fisher,ec-fs-toolbox"))
    ['fisher', 'ec-fs (toolbox)']
    >>> len(chosen("paper"))
    9
    """
    known = _known()
    if text == "all":
        names = [*METHODS, TOOLBOX, *(name for name in known if name not in (*METHODS, TOOLBOX))]
    elif text == "paper":
        names = [*METHODS, TOOLBOX]
    else:
        names = [SPELLINGS.get(part.strip(), part.strip()) for part in text.split(",")]
    for name in names:
        if name not in known:
            raise UsageError(unknown_name("method", name, known))
    return {name: known[name] for name in names}


def _known() -> dict[str, Ranker]:
    from featrank.rankers.ec_fs import ECFS
    from featrank.registry import methods

    rankers = {name: cls() for name, cls in methods().items()}
    return {**rankers, TOOLBOX: ECFS(kernel="toolbox", normalize=None)}
