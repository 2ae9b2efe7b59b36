"""One good file of each format, and of all else that featrank reads, to be damaged."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from featrank import tables
from featrank.tables import Table
from featrank.tables.format import module_of

N_SAMPLES, N_FEATURES = 24, 5
NAMES = [f"gene {j}" for j in range(N_FEATURES)]
IDS = [f"s{t}" for t in range(N_SAMPLES)]

HDF5_LIKE = (".h5", ".hdf5")
MARKET = ("matrix.mtx", "matrix.mtx.gz")
SERIES = ("GSE1_series_matrix.txt", "GSE1_series_matrix.txt.gz")


@dataclass(frozen=True)
class Good:
    """A good file, or files that are read together, and how they are read.

    Attributes
    ----------
    name : str
        What the outcomes are counted under.
    make : callable
        Writes it into a folder.
    data : str
        The file or the folder that the calls get.
    ways : tuple of str
        The functions of ``calls`` that read it.
    options : dict
        What the calls get besides.
    spared : tuple of str
        Files that are not damaged.
    """

    name: str
    make: Callable[[Path], Any]
    data: str
    ways: tuple[str, ...] = ("whole", "shell")
    options: dict[str, Any] = field(default_factory=dict)
    spared: tuple[str, ...] = ()


def values() -> tuple[np.ndarray, np.ndarray]:
    """Return numbers that every format holds, a third of them 0, and two classes."""
    rng = np.random.default_rng(0)
    y = np.arange(N_SAMPLES) % 2
    X = np.round(rng.normal(4, 3, (N_SAMPLES, N_FEATURES)) * 4) / 4
    X[rng.random(X.shape) < 0.3] = 0
    X[:, 1] += 3 * y
    return X, y


def classes() -> np.ndarray:
    """Return the labels as texts."""
    return np.array(["case", "control"])[values()[1]]


def table(y: Any = None) -> Table:
    """Return the samples with their names and labels."""
    labels = classes() if y is None else y
    return Table(values()[0], NAMES, labels, "kind", np.array(IDS), "sample")


def good_files() -> list[Good]:
    """Return everything that is damaged; every suffix that can be read is there."""
    written = [_written(suffix) for suffix in tables.WRITABLE if suffix not in NOT_BY_TABLE]
    return [*written, *MADE_HERE]


def _written(suffix: str) -> Good:
    in_parts = module_of(Path(f"data{suffix}"), "open") is not None
    ways = ("whole", "shell", *(("parts", "shell_in_parts") if in_parts else ()))
    inside = suffix in (".mat", ".npz")
    labels = values()[1] if "svm" in suffix else None
    options = {} if inside or "svm" in suffix else {"target": "kind"}
    return Good(
        suffix[1:],
        lambda folder: tables.write_table(folder / f"data{suffix}", table(labels)),
        f"data{suffix}",
        ways,
        options,
    )


def _labels_beside(folder: Path) -> None:
    np.save(folder / "labels.npy", classes())


def _npy(folder: Path, order: str = "C") -> None:
    np.save(folder / "data.npy", np.asarray(values()[0], order=order))
    _labels_beside(folder)


def _sparse_npz(folder: Path) -> None:
    from scipy import sparse

    sparse.save_npz(folder / "data.npz", sparse.csr_matrix(values()[0]))
    _labels_beside(folder)


def _mat_73(folder: Path) -> None:
    """Write a MAT file of version 7.3: HDF5 with columns first."""
    import h5py

    with h5py.File(folder / "data.mat", "w", userblock_size=512) as file:
        file.create_dataset("X", data=values()[0].T).attrs["MATLAB_class"] = np.bytes_("double")
        file.create_dataset("y", data=values()[1][None, :].astype(float))
    content = bytearray((folder / "data.mat").read_bytes())
    content[:128] = b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM"
    (folder / "data.mat").write_bytes(content)


def _hdf5(suffix: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        import h5py

        with h5py.File(folder / f"data{suffix}", "w") as file:
            file.create_dataset("X", data=values()[0], chunks=(7, N_FEATURES), compression="gzip")
            file["y"] = values()[1]
            file["feature_names"] = np.array(NAMES, dtype="S")

    return make


def _h5ad_sparse(folder: Path) -> None:
    import anndata
    import pandas as pd
    from scipy import sparse

    obs = pd.DataFrame({"kind": pd.Categorical(classes())}, index=IDS)
    cells = anndata.AnnData(sparse.csr_matrix(values()[0]), obs, pd.DataFrame(index=NAMES))
    cells.write_h5ad(folder / "data.h5ad")


def _zarr(folder: Path) -> None:
    import zarr

    group = zarr.open_group(folder / "data.zarr", mode="w")
    group.create_array("X", data=values()[0], chunks=(7, N_FEATURES))
    group.create_array("y", data=values()[1])


def _bed(folder: Path) -> None:
    genotypes = np.random.default_rng(1).integers(0, 4, (N_FEATURES, N_SAMPLES))
    packed = [sum(int(code) << 2 * place for place, code in enumerate(four)) for four in
              genotypes.reshape(-1, 4)]  # fmt: skip
    (folder / "data.bed").write_bytes(bytes([0x6C, 0x1B, 1, *packed]))
    bim = [f"1\trs{j}\t0\t{100 + j}\tA\tG\n" for j in range(N_FEATURES)]
    fam = [f"f{t}\ti{t}\t0\t0\t{1 + t % 2}\t{1 + t // 2 % 2}\n" for t in range(N_SAMPLES)]
    (folder / "data.bim").write_text("".join(bim))
    (folder / "data.fam").write_text("".join(fam))


def _put(path: Path, text: str) -> None:
    data = text.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def _market(name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        counts = np.abs(values()[0].T).astype(int)
        places = [f"{j + 1} {t + 1} {counts[j, t]}\n" for j, t in np.argwhere(counts)]
        head = "%%MatrixMarket matrix coordinate integer general\n%\n"
        _put(folder / name, f"{head}{N_FEATURES} {N_SAMPLES} {len(places)}\n{''.join(places)}")
        genes = [f"ENSG{j}\t{name}\tGene Expression\n" for j, name in enumerate(NAMES)]
        end = ".tsv.gz" if name.endswith(".gz") else ".tsv"
        _put(folder / f"features{end}", "".join(genes))
        kinds = [f"{one}\t{kind}\n" for one, kind in zip(IDS, classes(), strict=True)]
        _put(folder / f"barcodes{end}", f"barcode\tkind\n{''.join(kinds)}")

    return make


def _cells(values: Any) -> str:
    return "\t".join(str(value) for value in values)


def _series(name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        rows = [
            f'"{name}"\t{_cells(row)}\n' for name, row in zip(NAMES, values()[0].T, strict=True)
        ]
        quoted = _cells(f'"{one}"' for one in IDS)
        kinds = _cells(f'"kind: {kind}"' for kind in classes())
        _put(
            folder / name,
            f'!Series_title\t"a series"\n!Sample_geo_accession\t{quoted}\n'
            f"!Sample_characteristics_ch1\t{kinds}\n!series_matrix_table_begin\n"
            f'"ID_REF"\t{quoted}\n{"".join(rows)}!series_matrix_table_end\n',
        )

    return make


def _text(name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        lines = [
            f"{one}\t{_cells(row)}\t{kind}\n"
            for one, row, kind in zip(IDS, values()[0], classes(), strict=True)
        ]
        _put(folder / name, f"sample\t{_cells(NAMES)}\tkind\n{''.join(lines)}")

    return make


def _delimited(name: str, separator: str, decimal: str, top: str = "") -> Callable[[Path], None]:
    """Write a file whose dialect has to be detected."""

    def make(folder: Path) -> None:
        rows = [
            separator.join([one, *(str(cell).replace(".", decimal) for cell in row), kind])
            for one, row, kind in zip(IDS, values()[0], classes(), strict=True)
        ]
        header = separator.join(["sample", *(f'"{name}"' for name in NAMES), "kind"])
        _put(folder / name, "\n".join([f"{top}{header}", *rows]) + "\n")

    return make


def _xlsx(folder: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(folder / "data.xlsx") as book:
        book.add_worksheet("empty")
        sheet = book.add_worksheet("values")
        sheet.write_row(0, 0, ["sample", *NAMES, "kind"])
        for place, row in enumerate(values()[0].tolist()):
            sheet.write_row(place + 1, 0, [IDS[place], *row, classes()[place]])


def _ods(folder: Path) -> None:
    from ..tables.test_tables_workbooks import write_ods

    rows = [
        [one, *row, kind]
        for one, row, kind in zip(IDS, values()[0].tolist(), classes(), strict=True)
    ]
    write_ods(folder / "data.ods", {"values": [["sample", *NAMES, "kind"], *rows]})


def _class_file(folder: Path) -> None:
    np.save(folder / "data.npy", values()[0])
    codes = " ".join(str(one) for one in values()[1])
    (folder / "labels.cls").write_text(f"{N_SAMPLES} 2 1\n# case control\n{codes}\n")


def _gct(name: str) -> Callable[[Path], None]:
    """GCT 1.3, which holds annotations of the samples; what is written here is 1.2."""

    def make(folder: Path) -> None:
        rows = [f"p{j}\t{NAMES[j]}\t{_cells(row)}\n" for j, row in enumerate(values()[0].T)]
        head = f"#1.3\n{N_FEATURES}\t{N_SAMPLES}\t1\t1\nid\tsymbol\t{_cells(IDS)}\n"
        _put(folder / name, f"{head}kind\tna\t{_cells(classes())}\n{''.join(rows)}")

    return make


def _label_file(suffix: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        np.save(folder / "data.npy", values()[0])
        if suffix == ".npy":
            np.save(folder / "labels.npy", classes())
        else:
            (folder / f"labels{suffix}").write_text("\n".join(["kind", *classes()]) + "\n")

    return make


def _sheet(suffix: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        import polars as pl

        tables.write_table(folder / "data.csv", Table(values()[0], NAMES, ids=np.array(IDS)))
        frame = pl.DataFrame({"sample": IDS, "kind": classes(), "age": range(N_SAMPLES)})[::-1]
        if suffix == ".csv":
            frame.write_csv(folder / "sheet.csv")
        elif suffix == ".xlsx":
            frame.write_excel(folder / "sheet.xlsx")
        else:
            frame.write_parquet(folder / "sheet.parquet", compression="uncompressed")

    return make


def _plain_parquet(folder: Path) -> None:
    """Write Parquet that is not compressed: damage then reaches what is inside."""
    import polars as pl

    frame = pl.DataFrame(values()[0], schema=NAMES).with_columns(kind=pl.Series(classes()))
    frame.write_parquet(folder / "data.parquet", compression="uncompressed", row_group_size=7)


def _checkpoint(folder: Path) -> None:
    from unittest.mock import patch

    import featrank
    from featrank.data import checkpoint

    _npy(folder)
    never = patch.object(checkpoint.Checkpoint, "finish", lambda self: None)
    with never, patch.object(checkpoint, "PAUSE", 0), patch.object(checkpoint, "SHARE", 0):
        featrank.rank_file(
            folder / "data.npy",
            labels=folder / "labels.npy",
            method="mi",
            checkpoint=folder / "state",
        )


def _results(folder: Path) -> None:
    from featrank.evaluation import Protocol, compare

    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)
    compare(*values(), ["fisher", "mi"], protocol, out_dir=folder / "results")


BESIDE = {"labels": "labels.npy"}
PARTS = ("parts", "shell_in_parts")
EVERY = ("whole", "shell", *PARTS)
# Written by hand below, or in more than one form.
NOT_BY_TABLE = {".npy", ".gct", ".gct.gz"}
MADE_HERE = [
    Good("npy", _npy, "data.npy", PARTS, BESIDE, ("labels.npy",)),
    Good("npy by columns", lambda folder: _npy(folder, "F"), "data.npy", PARTS, BESIDE),
    Good("npz, sparse", _sparse_npz, "data.npz", ("whole", "shell"), {"target": "labels.npy"}),
    Good("mat 7.3", _mat_73, "data.mat"),
    *(Good(end[1:], _hdf5(end), f"data{end}", PARTS) for end in HDF5_LIKE),
    Good("h5ad, sparse", _h5ad_sparse, "data.h5ad", EVERY, {"target": "kind"}),
    Good("zarr", _zarr, "data.zarr", PARTS),
    Good("bed", _bed, "data.bed", PARTS),
    *(Good(name, _market(name), name, options={"target": "kind"}) for name in MARKET),
    *(Good(name, _series(name), name, options={"target": "kind"}) for name in SERIES),
    *(
        Good(name, _text(name), name, options={"target": "kind"})
        for name in ("data.txt", "data.txt.gz")
    ),
    *(
        Good(name, _gct(name), name, options={"target": "kind"})
        for name in ("data.gct", "data.gct.gz")
    ),
    Good("semicolons", _delimited("data.csv", ";", ","), "data.csv", EVERY, {"target": "kind"}),
    Good("tabs and comments", _delimited("data.csv", "\t", ".", '# a "tool\n'), "data.csv", EVERY,
         {"target": "kind"}),
    Good("xlsx", _xlsx, "data.xlsx", options={"target": "kind"}),
    Good("ods", _ods, "data.ods", options={"target": "kind"}),
    Good("labels .cls", _class_file, "data.npy", PARTS, {"labels": "labels.cls"}, ("data.npy",)),
    Good("parquet, plain", _plain_parquet, "data.parquet", EVERY, {"target": "kind"}),
    *(
        Good(f"labels {end}", _label_file(end), "data.npy", PARTS, {"labels": f"labels{end}"},
             ("data.npy",))
        for end in (".npy", ".csv", ".txt")
    ),
    *(
        Good(f"sheet {end}", _sheet(end), "data.csv", ("whole", "shell"),
             {"labels": f"sheet{end}", "target": "kind"}, ("data.csv",))
        for end in (".csv", ".parquet", ".xlsx")
    ),
    Good("checkpoint", _checkpoint, "data.npy", ("checkpoint",), {}, ("data.npy", "labels.npy")),
    Good("results", _results, "results", ("results", "report", "tables", "resume")),
]  # fmt: skip
