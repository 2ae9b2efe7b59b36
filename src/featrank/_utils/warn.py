"""Warnings that point to the user's own line of code."""

import sys
import warnings

from featrank.exceptions import FeatrankWarning

# Packages whose frames are skipped.
_INTERNAL = ("featrank", "sklearn")


def warn_user(message: str) -> None:
    """Warn at the first line outside featrank and scikit-learn."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _INTERNAL:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, FeatrankWarning, stacklevel=level)
