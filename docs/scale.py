"""Write scale.md and the table of the benchmark from its results. Run by: make bench-scale."""

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks/results/scale.json"
TABLE = ROOT / "benchmarks/results/scale.md"
PAGE = ROOT / "docs/scale.md"
BEGIN, END = "<!-- {}: begin (make bench-scale) -->", "<!-- {}: end -->"
HEAD = (
    "| data and task | time | peak memory | file | plain read | a pass's share of that rate "
    "| published for comparison |"
)
# Bytes of a state per feature (see docs/summaries.md), for two classes and 20 bins.
RANGES, SUMMARY = 2 * 16 + 1, 2 * (56 + 4 * 20) + 33


def main() -> None:
    """Fill the page and the table."""
    results = json.loads(RESULTS.read_text())
    lines = [
        f"Created by `make bench-scale` ({results['cores']} cores, Python {results['python']}, "
        f"NumPy {results['numpy']}).",
        "",
        *table(results["rows"]),
    ]
    TABLE.write_text("\n".join(lines) + "\n")
    text = PAGE.read_text()
    for name, part in (("table", lines), ("cluster", cluster(results))):
        begin, end = BEGIN.format(name), END.format(name)
        before, rest = text.split(begin)
        text = before + "\n".join([begin, "", *part, "", end]) + rest.split(end)[1]
    PAGE.write_text(text)


def table(rows: dict) -> list[str]:
    """Return the lines of the table."""
    lines = [HEAD, "|" + "---|" * HEAD.count(" | ") + "---|"]
    for row in rows.values():
        if "failed" in row:
            lines.append(f"| {row['what']} | failed: {row['failed']} | | | | | {row['beside']} |")
            continue
        size, read = row.get("bytes"), row.get("read_seconds")
        share = "–"
        if size:
            passes = row.get("passes", 1)
            share = f"{passes * read / row['seconds']:.0%} ({passes} pass{'es' * (passes > 1)})"
        cells = (
            row["what"],
            f"{row['seconds']:.0f} s",
            f"{row['peak'] / 1e9:.1f} GB",
            f"{size / 1e9:.1f} GB" if size else "in memory",
            f"{size / read / 1e9:.2f} GB/s" if size else "–",
            share,
            row["beside"],
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def cluster(results: dict) -> list[str]:
    """Return the time on a cluster, estimated from the rate of one core on float32 rows."""
    row = results["rows"]["zarr"]
    rate = row["passes"] * row["bytes"] / row["seconds"] / results["cores"]
    lines = [
        f"One core processed {rate / 1e6:.0f} MB/s of float32 rows from Zarr, over both passes.",
        "",
        "| data | cores | time | state of 10,000 features | moved, all workers together |",
        "|---|---|---|---|---|",
    ]
    for size, name, cores in ((1e12, "1 TB", 64), (1e14, "100 TB", 1024)):
        minutes = row["passes"] * size / rate / cores / 60
        state = 10_000 * (RANGES + SUMMARY)
        moved = state * (cores - 1)
        lines.append(
            f"| {name} | {cores} | {minutes:.0f} min | {state / 1e6:.1f} MB | "
            f"{moved / 1e9:.2f} GB |"
        )
    return lines


if __name__ == "__main__":
    main()
