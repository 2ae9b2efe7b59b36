"""featrank ranks and selects features."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank import anndata as anndata
    from featrank import datasets as datasets
    from featrank import error_control as error_control
    from featrank import evaluation as evaluation
    from featrank import graph as graph
    from featrank import plots as plots
    from featrank import report as report
    from featrank import reproduction as reproduction
    from featrank import sources as sources
    from featrank import statistics as statistics
    from featrank import summaries as summaries
    from featrank import tables as tables
    from featrank.api import rank as rank
    from featrank.base.ranker import Ranker as Ranker
    from featrank.base.registry import methods as methods
    from featrank.base.selectors import SelectorRanker as SelectorRanker
    from featrank.error_control import FDRSelector as FDRSelector
    from featrank.files.compare import compare_file as compare_file
    from featrank.files.describe import FileDescription as FileDescription
    from featrank.files.describe import describe_file as describe_file
    from featrank.files.gauntlet import gauntlet_file as gauntlet_file
    from featrank.files.rank import rank_file as rank_file
    from featrank.files.select import Selection as Selection
    from featrank.files.select import select_file as select_file
    from featrank.rankers.boruta import Boruta as Boruta
    from featrank.rankers.cfs import CFS as CFS
    from featrank.rankers.cmim import CMIM as CMIM
    from featrank.rankers.dgufs import DGUFS as DGUFS
    from featrank.rankers.dominant_set import DominantSet as DominantSet
    from featrank.rankers.ec_fs import ECFS as ECFS
    from featrank.rankers.ec_fs_diverse import DiverseECFS as DiverseECFS
    from featrank.rankers.fcbf import FCBF as FCBF
    from featrank.rankers.fisher import FisherScore as FisherScore
    from featrank.rankers.fsasl import FSASL as FSASL
    from featrank.rankers.fsv import FSV as FSV
    from featrank.rankers.graph_ranker import GraphRanker as GraphRanker
    from featrank.rankers.hsic_lasso import HSICLasso as HSICLasso
    from featrank.rankers.ilfs import ILFS as ILFS
    from featrank.rankers.inf_fs import InfFS as InfFS
    from featrank.rankers.inf_fs_supervised import InfFSSupervised as InfFSSupervised
    from featrank.rankers.jmi import JMI as JMI
    from featrank.rankers.laplacian import LaplacianScore as LaplacianScore
    from featrank.rankers.lasso import LassoPath as LassoPath
    from featrank.rankers.llc_fs import LLCFS as LLCFS
    from featrank.rankers.mcfs import MCFS as MCFS
    from featrank.rankers.mifs import MIFS as MIFS
    from featrank.rankers.moderated_t import ModeratedT as ModeratedT
    from featrank.rankers.mrmr import MRMR as MRMR
    from featrank.rankers.mutual_information import MutualInformation as MutualInformation
    from featrank.rankers.ndfs import NDFS as NDFS
    from featrank.rankers.relieff import ReliefF as ReliefF
    from featrank.rankers.spec import SPEC as SPEC
    from featrank.rankers.svm_rfe import SVMRFE as SVMRFE
    from featrank.rankers.trace_ratio import TraceRatio as TraceRatio
    from featrank.rankers.udfs import UDFS as UDFS
    from featrank.rankers.ufsol import UFSOL as UFSOL
    from featrank.rankers.zero_norm import ZeroNorm as ZeroNorm
    from featrank.ranking import ClassRankings as ClassRankings
    from featrank.ranking import Ranking as Ranking
    from featrank.values.classes import bin_target as bin_target
    from featrank.values.transforms import CountTransform as CountTransform

_HOMES = {
    "CFS": "rankers.cfs",
    "CMIM": "rankers.cmim",
    "DGUFS": "rankers.dgufs",
    "ECFS": "rankers.ec_fs",
    "FCBF": "rankers.fcbf",
    "FSASL": "rankers.fsasl",
    "FSV": "rankers.fsv",
    "ILFS": "rankers.ilfs",
    "JMI": "rankers.jmi",
    "LLCFS": "rankers.llc_fs",
    "MCFS": "rankers.mcfs",
    "MIFS": "rankers.mifs",
    "MRMR": "rankers.mrmr",
    "NDFS": "rankers.ndfs",
    "SPEC": "rankers.spec",
    "SVMRFE": "rankers.svm_rfe",
    "UDFS": "rankers.udfs",
    "UFSOL": "rankers.ufsol",
    "Boruta": "rankers.boruta",
    "ClassRankings": "ranking",
    "CountTransform": "values.transforms",
    "DiverseECFS": "rankers.ec_fs_diverse",
    "DominantSet": "rankers.dominant_set",
    "FDRSelector": "error_control",
    "FileDescription": "files.describe",
    "FisherScore": "rankers.fisher",
    "GraphRanker": "rankers.graph_ranker",
    "HSICLasso": "rankers.hsic_lasso",
    "InfFS": "rankers.inf_fs",
    "InfFSSupervised": "rankers.inf_fs_supervised",
    "LaplacianScore": "rankers.laplacian",
    "LassoPath": "rankers.lasso",
    "ModeratedT": "rankers.moderated_t",
    "MutualInformation": "rankers.mutual_information",
    "Ranker": "base.ranker",
    "Ranking": "ranking",
    "ReliefF": "rankers.relieff",
    "Selection": "files.select",
    "SelectorRanker": "base.selectors",
    "TraceRatio": "rankers.trace_ratio",
    "ZeroNorm": "rankers.zero_norm",
    "bin_target": "values.classes",
    "compare_file": "files.compare",
    "describe_file": "files.describe",
    "gauntlet_file": "files.gauntlet",
    "methods": "base.registry",
    "rank": "api",
    "rank_file": "files.rank",
    "select_file": "files.select",
}

_PACKAGES = (
    "anndata",
    "datasets",
    "error_control",
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
# exports: end

__version__ = "0.1.0"

__all__ = [*_HOMES, "__version__"]

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES, _PACKAGES)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES, *_PACKAGES])
