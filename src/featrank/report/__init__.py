"""Reports: results as plain values with a schema, written as tables, JSON, Markdown or HTML."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import homes, importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.report.comparison import *  # noqa: F403
    from featrank.report.comparison_html import *  # noqa: F403
    from featrank.report.datasets import *  # noqa: F403
    from featrank.report.document import *  # noqa: F403
    from featrank.report.file_description import *  # noqa: F403
    from featrank.report.gauntlet import *  # noqa: F403
    from featrank.report.methods import *  # noqa: F403
    from featrank.report.planted import *  # noqa: F403
    from featrank.report.ranking import *  # noqa: F403
    from featrank.report.ranking_html import *  # noqa: F403
    from featrank.report.ranks import *  # noqa: F403
    from featrank.report.reproduction import *  # noqa: F403
    from featrank.report.selection import *  # noqa: F403
    from featrank.report.significance import *  # noqa: F403
    from featrank.report.stability import *  # noqa: F403
    from featrank.report.writing import *  # noqa: F403

_HOMES = homes(
    comparison="comparison_report",
    comparison_html="comparison_html_report",
    datasets="dataset_report datasets_report",
    document="Cell Column Explorer Grid Paragraph Plot Report Section described",
    file_description="file_report",
    gauntlet="gauntlet_report",
    methods="methods_report",
    planted="planted_report",
    ranking="ranking_report",
    ranking_html="ranking_html_report",
    ranks="ranks_report",
    reproduction="areas_report precisions_report",
    selection="selection_report",
    significance="significance_report",
    stability="stability_report",
    writing="file_format write",
)
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
