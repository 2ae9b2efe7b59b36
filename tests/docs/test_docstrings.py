"""Every method's docstring links to its page and to related methods."""

import inspect
import re
from pathlib import Path

import pytest

import featrank
from featrank import methods

ROOT = Path(__file__).parents[2]
READ_MORE = re.compile(r"^Read more in (docs/methods/[a-z0-9-]+\.md)\.$")
RELATED = re.compile(r"^(\w+) : (.+\.)$")


def section(docstring, title):
    """Return the lines of a numpydoc section."""
    body = docstring.split(f"\n{title}\n{'-' * len(title)}\n")[1]
    return body.split("\n\n")[0].splitlines()


@pytest.fixture(params=methods().items(), ids=lambda item: item[0])
def method(request):
    return request.param


def test_the_summary_ends_with_a_link_to_the_page_of_the_method(method):
    name, cls = method
    summary = inspect.getdoc(cls).split("\n\nParameters\n")[0]
    link = READ_MORE.match(summary.splitlines()[-1])
    assert link is not None
    assert link[1] == f"docs/methods/{name}.md"
    assert (ROOT / link[1]).is_file()


def test_see_also_names_one_to_three_other_classes_with_a_reason(method):
    _, cls = method
    related = [RELATED.match(line) for line in section(inspect.getdoc(cls), "See Also")]
    assert None not in related
    names = [match[1] for match in related]
    assert 1 <= len(set(names)) == len(names) <= 3
    assert cls.__name__ not in names
    assert all(inspect.isclass(getattr(featrank, name, None)) for name in names)
