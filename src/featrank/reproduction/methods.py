"""The methods of a run by name: those of the registry, and EC-FS as the authors' toolbox has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name
from featrank.reproduction.published import METHODS

if TYPE_CHECKING:
    from featrank.base.ranker import Ranker

__all__ = ["chosen"]

TOOLBOX = "ec-fs (toolbox)"
# What needs no quotes in a shell.
SPELLINGS = {"ec-fs-toolbox": TOOLBOX, "ec-fs(toolbox)": TOOLBOX}


# What is run as often as the paper's methods: those that the paper's argument is about.
RIVALS = ("ec-fs-diverse", "mrmr")


def chosen(text: str) -> dict[str, Ranker]:
    """Return the methods that a list of names means, by label.

    Some words are lists: 'paper' has the paper's methods, 'main' these and their nearest rivals,
    'others' the rest, 'all' both.

    Examples
    --------
    >>> list(chosen("fisher,ec-fs-toolbox"))
    ['fisher', 'ec-fs (toolbox)']
    >>> len(chosen("paper"))
    9
    """
    known = _known()
    lists = _lists(list(known))
    names = lists.get(text) or [SPELLINGS.get(p.strip(), p.strip()) for p in text.split(",")]
    for name in names:
        if name not in known:
            raise UsageError(unknown_name("method", name, known))
    return {name: known[name] for name in names}


def _lists(known: list[str]) -> dict[str, list[str]]:
    paper = [*METHODS, TOOLBOX]
    main = [*paper, *(name for name in RIVALS if name in known)]
    others = [name for name in known if name not in main]
    return {"paper": paper, "main": main, "others": others, "all": [*main, *others]}


def _known() -> dict[str, Ranker]:
    from featrank.base.registry import methods
    from featrank.rankers.ec_fs import ECFS

    rankers = {name: cls() for name, cls in methods().items()}
    # Algorithm 1 to the letter, and what the authors' toolbox computes.
    paper = {"ec-fs": ECFS(kernel="product"), TOOLBOX: ECFS(kernel="toolbox", normalize=None)}
    return {**rankers, **paper}
