"""Measure the size, speed and memory of an HTML report of ten methods × 10,000 features.

Run by: make bench-page. Needs Chromium.
"""

import os
import resource
import shutil
import statistics
import tempfile
from pathlib import Path

from featrank.report.page import features
from playwright.sync_api import sync_playwright
from tests.report.fakes import TEN_METHODS, fake_results, gene_symbols

from featrank.report import Report, write

SIZES = (1_000, 10_000, 50_000)
KS = (5, 10, 20, 50, 100, 200)
ROUNDS = 15
RESULTS = Path(__file__).parent / "results" / "page.md"
TYPED = ("A", "AB", "ABC", "7", "gene", "")

# Milliseconds from a change until the rows are laid out.
MEASURE = """
([what, values, rounds]) => {
  const search = document.querySelector("#explorer input[type=search]");
  const heads = [...document.querySelectorAll("#explorer thead button")];
  const table = document.querySelector("#explorer table");
  const acts = {
    search: (value) => { search.value = value; search.dispatchEvent(new Event("input")); },
    sort: (value) => heads[value].click(),
  };
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const value of values) {
      const start = performance.now();
      acts[what](value);
      table.getBoundingClientRect();
      times.push(performance.now() - start);
    }
  }
  return times;
}
"""


def write_page(path, n_features):
    """Write an HTML report with all features of simulated results."""
    results = fake_results(gene_symbols(n_features), TEN_METHODS, KS, trials=100)
    told = features.facts(results, max_features=n_features)
    write(Report({"title": "A large page"}, [], [features.section(told)]), to=path)


def resident(browser):
    """Return the memory of the largest process that shows a page, in bytes."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    tabs = [process["id"] for process in found if process["type"] == "renderer"]
    pages = (int(Path(f"/proc/{tab}/statm").read_text().split()[1]) for tab in tabs)
    return resource.getpagesize() * max(pages)


def heap(page):
    """Return the memory of the page's own objects after garbage collection, in bytes."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize")


def measured(launch, path):
    """Return the measurements of one page in its own browser."""
    browser = launch()
    page = browser.new_page()
    empty = resident(browser)
    page.goto(path.as_uri())
    page.wait_for_selector("#explorer tbody th")
    ready = page.evaluate("performance.now()")
    searching = page.evaluate(MEASURE, ["search", TYPED, ROUNDS])
    page.get_by_role("searchbox").fill("")
    sorting = page.evaluate(MEASURE, ["sort", list(range(6)), 2])
    figures = (
        path.stat().st_size / 1e6,
        ready,
        statistics.median(searching),
        max(searching),
        max(sorting),
        heap(page) / 1e6,
        (resident(browser) - empty) / 1e6,
    )
    browser.close()
    return figures


def report():
    """Yield the lines of the report."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise SystemExit("No browser found. Install chromium.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:

        def launch():
            return playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])

        browser = launch()
        yield (
            f"HTML reports of {len(TEN_METHODS)} methods with {len(KS)} numbers of features, "
            f"{os.cpu_count()} cores, Chromium {browser.version}. Created by `make bench-page`."
        )
        browser.close()
        yield ""
        yield (
            "| features | page, MB | ready after, ms | search, ms (median) | search, ms (longest) "
            "| sort, ms (longest) | objects of the page, MB | memory of the tab minus an empty "
            "one, MB |"
        )
        yield "|---|---|---|---|---|---|---|---|"
        for n_features in SIZES:
            file = Path(folder) / f"{n_features}.html"
            write_page(file, n_features)
            size, *others = measured(launch, file)
            figures = " | ".join(f"{value:.0f}" for value in others)
            yield f"| {n_features:,} | {size:.2f} | {figures} |"


if __name__ == "__main__":
    lines = []
    for line in report():
        print(line, flush=True)
        lines.append(line)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
