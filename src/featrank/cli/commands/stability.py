"""``featrank stability``: the stability of rankings over the trials of a comparison."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli.grouped_help import METHOD, OUTPUT, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import MEASURES, POSITIVE, plot_option, quiet_option
from featrank.cli.output import finish, format_option
from featrank.cli.params import n_features_option
from featrank.cli.results import folder_path, read_results
from featrank.exceptions import UsageError

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.report import Report

# Place in the list of commands.
ORDER = 6


@grouped_command("stability")
@click.argument("folder", metavar="DIR", type=folder_path)
@option(
    "--measure", type=MEASURES, group=METHOD, show_default="kuncheva", help="Stability measure."
)
@n_features_option(
    "Compare the k best features, for these k.",
    "10,20,…,200, or with --by-feature the recommended one",
)
@option(
    "--by-feature",
    is_flag=True,
    group=OUTPUT,
    help="List how often each feature was selected instead.",
)
@option(
    "--top",
    type=POSITIVE,
    metavar="N",
    group=OUTPUT,
    show_default="20",
    help="With --by-feature: number of features per method in the table.",
)
@format_option
@plot_option("Draw the stability of each method")
@quiet_option
def command(**options: Any) -> None:
    """Measure how stable rankings are over trials.

    DIR is a folder written by `featrank compare --out-dir DIR`. featrank compares the k best
    features of each method between the trials. Use --by-feature to list how often each feature was
    selected.

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
    finish(report, options["format"], messages)
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
        raise UsageError("--top limits the list of features. Add --by-feature.")
    for name in ("measure", "plot"):
        if options["by_feature"] and options[name] is not None:
            raise UsageError(f"--{name} and --by-feature exclude each other. Use one of the two.")
