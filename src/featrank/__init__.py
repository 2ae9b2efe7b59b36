"""featrank ranks and selects features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from featrank.api import Ranking, rank
    from featrank.base import Ranker
    from featrank.rankers.cmim import CMIM
    from featrank.rankers.dominant_set import DominantSet
    from featrank.rankers.ec_fs import ECFS
    from featrank.rankers.ec_fs_diverse import DiverseECFS
    from featrank.rankers.fisher import FisherScore
    from featrank.rankers.fsv import FSV
    from featrank.rankers.graph_ranker import GraphRanker
    from featrank.rankers.inf_fs import InfFS
    from featrank.rankers.inf_fs_supervised import InfFSSupervised
    from featrank.rankers.jmi import JMI
    from featrank.rankers.laplacian import LaplacianScore
    from featrank.rankers.mifs import MIFS
    from featrank.rankers.mrmr import MRMR
    from featrank.rankers.mutual_information import MutualInformation
    from featrank.rankers.relieff import ReliefF
    from featrank.rankers.svm_rfe import SVMRFE
    from featrank.registry import methods

__version__ = "0.1.0"

# Looked up on first use: importing featrank alone must stay cheap for the command line.
_HOMES = {
    "CMIM": "featrank.rankers.cmim",
    "DominantSet": "featrank.rankers.dominant_set",
    "DiverseECFS": "featrank.rankers.ec_fs_diverse",
    "ECFS": "featrank.rankers.ec_fs",
    "FSV": "featrank.rankers.fsv",
    "FisherScore": "featrank.rankers.fisher",
    "GraphRanker": "featrank.rankers.graph_ranker",
    "InfFS": "featrank.rankers.inf_fs",
    "InfFSSupervised": "featrank.rankers.inf_fs_supervised",
    "JMI": "featrank.rankers.jmi",
    "LaplacianScore": "featrank.rankers.laplacian",
    "MIFS": "featrank.rankers.mifs",
    "MRMR": "featrank.rankers.mrmr",
    "MutualInformation": "featrank.rankers.mutual_information",
    "ReliefF": "featrank.rankers.relieff",
    "SVMRFE": "featrank.rankers.svm_rfe",
    "Ranker": "featrank.base",
    "Ranking": "featrank.api",
    "methods": "featrank.registry",
    "rank": "featrank.api",
}

__all__ = [
    "CMIM",
    "ECFS",
    "FSV",
    "JMI",
    "MIFS",
    "MRMR",
    "SVMRFE",
    "DiverseECFS",
    "DominantSet",
    "FisherScore",
    "GraphRanker",
    "InfFS",
    "InfFSSupervised",
    "LaplacianScore",
    "MutualInformation",
    "Ranker",
    "Ranking",
    "ReliefF",
    "__version__",
    "methods",
    "rank",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in ("datasets", "evaluation", "graph", "tables"):
        return import_module(f"featrank.{name}")
    raise AttributeError(f"module 'featrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, "datasets", "evaluation", "graph", "tables"])
