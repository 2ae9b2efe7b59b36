"""Sketches: quantised samples with error bounds for distances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from featrank._utils import threads
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import MOST_SHORT, Samples, Sketch
from featrank.neighbours.columns import Ranges
from featrank.neighbours.missing import Unknowns

# Narrower ranges would overflow the scale of a sketch, so they get a coarser one.
SMALLEST = 1e-290
# Bound on rounding errors per feature, in steps.
ROUNDING = 1e-9


def byte_sketch(samples: Samples, ranges: Ranges, unknowns: Unknowns, n_jobs: int | None) -> Sketch:
    """Quantise to one byte per value, 255 steps per column range. Errors add up over columns."""
    out = Sketch.of_bytes(*samples.X.shape)
    place, deviation = out.steps * unknowns.place, out.steps * unknowns.deviation

    def work(block: slice) -> None:
        kernels.quantise(samples, ranges.low, place, deviation, block, out)

    _map_rows(work, samples, n_jobs)
    return out._replace(error=out.error * (1 + ROUNDING) + ROUNDING * samples.X.shape[1])


def short_sketch(samples: Samples, ranges: Ranges, unit: float, n_jobs: int | None) -> Sketch:
    """Quantise to 16 bits per value, one step for all columns. ``unit`` is that of distances."""
    widths = ranges.widths()
    scale = 2 * MOST_SHORT / max(float(widths.max()), SMALLEST)
    n_samples, n_features = samples.X.shape
    out = Sketch.of_shorts(n_samples, n_features, unit * scale)
    middle = ranges.low + widths / 2

    def work(block: slice) -> None:
        kernels.shorten(samples, middle, scale, block, out)

    _map_rows(work, samples, n_jobs)
    slack = ROUNDING * np.sqrt(n_features)
    return out._replace(error=np.sqrt(out.error) * (1 + ROUNDING) + slack)


def _map_rows(work: Callable[[slice], None], samples: Samples, n_jobs: int | None) -> None:
    n_samples, n_features = samples.X.shape
    width = int(np.clip(2**22 // n_features, 1, max(n_samples // 8, 1)))
    threads.map_blocks(work, n_samples, width, n_jobs)
