"""The experiments of the EC-FS paper, and our results next to the published ones.

``reproduce`` runs the experiments on tables, and ``reproduce_voc`` the one on multi-label data.
``reproduction_report`` and ``voc_report`` show our results next to those of the paper.
"""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.reproduction.experiments import CHALLENGE as CHALLENGE
    from featrank.reproduction.experiments import MICROARRAY as MICROARRAY
    from featrank.reproduction.experiments import Experiment as Experiment
    from featrank.reproduction.experiments import Reproduction as Reproduction
    from featrank.reproduction.experiments import reproduce as reproduce
    from featrank.reproduction.methods import methods_by_label as methods_by_label
    from featrank.reproduction.planar import PlanarGraph as PlanarGraph
    from featrank.reproduction.planar import planar_graphs as planar_graphs
    from featrank.reproduction.report import reproduction_report as reproduction_report
    from featrank.reproduction.stability import write_stability as write_stability
    from featrank.reproduction.voc import reproduce_voc as reproduce_voc
    from featrank.reproduction.voc import voc_report as voc_report

_HOMES = {
    "CHALLENGE": "experiments",
    "MICROARRAY": "experiments",
    "Experiment": "experiments",
    "PlanarGraph": "planar",
    "Reproduction": "experiments",
    "methods_by_label": "methods",
    "planar_graphs": "planar",
    "reproduce": "experiments",
    "reproduce_voc": "voc",
    "reproduction_report": "report",
    "voc_report": "voc",
    "write_stability": "stability",
}
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
