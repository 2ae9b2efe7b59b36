"""Shared options and code of the paper's experiments on tables."""

from typing import TYPE_CHECKING, Any

from featrank.cli.grouped_help import DATA, EVALUATION, RUN, option
from featrank.cli.messages import Messages
from featrank.cli.options import POSITIVE, add_options, paper_methods, quiet_option, run_options
from featrank.cli.output import finish, format_option

if TYPE_CHECKING:
    from featrank.reproduction import Experiment, Reproduction


experiment_options = add_options(
    option(
        "--trials",
        type=POSITIVE,
        default=100,
        metavar="N",
        group=EVALUATION,
        help="Number of trials, random splits into training and test set.",
    ),
    paper_methods,
    option(
        "--datasets",
        metavar="LIST",
        group=DATA,
        show_default="all of the experiment",
        help="Names of data sets, separated by commas.",
    ),
    run_options,
    option(
        "--patience",
        type=POSITIVE,
        metavar="N",
        group=RUN,
        show_default="never",
        help="Stop running a method that exceeds its time limit in each of the first N trials.",
    ),
    option(
        "--leaky",
        is_flag=True,
        group=EVALUATION,
        help="BIASED, to demonstrate leakage: rank on all samples including the test set, then "
        "run the same trials.",
    ),
    quiet_option,
    format_option,
)


def reproduced(experiment: "Experiment", options: dict[str, Any]) -> "Reproduction":
    """Run an experiment and print its report."""
    from featrank.evaluation import Protocol
    from featrank.reproduction import reproduce, reproduction_report

    messages, folder = Messages(options["quiet"]), options["folder"]
    names = options["datasets"] and [name.strip() for name in options["datasets"].split(",")]
    protocol = Protocol.paper(
        n_repeats=options["trials"],
        random_state=options["seed"],
        test_size=options["test_size"] or Protocol.test_size,
        leaky=options["leaky"],
    )
    same = {name: options[name] for name in ("resume", "time_limit", "patience")}
    with messages.stages():
        done = reproduce(
            experiment,
            options["methods"],
            protocol,
            datasets=names,
            n_jobs=options["jobs"],
            out_dir=folder,
            **same,
        )
    finish(reproduction_report(done), options["format"], messages)
    if folder is not None:
        messages.say(f"Saved the results in {str(folder)!r}.")
    return done
