"""Write the tables of verdicts.md from the benchmark's results. Run by: make bench-verdicts."""

import json
from pathlib import Path

import numpy as np
from scipy.stats import beta

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks/results/verdicts.json"
PAGE = ROOT / "docs/verdicts.md"
BEGIN, END = "<!-- {}: begin (make bench-verdicts) -->", "<!-- {}: end -->"
VERDICTS = {
    "signal": "Is there signal?",
    "choice": "Does the choice of features matter?",
    "method": "Is a method worse than the best?",
}
# Where a verdict must not be positive.
NULL = {"signal": ("none",), "choice": ("none", "every feature"), "method": ("none",)}
SAMPLES, TRIALS = (40, 60, 100, 200), (10, 20, 50)
SIGNALS = ("none", "weak", "strong", "every feature")
DEMO = "demo, 60, 10"


def main() -> None:
    """Fill the page."""
    counts = json.loads(RESULTS.read_text())["counts"]
    text = PAGE.read_text()
    parts = {name: table(counts, name) for name in VERDICTS}
    for name, lines in (parts | {"errors": errors(counts), "demo": demo(counts)}).items():
        begin, end = BEGIN.format(name), END.format(name)
        before, rest = text.split(begin)
        text = before + "\n".join([begin, "", *lines, "", end]) + rest.split(end)[1]
    PAGE.write_text(text)


def interval(positive: int, runs: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a share (Clopper and Pearson)."""
    low, high = beta.ppf(
        (0.025, 0.975), (positive, positive + 1), (runs - positive + 1, runs - positive)
    )
    return float(np.nan_to_num(low, nan=0.0)), float(np.nan_to_num(high, nan=1.0))


def cell(positive: int, runs: int) -> str:
    """Return a share with its interval and the number of data sets."""
    if not runs:
        return "–"
    low, high = interval(positive, runs)
    return f"{positive / runs:.2f} ({low:.2f} to {high:.2f}, {runs})"


def table(counts: dict, verdict: str) -> list[str]:
    """Return the shares of positive verdicts, by signal, samples and trials."""
    trials = TRIALS[:1] if verdict == "signal" else TRIALS
    heads = "".join(f" {n} trials |" for n in trials) if len(trials) > 1 else " share |"
    lines = [f"| signal | samples |{heads}", "|---|---|" + "---|" * len(trials)]
    for signal in SIGNALS:
        for n_samples in SAMPLES:
            found = [counts.get(f"{signal}, {n_samples}, {n}", {"runs": 0}) for n in trials]
            cells = " | ".join(cell(each.get(verdict, 0), each["runs"]) for each in found)
            lines.append(f"| {signal} | {n_samples} | {cells} |")
    return lines


def errors(counts: dict) -> list[str]:
    """Return the type-I error of each verdict, over all numbers of samples."""
    heads = " | ".join(f"{n} trials" for n in TRIALS)
    lines = [f"| verdict | {heads} |", "|---|" + "---|" * len(TRIALS)]
    for verdict, question in VERDICTS.items():
        cells = []
        for n in TRIALS:
            own = [
                counts.get(f"{signal}, {n_samples}, {n}", {"runs": 0, verdict: 0})
                for signal in NULL[verdict]
                for n_samples in SAMPLES
            ]
            cells.append(cell(sum(c[verdict] for c in own), sum(c["runs"] for c in own)))
        lines.append(f"| {question} | {' | '.join(cells)} |")
    return lines


def demo(counts: dict) -> list[str]:
    """Return the shares of positive verdicts for data like that of `featrank demo`."""
    own = counts[DEMO]
    lines = ["| verdict | positive |", "|---|---|"]
    return lines + [
        f"| {question} | {cell(own[verdict], own['runs'])} |"
        for verdict, question in VERDICTS.items()
    ]


if __name__ == "__main__":
    main()
