"""By how many features an alpha should be judged where the best k are asked for.

On training rows every alpha has cross-validated scores for each number of features; a rule takes
the mean over some numbers, and then the alpha by the rule of ECFS. The list that comes out is
judged on test rows, by its first features and not only by all k: people read a list from its head.
"""

import numpy as np
from joblib import Parallel, delayed

from alpha_sets import (
    data_sets,
    further_sets,
    judged,
    judged_quantity,
    quantity_sets,
    ridge_area,
    ridge_share,
    splits,
    without_gaps,
)
from featrank import ECFS
from featrank.solvers.one_standard_error import ALIKE, at_best_setting, last_within_one_error

COUNTS = (1, 2, 3, 5, 10, 20, 50, 100)
TOPS = (2, 5, 10, 20, 50, 100)
DENSE = COUNTS[:-1]
# Numbers of features at the head of a list by which it is judged.
HEADS = (1, 3, 5, 10, 50, 100)
# The first features that are judged one by one.
SINGLE = 5
# What ECFS does.
TAKEN = "those of 1, 5, 20, 50 below k, and k; by k alone if that alpha is larger"


def below(counts, k):
    """Return k and those of the counts that are smaller, each of weight 1."""
    return dict.fromkeys((*(count for count in counts if count < k), k), 1.0)


RULES = {
    "k alone": lambda k: {k: 1.0},
    "1 and k": lambda k: below((1,), k),
    "those of 1, 5, 20, 50 below k, and k": lambda k: below((1, 5, 20, 50), k),
    TAKEN: lambda k: below((1, 5, 20, 50), k),
    "those of 1, 2, 3, 5, 10, 20, 50 below k, and k": lambda k: below(DENSE, k),
    "the same, weighed by 1 / count": lambda k: {count: 1 / count for count in below(DENSE, k)},
    "1, 5, 20, whatever k is": lambda k: below((1, 5), 20),
    "1, 5, 20, 50, whatever k is": lambda k: below((1, 5, 20), 50),
    "1, 2, 3, 5, 10, 20, 50, whatever k is": lambda k: below(DENSE, 50),
    "1, 2, 3, 5, whatever k is": lambda k: below(DENSE, 5),
    "1 alone, whatever k is": lambda k: {1: 1.0},
    "alpha 1": lambda k: {},
}


class EachCount(ECFS):
    """EC-FS that keeps the scores of every number of features."""

    def _counts_to_judge(self, n_features):
        return [count for count in COUNTS if count <= n_features]

    def _best_alpha(self, folds):
        self.by_count_ = dict(
            zip(
                self._counts_to_judge(self.n_features_in_),
                at_best_setting(np.array(folds))[0].swapaxes(0, 1),
                strict=True,
            )
        )
        return super()._best_alpha(folds)


def place_taken(rule, k, by_count, n_features):
    """Return the place of the alpha that the counts speak for; without any, the last one."""
    weights = RULES[rule](k)
    told = [count for count in weights if count in by_count]
    # All features tell nothing of their order.
    told = [count for count in told if count <= n_features / 2] or told
    if not told:
        return -1
    mean = np.average(
        [by_count[count] for count in told], axis=0, weights=[weights[count] for count in told]
    )
    place = last_within_one_error(mean, ALIKE)
    if rule == TAKEN:
        return max(place, last_within_one_error(by_count[told[-1]], ALIKE))
    return place


def trial(X, y, train, test, quantity):
    """Return what each rule gives on one split, by top and rule: figures of the list's head."""
    X = without_gaps(X, train)
    task = "regression" if quantity else "classification"
    ranker = EachCount(task=task).fit(X[train], y[train])
    rankings = ECFS(task=task).alpha_path(X[train], y[train], ranker.alphas_)
    known, found = {}, {}
    for top in (top for top in TOPS if top < X.shape[1]):
        for rule in RULES:
            place = place_taken(rule, top, ranker.by_count_, X.shape[1]) % len(rankings)
            if place not in known:
                order = np.argsort(rankings[place])
                known[place] = head_figures(X, y, train, test, order, quantity)
            found[top, rule] = known[place]
    return found


def head_figures(X, y, train, test, order, quantity):
    """Return the mean of the first features one by one, then both judges for each head."""
    alone, both = (ridge_share, judged_quantity) if quantity else (ridge_area, judged)
    single = np.mean([alone(X[:, [one]], y, train, test) for one in order[:SINGLE]])
    heads = [both(X[:, order[:head]], y, train, test) for head in HEADS]
    return np.array([single, *np.ravel(heads)])


def measured(name, X, y, quantity=False):
    """Return the mean over the splits by top and rule."""
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    each = [trial(X, y, *rows, quantity) for rows in splits(y, quantity)]
    return name, {key: np.mean([one[key] for one in each], axis=0) for key in each[0]}


def shown(top):
    """Return the places of the figures that concern the first ``top`` features."""
    return [
        0,
        *(
            1 + 2 * place + judge
            for place, head in enumerate(HEADS)
            if head <= top
            for judge in (0, 1)
        ),
    ]


def tables(results, metrics):
    """Yield the lines of a table a top: means over the sets, and wins against k alone."""
    for top in TOPS:
        own = [found for _, found in results if (top, "k alone") in found]
        places = shown(top)
        names = [f"first {SINGLE} alone"]
        names += [f"{metric}, {head}" for head in HEADS if head <= top for metric in metrics]
        yield ""
        yield f"k = {top}, {len(own)} sets:"
        yield ""
        yield f"| alpha judged by | {' | '.join(names)} | mean | against k alone |"
        yield "|---" * (len(names) + 3) + "|"
        for rule in RULES:
            table = np.array([found[top, rule][places] for found in own])
            gains = table.mean(axis=1) - np.mean(
                [found[top, "k alone"][places] for found in own], axis=1
            )
            cells = [f"{value:.1f}" for value in (*table.mean(axis=0), table.mean())]
            yield f"| {rule} | {' | '.join(cells)} | {gain_told(gains)} |"


def gain_told(gains):
    """Return the mean gain with its standard error over the sets, and how many gain and lose."""
    if not gains.any():
        return "–"
    error = gains.std(ddof=1) / np.sqrt(len(gains))
    better, worse = (gains > 0.05).sum(), (gains < -0.05).sum()
    return f"{gains.mean():+.2f} ± {error:.2f}; {better} up, {worse} down"


def by_set(results, top=20):
    """Yield the lines of a table of the mean figure of each set."""
    yield ""
    yield f"Mean of the columns above by data set, k = {top}:"
    yield ""
    yield f"| data set | {' | '.join(RULES)} |"
    yield "|---" * (len(RULES) + 1) + "|"
    for name, found in results:
        if (top, "k alone") in found:
            cells = [f"{found[top, rule][shown(top)].mean():.1f}" for rule in RULES]
            yield f"| {name} | {' | '.join(cells)} |"


def section(n_jobs):
    """Yield the lines of the report on numbers of features."""
    yield ""
    yield "# By how many features alpha is judged where the best k are asked for"
    yield ""
    yield "Figures of the head of the list that comes out, on test rows, in points: the mean of its"
    yield f"first {SINGLE} features each alone, then ridge and 5-NN on its first 1, 3, … features."
    yield f'Kernel "product". ECFS does: {TAKEN}. Against k alone: the mean gain of a set with its'
    yield "standard error over the sets, and how many sets gain and lose more than 0.05."
    classes = ("AUC", "5-NN")
    groups = (
        ("The sets above", data_sets, False, classes),
        ("Sets by which no rule had been chosen before", further_sets, False, classes),
        ("Quantities (R²)", quantity_sets, True, ("ridge", "5-NN")),
    )
    for title, sets, quantity, metrics in groups:
        tasks = [delayed(measured)(*one, quantity) for one in sets()]
        results = Parallel(n_jobs=n_jobs)(tasks)
        yield ""
        yield f"## {title}"
        yield from tables(results, metrics)
        yield from by_set(results)
