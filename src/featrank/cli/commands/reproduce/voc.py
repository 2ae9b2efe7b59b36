"""``featrank reproduce voc``: the EC-FS paper's experiment on multi-label data."""

from typing import Any

from featrank.cli.grouped_help import EVALUATION, OUTPUT, grouped_command, option
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


@grouped_command("voc")
@table_argument
@paper_methods
@n_features_option(
    "Numbers of features for the SVM, e.g. 10,20,50.",
    "128,256 as in the paper, or 3 % and 6 % of fewer features",
)
@option(
    "--trials",
    type=POSITIVE,
    metavar="N",
    group=EVALUATION,
    show_default="10, or 1 if the file defines a split",
    help="Number of trials, random splits into training and test set.",
)
@run_options
@choice_option(
    "--ap",
    ("both", "usual", "11-point"),
    OUTPUT,
    "Average precision to show. The saved results contain both.",
)
@format_option
@quiet_option
def command(**options: Any) -> None:
    """PASCAL VOC 2007: average precision per class.

    FILE is an npz file with the arrays X (samples × features) and Y (samples × classes: 1 if a
    sample has the label, otherwise 0 or -1). Optional arrays are class_names, feature_names,
    groups, split ('train', 'val', 'trainval' or 'test' per sample) and difficult (a matrix of the
    samples to leave out per class, or True if a 0 among -1 and 1 means that).

    For each class, featrank ranks the features and trains a linear SVM on the k best. C and the
    parameters of the method are tuned by cross-validation on the training set.

    \b
    featrank reproduce voc vgg.npz --out-dir results
    featrank reproduce voc vgg.npz --methods ec-fs,fisher,mi --jobs 4
    """
    from featrank.reproduction import reproduce_voc, voc_report
    from featrank.reproduction.voc import KINDS

    messages, ap = Messages(options["quiet"]), options["ap"]
    same = ("trials", "seed", "test_size", "resume", "time_limit")
    with messages.stages():
        comparison = reproduce_voc(
            options["file"],
            options["methods"],
            n_features=options["n_features"],
            n_jobs=options["jobs"],
            out_dir=options["folder"],
            **{name: options[name] for name in same},
        )
    report = voc_report(comparison, KINDS if ap == "both" else (ap,))
    finish(report, options["format"], messages)
    if options["folder"] is not None:
        messages.say(f"Saved the results in {str(options['folder'])!r}.")
