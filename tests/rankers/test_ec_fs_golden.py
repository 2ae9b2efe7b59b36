"""EC-FS beside the numbers of the authors' toolbox; golden/README.md says what they are."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

from featrank import ECFS
from featrank.graph import Eigenvector, LargestOfTwo, RankOne

GOLDEN = Path(__file__).parent / "golden"
ALPHAS = (0, 25, 50, 75, 100)


@pytest.fixture(scope="module", params=["tiny8x5", "rand60x200", "corr100x2000"])
def golden(request):
    with np.load(GOLDEN / f"{request.param}.npz") as stored:
        return dict(stored)


@pytest.fixture(scope="module", params=["rand60x200", "corr100x2000"])
def continuous(request):
    with np.load(GOLDEN / f"{request.param}.npz") as stored:
        return dict(stored)


def toolbox_graph(golden, alpha):
    """The toolbox's A from its own inner vector: both matrices scaled to [0, 1]."""
    relevance, spread = golden["relevance"], golden["X"].std(axis=0, ddof=1)
    low, high = relevance.min() ** 2, relevance.max() ** 2
    ones = np.ones_like(relevance)
    kernel = 1 / (high - low) * RankOne(relevance) + -low / (high - low) * RankOne(ones)
    level = (spread - spread.min()) / np.ptp(spread)
    return alpha * kernel + (1 - alpha) * LargestOfTwo(level)


@pytest.mark.parametrize("case", ["tiny8x5", "rand60x200"])
def test_the_toolbox_matrix_is_rebuilt(case):
    golden = np.load(GOLDEN / f"{case}.npz")
    np.testing.assert_allclose(toolbox_graph(golden, 0.5).to_dense(), golden["A"], atol=1e-10)


def test_its_leading_eigenvalue(golden):
    centrality = Eigenvector()(toolbox_graph(golden, 0.5))
    assert centrality.eigenvalue == pytest.approx(golden["eigenvalue"].item(), rel=1e-10)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_its_leading_eigenvector(golden, alpha):
    centrality = Eigenvector()(toolbox_graph(golden, alpha / 100))
    np.testing.assert_allclose(centrality.scores, golden[f"scores_{alpha:03d}"], atol=1e-10)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_toolbox_kernel_gives_its_order(continuous, alpha):
    ranker = ECFS(alpha=alpha / 100, kernel="toolbox", normalize=None)
    ranker.fit(continuous["X"], continuous["y"])
    assert kendalltau(ranker.scores_, continuous[f"scores_{alpha:03d}"]).statistic >= 0.999
    ranking = np.empty(len(ranker.scores_), int)
    ranking[continuous[f"ranking_{alpha:03d}"]] = np.arange(1, len(ranking) + 1)
    assert kendalltau(ranker.ranking_, ranking).statistic >= 0.999


def test_its_fisher_scores_and_information(continuous):
    """The toolbox patches empty cells with 1e-5, which is not copied."""
    ranker = ECFS(kernel="toolbox", normalize=None).fit(continuous["X"], continuous["y"])
    np.testing.assert_allclose(ranker.fisher_, continuous["fisher"], rtol=1e-10)
    np.testing.assert_allclose(ranker.information_, continuous["mi"], atol=1e-4)
