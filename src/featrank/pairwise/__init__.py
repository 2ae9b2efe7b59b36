"""Pairs of features: tables of counts, correlations, and what is chosen by them."""
