"""``featrank reproduce voc``: the EC-FS paper's experiment on multi-label data."""

from typing import Any

import click

from featrank.cli.messages import Messages
from featrank.cli.options import (
    POSITIVE,
    choice_option,
    paper_methods,
    quiet_option,
    run_options,
    table_argument,
)
from featrank.cli.output import finish, format_option
from featrank.cli.params import n_features_option

# Place in the list of commands.
ORDER = 3


@click.command("voc")
@table_argument
@paper_methods
@n_features_option(
    "How many features the SVM gets, such as 10,20,50; by default the paper's 128,256, or "
    "3 % and 6 % of fewer features."
)
@click.option(
    "--trials",
    type=POSITIVE,
    metavar="N",
    help="Random splits, by default 10; a file with a split has one trial.",
)
@run_options
@choice_option(
    "--ap", ("both", "usual", "11-point"), "Which average precision to show; results hold both."
)
@quiet_option
@format_option
def command(**options: Any) -> None:
    """PASCAL VOC 2007: average precision on each class of a multi-label set, and mAP.

    FILE is an npz file with the arrays X (samples × features) and Y (samples × classes, 1 where a
    sample has the label, 0 or -1 where not). It may hold class_names, feature_names, groups, split
    ('train', 'val', 'trainval' or 'test' for each sample) and difficult (True if a 0 between -1
    and 1 leaves a sample out of a class, or a matrix that says so).

    For each class the features are ranked, a linear SVM is trained on the first k, and C and the
    method's parameters are tuned by cross-validation inside the training rows.

    \b
    featrank reproduce voc vgg.npz --out-dir results
    featrank reproduce voc vgg.npz --methods ec-fs,fisher,mi --jobs 4 --out-dir results --resume
    """
    from featrank.reproduction import reproduce_voc, voc_report
    from featrank.reproduction.voc import KINDS

    messages, ap = Messages(options["quiet"]), options["ap"]
    same = ("trials", "seed", "test_size", "resume", "time_limit")
    with messages.stages():
        comparison = reproduce_voc(
            options["file"],
            options["methods"],
            ks=options["n_features"],
            n_jobs=options["jobs"],
            out_dir=options["folder"],
            **{name: options[name] for name in same},
        )
    report = voc_report(comparison, KINDS if ap == "both" else (ap,))
    finish(report, options["layout"], messages)
    if options["folder"] is not None:
        messages.say(f"Results are in {str(options['folder'])!r}.")
