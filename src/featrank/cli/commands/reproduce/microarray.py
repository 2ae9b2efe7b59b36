"""``featrank reproduce microarray``: Table 3, and the stability of the rankings."""

from typing import Any

from featrank.cli.experiments import experiment_options, reproduced
from featrank.cli.grouped_help import grouped_command
from featrank.cli.messages import Messages

# Place in the list of commands.
ORDER = 1


@grouped_command("microarray")
@experiment_options
def command(**options: Any) -> None:
    """Table 3: four gene expression data sets.

    A linear SVM is trained on the 50, 100, 150 and 200 best features, by the protocol of the paper.
    With --out-dir, DIR/NAME contains the results on each data set. DIR contains the stability of
    the rankings (Kuncheva's index for 10 to 200 features) as stability.csv and, if the extra
    'plot' is installed, as stability.png.
    """
    from featrank.reproduction import MICROARRAY, write_stability

    done = reproduced(MICROARRAY, options)
    if options["folder"] is not None:
        for note in write_stability(done, options["folder"]):
            Messages(options["quiet"]).note(note)
