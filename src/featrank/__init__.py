"""featrank ranks and selects features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from featrank.api import Ranking, rank
    from featrank.base import Ranker
    from featrank.rankers.cmim import CMIM
    from featrank.rankers.dominant_set import DominantSet
    from featrank.rankers.ec_fs import ECFS
    from featrank.rankers.fisher import FisherScore
    from featrank.rankers.graph_ranker import GraphRanker
    from featrank.rankers.inf_fs import InfFS
    from featrank.rankers.inf_fs_supervised import InfFSSupervised
    from featrank.rankers.jmi import JMI
    from featrank.rankers.mifs import MIFS
    from featrank.rankers.mrmr import MRMR
    from featrank.rankers.mutual_information import MutualInformation
    from featrank.registry import methods

__version__ = "0.1.0"

# Looked up on first use: importing featrank alone must stay cheap for the command line.
_HOMES = {
    "Ranker": "featrank.base",
    "Ranking": "featrank.api",
    "rank": "featrank.api",
    "methods": "featrank.registry",
    "GraphRanker": "featrank.rankers.graph_ranker",
    "ECFS": "featrank.rankers.ec_fs",
    "FisherScore": "featrank.rankers.fisher",
    "InfFS": "featrank.rankers.inf_fs",
    "InfFSSupervised": "featrank.rankers.inf_fs_supervised",
    "MutualInformation": "featrank.rankers.mutual_information",
    "CMIM": "featrank.rankers.cmim",
    "DominantSet": "featrank.rankers.dominant_set",
    "JMI": "featrank.rankers.jmi",
    "MIFS": "featrank.rankers.mifs",
    "MRMR": "featrank.rankers.mrmr",
}

__all__ = [
    "CMIM",
    "ECFS",
    "JMI",
    "MIFS",
    "MRMR",
    "DominantSet",
    "FisherScore",
    "GraphRanker",
    "InfFS",
    "InfFSSupervised",
    "MutualInformation",
    "Ranker",
    "Ranking",
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
