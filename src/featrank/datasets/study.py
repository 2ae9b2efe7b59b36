"""Files of a simulated study: a GEO series, tables of genes, a sample sheet."""

import gzip
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from featrank.datasets.dataset import numbered
from featrank.datasets.synthetic import make_microarray

SAMPLES, GENES, PROTEINS = 44, 300, 80
# Genes with a second probe, and probes without a gene.
TWICE, CONTROLS = 40, 12
# Samples without a disease, and samples that the clinical sheet does not list.
UNKNOWN, UNLISTED = (5, 30), (11, 12)


@dataclass(frozen=True, eq=False)
class _Study:
    """Log2 values, samples × genes, and columns that describe the samples."""

    values: np.ndarray
    genes: list[str]
    planted: list[str]
    ids: list[str]
    about: dict[str, list[str]]


def make_geo_study(folder: str | os.PathLike[str], *, random_state: int = 0) -> dict[str, Path]:
    """Write the files of a simulated study of 44 samples and 300 genes, to try out the commands.

    :func:`make_microarray` simulates 30 genes that differ between asthma and healthy. Each of three
    batches shifts every gene a little. 40 genes have two probes, and 12 probes have no gene.

    Parameters
    ----------
    folder : path
        An existing folder for the files.
    random_state : int, default=0
        The same number gives the same files.

    Returns
    -------
    files : dict of str to Path
        "series": a GEO series matrix of log2 values with one row per probe. Two samples have no
        disease. "expression": the same values as a plain table with a column of gene symbols.
        "clinical": a sample sheet that lacks two samples and has a row without data. "counts":
        read counts, one row per gene. "proteins": log2 values, one row per protein, mostly low
        ones missing. "planted": the genes that differ, one per line.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = featrank.datasets.make_geo_study(folder)
    ...     featrank.tables.read_table(files["counts"], transpose=True).X.shape
    (44, 300)
    """
    rng = np.random.default_rng(random_state)
    study = _simulate(rng)
    probes, symbols, values = _probes(study, rng)
    contents = {
        "series": ("GSE00000_series_matrix.txt.gz", _series(study, probes, values)),
        "expression": (
            "expression.tsv",
            _table(["ID_REF", "Gene Symbol"], study.ids, [probes, symbols], _decimals(values)),
        ),
        "clinical": ("clinical.csv", _clinical(study)),
        "counts": ("counts.tsv", _table(["gene"], study.ids, [study.genes], _reads(study, rng))),
        "proteins": ("proteins.tsv", _proteins(study, rng)),
        "planted": ("planted.txt", "\n".join([*study.planted, ""])),
    }
    return {kind: _write(Path(folder, name), content) for kind, (name, content) in contents.items()}


def _simulate(rng: np.random.Generator) -> _Study:
    data = make_microarray(
        SAMPLES, GENES, n_informative=10, n_correlated=20, effect=1.2, random_state=rng
    )
    batch = rng.permutation(np.arange(SAMPLES) % 3)
    genes = numbered("GENE", GENES)
    truth = data.truth or {}
    planted = np.concatenate([truth["informative"], truth["correlated"]])
    ages = rng.integers(18, 75, SAMPLES)
    return _Study(
        np.log2(data.X) + rng.normal(0, 0.2, (3, GENES))[batch],
        genes,
        [genes[place] for place in np.sort(planted)],
        [f"GSM{9000001 + row}" for row in range(SAMPLES)],
        {
            "disease": ["asthma" if label == "case" else "healthy" for label in data.y],
            "age": ["NA" if row % 15 == 7 else str(age) for row, age in enumerate(ages)],
            "batch": ["ABC"[code] for code in batch],
        },
    )


def _probes(study: _Study, rng: np.random.Generator) -> tuple[list[str], list[str], np.ndarray]:
    """Return the IDs of the probes, their genes and their values."""
    twice = rng.choice(GENES, TWICE, replace=False)
    second = study.values[:, twice] + rng.normal(0, 0.4, (SAMPLES, TWICE))
    controls = rng.normal(8, 0.3, (SAMPLES, CONTROLS))
    probes = [f"{200001 + place}_at" for place in range(GENES + TWICE)]
    probes += [f"AFFX-{place + 1}_at" for place in range(CONTROLS)]
    symbols = [*study.genes, *(study.genes[place] for place in twice), *[""] * CONTROLS]
    return probes, symbols, np.hstack([study.values, second, controls])


def _series(study: _Study, probes: list[str], values: np.ndarray) -> str:
    lines = [
        ["!Series_title", "A simulated study"],
        ["!Series_geo_accession", "GSE00000"],
        ["!Sample_title", *(f"sample {row + 1}" for row in range(SAMPLES))],
        ["!Sample_geo_accession", *study.ids],
    ]
    for name, cells in study.about.items():
        unknown = UNKNOWN if name == "disease" else ()
        known = ["" if row in unknown else f"{name}: {cell}" for row, cell in enumerate(cells)]
        lines.append(["!Sample_characteristics_ch1", *known])
    head = "".join("\t".join([name, *map(_quoted, cells)]) + "\n" for name, *cells in lines)
    ids, quoted = [*map(_quoted, study.ids)], [*map(_quoted, probes)]
    table = _table(['"ID_REF"'], ids, [quoted], _decimals(values))
    return f"{head}!series_matrix_table_begin\n{table}!series_matrix_table_end\n"


def _clinical(study: _Study) -> str:
    lines = [["sample_id", "diagnosis", "age", "batch"]]
    lines += [
        [name, *cells]
        for row, (name, *cells) in enumerate(zip(study.ids, *study.about.values(), strict=True))
        if row not in UNLISTED
    ]
    lines.append(["GSM9000099", "asthma", "51", "A"])
    return "".join(",".join(line) + "\n" for line in lines)


def _reads(study: _Study, rng: np.random.Generator) -> list[list[str]]:
    counts = rng.poisson(rng.lognormal(0, 0.4, (SAMPLES, 1)) * 2 ** (study.values - 2))
    return [[str(count) for count in row] for row in counts.T]


def _proteins(study: _Study, rng: np.random.Generator) -> str:
    values = study.values[:, :PROTEINS] + rng.normal(0, 0.2, (SAMPLES, PROTEINS))
    missing = rng.random(values.shape) < 1 / (1 + np.exp(2 * (values - 5.5)))
    cells = _decimals(np.where(missing, np.nan, values))
    return _table(["protein"], study.ids, [study.genes[:PROTEINS]], cells)


def _decimals(values: np.ndarray) -> list[list[str]]:
    """Return one row of formatted numbers per feature, with empty strings for missing values."""
    return [["" if np.isnan(one) else f"{one:.4f}" for one in row] for row in values.T]


def _table(
    names: Sequence[str],
    samples: Sequence[str],
    about: Sequence[Sequence[str]],
    values: Iterable[Sequence[str]],
) -> str:
    """Return tab-separated lines: columns that describe the features, then one value per sample."""
    rows = ([*cells, *row] for *cells, row in zip(*about, values, strict=True))
    return "".join("\t".join(line) + "\n" for line in ([*names, *samples], *rows))


def _quoted(cell: str) -> str:
    return f'"{cell}"'


def _write(path: Path, content: str) -> Path:
    data = content.encode()
    # Without a time stamp, the same content gives the same bytes.
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path
