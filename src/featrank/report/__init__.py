"""Reports: results as plain values with a schema, written as tables, JSON, Markdown or HTML."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.report.comparison import comparison_report as comparison_report
    from featrank.report.comparison_html import comparison_html_report as comparison_html_report
    from featrank.report.datasets import dataset_report as dataset_report
    from featrank.report.datasets import datasets_report as datasets_report
    from featrank.report.document import Cell as Cell
    from featrank.report.document import Column as Column
    from featrank.report.document import Explorer as Explorer
    from featrank.report.document import Figure as Figure
    from featrank.report.document import Grid as Grid
    from featrank.report.document import Paragraph as Paragraph
    from featrank.report.document import Report as Report
    from featrank.report.document import Section as Section
    from featrank.report.document import described as described
    from featrank.report.methods import methods_report as methods_report
    from featrank.report.planted import planted_report as planted_report
    from featrank.report.ranking import ranking_report as ranking_report
    from featrank.report.ranking_html import ranking_html_report as ranking_html_report
    from featrank.report.ranks import ranks_report as ranks_report
    from featrank.report.reproduction import areas_report as areas_report
    from featrank.report.reproduction import precisions_report as precisions_report
    from featrank.report.selection import selection_report as selection_report
    from featrank.report.significance import significance_report as significance_report
    from featrank.report.stability import stability_report as stability_report
    from featrank.report.writing import file_format as file_format
    from featrank.report.writing import write as write

_HOMES = {
    "Cell": "document",
    "Column": "document",
    "Explorer": "document",
    "Figure": "document",
    "Grid": "document",
    "Paragraph": "document",
    "Report": "document",
    "Section": "document",
    "areas_report": "reproduction",
    "comparison_html_report": "comparison_html",
    "comparison_report": "comparison",
    "dataset_report": "datasets",
    "datasets_report": "datasets",
    "described": "document",
    "file_format": "writing",
    "methods_report": "methods",
    "planted_report": "planted",
    "precisions_report": "reproduction",
    "ranking_html_report": "ranking_html",
    "ranking_report": "ranking",
    "ranks_report": "ranks",
    "selection_report": "selection",
    "significance_report": "significance",
    "stability_report": "stability",
    "write": "writing",
}
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
