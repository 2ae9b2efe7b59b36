"""``featrank demo``: ranks simulated data, where the useful features are known."""

import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from featrank.cli import output as out
from featrank.cli.grouped_help import OUTPUT, grouped_command, option
from featrank.cli.messages import Messages

if TYPE_CHECKING:
    from featrank.datasets import Dataset
    from featrank.report import Report

# Place in the list of commands.
ORDER = 11

SHOWN = 20
NEXT = """\
Next:
  featrank info data.csv
  featrank rank data.csv --target COLUMN --top 20
  featrank select data.csv --target COLUMN --top 20 --output small.csv
  featrank methods
"""

METHODS = ("ec-fs", "fisher", "mi", "laplacian", "relieff")
TRIALS = 10


@grouped_command("demo")
@option(
    "--compare",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    group=OUTPUT,
    show_default="not run",
    help="Also compare five methods on held-out samples, with the results in DIR.",
)
def command(folder: Path | None) -> None:
    """Rank simulated genes with known answers.

    \b
    featrank demo
    featrank demo --compare results
    """
    from featrank.api import rank
    from featrank.datasets import make_microarray
    from featrank.report import planted_report

    data = make_microarray(random_state=0)
    start = perf_counter()
    ranking = rank(data.X, data.y, top=SHOWN, feature_names=data.feature_names, n_jobs=-1)
    report = planted_report(data, ranking, SHOWN, perf_counter() - start)
    messages = Messages(quiet=False)
    out.finish(report, "table", messages)
    if folder is None:
        click.echo(NEXT)
        return
    sys.stdout.flush()
    out.finish(_compare_methods(folder, messages), "table", messages)


def _compare_methods(folder: Path, messages: Messages) -> "Report":
    """Compare methods on simulated data, write the results to a folder and return a report."""
    from featrank.datasets import make_microarray
    from featrank.evaluation import Protocol, compare
    from featrank.report import Paragraph, comparison_html_report, comparison_report, write

    # Weak effects and few samples: what makes methods differ.
    data = make_microarray(
        60, 2000, n_informative=10, n_correlated=20, effect=1.0, correlation=0.5, random_state=0
    )
    protocol = Protocol(n_repeats=TRIALS, n_features=(10, 50, 100, 200), C=(0.001, 0.01, 0.1, 1.0))
    names, start, page = data.feature_names, perf_counter(), folder / "report.html"
    with messages.progress(f"Comparing {len(METHODS)} methods, {TRIALS} trials"):
        comparison = compare(
            data.X,
            data.y,
            METHODS,
            protocol,
            feature_names=names,
            dataset="demo",
            n_jobs=-1,
            out_dir=folder,
            resume=True,
        )
    about = Paragraph(
        f"Which method ranks best? {len(METHODS)} methods on {len(data.X)} simulated samples with "
        f"{len(names):,} genes.\n"
        "Each method is fitted on two thirds of the samples and evaluated on the others,\n"
        f"in {TRIALS} trials ({perf_counter() - start:.0f} s).\n"
    )
    report = comparison_report(comparison)
    page_report = comparison_html_report(comparison)
    write(page_report, "html", page)
    answer = Paragraph("\n" + "\n".join(_answer(page_report, data)))
    following = Paragraph(
        f"\nThe results are in {str(folder)!r}. To analyse them:\n"
        f"  featrank stability {folder}\n"
        f"  featrank significance {folder}\n"
        f"\nTo see the HTML report, open:\n  {page}\n"
    )
    return replace(report, shown=[about, *report.shown, answer, following])


def _answer(page: "Report", data: "Dataset") -> list[str]:
    """Return the sentences of the HTML report's answer, and how many named genes were planted."""
    from featrank.report.sections.answer import sentences

    facts = page.content["answer"]
    truth = data.truth or {}
    planted = {data.feature_names[column] for columns in truth.values() for column in columns}
    named = [row["feature"] for row in facts.get("named", [])]
    count = sum(name in planted for name in named)
    known = (
        [f"{count} of the {len(named)} named genes were simulated with signal."] if named else []
    )
    return [*sentences(facts), *known]
