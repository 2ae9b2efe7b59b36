"""A ranking of simulated data, compared with the known truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError
from featrank.report.document import Block, Grid, Paragraph, Report, described, make_columns

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
            f"It is not known which features of {data.name!r} differ between the classes and "
            "which follow them. Use data of featrank.datasets.make_microarray."
        )
    content = described("planted", 1, _facts(data, ranking, top))
    count = content["planted"]
    result = f"Of the {count} planted genes, {content['found']} are in the top {count}.\n"
    about = "\n".join([*_about(content, seconds), *ranking.notes()])
    shown: list[Block] = [Paragraph(about), _grid(content["features"]), Paragraph(result)]
    return Report(content, content["features"], shown)


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
        f"Made gene expression data: {content['samples']} samples, {content['genes']:,} genes, two "
        "classes.",
        f"{kinds['informative']} genes differ between the classes, "
        f"{kinds['correlated']} follow one of these, the rest is noise.",
    ]
    if seconds is not None:
        lines.append(f"{content['method']}, as it comes, ranked them in {1000 * seconds:.0f} ms.")
    return lines


def _grid(features: list[dict[str, Any]]) -> Grid:
    columns = make_columns(("", "rank", "gene", "score", "in truth"))
    rows = [
        (MARKS.get(kind, ""), str(rank), name, f"{score:.4f}", kind)
        for rank, name, score, kind in (feature.values() for feature in features)
    ]
    return Grid(columns, rows, keys=len(columns))
