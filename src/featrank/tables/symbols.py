"""Features with several names in a file: which one is the name, and which the second name."""

from collections.abc import Mapping, Sequence

from featrank.exceptions import DataError, counted
from featrank.tables.columns import MISSING_CELLS, asked_column
from featrank.tables.options import ReadOptions

#: Values that mean that a feature has no name, in biological files.
NAMELESS = {*MISSING_CELLS, "na", "---"}


def names_and_symbols(
    columns: Mapping[str, Sequence[str]], options: ReadOptions, symbol: str | None = None
) -> tuple[list[str], list[str] | None]:
    """Return the names of features and, if there are any, their second names.

    Parameters
    ----------
    columns : mapping of str to sequence of str
        The columns about the features. The first one holds their own names, which are used for
        features without another name.
    options : ReadOptions
        ``names`` and ``symbols`` may name columns.
    symbol : str or None
        The default column of second names.

    Examples
    --------
    >>> genes = {"id": ["ENSG1", "ENSG2"], "symbol": ["TP53", ""]}
    >>> names_and_symbols(genes, ReadOptions(), "symbol")
    (['ENSG1', 'ENSG2'], ['TP53', ''])
    >>> names_and_symbols(genes, ReadOptions(names="symbol"), "symbol")
    (['TP53', 'ENSG2'], ['ENSG1', 'ENSG2'])
    """
    own = next(iter(columns))
    chosen = _known(columns, options.names, "names") or own
    second = _known(columns, options.symbols, "second names") or (symbol if chosen == own else own)
    names = [
        other if other not in NAMELESS else name
        for name, other in zip(columns[own], columns[chosen], strict=True)
    ]
    if "" in names:
        raise DataError(
            f"Names are missing for {counted(names.count(''), 'feature')}, the first in row "
            f"{names.index('') + 1}. Add names to the file, or remove these rows."
        )
    symbols = None if second is None else _present(columns[second])
    return names, symbols


def _known(columns: Mapping[str, Sequence[str]], wanted: str | None, what: str) -> str | None:
    if wanted is None:
        return None
    known = list(columns)
    return known[asked_column(known, wanted, f"as the {what} of the features")]


def _present(cells: Sequence[str]) -> list[str] | None:
    """Return second names, empty strings for missing ones, or None if all are missing."""
    found = ["" if cell in NAMELESS else cell for cell in cells]
    return found if any(found) else None
