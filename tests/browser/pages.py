"""Pages to open, and what is asked of every one of them."""

from featrank.report import Paragraph, Report, Section, write
from featrank.report.sections import features

# Names that mean something to HTML, SVG, JSON, Python, shells, spreadsheets or the eye.
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<!--",
    "<!--<script>",
    "]]>",
    '"double"',
    "'single'",
    "back\\slash",
    "{braces}",
    "\u202eright to left",
    "zero\u200bwidth",
    "=cmd()",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tTab",
    "\rReturn",
    "two\nlines",
    "\u2028separator",
    "semi;colon",
    "com,ma",
    "$(touch x)",
    "`touch x`",
    "&lt;b&gt;",
    "<b>bold</b>",
    "😀",
    "",
    " ",
    "__proto__",
    "constructor",
    "x" * 300,
]
# Keeps a list of what a page's policy forbade.
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


class Watched:
    """A page that shall ask for nothing, print nothing and break no policy."""

    def __init__(self, page, file):
        self.page, self.file = page, file
        self.requests, self.said = [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))

    def check(self):
        # A file that is exported has an address inside of the page.
        assert [url for url in self.requests if not url.startswith("blob:")] == [self.file.as_uri()]
        assert self.said == []
        assert self.page.evaluate("window.violations") in ([], None)


def write_page(path, results, **options):
    """Write a page that has the features of results for its second question."""
    answer = Section("answer", "What is the answer?", [Paragraph("The answer is 10 features.")])
    shown = [answer, features.section(features.facts(results, **options))]
    write(Report({"title": "Features of fake data"}, [], shown), to=path)
    return path


def names_in(page):
    """Return the names that the table shows."""
    return page.locator("#explorer tbody th").all_inner_texts()


def status(page):
    """Return what the page says of the features that match."""
    return page.locator("#explorer > [role=status]").inner_text()


def head(page, text):
    """Return the heading of a column, by its text."""
    return page.locator("#explorer thead th").filter(has=page.get_by_role("button", name=text))


def column(page, text):
    """Return the texts of a column."""
    heads = [" ".join(t.split()) for t in page.locator("#explorer thead th").all_inner_texts()]
    [number] = [place for place, found in enumerate(heads) if found.startswith(text)]
    if number == 0:
        return names_in(page)
    cells = page.locator(f"#explorer tbody td:nth-child({number + 2})").all_inner_texts()
    return [cell.strip() for cell in cells]
