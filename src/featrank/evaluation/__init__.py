"""Honest evaluation: stability, significance, metrics and guards."""

from .stability import (
    StabilityInterval,
    nogueira_interval,
    stability,
    stability_curve,
    subset_interval,
    subset_stability,
)

__all__ = [
    "StabilityInterval",
    "nogueira_interval",
    "stability",
    "stability_curve",
    "subset_interval",
    "subset_stability",
]
