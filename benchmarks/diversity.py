"""Compare variants of diverse EC-FS with each other and with rivals. Run by: make bench-diversity.

Every data set is split several times into training and test rows, stratified by class. Features are
ranked on the training rows. A ridge classifier (area under the ROC curve) and five nearest
neighbours (balanced accuracy) are trained on the best features and evaluated on the test rows.
Variants that featrank does not have are implemented here.
"""

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import wilcoxon
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler, label_binarize

from featrank import ECFS, JMI, MRMR, DiverseECFS, FisherScore, datasets
from featrank._utils.atomic_files import replacing

RESULTS = Path(__file__).parent / "results" / "diversity.md"
COUNTS = (5, 10, 20, 50, 100)
OWN = "ec-fs-diverse"
# Data sets of the paper. Those that are not available are skipped and listed.
PAPER = ("colon", "leukemia", "lymphoma", "prostate", "madelon", "gina_like_mnist")
MADE = "simulated: "
BUNDLED = ("breast-cancer", "wine", "digits")
# A power p of c gives the same order as the diversity divided by p, so one of them is enough.
OTHERS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
ROWS = 1000  # at most, so that the benchmark takes only minutes


@dataclass
class Problem:
    """A data set, and the module of each feature if known, with -1 for noise."""

    name: str
    X: np.ndarray
    y: np.ndarray
    modules: np.ndarray | None = None


def problems():
    """Return the available data sets, and the names of the others."""
    found, missing = [], []
    for name in (*PAPER, *BUNDLED):
        try:
            data = datasets.load(name)
        except Exception as error:  # whatever the reason, continue without it
            missing.append(f"{name} ({type(error).__name__})")
            continue
        found.append(Problem(name, *few_rows(data.X, data.y)))
    return [*found, *made()], missing


def few_rows(X, y):
    """Return at most ``ROWS`` rows, drawn by a fixed seed, and codes of the classes."""
    X, codes = np.asarray(X, dtype=float), np.unique(np.asarray(y), return_inverse=True)[1]
    rows = np.random.default_rng(0).permutation(len(X))[:ROWS]
    return X[rows], codes[rows]


def made():
    """Return simulated data sets with known informative features."""
    microarray = datasets.make_microarray
    yield with_modules(f"{MADE}2 classes", microarray(random_state=0))
    yield with_modules(f"{MADE}4 classes", microarray(120, n_classes=4, random_state=1))
    alike = microarray(n_informative=10, n_correlated=190, correlation=0.95, random_state=2)
    yield with_modules(f"{MADE}close modules", alike)
    weak = microarray(200, effect=0.8, random_state=3)
    yield with_modules(f"{MADE}weak", weak)
    data = datasets.make_madelon(1000, random_state=4)
    yield Problem(f"{MADE}hypercube", data.X, data.y)


def with_modules(name, data):
    """Assign each correlated gene to the module of its most correlated informative gene."""
    X, y = np.asarray(data.X), np.unique(data.y, return_inverse=True)[1]
    informative, correlated = data.truth["informative"], data.truth["correlated"]
    values = np.log2(X)
    values -= np.stack([values[y == c].mean(axis=0) for c in range(y.max() + 1)])[y]
    values /= np.linalg.norm(values, axis=0)
    leader = np.abs(values[:, correlated].T @ values[:, informative]).argmax(axis=1)
    modules = np.full(X.shape[1], -1)
    modules[informative], modules[correlated] = np.arange(len(informative)), leader
    return Problem(name, X, y, modules)


def by_volume(quality, values, count, similarity, diversity):
    """Order features by quality·(the part that chosen features do not explain)^diversity."""
    rest, rows = np.ones(len(quality)), np.zeros((count, len(quality)))
    chosen = []
    for step in range(count):
        gain = quality * rest**diversity
        gain[chosen] = -1
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        chosen.append(best)
        row = similarity(values @ values[best]) - rows[:step, best] @ rows[:step]
        rows[step] = row / np.sqrt(rest[best])
        rest = rest - rows[step] ** 2
        rest[rest < 1e-10] = 0
    left = np.argsort(-quality, kind="stable")
    return np.concatenate([chosen, left[~np.isin(left, chosen)]]).astype(int)


def forms(X, y, count):
    """Yield the name of each variant and its order of the features."""
    graph = ECFS(alpha=1.0, kernel="symmetric").fit(X, y)
    centrality = graph.scores_ / graph.scores_.max()
    values = (X - X.mean(axis=0)).T
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
    root = np.sqrt(graph.fisher_ * graph.information_)

    usual = DiverseECFS().diversity

    def order(quality, similarity=np.square, diversity=usual):
        return by_volume(quality, values, count, similarity, diversity)

    for diversity in OTHERS:
        if diversity != usual:
            yield f"diversity {diversity:g}", order(centrality, diversity=diversity)
    yield "√(f·m) for c", order(root)
    yield "ρ for ρ²", order(centrality, np.asarray)
    spread = ECFS(alpha=0.9, kernel="symmetric").fit(X, y).scores_
    yield "alpha 0.9", order(spread / spread.max())


def rivals(count):
    """Return the featrank methods to compare."""
    return {
        OWN: DiverseECFS(count),
        "ec-fs symmetric, alpha 1": ECFS(alpha=1.0, kernel="symmetric"),
        "ec-fs symmetric, alpha 0.9": ECFS(alpha=0.9, kernel="symmetric"),
        "fisher": FisherScore(),
        "mrmr fcq": MRMR(count, criterion="fcq"),
        "mrmr mid": MRMR(count),
        "jmi": JMI(count),
    }


def orders(X, y, count):
    """Return the order of features by every method and variant."""
    ranked = {name: ranker.fit(X, y).order_ for name, ranker in rivals(count).items()}
    return ranked | dict(forms(X, y, count))


def evaluate(problem, train, test):
    """Return {(order, count): (AUC, balanced accuracy, modules, noise)} of one split."""
    y, counts = problem.y, [count for count in COUNTS if count < problem.X.shape[1]]
    X = SimpleImputer().fit(problem.X[train]).transform(problem.X)
    figures = {}
    for name, order in orders(X[train], y[train], counts[-1]).items():
        for count in counts:
            best = order[:count]
            values = StandardScaler().fit(X[train][:, best]).transform(X[:, best])
            figures[name, count] = (*scores(values, y, train, test), *found(problem, best))
    return figures


def scores(X, y, train, test):
    """Return the AUC of ridge and the balanced accuracy of five neighbours, in percent."""
    ridge = RidgeClassifier().fit(X[train], y[train])
    decision = ridge.decision_function(X[test])
    labels = label_binarize(y[test], classes=range(y.max() + 1))
    auc = roc_auc_score(labels if decision.ndim > 1 else y[test], decision)
    near = KNeighborsClassifier(5).fit(X[train], y[train]).predict(X[test])
    return 100 * auc, 100 * balanced_accuracy_score(y[test], near)


def found(problem, best):
    """Return the number of modules among the features, and of noise features."""
    if problem.modules is None:
        return np.nan, np.nan
    hit = problem.modules[best]
    return len(np.unique(hit[hit >= 0])), (hit < 0).sum()


def run(found_problems, n_splits, n_jobs):
    """Return {data set: {(order, count): mean values over the splits}}."""
    splits = StratifiedShuffleSplit(n_splits, test_size=1 / 3, random_state=0)
    tasks = [(p, *rows) for p in found_problems for rows in splits.split(p.X, p.y)]
    parts = Parallel(n_jobs=n_jobs)(delayed(evaluate)(*task) for task in tasks)
    means = {}
    for (problem, *_), part in zip(tasks, parts, strict=True):
        for key, figures in part.items():
            means.setdefault(problem.name, {}).setdefault(key, []).append(figures)
    return {
        name: {key: np.mean(rows, axis=0) for key, rows in own.items()}
        for name, own in means.items()
    }


def line(cells):
    """Return a line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def table(top, rows):
    """Return the lines of a Markdown table."""
    return ["", line(top), line(["---", *(["---:"] * (len(top) - 1))]), *map(line, rows), ""]


def names_of(means):
    """Return the names of all orders."""
    return list(dict.fromkeys(name for name, _ in next(iter(means.values()))))


def average_rows(means, which):
    """Yield one row per order: the mean over some data sets at each number of features."""
    for name in names_of(means):
        cells = []
        for count in COUNTS:
            values = [own[name, count][which] for own in means.values() if (name, count) in own]
            cells.append(f"{np.mean(values):.1f}")
        yield [name, *cells]


def against_rows(means, which):
    """Yield one row per order: our advantage, wins and losses over data sets, and p-value."""
    for name in names_of(means):
        if name == OWN:
            continue
        cells = []
        for count in COUNTS:
            gaps = [
                own[OWN, count][which] - own[name, count][which]
                for own in means.values()
                if (OWN, count) in own
            ]
            better, worse = np.sum(np.array(gaps) > 0), np.sum(np.array(gaps) < 0)
            p = wilcoxon(gaps).pvalue if np.any(gaps) else 1.0
            cells.append(f"{np.mean(gaps):+.1f} ({better}:{worse}, p {p:.2g})")
        yield [name, *cells]


def set_rows(means, which, count, names):
    """Yield one row per data set."""
    for name, own in means.items():
        if (OWN, count) in own:
            yield [name, *(f"{own[other, count][which]:.1f}" for other in names)]


def truth_rows(means, count):
    """Yield one row per order: modules and noise features selected, over simulated data."""
    with_truth = [own for own in means.values() if not np.isnan(own[OWN, COUNTS[0]][2])]
    for name in names_of(means):
        modules, noise = np.mean([own[name, count][2:] for own in with_truth], axis=0)
        yield [name, f"{modules:.1f}", f"{noise:.1f}"]


def page(means, missing, n_splits):
    """Return the lines of the page."""
    numbers = [f"{count} features" for count in COUNTS]
    lines = [
        "# Diverse EC-FS: its variants and its rivals",
        "",
        f"Created by `make bench-diversity`: {len(means)} data sets with {n_splits} splits into "
        f"two thirds of the rows for training and one third for testing, at most {ROWS:,} rows "
        f"each. Data sets: {', '.join(means)}. Not available: {', '.join(missing) or 'none'}.",
        "At each number of features, only data sets with more features count.",
        f"`{OWN}` is the method with its defaults. Each row after `jmi` changes one setting.",
    ]
    real = {name: own for name, own in means.items() if not name.startswith(MADE)}
    others = {name: own for name, own in means.items() if name not in real}
    headings = ("Ridge classifier, AUC in percent", "Five neighbours, balanced accuracy in percent")
    for which, heading in enumerate(headings):
        lines += ["", f"## {heading}"]
        for kind, own in (("real", real), ("simulated", others)):
            lines += ["", f"Mean over the {len(own)} {kind} data sets:"]
            lines += table(["order", *numbers], average_rows(own, which))
        lines += [f"Advantage of `{OWN}` (data sets where it is better : worse, Wilcoxon's p):"]
        lines += table(["order", *numbers], against_rows(means, which))
        for count in (10, 20, 50):
            lines += [f"Each data set, {count} features:"]
            some = list(rivals(1))
            lines += table(["set", *some], set_rows(means, which, count, some))
    lines += ["", "## Known truth", "", "Modules and noise features among the best 10, mean"]
    lines += ["over the simulated data sets with modules:"]
    lines += table(["order", "modules", "noise"], truth_rows(means, 10))
    return lines


def main():
    """Run the comparison and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    found_problems, missing = problems()
    means = run(found_problems, options.splits, options.jobs)
    with replacing(options.output) as temporary:
        text = "\n".join(page(means, missing, options.splits)) + "\n"
        temporary.write_text(text.replace("\n\n\n", "\n\n"), encoding="utf-8")
    print(options.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
