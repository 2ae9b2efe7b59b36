"""A paragraph of Markdown stays one, whatever it begins with."""

import pytest

from featrank.report import Grid, Paragraph, Report


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- one", r"\- one"),
        ("+ one", r"\+ one"),
        ("1. one", r"1\. one"),
        ("12) one", r"12\) one"),
        ("above\n===", "above  \n\\==="),
        ("above\n---", "above  \n\\---"),
        ("-1 is a number", r"\-1 is a number"),
        ("a - b = 1.5", "a - b = 1.5"),
        ("1.5 points", r"1\.5 points"),
    ],
)
def test_paragraphs(written, text, expected):
    assert written(Report({}, [], [Paragraph(text)]), "markdown") == f"{expected}\n"


def test_captions(written):
    report = Report({}, [], [Grid([], [], caption="- one")])
    assert written(report, "markdown").endswith("\n\\- one\n")
