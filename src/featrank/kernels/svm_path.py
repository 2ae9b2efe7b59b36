"""Linear SVMs for a sequence of values of C."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import _featrank

Floats = NDArray[np.float64]

# Largest violation of an optimality condition, in units of the margin.
TOLERANCE = 1e-7


def hinge_path(
    data: Floats, positive: NDArray[np.bool_], values: Sequence[float], *, by_kernel: bool
) -> tuple[Floats, Floats]:
    """Return the coefficients y_i·α_i of the samples for each C, and the intercepts.

    ``data`` has the samples in rows or, with ``by_kernel``, their products. ``values`` must
    ascend. Each solution is the starting point for the next.
    """
    signs = np.where(positive, 1.0, -1.0)
    coefficients, intercepts = np.empty((len(values), len(signs))), np.empty(len(values))
    path = _featrank.SvmPath(data, by_kernel, signs, float(values[0]), TOLERANCE)
    for number, C in enumerate(values):
        if number and np.abs(coefficients[number - 1]).max() < values[number - 1] * (1 - 1e-9):
            # If no coefficient reaches C, a larger C has the same solution.
            coefficients[number:] = coefficients[number - 1]
            intercepts[number:] = intercepts[number - 1]
            break
        path.widen(float(C))
        if not path.optimise():
            _warn(C)
        path.coefficients(coefficients[number])
        intercepts[number] = path.bias()
    return coefficients, intercepts


def _warn(C: float) -> None:
    from sklearn.exceptions import ConvergenceWarning

    message = f"A linear SVM with C={C:g} did not converge, so its solution is not exact."
    warnings.warn(message, ConvergenceWarning, stacklevel=3)
