"""Nearest neighbours of samples, exact and by blocks, with values that may be missing."""
