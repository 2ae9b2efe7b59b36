"""featrank ranks and selects features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank import anndata as anndata
    from featrank import datasets as datasets
    from featrank import evaluation as evaluation
    from featrank import graph as graph
    from featrank import plots as plots
    from featrank import report as report
    from featrank import reproduction as reproduction
    from featrank import sources as sources
    from featrank import statistics as statistics
    from featrank import summaries as summaries
    from featrank import tables as tables
    from featrank.api import rank
    from featrank.base.ranker import Ranker
    from featrank.base.registry import methods
    from featrank.base.selectors import SelectorRanker
    from featrank.files.compare import compare_file
    from featrank.files.rank import rank_file
    from featrank.files.select import Selection, select_file
    from featrank.rankers.boruta import Boruta
    from featrank.rankers.cfs import CFS
    from featrank.rankers.cmim import CMIM
    from featrank.rankers.dgufs import DGUFS
    from featrank.rankers.dominant_set import DominantSet
    from featrank.rankers.ec_fs import ECFS
    from featrank.rankers.ec_fs_diverse import DiverseECFS
    from featrank.rankers.fcbf import FCBF
    from featrank.rankers.fisher import FisherScore
    from featrank.rankers.fsasl import FSASL
    from featrank.rankers.fsv import FSV
    from featrank.rankers.graph_ranker import GraphRanker
    from featrank.rankers.hsic_lasso import HSICLasso
    from featrank.rankers.ilfs import ILFS
    from featrank.rankers.inf_fs import InfFS
    from featrank.rankers.inf_fs_supervised import InfFSSupervised
    from featrank.rankers.jmi import JMI
    from featrank.rankers.laplacian import LaplacianScore
    from featrank.rankers.lasso import LassoPath
    from featrank.rankers.llc_fs import LLCFS
    from featrank.rankers.mcfs import MCFS
    from featrank.rankers.mifs import MIFS
    from featrank.rankers.mrmr import MRMR
    from featrank.rankers.mutual_information import MutualInformation
    from featrank.rankers.ndfs import NDFS
    from featrank.rankers.relieff import ReliefF
    from featrank.rankers.spec import SPEC
    from featrank.rankers.svm_rfe import SVMRFE
    from featrank.rankers.trace_ratio import TraceRatio
    from featrank.rankers.udfs import UDFS
    from featrank.rankers.ufsol import UFSOL
    from featrank.rankers.zero_norm import ZeroNorm
    from featrank.ranking import ClassRankings, Ranking
    from featrank.values.classes import bin_target
    from featrank.values.transforms import CountTransform

_HOMES = {
    "Boruta": "featrank.rankers.boruta",
    "CFS": "featrank.rankers.cfs",
    "CMIM": "featrank.rankers.cmim",
    "ClassRankings": "featrank.ranking",
    "CountTransform": "featrank.values.transforms",
    "DGUFS": "featrank.rankers.dgufs",
    "DiverseECFS": "featrank.rankers.ec_fs_diverse",
    "DominantSet": "featrank.rankers.dominant_set",
    "ECFS": "featrank.rankers.ec_fs",
    "FCBF": "featrank.rankers.fcbf",
    "FSASL": "featrank.rankers.fsasl",
    "FSV": "featrank.rankers.fsv",
    "FisherScore": "featrank.rankers.fisher",
    "GraphRanker": "featrank.rankers.graph_ranker",
    "HSICLasso": "featrank.rankers.hsic_lasso",
    "ILFS": "featrank.rankers.ilfs",
    "InfFS": "featrank.rankers.inf_fs",
    "InfFSSupervised": "featrank.rankers.inf_fs_supervised",
    "JMI": "featrank.rankers.jmi",
    "LLCFS": "featrank.rankers.llc_fs",
    "LaplacianScore": "featrank.rankers.laplacian",
    "LassoPath": "featrank.rankers.lasso",
    "MCFS": "featrank.rankers.mcfs",
    "MIFS": "featrank.rankers.mifs",
    "MRMR": "featrank.rankers.mrmr",
    "MutualInformation": "featrank.rankers.mutual_information",
    "NDFS": "featrank.rankers.ndfs",
    "Ranker": "featrank.base.ranker",
    "Ranking": "featrank.ranking",
    "ReliefF": "featrank.rankers.relieff",
    "SPEC": "featrank.rankers.spec",
    "SVMRFE": "featrank.rankers.svm_rfe",
    "Selection": "featrank.files.select",
    "SelectorRanker": "featrank.base.selectors",
    "TraceRatio": "featrank.rankers.trace_ratio",
    "UDFS": "featrank.rankers.udfs",
    "UFSOL": "featrank.rankers.ufsol",
    "ZeroNorm": "featrank.rankers.zero_norm",
    "bin_target": "featrank.values.classes",
    "compare_file": "featrank.files.compare",
    "methods": "featrank.base.registry",
    "rank": "featrank.api",
    "rank_file": "featrank.files.rank",
    "select_file": "featrank.files.select",
}

_PACKAGES = (
    "anndata",
    "datasets",
    "evaluation",
    "graph",
    "plots",
    "report",
    "reproduction",
    "sources",
    "statistics",
    "summaries",
    "tables",
)

__all__ = [
    "CFS",
    "CMIM",
    "DGUFS",
    "ECFS",
    "FCBF",
    "FSASL",
    "FSV",
    "ILFS",
    "JMI",
    "LLCFS",
    "MCFS",
    "MIFS",
    "MRMR",
    "NDFS",
    "SPEC",
    "SVMRFE",
    "UDFS",
    "UFSOL",
    "Boruta",
    "ClassRankings",
    "CountTransform",
    "DiverseECFS",
    "DominantSet",
    "FisherScore",
    "GraphRanker",
    "HSICLasso",
    "InfFS",
    "InfFSSupervised",
    "LaplacianScore",
    "LassoPath",
    "MutualInformation",
    "Ranker",
    "Ranking",
    "ReliefF",
    "Selection",
    "SelectorRanker",
    "TraceRatio",
    "ZeroNorm",
    "__version__",
    "bin_target",
    "compare_file",
    "methods",
    "rank",
    "rank_file",
    "select_file",
]
# exports: end

__version__ = "0.1.0"

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        # Looked up on first use: importing featrank alone must stay cheap for the command line.
        if name in _HOMES:
            return getattr(import_module(_HOMES[name]), name)
        if name in _PACKAGES:
            return import_module(f"featrank.{name}")
        raise AttributeError(f"module 'featrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, *_PACKAGES])
