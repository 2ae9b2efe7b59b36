"""Write what is generated from the code: tables in pages and docstrings, and package exports."""

import ast
import sys
import textwrap
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from featrank.base.ranker import FAMILIES, Ranker
from featrank.base.registry import methods, rankers
from featrank.base.summary import SummaryRanker
from featrank.tables.format import Format, formats, suffixes

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/featrank"

# What featrank exports besides the rankers, and the packages available without another import.
OTHERS = {
    "ClassRankings": "featrank.ranking",
    "FDRSelector": "featrank.error_control",
    "CountTransform": "featrank.values.transforms",
    "Ranker": "featrank.base.ranker",
    "Ranking": "featrank.ranking",
    "Selection": "featrank.files.select",
    "SelectorRanker": "featrank.base.selectors",
    "bin_target": "featrank.values.classes",
    "compare_file": "featrank.files.compare",
    "gauntlet_file": "featrank.files.gauntlet",
    "methods": "featrank.base.registry",
    "rank": "featrank.api",
    "rank_file": "featrank.files.rank",
    "select_file": "featrank.files.select",
    "describe_file": "featrank.files.describe",
    "FileDescription": "featrank.files.describe",
}
PACKAGES = (
    "anndata",
    "datasets",
    "error_control",
    "evaluation",
    "graph",
    "plots",
    "report",
    "reproduction",
    "sources",
    "statistics",
    "summaries",
    "tables",
)


class Section(NamedTuple):
    """A part of a file between two marker lines."""

    file: str
    begin: str
    end: str
    make: Callable[[], str]

    def renewed(self, text: str) -> str:
        """Return the content of the file with this section generated again."""
        head, rest = text.split(self.begin)
        _, tail = rest.split(self.end)
        return f"{head}{self.begin}\n{self.make()}\n{self.end}{tail}"


def method_table() -> str:
    """Return the methods of the registry as a Markdown table."""
    head = ("method", "class", "type", "target", "complexity here", "as published", "reference")
    rows = []
    for family, title in FAMILIES.items():
        own = {name: cls for name, cls in methods().items() if cls.family == family}
        rows += [(f"**{title}**", *([""] * (len(head) - 1)))] if own else []
        rows += [_method_row(name, cls) for name, cls in own.items()]
    return table(head, rows)


def _method_row(name: str, cls: type[Ranker]) -> tuple[str, ...]:
    target = "classes, regression" if "regression" in cls.tasks else "classes"
    return (
        f"[`{name}`]({name}.md)",
        f"`{cls.__name__}`",
        cls.kind,
        target if cls.supervised else "none",
        cls.complexity,
        cls.published_complexity,
        cls.reference,
    )


def format_table() -> str:
    """Return the file formats as a Markdown table."""
    head = ("file", "suffixes", "`--target` names", "labels without it", "written", "in chunks")
    in_chunks = set(suffixes("open"))
    rows = [
        (
            ", ".join(each.names),
            ", ".join(f"`{suffix}`" for suffix in each.suffixes),
            each.target or "–",
            each.labels or "–",
            _written(each),
            "yes" if in_chunks.issuperset(each.suffixes) else "–",
        )
        for each in formats()
    ]
    return table(head, rows)


def _written(each: Format) -> str:
    return "; ".join(filter(None, [each.writes or "–", each.losses]))


def reading() -> str:
    """Return the formats as a list for the docstring of the function that reads them."""
    return _bulleted((each.suffixes, each.reading) for each in formats("read"))


def writing() -> str:
    """Return the formats as a list for the docstring of the function that writes them."""
    return _bulleted((each.suffixes, _written(each)) for each in formats("write"))


def _bulleted(items: Iterable[tuple[tuple[str, ...], str]]) -> str:
    lines = [
        textwrap.fill(
            f"{', '.join(f'``{suffix}``' for suffix in suffixes)}: {text}.",
            width=100,
            initial_indent="    - ",
            subsequent_indent="      ",
            break_long_words=False,
        )
        for suffixes, text in items
    ]
    return "\n".join(["", *lines, ""])


def exports() -> str:
    """Return the code that exports every ranker, at run time and for type checkers."""
    homes = {cls.__name__: cls.__module__ for cls in rankers()} | OTHERS
    lines = ["if TYPE_CHECKING:"]
    lines += [f"    from featrank import {name} as {name}" for name in PACKAGES]
    for home, names in _by_home(homes).items():
        lines += [f"    from {home} import {name} as {name}" for name in names]
    lines += ["", "_HOMES = {"]
    lines += [
        f'    "{name}": "{homes[name].removeprefix("featrank.")}",'
        for name in sorted(homes, key=_as_linted)
    ]
    packages = [f'    "{name}",' for name in PACKAGES]
    return "\n".join([*lines, "}", "", "_PACKAGES = (", *packages, ")"])


def able_methods() -> str:
    """Return the code that lists methods by what they support."""
    known = methods()
    accept_nan = [name for name, cls in known.items() if cls.accepts_nan]
    able = {
        "SINGLE_PASS": [name for name, cls in known.items() if issubclass(cls, SummaryRanker)],
        "SELECT": [name for name, cls in known.items() if cls.selects],
        "ACCEPT_NAN": accept_nan,
        "ACCEPT_NAN_FOR_REGRESSION": [
            name for name in accept_nan if "regression" in known[name].tasks
        ],
    }
    return "\n".join(_tuple(name, names) for name, names in able.items())


def _tuple(name: str, items: list[str]) -> str:
    line = f"{name} = {tuple(items)}".replace("'", '"')
    if len(line) <= 100:
        return line
    return "\n".join([f"{name} = (", *(f'    "{item}",' for item in items), ")"])


def _by_home(homes: dict[str, str]) -> dict[str, list[str]]:
    """Return the names that each module defines, both sorted."""
    modules = sorted(set(homes.values()))
    return {home: sorted(n for n in homes if homes[n] == home) for home in modules}


def lazy_exports(package: str) -> str:
    """Return the code that exports what the modules of a package list in ``__all__``.

    The files are parsed, not imported: the current exports may name a file that was deleted.
    """
    modules = {path.stem: _listed(path) for path in (SOURCE / package).glob("*.py")}
    listed = {home: names for home, names in sorted(modules.items()) if names}
    lines = ["if TYPE_CHECKING:"]
    lines += [f"    from featrank.{package}.{home} import *  # noqa: F403" for home in listed]
    lines += ["", "_HOMES = homes("]
    for home, names in listed.items():
        wrapped = textwrap.wrap(" ".join(names), 90 - len(home))
        lines.append(f'    {home}="' + ' "\n    "'.join(wrapped) + '",')
    return "\n".join([*lines, ")"])


def _listed(path: Path) -> list[str]:
    """Return what a module lists in ``__all__``."""
    if path.stem == "__init__":
        return []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return sorted(ast.literal_eval(node.value), key=_as_linted)
    return []


def _as_linted(name: str) -> tuple[int, str]:
    """Sort constants first, then classes, then the rest, as the linter requires of ``__all__``."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, *rows]
    cells = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([cells[0], "|---" * len(head) + "|", *cells[1:]])


PAGE, CODE, DOCSTRING = "<!-- {} -->", "# {}", "    .. {}"


def marked(file: str, around: str, name: str, make: Callable[[], str]) -> Section:
    """Return a section between comments of the file's own syntax."""
    begin, end = (around.format(f"{name}: {side}") for side in ("begin (make docs)", "end"))
    return Section(file, begin, end, make)


SECTIONS = (
    marked("docs/methods/README.md", PAGE, "methods", method_table),
    marked("docs/files.md", PAGE, "files", format_table),
    marked("src/featrank/__init__.py", CODE, "exports", exports),
    *(
        marked(f"src/featrank/{name}/__init__.py", CODE, "exports", partial(lazy_exports, name))
        for name in ("plots", "report", "reproduction", "statistics")
    ),
    marked("src/featrank/_utils/method_lists.py", CODE, "methods", able_methods),
    marked("src/featrank/tables/__init__.py", DOCSTRING, "reading", reading),
    marked("src/featrank/tables/__init__.py", DOCSTRING, "writing", writing),
)


def main() -> int:
    """Write the files, or with --check only report those that are out of date."""
    check, late = "--check" in sys.argv[1:], False
    for section in SECTIONS:
        path = ROOT / section.file
        old = path.read_text(encoding="utf-8")
        new = section.renewed(old)
        if not check:
            path.write_text(new, encoding="utf-8")
        elif old != new:
            late = True
            sys.stderr.write(f"{section.file} is out of date. Run: make docs\n")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
