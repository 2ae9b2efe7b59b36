"""Comparisons on multi-label data: every label is a separate problem."""
