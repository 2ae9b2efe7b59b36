"""Defaults of a comparison that depend on the size of the table, never on the clock."""

from __future__ import annotations

#: The methods of a comparison that names none: fast, well known, and for both tasks.
METHODS = ("ec-fs", "fisher", "mi", "mrmr", "relieff")

# Numbers of features to choose from. Five columns of scores fit on a terminal.
FEATURE_COUNTS, MOST_COUNTS = (1, 2, 5, 10, 20, 50, 100, 200), 5
# Largest number of values in a table → number of trials. The default methods then take a minute
# or two, and small tables, whose scores vary most between splits, get the most trials.
N_REPEATS = {50_000: 50, 2_000_000: 20}
FEWEST_REPEATS = 10


def default_n_features(n_features: int) -> tuple[int, ...]:
    """Return the numbers of top-ranked features to evaluate.

    All are below ``n_features``: with every feature, all methods have the same score.

    Examples
    --------
    >>> [default_n_features(n) for n in (1, 4, 30, 20_000)]
    [(1,), (1, 2), (1, 2, 5, 10, 20), (10, 20, 50, 100, 200)]
    """
    return tuple(k for k in FEATURE_COUNTS if k < n_features)[-MOST_COUNTS:] or (1,)


def default_n_repeats(n_samples: int, n_features: int) -> int:
    """Return the number of trials for a table of this size.

    Examples
    --------
    >>> default_n_repeats(150, 4), default_n_repeats(60, 2000), default_n_repeats(500, 20_000)
    (50, 20, 10)
    """
    n_values = n_samples * n_features
    return next((n for largest, n in N_REPEATS.items() if n_values <= largest), FEWEST_REPEATS)
