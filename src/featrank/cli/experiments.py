"""Shared options and code of the paper's experiments on tables."""

from typing import TYPE_CHECKING, Any

import click

from featrank.cli.messages import Messages
from featrank.cli.options import POSITIVE, add_options, paper_methods, quiet_option, run_options
from featrank.cli.output import finish, format_option

if TYPE_CHECKING:
    from featrank.reproduction import Experiment, Reproduction


experiment_options = add_options(
    click.option("--trials", type=POSITIVE, default=100),
    paper_methods,
    click.option(
        "--datasets",
        metavar="LIST",
        help="Names with commas between them; by default all of the experiment.",
    ),
    run_options,
    click.option(
        "--patience",
        type=POSITIVE,
        metavar="N",
        help="Leave a method out that is over its time limit in all of the first N trials.",
    ),
    click.option(
        "--leaky",
        is_flag=True,
        help="NOT HONEST, a demonstration of what leaks do: rank on all rows, the test rows "
        "among them, then run the same trials.",
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
    protocol = Protocol(
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
    finish(reproduction_report(done), options["layout"], messages)
    if folder is not None:
        messages.say(f"Results are in {str(folder)!r}.")
    return done
