"""Save a result in one call: the report and its format follow from the result and the file name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.ranking import ClassRankings, Ranking
from featrank.report.document import Report
from featrank.report.writing import file_layout, write

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

__all__ = ["save", "to_html"]


def save(
    result: Ranking | ClassRankings | Comparison,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    safe_csv: bool = False,
    **options: Any,
) -> None:
    """Save a ranking or a comparison to a file.

    Parameters
    ----------
    result : Ranking, ClassRankings or Comparison
        The result to save.
    path : path
        The file. It is replaced only after the new one is complete.
    format : str or None, default=None
        As ``layout`` of :func:`featrank.report.write`. None uses the file extension.
    safe_csv : bool, default=False
        Whether to escape text in CSV and TSV files that a spreadsheet would run as a formula.
    **options
        Passed on to the function that builds the report, for example ``top=20`` for a ranking.

    Examples
    --------
    >>> import featrank
    >>> ranking = featrank.rank([[1, 5], [2, 5], [8, 4], [9, 6]], [0, 0, 1, 1], "fisher")
    >>> featrank.report.save(ranking, "ranking.html")  # doctest: +SKIP
    """
    chosen = file_layout(format, Path(path))
    write(_build_report(result, chosen == "html", options), chosen, path, safe_csv=safe_csv)


def to_html(result: Ranking | ClassRankings | Comparison, **options: Any) -> str:
    """Return the HTML report of a ranking or a comparison, in one self-contained file.

    Parameters
    ----------
    result : Ranking, ClassRankings or Comparison
        The result to show.
    **options
        As for :func:`featrank.report.save`.

    Examples
    --------
    >>> import featrank
    >>> ranking = featrank.rank([[1, 5], [2, 5], [8, 4], [9, 6]], [0, 0, 1, 1], "fisher")
    >>> featrank.report.to_html(ranking)[:15]
    '<!DOCTYPE html>'
    """
    return _build_report(result, True, options).html()


def _build_report(result: Any, html: bool, options: dict[str, Any]) -> Report:
    from featrank import report

    if isinstance(result, Ranking | ClassRankings):
        # Without the data, or for several classes, there is only the table to show.
        complete = html and isinstance(result, Ranking) and result.data is not None
        build: Any = report.ranking_page_report if complete else report.ranking_report
    else:
        build = report.page_report if html else report.comparison_report
    built: Report = build(result, **options)
    return built
