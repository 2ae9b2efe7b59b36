"""``featrank stability``: the stability of rankings over the trials of a comparison."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli.messages import Messages
from featrank.cli.options import MEASURES, POSITIVE, output_path, quiet_option
from featrank.cli.output import finish, format_option
from featrank.cli.params import n_features_option
from featrank.cli.results import folder_path, read_results
from featrank.exceptions import UsageError

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.report import Report

# Place in the list of commands.
ORDER = 5


@click.command("stability")
@click.argument("folder", metavar="DIR", type=folder_path)
@click.option("--measure", type=MEASURES, help="[default: kuncheva]")
@n_features_option(
    "How many of the first features count; by default 10,20,…,200, and by feature the most "
    "that the run asked for."
)
@click.option(
    "--by-feature", is_flag=True, help="List the features by how often they were chosen instead."
)
@click.option(
    "--top",
    type=POSITIVE,
    metavar="N",
    help="With --by-feature: how many features of each method a table shows; by default 20.",
)
@click.option("--plot", type=output_path, metavar="FILE", help="Draw it (.png, .svg, .pdf).")
@quiet_option
@format_option
def command(**options: Any) -> None:
    """Tell how stable the rankings in DIR are, which `featrank compare --out-dir DIR` wrote.

    The first k features that a method chose in each trial are compared over the trials. Which
    they are, and in how many trials, is what --by-feature tells.

    \b
    featrank stability results
    featrank stability results --measure nogueira --n-features 10,50,100
    featrank stability results --plot stability.png
    featrank stability results --by-feature --top 50
    """
    messages, plot = Messages(options["quiet"]), options["plot"]
    _require_fitting(options)
    if plot is not None:
        from featrank.plots import require_figure_file

        require_figure_file(plot)
    report = _report(options, read_results(options["folder"], messages))
    finish(report, options["layout"], messages)
    if plot is not None:
        _draw(report.content, plot)
        messages.say(f"Drew {str(plot)!r}.")


def _report(options: dict[str, Any], results: "Comparison") -> "Report":
    from featrank.report import selection_report, stability_report

    ks = options["n_features"]
    if not options["by_feature"]:
        return stability_report(results, ks, options["measure"] or "kuncheva")
    top = {} if options["top"] is None else {"top": options["top"]}
    return selection_report(results, ks, **top)


def _draw(content: dict[str, Any], path: Path) -> None:
    from featrank.plots import StabilityCurveDisplay, save

    title = f"{content['dataset']}, {content['trials']} trials"
    display = StabilityCurveDisplay(content["stability"], content["measure"], title=title)
    save(display.plot().figure_, path)


def _require_fitting(options: dict[str, Any]) -> None:
    """Reject options that do not apply to the requested report."""
    if options["top"] is not None and not options["by_feature"]:
        raise UsageError("--top is how many features are listed, for which --by-feature asks.")
    for name in ("measure", "plot"):
        if options["by_feature"] and options[name] is not None:
            raise UsageError(
                f"--{name} is for the stability of whole lists, and --by-feature lists features. "
                "Ask for one of them."
            )
