"""Rankings, of all classes together or for each class."""

from featrank.ranking.class_rankings import ClassRankings
from featrank.ranking.provenance import Provenance
from featrank.ranking.ranking import DETAILED, MARKERS, SHOWN, Ranking

__all__ = ["DETAILED", "MARKERS", "SHOWN", "ClassRankings", "Provenance", "Ranking"]
