"""What a ranking is for."""

import numpy as np
from scipy.stats import rankdata

from .tools import SIGNAL, problem


def check_planted_signal_wins(make_ranker):
    for seed, place in enumerate((0, SIGNAL, 19)):
        X, y = problem(signal=place, seed=seed)
        best = make_ranker().fit(X, y).order_[0]
        assert best == place, f"column {best} beats the signal in column {place}"


def check_standardised_signal_wins(make_ranker):
    """With every feature at mean 0 and spread 1 the labels alone tell the signal."""
    if not make_ranker().supervised:
        return
    X, y = problem()
    best = make_ranker().fit((X - X.mean(axis=0)) / X.std(axis=0), y).order_[0]
    assert best == SIGNAL, f"column {best} beats the signal in column {SIGNAL}"


def check_constant_is_never_best(make_ranker):
    for place in (0, 19):
        for value in (0.0, 0.1, -1e6):
            X, y = problem()
            X[:, place] = value
            best = make_ranker().fit(X, y).order_[0]
            assert best != place, f"a constant {value} comes first"


def check_copy_ties_or_is_demoted(make_ranker):
    for column in (SIGNAL, 2):
        X, y = problem()
        X = np.column_stack([X, X[:, column]])
        ranking = make_ranker().fit(X, y).ranking_
        assert ranking[-1] > ranking[column], f"a copy of column {column} beats the original"


def check_noise_shows_no_index_bias(make_ranker):
    """Over seeds, the place of a column in the table says nothing of its rank.

    The mean correlation of index and rank has a standard deviation of 0.07 by chance. Equal
    scores share their rank: breaking ties by index is no bias.
    """
    seeds, n_features = range(10), 20
    ranks = []
    for seed in seeds:
        X, y = problem(signal=None, seed=seed, n_features=n_features)
        ranks.append(rankdata(-make_ranker().fit(X, y).scores_))
    correlations = [np.corrcoef(rank, np.arange(n_features))[0, 1] for rank in ranks]
    bias = np.mean(correlations)
    assert abs(bias) < 0.3, f"ranks follow the index: mean correlation {bias:.2f}"
    wins = np.sum(np.array(ranks) == 1, axis=0)
    assert wins.max() < 5, f"column {wins.argmax()} is first in {wins.max()} of 10 noise tables"
