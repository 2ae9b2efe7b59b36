"""Names that would act in some layout, and a check that they do not."""

import re

# What acts in a terminal, in rich, in Markdown, in HTML or in TeX, if one lets it.
AWKWARD = "<script>a|b</script>\x1b[31m [red]x[/red] $y$ *z*\nnext"


def require_harmless(report, written):
    """Nothing of awkward names acts in any layout for readers."""
    text, markdown, page = (written(report, layout) for layout in ("table", "markdown", "html"))
    assert "\x1b" not in text + markdown + page
    assert "[red]x[/red]" in text
    assert "<script>" not in page
    assert "&lt;script&gt;a|b&lt;/script&gt;" in page
    for act in ("<script>", "a|b", "[red]", "$y", "*z"):
        assert not re.search(rf"(?<!\\){re.escape(act)}", markdown), act
    tables = [line for line in markdown.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in tables}
    assert any("next" in line for line in tables)
    assert len(widths) <= 2
