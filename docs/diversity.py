"""Write the generated part of the page of ec-fs-diverse from results. Run by: make diversity.

Only the content between the markers changes. It comes from `featrank compare`, `significance` and
`stability`.
"""

import json
import subprocess
import sys
from pathlib import Path

from featrank import datasets
from featrank.datasets.places import find
from featrank.evaluation import read_comparison

PAGE = Path(__file__).parent / "methods" / "ec-fs-diverse.md"
BEGIN, END = "<!-- run: begin (make diversity) -->", "<!-- run: end -->"
OWN = "ec-fs-diverse"
STABLE_AT = "10,50"


def main() -> int:
    """Fill the page from a folder of results, or with --find print the path of a dataset."""
    if len(sys.argv) == 3 and sys.argv[1] == "--find":
        datasets.fetch(sys.argv[2])
        print(find(sys.argv[2]))  # noqa: T201
        return 0
    if len(sys.argv) != 2:
        sys.stderr.write("Usage: python docs/diversity.py RESULTS_DIR | --find NAME\n")
        return 2
    folders = sorted(path.parent for path in Path(sys.argv[1]).glob("*/manifest.json"))
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    _, tail = rest.split(END)
    parts = [run_part(folders), scores_part(folders), ranks_part(folders), stability_part(folders)]
    PAGE.write_text(f"{head}{BEGIN}\n\n" + "\n\n".join(parts) + f"\n\n{END}{tail}", "utf-8")
    return 0


def table(header: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table. All columns except the first are numbers."""
    lines = [header, ["---", *("---:" for _ in header[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def featrank(*arguments: object) -> str:
    """Return the output of a featrank command."""
    command = [sys.executable, "-m", "featrank", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run_part(folders: list[Path]) -> str:
    """Return the commands, and the data they ran on."""
    done = read_comparison(folders[0])
    methods, features = ",".join(done.methods), ",".join(map(str, done.n_features))
    names = " ".join(folder.name for folder in folders)
    return "\n".join(
        [
            f"{len(done.trials)} trials per dataset with featrank's protocol, in which EC-FS tunes "
            "alpha. For each `NAME` of "
            + ", ".join(f"`{folder.name}`" for folder in folders)
            + ":",
            "",
            "```",
            f"featrank compare NAME.npz --methods {methods} \\",
            f"    --n-features {features} --trials {len(done.trials)} --out-dir NAME",
            f"featrank stability NAME --n-features {STABLE_AT}",
            f"featrank significance {names} \\",
            f"    --against {OWN}",
            "```",
        ]
    )


def scores_part(folders: list[Path]) -> str:
    """Return the mean AUC at each number of features, in one block of rows per dataset."""
    rows = []
    for folder in folders:
        done = read_comparison(folder)
        for row in done.table():
            cells = [100 * row[column] for column in (*done.n_features, "average")]
            rows.append([folder.name, f"`{row['method']}`", *(f"{cell:.2f}" for cell in cells)])
    header = ["data set", "method", *map(str, read_comparison(folders[0]).n_features), "average"]
    return f"Mean AUC (%) with the top k features:\n\n{table(header, rows)}"


def ranks_part(folders: list[Path]) -> str:
    """Return average ranks and tests over the data sets, at few features and over all numbers."""
    rows, lines = [], []
    for what, features in (("5, 10 and 20 features", "5,10,20"), ("all numbers", None)):
        chosen = [] if features is None else ["--n-features", features]
        text = featrank(
            "significance", *folders, "--against", OWN, *chosen, "--format", "json", "--quiet"
        )
        found = json.loads(text)
        ranks = found["nemenyi"]["average_ranks"]
        for pair in found["pairs"]:
            rows.append(
                [
                    what,
                    f"`{pair['other']}`",
                    f"{100 * pair['difference']:+.2f}",
                    f"{pair['wilcoxon_p']:.2f}",
                    f"{pair['holm_p']:.2f}",
                ]
            )
        best_first = sorted(ranks, key=ranks.get)
        listed = ", ".join(f"`{name}` {ranks[name]:.2f}" for name in best_first)
        lines.append(
            f"Average ranks over the data sets, {what}: {listed}. Friedman's p is "
            f"{found['friedman']['p']:.2f}. The critical difference of Nemenyi's test is "
            f"{found['nemenyi']['critical_difference']:.2f}."
        )
    header = ["features", f"`{OWN}` against", "difference", "Wilcoxon's p", "Holm's p"]
    return "\n\n".join([*lines, table(header, rows)])


def stability_part(folders: list[Path]) -> str:
    """Return Kuncheva's index of each method on each data set."""
    cells: dict[str, dict[str, list[str]]] = {}
    for folder in folders:
        text = featrank(
            "stability", folder, "--n-features", STABLE_AT, "--format", "csv", "--quiet"
        )
        for line in text.splitlines()[1:]:
            method, _, value = line.split(",")
            cells.setdefault(method, {}).setdefault(folder.name, []).append(f"{float(value):.2f}")
    names = [folder.name for folder in folders]
    rows = [
        [f"`{method}`", *(" / ".join(own.get(name, ["–"])) for name in names)]
        for method, own in cells.items()
    ]
    first, second = STABLE_AT.split(",")
    return (
        f"Stability of the top {first} / {second} features over the trials (Kuncheva's index, 1 "
        f"if every trial selects the same features):\n\n{table(['method', *names], rows)}"
    )


if __name__ == "__main__":
    sys.exit(main())
