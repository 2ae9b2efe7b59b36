"""The experiments of the EC-FS paper, and our results next to the published ones.

``reproduce`` runs the experiments on tables, and ``reproduce_voc`` the one on multi-label data.
``reproduction_report`` and ``voc_report`` show our results next to those of the paper.
"""

from typing import TYPE_CHECKING

from featrank._utils.lazy import homes, importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.reproduction.experiments import *  # noqa: F403
    from featrank.reproduction.methods import *  # noqa: F403
    from featrank.reproduction.planar import *  # noqa: F403
    from featrank.reproduction.report import *  # noqa: F403
    from featrank.reproduction.stability import *  # noqa: F403
    from featrank.reproduction.voc import *  # noqa: F403

_HOMES = homes(
    experiments="CHALLENGE MICROARRAY Experiment Reproduction reproduce",
    methods="methods_by_label",
    planar="PlanarGraph planar_graphs",
    report="reproduction_report",
    stability="write_stability",
    voc="reproduce_voc voc_report",
)
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
