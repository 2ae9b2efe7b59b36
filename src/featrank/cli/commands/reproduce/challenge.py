"""``featrank reproduce challenge``: Table 4."""

from typing import Any

import click

from featrank.cli.experiments import experiment_options, reproduced

# Place in the list of commands.
ORDER = 2


@click.command("challenge")
@experiment_options
def command(**options: Any) -> None:
    """Table 4: GINA and MADELON.

    Where GINA is not to be had but gina_like_mnist is, that is run under its own name.
    """
    from featrank.reproduction import CHALLENGE

    reproduced(CHALLENGE, options)
