"""``describe_file``: the suggested command runs, whatever the file looks like."""

import gzip
import json
import shlex
import warnings

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import featrank
from featrank.cli import main
from featrank.files import parse
from featrank.files.describe import describe_file

N = 40


def frame(**further):
    """Return IDs, two classes, and three features of which the first separates the classes."""
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    columns = {
        "sample": [f"S{row}" for row in range(N)],
        "dx": np.where(y, "AML", "ALL").tolist(),
        "g1": (rng.normal(size=N) + 3 * y).round(3).tolist(),
        "g2": rng.normal(size=N).round(3).tolist(),
        "g3": rng.normal(size=N).round(3).tolist(),
    }
    return pl.DataFrame({**columns, **further})


def with_missing():
    table = frame()
    return table.with_columns(g2=pl.when(pl.arange(N) % 7 == 0).then(None).otherwise(pl.col("g2")))


def with_mostly_missing():
    return frame(g4=[1.5 if row < 5 else None for row in range(N)])


def with_text():
    rng = np.random.default_rng(1)
    return frame(
        sex=["m" if rng.random() < 0.5 else "f" for _ in range(N)],
        comment=[f"note {row} of a visit" for row in range(N)],
        date=[f"2024-01-{1 + row % 28:02d}" for row in range(N)],
    )


def with_leak():
    return frame(dx_code=[row % 2 for row in range(N)])


def genes(n_genes, *, counts=False, annotations=False):
    rng = np.random.default_rng(2)
    draw = rng.negative_binomial(2, 0.02, (N, n_genes)) if counts else rng.normal(size=(N, n_genes))
    values = {f"gene{column}": draw[:, column] for column in range(n_genes)}
    about = {"batch": ["b1", "b2", "b3", "b4"] * 10} if annotations else {}
    return pl.DataFrame({"dx": ["a", "b"] * (N // 2), **about, **values})


def write_genes_in_rows(path, *, labelled):
    names = ["TP53", "BRCA1", "MYC", "EGFR", "KRAS", "PTEN", "RB1", "CDK4", "GATA3", "ESR1"] * 6
    rng = np.random.default_rng(3)
    lines = ["gene," + ",".join(f"S{column}" for column in range(20))]
    if labelled:
        lines.append("class," + ",".join("AB"[column % 2] for column in range(20)))
    for row, name in enumerate(names):
        cells = rng.normal(size=20) + 2 * (np.arange(20) % 2) * (row == 0)
        lines.append(f"{name}{row}," + ",".join(f"{cell:.3f}" for cell in cells))
    path.write_text("\n".join(lines) + "\n")


def write_csv(table):
    return lambda path: table.write_csv(path)


FILES = {
    "plain.csv": write_csv(frame()),
    "a file's name.csv": write_csv(frame()),
    "tabs.tsv": lambda path: frame().write_csv(path, separator="\t"),
    "semicolons.csv": lambda path: frame().write_csv(path, separator=";", decimal_comma=True),
    "workbook.xlsx": lambda path: with_text().to_pandas().to_excel(path, index=False),
    "packed.csv.gz": lambda path: path.write_bytes(gzip.compress(frame().write_csv().encode())),
    "missing.csv": write_csv(with_missing()),
    "mostly_missing.csv": write_csv(with_mostly_missing()),
    "text.csv": write_csv(with_text()),
    "leak.csv": write_csv(with_leak()),
    "numbers.csv": write_csv(frame().drop("sample", "dx")),
    "codes.csv": write_csv(frame().drop("dx").with_columns(status=pl.arange(N) % 2)),
    "dose.csv": write_csv(frame().drop("dx").rename({"g1": "dose"})),
    "names with spaces.csv": write_csv(frame().rename({"dx": "cell type", "g1": "a, b"})),
    "dash.csv": write_csv(frame().rename({"dx": "-dx"})),
    "wide.csv": write_csv(genes(60, annotations=True)),
    "counts.csv": write_csv(genes(60, counts=True)),
    "genes_in_rows.csv": lambda path: write_genes_in_rows(path, labelled=True),
    "genes_without_classes.csv": lambda path: write_genes_in_rows(path, labelled=False),
    "table.parquet": lambda path: with_text().write_parquet(path),
    "arrays.npz": lambda path: np.savez(
        path, X=frame().drop("sample", "dx").to_numpy(), y=[0, 1] * 20
    ),
    "array.npy": lambda path: np.save(path, frame().drop("sample", "dx").to_numpy()),
    "lines.svmlight": lambda path: path.write_text(
        "".join(f"{row % 2} 1:{row + 3 * (row % 2)} 2:{row * 7 % 5}\n" for row in range(N))
    ),
    "repeated.csv": lambda path: path.write_text(
        "dx,a,a,b\n"
        + "".join(f"{'xy'[row % 2]},{row}.5,{row % 7}.5,{row % 5}.5\n" for row in range(N))
    ),
}


@pytest.fixture(params=FILES)
def file(request, tmp_path):
    path = tmp_path / request.param
    FILES[request.param](path)
    return path


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_the_suggested_command_runs(file):
    command = shlex.split(describe_file(file).command)
    assert command[:2] == ["featrank", "rank"]
    result = run(*command[1:], "--format", "csv")
    assert result.exit_code == 0, f"{command}: {result.stderr}"
    assert result.stdout.startswith("rank,feature,score")


def test_the_same_in_python(tmp_path):
    with_text().write_csv(tmp_path / "data.csv")
    found = describe_file(tmp_path / "data.csv")
    ranking = featrank.rank_file(found.path, **found.options)
    assert ranking.top(1) == ["g1"]
    assert not any(name.startswith(("comment", "date")) for name in ranking.feature_names)


def test_info_prints_the_command_last_within_80_columns(file):
    result = run("info", file)
    assert result.exit_code == 0, result.stderr
    assert describe_file(file).command in result.stdout
    long = [line for line in result.stdout.splitlines() if len(line.rstrip()) > 80]
    assert all("featrank rank" in line for line in long)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("plain.csv", {"target": "dx"}),
        ("missing.csv", {"target": "dx", "missing": "median"}),
        ("mostly_missing.csv", {"target": "dx", "missing": "median", "max_missing": 0.5}),
        ("text.csv", {"target": "dx", "drop": ("comment", "date"), "categorical": "onehot"}),
        ("leak.csv", {"target": "dx", "drop": ("dx_code",)}),
        ("numbers.csv", {"method": "laplacian"}),
        ("codes.csv", {"target": "status"}),
        ("dose.csv", {"target": "dose", "task": "regression"}),
        ("wide.csv", {"target": "dx", "drop": ("batch",), "top": 20}),
        ("counts.csv", {"target": "dx", "transform": "cpm,log1p", "top": 20}),
        ("genes_in_rows.csv", {"transpose": True, "target": "class", "top": 20}),
        ("genes_without_classes.csv", {"transpose": True, "method": "laplacian", "top": 20}),
        ("arrays.npz", {}),
        ("repeated.csv", {"target": "dx", "duplicates": "mean"}),
    ],
)
def test_options_suit_the_file(tmp_path, name, options):
    FILES[name](tmp_path / name)
    assert describe_file(tmp_path / name).options == options


def test_missing_values_are_counted(tmp_path):
    with_missing().write_csv(tmp_path / "data.csv")
    assert describe_file(tmp_path / "data.csv").missing == (6, 1, 6)
    assert "6 cells in 1 column and 6 samples" in run("info", tmp_path / "data.csv").stdout


def test_kinds_of_columns(tmp_path):
    with_text().with_columns(c=pl.lit(1), n=pl.arange(N) * 3).write_csv(tmp_path / "data.csv")
    found = describe_file(tmp_path / "data.csv")
    kinds = ("id", "categories", "date", "string", "constant", "counts", "numeric")
    assert {kind: found.columns_of(kind) for kind in kinds} == {
        "id": ["sample"],
        "categories": ["dx", "sex"],
        "date": ["date"],
        "string": ["comment"],
        "constant": ["c"],
        "counts": ["n"],
        "numeric": ["g1", "g2", "g3"],
    }


def test_the_best_candidate_comes_first_and_leaks_are_named(tmp_path):
    rng = np.random.default_rng(4)
    batch = [f"b{number}" for number in rng.integers(0, 3, N)]
    with_leak().select("sample", pl.Series("batch", batch), "dx", "dx_code", "g1").write_csv(
        tmp_path / "data.csv"
    )
    found = describe_file(tmp_path / "data.csv")
    assert [one.name for one in found.candidates] == ["dx", "dx_code", "batch"]
    assert found.leaks == {"dx": ["dx_code"], "dx_code": ["dx"]}
    assert "Same information: dx_code" in run("info", tmp_path / "data.csv").stdout


def test_json_has_everything(tmp_path):
    frame().write_csv(tmp_path / "data.csv")
    content = json.loads(run("info", tmp_path / "data.csv", "--format", "json").stdout)
    assert content["schema"] == "featrank/file"
    assert content["candidates"] == [
        {"name": "dx", "classes": {"ALL": 20, "AML": 20}, "missing": 0}
    ]
    assert (content["samples"], content["columns"]) == (N, 5)


def test_a_large_file_is_described_by_its_beginning(tmp_path, monkeypatch):
    pl.concat([frame()] * 50).drop("sample").write_csv(tmp_path / "data.csv")
    monkeypatch.setattr(parse, "LARGE_TEXT", 1000)
    monkeypatch.setattr(parse, "_BEGINNING", 5000)
    found = describe_file(tmp_path / "data.csv")
    assert found.sampled
    assert len(found.columns[0].values) < 500
    assert found.n_samples == pytest.approx(2000, rel=0.1)
    assert found.options == {"target": "dx"}
    result = run("info", tmp_path / "data.csv")
    assert "only its beginning was read" in result.stdout


def test_annotations_of_cells_are_candidates(tmp_path):
    anndata = pytest.importorskip("anndata")
    import pandas as pd

    rng = np.random.default_rng(5)
    obs = pd.DataFrame(
        {"cell_type": ["T", "B"] * 20, "n_genes": rng.integers(100, 900, N)},
        index=[f"cell{row}" for row in range(N)],
    )
    X = rng.normal(size=(N, 8)) + np.outer(np.arange(N) % 2, np.eye(8)[3]) * 3
    anndata.AnnData(X, obs).write_h5ad(tmp_path / "cells.h5ad")
    found = describe_file(tmp_path / "cells.h5ad")
    assert [one.name for one in found.candidates] == ["cell_type"]
    assert run(*shlex.split(found.command)[1:]).exit_code == 0


@pytest.mark.parametrize("kind", ["series", "expression", "counts", "proteins", "clinical"])
def test_files_of_a_study(tmp_path, kind):
    found = describe_file(featrank.datasets.make_geo_study(tmp_path)[kind])
    assert found.transposed == (kind in ("expression", "counts", "proteins"))
    if not found.transposed:
        assert found.candidates[0].name in ("disease", "diagnosis")
    result = run(*shlex.split(found.command)[1:])
    assert result.exit_code == 0, f"{found.command}: {result.stderr}"


def test_unknown_extension(tmp_path):
    (tmp_path / "data.xyz").write_text("a")
    result = run("info", tmp_path / "data.xyz")
    assert result.exit_code == 2
    assert "unknown file extension" in result.stderr


def test_a_file_without_features_has_a_problem_instead_of_a_command(tmp_path):
    (tmp_path / "data.csv").write_text("id\n" + "".join(f"S{row}\n" for row in range(20)))
    found = describe_file(tmp_path / "data.csv")
    assert found.command == ""
    assert "No features are left" in found.problem
    assert found.problem in " ".join(run("info", tmp_path / "data.csv").stdout.split())


def test_stray_labels_do_not_hide_the_target(tmp_path):
    labels = ["ill", "well"] * 20 + ["unknown", "Well"]
    rows = "".join(f"{label},{number},{number % 7}\n" for number, label in enumerate(labels))
    (tmp_path / "d.csv").write_text("diagnosis,a,b\n" + rows)
    found = featrank.describe_file(tmp_path / "d.csv")
    assert next(one.name for one in found.candidates) == "diagnosis"
    assert found.options["target"] == "diagnosis"


def test_numbers_with_other_cells_are_kept_and_the_command_works(tmp_path):
    cells = [f"{number / 8}" for number in range(40)]
    cells[7], cells[9] = "-", "#DIV/0!"
    rows = "".join(f"{'ab'[n % 2]},{cell},{n % 5}.5\n" for n, cell in enumerate(cells))
    (tmp_path / "d.csv").write_text("diagnosis,gene,other\n" + rows)
    found = featrank.describe_file(tmp_path / "d.csv")
    assert {one.name: one.kind for one in found.columns}["gene"] == "odd"
    assert found.options["na_values"] == ("-", "#DIV/0!")
    assert "--na-values '-,#DIV/0!'" in found.command
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranking = featrank.rank_file(tmp_path / "d.csv", **found.options)
    assert set(ranking.feature_names) == {"gene", "other"}
