"""``featrank reproduce challenge``: Table 4."""

from typing import Any

from featrank.cli.experiments import experiment_options, reproduced
from featrank.cli.grouped_help import grouped_command

# Place in the list of commands.
ORDER = 2


@grouped_command("challenge")
@experiment_options
def command(**options: Any) -> None:
    """Table 4: GINA and MADELON.

    If GINA is not available, gina_like_mnist is used instead, under its own name.
    """
    from featrank.reproduction import CHALLENGE

    reproduced(CHALLENGE, options)
