import numpy as np

KERNELS = ("product", "symmetric", "toolbox")


def make_data(n_samples=60, n_features=30, n_classes=2, seed=0):
    """Noise of different scales around different means; the first five features inform."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, :5] += y[:, None] * np.linspace(0.6, 1.4, 5)
    return 3 + X * np.exp(rng.normal(0, 0.7, n_features)), y
