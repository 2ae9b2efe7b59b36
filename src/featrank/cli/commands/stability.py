"""``featrank stability``: how much the rankings of a comparison's trials agree."""

from pathlib import Path

import click

from featrank.cli.folders import folder_path, read_results
from featrank.cli.messages import Messages
from featrank.cli.options import LazyChoice, output_path
from featrank.cli.output import finish, format_option
from featrank.cli.params import parse_counts

# Place in the list of commands.
ORDER = 5


def measures() -> list[str]:
    """Return the names of the measures."""
    from featrank.statistics import MEASURES

    return list(MEASURES)


@click.command("stability")
@click.argument("folder", metavar="DIR", type=folder_path)
@click.option("--measure", type=LazyChoice(measures), default="kuncheva", show_default=True)
@click.option(
    "--features",
    metavar="LIST",
    help="How many of the first features count; by default 10,20,…,200.",
)
@click.option("--plot", type=output_path, metavar="FILE", help="Draw it (.png, .svg, .pdf).")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors.")
@format_option
def command(
    folder: Path,
    measure: str,
    features: str | None,
    plot: Path | None,
    quiet: bool,
    layout: str | None,
) -> None:
    """Tell how stable the rankings in DIR are, which `featrank compare --out DIR` wrote.

    The first k features that a method chose in each trial are compared over the trials.

    \b
    featrank stability results
    featrank stability results --measure nogueira --features 10,50,100
    featrank stability results --plot stability.png
    """
    from featrank.report import stability_report

    messages = Messages(quiet)
    if plot is not None:
        from featrank.plots import require_figure_file

        require_figure_file(plot)
    results = read_results(folder, messages)
    ks = None if features is None else parse_counts(features)
    report = stability_report(results, ks, measure)
    finish(report, layout, messages)
    if plot is not None:
        from featrank.plots import save, stability_figure

        save(stability_figure(report.content), plot)
        messages.say(f"Drew {str(plot)!r}.")
