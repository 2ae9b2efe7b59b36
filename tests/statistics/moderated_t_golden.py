"""Golden numbers of limma; golden/moderated_t.R says how they were made."""

import json
from pathlib import Path

import numpy as np

_STORED = json.loads((Path(__file__).parent / "golden" / "moderated_t.json").read_text())
CASES = sorted(_STORED)
TWO_CLASSES = [case for case in CASES if case not in ("three_classes", "regression")]


def golden(case):
    """Return the arrays of a case, with the samples in the rows of ``x``."""
    stored = {name: np.atleast_1d(_numbers(values)) for name, values in _STORED[case].items()}
    stored["x"] = np.atleast_2d(stored["x"]).T
    return stored


def _numbers(values):
    """R writes missing values and infinity as strings."""
    if isinstance(values, list):
        return [_numbers(each) for each in values]
    return np.nan if values == "NA" else float(values)
