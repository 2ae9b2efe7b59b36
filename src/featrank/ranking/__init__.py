"""What a ranking gives back, of all classes together or for each of them."""

from .of_classes import ClassRankings
from .one import DETAILED, MARKERS, SHOWN, Ranking

__all__ = ["DETAILED", "MARKERS", "SHOWN", "ClassRankings", "Ranking"]
