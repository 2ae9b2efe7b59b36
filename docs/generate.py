"""Write the parts of the pages that are made from the code: the table of methods."""

import sys
from pathlib import Path

from featrank.registry import methods

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- methods: begin (make docs) -->", "<!-- methods: end -->"


def method_table() -> str:
    """Return the methods of the registry as a Markdown table."""
    lines = [
        "| method | class | type | labels | complexity here | as published | reference |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, cls in methods().items():
        labels = "supervised" if cls.supervised else "unsupervised"
        cells = (
            f"`{name}`",
            f"`{cls.__name__}`",
            cls.kind,
            labels,
            cls.complexity,
            cls.published_complexity,
            cls.reference,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def with_table(text: str) -> str:
    """Return the page with the table between its marks made anew."""
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    return f"{head}{BEGIN}\n{method_table()}\n{END}{tail}"


def main() -> int:
    """Write the pages, or with --check only tell whether they are up to date."""
    page = ROOT / "README.md"
    old = page.read_text(encoding="utf-8")
    new = with_table(old)
    if "--check" in sys.argv[1:]:
        if old != new:
            sys.stderr.write(f"{page.name} is out of date; run: make docs\n")
        return int(old != new)
    page.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
