"""The EC-FS paper's experiments: its published figures, the same runs, and both side by side.

``reproduce`` runs an experiment on tables, ``reproduce_voc`` that on multi-label data;
``reproduction_report`` and ``voc_report`` show our figures beside the paper's.
"""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.reproduction.experiments import (
        CHALLENGE,
        MICROARRAY,
        Experiment,
        Reproduction,
        reproduce,
    )
    from featrank.reproduction.methods import chosen
    from featrank.reproduction.planar import PlanarGraph, planar_graphs
    from featrank.reproduction.report import reproduction_report
    from featrank.reproduction.stability import write_stability
    from featrank.reproduction.voc import reproduce_voc, voc_report

_HOMES = {
    "CHALLENGE": "experiments",
    "MICROARRAY": "experiments",
    "Experiment": "experiments",
    "PlanarGraph": "planar",
    "Reproduction": "experiments",
    "chosen": "methods",
    "planar_graphs": "planar",
    "reproduce": "experiments",
    "reproduce_voc": "voc",
    "reproduction_report": "report",
    "voc_report": "voc",
    "write_stability": "stability",
}

__all__ = [
    "CHALLENGE",
    "MICROARRAY",
    "Experiment",
    "PlanarGraph",
    "Reproduction",
    "chosen",
    "planar_graphs",
    "reproduce",
    "reproduce_voc",
    "reproduction_report",
    "voc_report",
    "write_stability",
]
# exports: end

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
