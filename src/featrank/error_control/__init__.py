"""Lists of features with a false discovery rate, around any ranker."""

from featrank.error_control.draws import control_fdr
from featrank.error_control.gauntlet import Gauntlet, Rate, Scenario, run_gauntlet
from featrank.error_control.result import FDRControl
from featrank.error_control.selector import FDRSelector

__all__ = [
    "FDRControl",
    "FDRSelector",
    "Gauntlet",
    "Rate",
    "Scenario",
    "control_fdr",
    "run_gauntlet",
]
