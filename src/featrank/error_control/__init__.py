"""Lists of features with a false discovery rate, around any ranker."""

from featrank.error_control.draws import control_fdr
from featrank.error_control.result import FDRControl
from featrank.error_control.selector import FDRSelector

__all__ = ["FDRControl", "FDRSelector", "control_fdr"]
