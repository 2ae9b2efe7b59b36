"""``Format``: the description of a file format, and the registry of all formats."""

import pkgutil
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from featrank.exceptions import UsageError
from featrank.tables.options import ReadOptions

# The package of formats, by name, as it is a layer above. Its modules are discovered.
_PACKAGE = "featrank.formats"

#: What a target names in most files.
COLUMN = "a column"


@dataclass(frozen=True)
class Format:
    """A file format of tables.

    Attributes
    ----------
    names : tuple of str
        Its usual names.
    suffixes : tuple of str
        The file extensions, in lower case.
    target : str or None
        What a target is in such a file ("a column"). None if there is none.
    labels : str or None
        The labels of a file if no target is given. None if it has none.
    writes : str or None
        What a written file holds. None if featrank only reads the format.
    loses : tuple of str
        Which of "labels", "names" and "ids" a written file cannot hold.
    transposable : bool
        Whether such a file may have its features in rows, to be transposed on request.
    folder : bool
        Whether such a file is a folder.
    scanned : bool
        Whether all of a file has to be read before it can be opened in chunks.
    options : tuple of str
        Which of the options "sep", "decimal", "na_values" and "sheet" apply to the format.
    """

    names: tuple[str, ...]
    suffixes: tuple[str, ...]
    target: str | None = COLUMN
    labels: str | None = None
    writes: str | None = None
    loses: tuple[str, ...] = ()
    transposable: bool = False
    folder: bool = False
    scanned: bool = False
    options: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        """Where the labels are, as a sentence without its full stop."""
        if self.target is None:
            return f"the labels are {self.labels}"
        without = "" if self.labels is None else f" (by default {self.labels})"
        return f"the target is {self.target}{without}"

    @property
    def losses(self) -> str:
        """What a written file cannot hold ("no labels and no names"), or an empty string."""
        return self.losses_of(self.loses)

    def losses_of(self, what: Collection[str]) -> str:
        """Return what a written file cannot hold of a table that has only some of it."""
        return " and ".join(f"no {one}" for one in self.loses if one in what)


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of all formats, in the order of their first extensions."""
    found = pkgutil.iter_modules(import_module(_PACKAGE).__path__)
    loaded = [import_module(f"{_PACKAGE}.{info.name}") for info in found]
    return tuple(sorted(loaded, key=lambda module: module.FORMAT.suffixes[0]))


def formats(action: str | None = None) -> tuple[Format, ...]:
    """Return all formats, or those with a function of this name: "read", "open" or "write"."""
    return tuple(m.FORMAT for m in modules() if action is None or hasattr(m, action))


def suffixes(action: str | None = None) -> tuple[str, ...]:
    """Return the extensions of all formats, or of those that can be read, opened or written."""
    return tuple(suffix for each in formats(action) for suffix in each.suffixes)


def module_of(path: Path, action: str | None = None) -> ModuleType | None:
    """Return the module of a file's format, by its extension, if it has such a function."""
    name = path.name.lower()
    module = next((found for found in modules() if name.endswith(found.FORMAT.suffixes)), None)
    return None if module is None or (action and not hasattr(module, action)) else module


def format_of(path: Path) -> Format | None:
    """Return the format of a file, by its extension."""
    module = module_of(path)
    return None if module is None else module.FORMAT


def require_options(known: Format, options: ReadOptions, name: str) -> None:
    """Reject options about parsing cells if neither the file nor the sample sheet uses them."""
    sheet = None if options.labels is None else format_of(options.labels)
    usable = {
        *known.options,
        *(set() if sheet is None else {*sheet.options} & {"na_values", "sheet"}),
    }
    for option in ("sep", "decimal", "na_values", "sheet"):
        if getattr(options, option) and option not in usable:
            raise UsageError(
                f"`{option}=...` does not apply to {name!r}, a {known.names[0]} file. Leave it out."
            )
