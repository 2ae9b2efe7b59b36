"""``featrank open``: write the HTML report of results and open it in the browser."""

from pathlib import Path

from featrank.cli.grouped_help import grouped_command
from featrank.cli.messages import Messages
from featrank.cli.options import quiet_option
from featrank.cli.results import folders_argument, max_features, write_html_report

# Place in the list of commands.
ORDER = 5


@grouped_command("open")
@folders_argument
@max_features
@quiet_option
def command(folders: tuple[Path, ...], max_features: int, quiet: bool) -> None:
    """Open the HTML report of a comparison.

    The report is written as by `featrank report` and shown in the browser.

    \b
    featrank open results
    """
    import webbrowser

    messages = Messages(quiet)
    path = write_html_report(folders, None, max_features, messages)
    if not webbrowser.open(path.resolve().as_uri()):
        messages.note(f"No browser could be started. Open {str(path)!r} yourself.")
