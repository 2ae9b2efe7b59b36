"""The choices of a call that opens a source."""

from dataclasses import dataclass
from pathlib import Path

from featrank.tables.table import Options


@dataclass(frozen=True)
class SourceOptions:
    """The arguments of :func:`featrank.sources.open_dataset`, checked.

    Attributes
    ----------
    target : str or None
        Where the labels are, as in :func:`featrank.tables.read`.
    labels : Path or None
        A file of labels.
    drop : tuple of str
        Columns to leave out.
    layer : str or None
        The layer of an AnnData file that is read in the place of X.
    use_raw : bool
        Whether the raw matrix of an AnnData file is.
    """

    target: str | None = None
    labels: Path | None = None
    drop: tuple[str, ...] = ()
    layer: str | None = None
    use_raw: bool = False

    @property
    def chooses(self) -> bool:
        """Whether a matrix other than the main one is asked for."""
        return self.layer is not None or self.use_raw

    @property
    def of_table(self) -> Options:
        """The same for the functions that tables share; gaps stay as they are."""
        return Options(self.target, self.drop, missing="keep")
