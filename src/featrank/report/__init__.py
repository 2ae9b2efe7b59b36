"""Reports: results as plain values with a schema, written as text, CSV, JSON, Markdown or HTML."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.report.comparison import comparison_report
    from featrank.report.comparison_page import page_report
    from featrank.report.datasets import dataset_report, datasets_report
    from featrank.report.document import (
        Cell,
        Column,
        Explorer,
        Figure,
        Grid,
        Paragraph,
        Report,
        Section,
        described,
    )
    from featrank.report.methods import methods_report
    from featrank.report.planted import planted_report
    from featrank.report.ranking import ranking_report
    from featrank.report.ranking_methods import methods_text
    from featrank.report.ranking_page import ranking_page_report
    from featrank.report.ranks import ranks_report
    from featrank.report.reproduction import areas_report, precisions_report
    from featrank.report.selection import selection_report
    from featrank.report.significance import significance_report
    from featrank.report.stability import stability_report
    from featrank.report.writing import file_layout, write

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
    "comparison_report": "comparison",
    "dataset_report": "datasets",
    "datasets_report": "datasets",
    "described": "document",
    "file_layout": "writing",
    "methods_report": "methods",
    "methods_text": "ranking_methods",
    "page_report": "comparison_page",
    "planted_report": "planted",
    "precisions_report": "reproduction",
    "ranking_page_report": "ranking_page",
    "ranking_report": "ranking",
    "ranks_report": "ranks",
    "selection_report": "selection",
    "significance_report": "significance",
    "stability_report": "stability",
    "write": "writing",
}

__all__ = [
    "Cell",
    "Column",
    "Explorer",
    "Figure",
    "Grid",
    "Paragraph",
    "Report",
    "Section",
    "areas_report",
    "comparison_report",
    "dataset_report",
    "datasets_report",
    "described",
    "file_layout",
    "methods_report",
    "methods_text",
    "page_report",
    "planted_report",
    "precisions_report",
    "ranking_page_report",
    "ranking_report",
    "ranks_report",
    "selection_report",
    "significance_report",
    "stability_report",
    "write",
]
# exports: end

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
