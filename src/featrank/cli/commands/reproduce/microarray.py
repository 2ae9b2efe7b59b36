"""``featrank reproduce microarray``: Table 3, and the stability of the rankings."""

from typing import Any

import click

from featrank.cli.experiments import experiment_options, reproduced
from featrank.cli.messages import Messages

# Place in the list of commands.
ORDER = 1


@click.command("microarray")
@experiment_options
def command(**options: Any) -> None:
    """Table 3: four sets of gene expressions, and how stable the rankings of them are.

    A linear SVM is trained on the first 50, 100, 150 and 200 features, by the paper's protocol.
    With --out-dir, DIR/NAME holds the results on each data set. DIR holds the stability of the
    rankings (Kuncheva's index for 10 to 200 features) as stability.csv and, with the extra 'plot',
    as stability.png.
    """
    from featrank.reproduction import MICROARRAY, write_stability

    done = reproduced(MICROARRAY, options)
    if options["folder"] is not None:
        for note in write_stability(done, options["folder"]):
            Messages(options["quiet"]).say(note)
