"""featrank ranks and selects features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from featrank.api import Ranking, rank
    from featrank.base import Ranker
    from featrank.rankers.ec_fs import ECFS
    from featrank.rankers.fsv import FSV
    from featrank.rankers.graph_ranker import GraphRanker
    from featrank.rankers.svm_rfe import SVMRFE
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
    "FSV": "featrank.rankers.fsv",
    "SVMRFE": "featrank.rankers.svm_rfe",
}

__all__ = [
    "ECFS",
    "FSV",
    "SVMRFE",
    "GraphRanker",
    "Ranker",
    "Ranking",
    "__version__",
    "methods",
    "rank",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in ("datasets", "graph", "tables"):
        return import_module(f"featrank.{name}")
    raise AttributeError(f"module 'featrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, "datasets", "graph", "tables"])
