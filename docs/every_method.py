"""Write the generated parts of every-method.md from results. Run by: make every-method."""

import sys
from pathlib import Path

import numpy as np
from reproduction_runs import NONE, Runs, number, read_runs, table

from featrank.base.ranker import FAMILIES
from featrank.base.registry import methods
from featrank.reproduction.experiments import CHALLENGE, MICROARRAY
from featrank.reproduction.stability import KS, curves
from reproduction import filled, losses_part, run_part

PAGE = Path(__file__).parent / "every-method.md"
STABLE_AT = 50
MARK = "(make every-method)"


def main() -> int:
    """Fill the page from the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.stderr.write("Usage: python docs/every_method.py RESULTS_DIR\n")
        return 2
    runs, _ = read_runs(Path(sys.argv[1]), (*MICROARRAY.known, *CHALLENGE.known))
    if not runs.names:
        sys.stderr.write(f"{sys.argv[1]} has no results on the paper's datasets.\n")
        return 1
    parts = {
        "run": run_part(runs),
        "scores": scores_part(runs),
        "stability": stability_part(runs),
        "losses": losses_part(runs),
    }
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), parts, MARK), encoding="utf-8")
    return 0


def scores_part(runs: Runs) -> str:
    """Return each method's mean score on each dataset, and its mean rank over the datasets."""
    averages = {
        method: [runs.average(name, method) for name in runs.names] for method in runs.methods
    }
    means = {
        method: [np.nan if cell is None or cell.ours is None else cell.ours for cell in cells]
        for method, cells in averages.items()
    }
    places = mean_places(np.array([means[method] for method in means]))
    cells = {
        method: [*map(number, _known(values)), f"{place:.1f}"]
        for (method, values), place in zip(means.items(), places, strict=True)
    }
    chance = ["*random features*", "", *(number(random_score(runs, n)) for n in runs.names), NONE]
    header = ["method", "labels", *runs.names, "mean place"]
    return table(header, [*by_family(cells, len(header)), chance])


def _known(values: list[float]) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values]


def mean_places(scores: np.ndarray) -> np.ndarray:
    """Return the mean rank of each row over the columns. 1 is the largest, NaN is last."""
    from scipy.stats import rankdata

    return rankdata(-np.where(np.isnan(scores), -np.inf, scores), axis=0).mean(axis=1)


def random_score(runs: Runs, name: str) -> float | None:
    """Return the mean score of the random baseline."""
    rows = [row for done in runs.of(name) if (row := done.baseline_row()) is not None]
    return 100 * float(np.mean([row["average"] for row in rows])) if rows else None


def stability_part(runs: Runs) -> str:
    """Return Kuncheva's index of each method's best features over the trials."""
    found = {
        name: {m: c for one in runs.of(name) for m, c in curves(one).items()} for name in runs.names
    }
    place = KS.index(STABLE_AT)
    cells = {
        method: [
            number(float(own[method][place])) if method in own else NONE for own in found.values()
        ]
        for method in runs.methods
    }
    header = ["method", "labels", *runs.names]
    return table(header, by_family(cells, len(header)))


def by_family(cells: dict[str, list[str]], width: int) -> list[list[str]]:
    """Return one row per method, below a row that names its family."""
    known, rows = methods(), []
    for family, title in FAMILIES.items():
        own = [name for name in cells if known[name.split()[0]].family == family]
        if own:
            rows.append([f"**{title}**", *[""] * (width - 1)])
        for name in own:
            labels = "yes" if known[name.split()[0]].supervised else "no"
            rows.append([f"`{name}`", labels, *cells[name]])
    return rows


if __name__ == "__main__":
    sys.exit(main())
