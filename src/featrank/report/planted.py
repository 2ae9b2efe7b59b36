"""A ranking of simulated data, compared with the known truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError
from featrank.report.document import (
    Block,
    Column,
    Grid,
    Paragraph,
    Report,
    described,
    make_columns,
)

if TYPE_CHECKING:
    from featrank.datasets import Dataset
    from featrank.ranking import Ranking

__all__ = ["planted_report"]

SHOWN = 20
MARKS = {"informative": "★", "correlated": "☆"}


def planted_report(
    data: Dataset, ranking: Ranking, top: int = SHOWN, seconds: float | None = None
) -> Report:
    """Return the best features of simulated gene expression data, with the truth.

    Parameters
    ----------
    data : Dataset
        Returned by ``featrank.datasets.make_microarray``.
    ranking : Ranking
        A ranking of this data.
    top : int, default=20
        Number of features to list.
    seconds : float or None, default=None
        Duration of the ranking, if it is to be shown.

    Examples
    --------
    >>> import featrank
    >>> data = featrank.datasets.make_microarray(60, 500, random_state=0)
    >>> ranking = featrank.rank(data.X, data.y, "fisher", feature_names=data.feature_names)
    >>> planted_report(data, ranking, top=2).rows[0]["kind"]
    'informative'
    """
    if not MARKS.keys() <= (data.truth or {}).keys():
        raise UsageError(
            f"{data.name!r} does not say which features differ between the classes. Use data of "
            "`featrank.datasets.make_microarray`."
        )
    content = described("planted", 1, _facts(data, ranking, top))
    count = content["planted"]
    result = f"The top {count} contains {content['found']} of the {count} informative genes.\n"
    about = "\n".join(_about(content, seconds))
    shown: list[Block] = [Paragraph(about), _grid(content["features"]), Paragraph(result)]
    return Report(content, content["features"], shown, ranking.notes())


def _facts(data: Dataset, ranking: Ranking, top: int) -> dict[str, Any]:
    truth = dict(data.truth or {})
    kinds = {int(column): kind for kind, columns in truth.items() for column in columns}
    planted = [column for column, kind in kinds.items() if kind in MARKS]
    hits = {*ranking.order[: len(planted)].tolist()} & {*planted}
    features = [
        {
            "rank": rank,
            "feature": ranking.feature_names[column],
            "score": float(ranking.scores[column]),
            "kind": kinds[column],
        }
        for rank, column in enumerate(ranking.order[:top].tolist(), 1)
    ]
    return {
        "method": ranking.method,
        "samples": data.X.shape[0],
        "genes": data.X.shape[1],
        "kinds": {kind: len(columns) for kind, columns in truth.items()},
        "planted": len(planted),
        "found": len(hits),
        "features": features,
    }


def _about(content: dict[str, Any], seconds: float | None) -> list[str]:
    kinds = content["kinds"]
    lines = [
        f"Simulated gene expression: {content['samples']} samples, {content['genes']:,} genes, two "
        "classes.",
        f"{kinds['informative']} genes differ between the classes, {kinds['correlated']} are "
        "correlated with them, all others are noise.",
    ]
    if seconds is not None:
        lines.append(f"Ranked by {content['method']} in {1000 * seconds:.0f} ms.")
    return lines


def _grid(features: list[dict[str, Any]]) -> Grid:
    columns = [*make_columns([""], ["rank"]), *make_columns(["gene"], ["score"]), Column("truth")]
    rows = [
        (MARKS.get(kind, ""), str(rank), name, f"{score:.4f}", kind)
        for rank, name, score, kind in (feature.values() for feature in features)
    ]
    return Grid(columns, rows, keys=len(columns))
