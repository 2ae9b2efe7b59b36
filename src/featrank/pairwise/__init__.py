"""Pairs of features: tables of counts, correlations, and what is chosen by them."""

from .contingency import Contingency
from .correlation import Correlation
from .volume import GreedyVolume

__all__ = ["Contingency", "Correlation", "GreedyVolume"]
