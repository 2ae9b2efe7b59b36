"""The report of a result that suits a format. ``Ranking.save`` and ``Comparison.save`` write it."""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

from featrank.exceptions import UsageError, unknown_name
from featrank.ranking import ClassRankings, Ranking
from featrank.report import comparison_methods, ranking_methods
from featrank.report.comparison import comparison_report
from featrank.report.comparison_html import comparison_html_report
from featrank.report.document import Report
from featrank.report.ranking import ranking_report
from featrank.report.ranking_html import ranking_html_report
from featrank.report.writing import file_format, write


def save(
    result: Any,
    path: str | os.PathLike[str],
    format: str | None,
    safe_csv: bool,
    options: dict[str, Any],
) -> None:
    """Write a ranking or a comparison to a file. See ``Ranking.save``."""
    format = file_format(format, Path(path))
    write(build_report(result, format == "html", options), format, path, safe_csv=safe_csv)


def methods_section(result: Any) -> str:
    """Return a paragraph for a paper. See ``Ranking.methods_section``."""
    if isinstance(result, Ranking | ClassRankings):
        return ranking_methods.methods_section(result)
    return comparison_methods.methods_section(result)


def build_report(result: Any, html: bool, options: dict[str, Any]) -> Report:
    """Return the complete HTML report of a result, or the report of its table."""
    build = _builder(result, html)
    known = list(signature(build).parameters)[1:]
    for name in options:
        if name not in known:
            raise UsageError(unknown_name("option of this report", name, known))
    return build(result, **options)


def _builder(result: Any, html: bool) -> Callable[..., Report]:
    if not isinstance(result, Ranking | ClassRankings):
        return comparison_html_report if html else comparison_report
    # Without the data, or for several classes, there is only the table to show.
    complete = html and isinstance(result, Ranking) and result.data is not None
    return ranking_html_report if complete else ranking_report
