"""Write the tables of error-control.md from the benchmark's results. Run by: make bench-fdr."""

import json
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks/results/fdr.json"
PAGE = ROOT / "docs/error-control.md"
BEGIN, END = "<!-- fdr: begin (make bench-fdr) -->", "<!-- fdr: end -->"
LEVEL, N_PLANTED = 0.1, 50
# Headings of the scenarios, with what their cells show.
SCENARIOS = {
    "random labels": "random labels: runs with a claim",
    "1.5 SD": "1.5 SD: FDR / power",
    "1.0 SD": "1.0 SD: FDR / power",
}


def main() -> None:
    """Fill the page."""
    runs = json.loads(RESULTS.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    middle = "\n".join([BEGIN, "", *table(runs), "", *above(runs), "", END])
    PAGE.write_text(before + middle + rest.split(END)[1], encoding="utf-8")


def table(runs: dict) -> list[str]:
    """Return one row per method and matrix."""
    lines = ["| method | matrix | runs | " + " | ".join(SCENARIOS.values()) + " | median s |"]
    lines.append("|---|---|---:|" + "---:|" * (len(SCENARIOS) + 1))
    for method, matrix in dict.fromkeys(tuple(key.split(" | ")[:2]) for key in runs):
        own = [runs[f"{method} | {matrix} | {scenario}"] for scenario in SCENARIOS]
        if min(map(len, own)) < 2:
            continue
        cells = [cell(scenario, each) for scenario, each in zip(SCENARIOS, own, strict=True)]
        seconds = np.median([one[2] for each in own for one in each])
        count = min(map(len, own))
        lines.append(f"| {method} | {matrix} | {count} | {' | '.join(cells)} | {seconds:.2g} |")
    return lines


def cell(scenario: str, runs: list) -> str:
    """Return the share of runs with a claim, or the realised rate and the power."""
    claims, true, _ = np.array(runs).T
    if scenario == "random labels":
        return f"{np.mean(claims > 0):.2f}"
    mean, error = rate(runs)
    return f"{mean:.3f} ± {error:.3f} / {np.mean(true) / N_PLANTED:.2f}"


def rate(runs: list) -> tuple[float, float]:
    """Return the realised false discovery rate and its standard error."""
    claims, true, _ = np.array(runs).T
    false = (claims - true) / np.maximum(claims, 1)
    return float(false.mean()), float(false.std(ddof=1) / np.sqrt(len(false)))


def above(runs: dict) -> list[str]:
    """Return sentences on cells whose rate is significantly above the level."""
    known = {key: each for key, each in runs.items() if len(each) > 1}
    rates = {key: rate(each) for key, each in known.items()}
    high = [key for key, (mean, error) in rates.items() if mean > LEVEL + 2 * error]
    listed = ", ".join(key.replace(" | ", " on ", 1).replace(" | ", ", ") for key in high)
    return [
        f"Cells with a false discovery rate of more than {LEVEL:g} + 2 standard errors: "
        f"{listed or 'none'} (of {len(rates)})."
    ]


if __name__ == "__main__":
    main()
