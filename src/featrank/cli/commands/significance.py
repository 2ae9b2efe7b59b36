"""``featrank significance``: tests of differences between methods."""

from pathlib import Path
from typing import Any

import click

from featrank.cli.messages import Messages
from featrank.cli.options import against_option, output_path, quiet_option
from featrank.cli.output import finish, format_option
from featrank.cli.params import n_features_option
from featrank.cli.results import folders_argument, read_results
from featrank.exceptions import UsageError
from featrank.report.ranks import TESTS as SEVERAL
from featrank.report.significance import TESTS as ONE

# Place in the list of commands.
ORDER = 6


@click.command("significance")
@folders_argument
@against_option
@click.option(
    "--test",
    "tests",
    type=click.Choice((*ONE, *SEVERAL)),
    multiple=True,
    help="Only this test; may be repeated. The first two are for one folder.",
)
@n_features_option("Only these numbers of features.")
@click.option(
    "--plot",
    type=output_path,
    metavar="FILE",
    help="Draw the critical-difference diagram of several folders (.png, .svg, .pdf).",
)
@quiet_option
@format_option
def command(**options: Any) -> None:
    """Test differences between methods in DIR, which `featrank compare --out-dir DIR` wrote.

    One folder: at each number of features one method against each other, over the trials, by the
    EC-FS paper's way (Lilliefors' test of normality, two-sample t-test) and by the corrected
    resampled t-test of Nadeau and Bengio, which knows that trials share rows.

    Several folders, one a data set: Friedman's test, Nemenyi's critical difference of average
    ranks, and Wilcoxon's signed-rank test with Holm's adjustment.

    \b
    featrank significance results
    featrank significance results --against fisher --test corrected
    featrank significance colon leukemia lymphoma prostate --plot ranks.png
    """
    from featrank.report import ranks_report, significance_report

    messages, folders = Messages(options["quiet"]), options["folders"]
    several = len(folders) > 1
    against, tests = options["against"], _tests(options["tests"], several)
    ks = options["n_features"]
    if options["plot"] is not None:
        _check_plot(options["plot"], several)
    results = [read_results(folder, messages) for folder in folders]
    if not several:
        finish(significance_report(results[0], against, ks, tests), options["layout"], messages)
        return
    names = [str(folder) for folder in folders]
    finish(ranks_report(results, against, ks, tests, names), options["layout"], messages)
    if options["plot"] is not None:
        from featrank.plots import CriticalDifferenceDisplay, save

        display = CriticalDifferenceDisplay.from_results(results, ks=ks, names=names)
        save(display.figure_, options["plot"])
        messages.say(f"Drew {str(options['plot'])!r}.")


def _tests(names: tuple[str, ...], several: bool) -> tuple[str, ...] | None:
    known = SEVERAL if several else ONE
    for name in names:
        if name not in known:
            what = "one folder" if name in ONE else "several folders, one a data set"
            raise UsageError(f"The test '{name}' is for {what}. Here: {', '.join(known)}.")
    return names or None


def _check_plot(path: Path, several: bool) -> None:
    from featrank.plots import require_figure_file

    if not several:
        raise UsageError(
            "The critical-difference diagram is of several data sets. Name two folders or more."
        )
    require_figure_file(path)
