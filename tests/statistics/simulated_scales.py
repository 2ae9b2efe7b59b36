"""Simulated measurements on the scales that files come in."""

import numpy as np


def _log2_levels(rng, shape, low=4, high=14, sd=(0.2, 1.2)):
    """Return log2 expression: each feature has its own mean and standard deviation."""
    n_samples, n_features = shape
    mean, spread = rng.uniform(low, high, n_features), rng.uniform(*sd, n_features)
    return rng.normal(mean, spread, (n_samples, n_features))


def _counts(rng, shape):
    mean = np.exp(rng.normal(3, 2, shape[1]))
    return rng.negative_binomial(2, 2 / (2 + mean), shape).astype(float)


def _log1p_cpm(rng, shape):
    counts = _counts(rng, shape)
    return np.log1p(1e6 * counts / counts.sum(axis=1, keepdims=True))


def _log1p_cells(rng, shape):
    counts = rng.poisson(np.exp(rng.normal(-2, 1.5, shape[1])), shape)
    return np.log1p(1e4 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def _z_scores(rng, shape):
    X = _log2_levels(rng, shape)
    return (X - X.mean(axis=0)) / X.std(axis=0)


def _z_scores_of_another_cohort(rng, shape):
    return rng.normal(rng.normal(0, 0.1, shape[1]), rng.uniform(0.9, 1.1, shape[1]), shape)


def _ratios(rng, shape):
    return 2 ** (_log2_levels(rng, shape, -0.3, 0.3, (0.1, 0.6)))


def _tpm(rng, shape):
    level = rng.normal(1.5, 2.5, shape[1])
    expressed = 2 ** rng.normal(level, rng.uniform(0.3, 1.2, shape[1]), shape)
    return np.where(rng.random(shape) < 0.2 * (level < 0), 0.0, expressed)


def _beta_values(rng, shape):
    centre = rng.choice([0.1, 0.5, 0.9], shape[1])
    return rng.beta(20 * centre, 20 * (1 - centre), shape)


#: Scale that featrank is to assume, and a function that simulates it, per kind of measurement.
KINDS = {
    "log2 intensities": ("log2", _log2_levels),
    "RMA": ("log2", lambda rng, shape: _log2_levels(rng, shape, 2.5, 13, (0.1, 0.8))),
    "log2 protein intensities": ("log2", lambda rng, s: _log2_levels(rng, s, 20, 34, (0.3, 2))),
    "log2 ratios": ("log2", lambda rng, s: _log2_levels(rng, s, -0.3, 0.3, (0.2, 1.8))),
    "MAS5 intensities": ("linear", lambda rng, s: 2 ** _log2_levels(rng, s, 4, 15, (0.3, 1.2))),
    "TPM": ("linear", _tpm),
    "counts": ("linear", _counts),
    "log1p CPM": ("log2", _log1p_cpm),
    "log1p cells": ("log2", _log1p_cells),
    "z-scores": ("none", _z_scores),
    "z-scores of another cohort": ("none", _z_scores_of_another_cohort),
    "ratios around 1": ("linear", _ratios),
    "beta values": ("none", _beta_values),
    "genotypes": ("none", lambda rng, shape: rng.binomial(2, 0.3, shape).astype(float)),
    "Ct values": ("log2", lambda rng, shape: _log2_levels(rng, shape, 19, 34, (0.4, 2))),
}


def clinical_columns(rng, n_samples):
    """Return an age, a systolic blood pressure and a sex."""
    age, pressure = rng.integers(25, 85, n_samples), rng.normal(130, 15, n_samples).round()
    return np.column_stack([age, pressure, np.arange(n_samples) % 2]).astype(float)
