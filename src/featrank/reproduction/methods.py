"""The methods of a run by name: the registry, and EC-FS as in the authors' toolbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name
from featrank.reproduction.published import METHODS

if TYPE_CHECKING:
    from featrank.base.ranker import Ranker

__all__ = ["methods_by_label"]

TOOLBOX = "ec-fs (toolbox)"
# Spellings without blanks, for the shell.
SPELLINGS = {"ec-fs-toolbox": TOOLBOX, "ec-fs(toolbox)": TOOLBOX}


# Methods that run with those of the paper.
RIVALS = ("ec-fs-diverse", "mrmr")


def methods_by_label(names: str) -> dict[str, Ranker]:
    """Return the methods of a comma-separated list of names, by label.

    'paper' are the methods of the paper, 'main' these and similar methods, 'others' the remaining
    ones, and 'all' both.

    Examples
    --------
    >>> list(methods_by_label("fisher,ec-fs-toolbox"))
    ['fisher', 'ec-fs (toolbox)']
    >>> len(methods_by_label("paper"))
    9
    """
    known = _known()
    lists = _lists(list(known))
    labels = lists.get(names) or [SPELLINGS.get(p.strip(), p.strip()) for p in names.split(",")]
    for name in labels:
        if name not in known:
            raise UsageError(unknown_name("method", name, known))
    return {name: known[name] for name in labels}


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
