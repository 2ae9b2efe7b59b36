"""Sections of reproduction.md: how the printed numbers were computed, and the effect of leaks."""

from reproduction_runs import Runs, command, number, table

from featrank.evaluation import Comparison
from featrank.reproduction.published import FEATURES, METHODS, areas, read
from featrank.statistics import auc_granularity

OWN = ("inf-fs", "ec-fs")
# Data set, trials, positives and negatives among the test rows.
PROTOCOLS = (
    ("colon", 10, 8, 4, "a fifth"),
    ("colon", 100, 14, 7, "a third"),
    ("leukemia", 10, 9, 5, "a fifth"),
    ("leukemia", 100, 16, 8, "a third"),
    ("lymphoma", 10, 4, 4, "a fifth"),
    ("lymphoma", 20, 5, 5, "a fifth"),
    ("lymphoma", 100, 8, 7, "a third"),
    ("prostate", 10, 10, 10, "a fifth"),
    ("prostate", 100, 17, 17, "a third"),
)


def granularity_part() -> str:
    """Return how many printed numbers are multiples of the smallest step of a protocol."""
    header = ("data set", "trials", "test rows", "grid", "six methods fit", "by chance", "p")
    rows = []
    for name, trials, positives, negatives, share in PROTOCOLS:
        six = [method for method in METHODS if method not in OWN]
        tests = {
            group: auc_granularity(
                _printed(name, methods), trials, positives, negatives, decimals=2
            )
            for group, methods in {"six": six, **{own: [own] for own in OWN}}.items()
        }
        found = tests["six"]
        rows.append(
            (
                name,
                str(trials),
                f"{positives} + {negatives}, {share}",
                f"1/{found.steps}",
                f"{found.fits} of {len(found.fitting)}",
                f"{found.expected:.1f}",
                f"{found.p_value:.1g}",
                *(f"{tests[own].fits} of 4" for own in OWN),
            )
        )
    return table((*header, *(f"`{own}` fits" for own in OWN)), rows)


def _printed(dataset: str, methods: list[str]) -> list[str]:
    rows = [r for r in read("table3") if r["dataset"] == dataset and r["method"] in methods]
    return [row[str(k)] for row in rows for k in FEATURES]


def leaky_part(leak_free: Runs, leaky: Runs) -> str:
    """Return leaky averages, ranked on all rows, next to leak-free ones on the same splits."""
    if not leaky.names:
        return "These results contain no leaky run."
    rows = [
        row
        for name in leaky.names
        for done in leaky.of(name)
        for row in _leaky_rows(name, done, leak_free)
    ]
    header = (
        "data set",
        "method",
        "trials",
        "leak-free",
        "LEAKY: ranked on all rows",
        "gain by the leak",
        "paper",
    )
    commands = dict.fromkeys(
        command(done.manifest) for name in leaky.names for done in leaky.of(name)
    )
    block = "\n".join(["```", *commands, "```"])
    return f"{block}\n\n{table(header, rows)}\n\n{_against_paper(leaky)}"


def _against_paper(leaky: Runs) -> str:
    cells = [
        cell
        for name in leaky.names
        for cell in leaky.cells(name)
        if cell.column == "average" and cell.difference is not None
    ]
    above = sum((cell.difference or 0.0) > 0 for cell in cells)
    mean = sum(cell.difference or 0.0 for cell in cells) / max(1, len(cells))
    return (
        f"{above} of {len(cells)} leaky averages are above the paper's. Their mean difference is "
        f"{number(mean, '+')} points."
    )


def _leaky_rows(name: str, done: Comparison, leak_free: Runs) -> list[list[str]]:
    rows = []
    for method in done.methods:
        trials = [trial.number for trial in done.trials]
        with_leak = _mean(done, method, trials)
        without = [
            _mean(each, method, trials) for each in leak_free.of(name) if method in each.methods
        ]
        fair = without[0] if without else None
        gain = None if fair is None or with_leak is None else with_leak - fair
        paper = areas(name).get(method, {}).get("average")
        cells = (number(fair), number(with_leak), number(gain, "+"), number(paper))
        rows.append([name, f"`{method}`", str(len(trials)), *cells])
    return rows


def _mean(done: Comparison, method: str, trials: list[int]) -> float | None:
    """Return the mean over the numbers of features and these trials, in percent."""
    scores = [
        row["score"]
        for trial in done.trials
        for row in trial.rows
        if trial.number in trials and row["method"] == method and row["status"] == "ok"
    ]
    return 100 * sum(scores) / len(scores) if scores else None
