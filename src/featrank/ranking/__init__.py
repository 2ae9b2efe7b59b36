"""What a ranking gives back, of all classes together or for each of them."""

from .of_classes import ClassRankings
from .one import DETAILED, MARKERS, SHOWN, Ranking
from .origin import Origin

__all__ = ["DETAILED", "MARKERS", "SHOWN", "ClassRankings", "Origin", "Ranking"]
