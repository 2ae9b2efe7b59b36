"""Mergeable summaries of features: all that the single-pass methods need to know about X."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

if TYPE_CHECKING:
    from featrank.summaries.byte_counts import ByteCounts
    from featrank.summaries.ranges import FeatureRanges
    from featrank.summaries.summary import ClassSummary
else:
    __getattr__ = importing(
        __name__,
        {"ByteCounts": "byte_counts", "ClassSummary": "summary", "FeatureRanges": "ranges"},
    )

__all__ = ["ByteCounts", "ClassSummary", "FeatureRanges"]
