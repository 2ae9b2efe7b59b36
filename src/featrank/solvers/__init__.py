"""Optimisation problems that methods share: SVMs, lassos, linear programs, k-means, forests."""
