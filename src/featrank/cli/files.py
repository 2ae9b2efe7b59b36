"""Commands that read tables: their help lists the file formats."""

import click

from featrank.cli.grouped_help import GroupedCommand


class TableCommand(GroupedCommand):
    """A command that reads a table. Its help ends with the extensions of the file formats."""

    action: str | None = "read"

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write which files can be read."""
        from featrank.tables.format import suffixes

        self.epilog = (
            "FILE has one row per sample. Its extension determines the format: "
            f"{', '.join(suffixes(self.action))}."
        )
        super().format_epilog(ctx, formatter)


class RankingCommand(TableCommand):
    """A command that also reads tables in chunks."""

    action = None
