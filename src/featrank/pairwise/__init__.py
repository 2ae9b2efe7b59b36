"""Pairs of features: contingency tables, correlations, and greedy choices based on them."""
