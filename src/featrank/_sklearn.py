"""The only place that imports scikit-learn's private names."""

from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import (
    Hidden,
    Interval,
    InvalidParameterError,
    RealNotInt,
    StrOptions,
)

__all__ = [
    "Hidden",
    "Interval",
    "InvalidParameterError",
    "RealNotInt",
    "StrOptions",
    "fit_context",
]
