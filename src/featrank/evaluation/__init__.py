"""Honest evaluation: methods compared by trials that never show them a test row."""

from .comparison import Comparison, compare, read_comparison
from .feature_count import FeatureCountCV
from .protocol import Protocol

__all__ = ["Comparison", "FeatureCountCV", "Protocol", "compare", "read_comparison"]
