"""Reports: results as plain values with a schema, written as text, CSV, JSON, Markdown or HTML."""

from typing import TYPE_CHECKING

from featrank.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from .comparison import comparison_report
    from .comparison_page import page_report
    from .datasets import dataset_report, datasets_report
    from .document import (
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
    from .methods import methods_report
    from .planted import planted_report
    from .ranking import ranking_report
    from .ranking_methods import methods_text
    from .ranking_page import ranking_page_report
    from .ranks import ranks_report
    from .reproduction import areas_report, precisions_report
    from .selection import selection_report
    from .significance import significance_report
    from .stability import stability_report
    from .writing import file_layout, write

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
