"""``featrank open``: write the HTML report of results and open it in the browser."""

from pathlib import Path

import click

from featrank.cli.messages import Messages
from featrank.cli.options import quiet_option
from featrank.cli.results import folders_argument, max_features, write_page

# Place in the list of commands.
ORDER = 4.5


@click.command("open")
@folders_argument
@max_features
@quiet_option
def command(folders: tuple[Path, ...], max_features: int, quiet: bool) -> None:
    """Write the page of DIR as `featrank report` does, and open it in the browser.

    \b
    featrank open results
    """
    import webbrowser

    messages = Messages(quiet)
    path = write_page(folders, None, max_features, messages)
    if not webbrowser.open(path.resolve().as_uri()):
        messages.say("No browser was found. Open the file yourself.")
