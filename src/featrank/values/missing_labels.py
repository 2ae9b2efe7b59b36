"""Strings that mean a missing label; needs no NumPy, so that help loads fast."""

MISSING_LABELS = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "-nan")
