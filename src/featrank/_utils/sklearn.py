"""The only place that imports scikit-learn's private names."""

from typing import Any

import numpy as np
from sklearn.base import _fit_context as fit_context
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    InvalidParameterError,
    RealNotInt,
    StrOptions,
)
from sklearn.utils._set_output import _get_output_config as output_config
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

__all__ = [
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "RealNotInt",
    "Share",
    "StrOptions",
    "check_sample_weight",
    "fit_context",
    "output_config",
    "take_rows",
]


class Share(Interval):
    """An interval of floats, including NumPy floats of any size."""

    def is_satisfied_by(self, val: Any) -> bool:
        """Whether a value is a float within the interval."""
        return isinstance(val, float | np.floating) and val in self
