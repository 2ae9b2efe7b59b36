"""Tables as biology keeps them, from the shell: turned, labelled by a sheet, ids that travel."""

import json

import numpy as np
import pandas as pd
import pytest

SAMPLES = [f"GSM{100 + place}" for place in range(24)]
SICK = np.arange(24) % 2


@pytest.fixture
def genes(tmp_path):
    """Write genes × samples, of which g4 and its second probe g5 tell the classes apart."""
    rng = np.random.default_rng(0)
    values = rng.normal(8, 1, size=(40, 24))
    values[4:6] += 4 * SICK
    frame = pd.DataFrame(values, columns=SAMPLES)
    frame.insert(0, "probe", [f"g{place}" for place in range(40)])
    frame.insert(1, "symbol", [f"GENE{place // 2}" for place in range(40)])
    frame.to_csv(tmp_path / "genes.tsv", sep="\t", index=False)
    return tmp_path / "genes.tsv"


@pytest.fixture
def sheet(tmp_path):
    order = np.random.default_rng(1).permutation(24)
    frame = pd.DataFrame(
        {
            "sample_id": np.array(SAMPLES)[order],
            "diagnosis": np.where(SICK, "sick", "well")[order],
            "age": 30 + order,
            "batch": np.where(order < 12, "a", "b"),
        }
    )
    frame.to_csv(tmp_path / "clinical.csv", index=False)
    return ["--labels", tmp_path / "clinical.csv", "--target", "diagnosis"]


def rows(done):
    assert done.exit_code == 0, done.output
    return [line.split(",") for line in done.stdout.splitlines()]


def test_labels_from_a_sheet_and_symbols_beside(run, genes, sheet):
    asked = ["--transpose", *sheet, "--id-column", "sample_id", "--top", 2, "-f", "csv"]
    found = rows(run("rank", genes, *asked))
    assert found[0][:4] == ["rank", "feature", "second_name", "score"]
    assert {(row[1], row[2]) for row in found[1:]} == {("g4", "GENE2"), ("g5", "GENE2")}


def test_one_row_a_gene(run, genes, sheet):
    names = ["--names", "symbol", "--duplicates", "mean"]
    found = rows(run("rank", genes, "--transpose", *sheet, *names, "--top", 1, "-f", "csv"))
    assert found[1][1] == "GENE2"
    refused = run("rank", genes, "--transpose", *sheet, "--names", "symbol")
    assert refused.exit_code == 1
    assert "--duplicates mean" in refused.stderr


def test_kept_columns_travel_into_json_and_files(run, genes, sheet, tmp_path):
    asked = [genes, "--transpose", *sheet, "--keep", "age,batch"]
    told = json.loads(run("rank", *asked, "--top", 1, "-f", "json").stdout)
    assert told["samples"]["sample"] == SAMPLES
    assert told["samples"]["age"] == list(range(30, 54))
    done = run("select", *asked, "--top", 2, "-o", tmp_path / "small.csv")
    assert done.exit_code == 0, done.output
    written = pd.read_csv(tmp_path / "small.csv")
    assert list(written) == ["sample", "age", "batch", "g4", "g5", "diagnosis"]
    assert written["sample"].tolist() == SAMPLES
    again = rows(
        run("rank", tmp_path / "small.csv", "-t", "diagnosis", "-d", "age,batch", "-f", "csv")
    )
    assert sorted(row[1] for row in again[1:]) == ["g4", "g5"]


def test_ids_are_told_and_not_ranked(run, write_table):
    path = write_table({"patient_id": range(20), "x": range(20), "y": [0, 1] * 10})
    done = run("rank", path, "--target", "y", "-m", "fisher", "-f", "csv")
    assert [row[1] for row in rows(done)[1:]] == ["x"]
    assert "Column 'patient_id' holds sample IDs and is not ranked." in done.stderr


def test_transforms_and_filters_are_recorded(run, tmp_path):
    rng = np.random.default_rng(0)
    counts = rng.poisson(20, size=(40, 6)).astype(float)
    counts[:, 2] *= 1 + 2 * (np.arange(40) % 2)
    counts[1:30, 5] = np.nan
    counts[3, 1] = np.nan
    frame = pd.DataFrame(counts, columns=list("abcdef"))
    frame["kind"] = np.where(np.arange(40) % 2, "u", "v")
    frame.to_csv(tmp_path / "counts.csv", index=False)
    asked = ["--transform", "cpm,log1p", "--missing", "knn", "--max-missing", "0.2"]
    done = run("rank", tmp_path / "counts.csv", "-t", "kind", *asked, "-f", "json")
    told = json.loads(done.stdout)
    assert told["features"][0]["feature"] == "c"
    assert told["n_features"] == 5
    assert told["preprocessing"] == {
        "imputation": "knn",
        "imputed_values": 1,
        "max_missing": 0.2,
        "features_above_max_missing": 1,
        "transform": "cpm,log1p",
    }
    assert "Dropped 1 feature with more than 20% missing values: f." in done.stderr
    each = json.loads(
        run(
            "rank", tmp_path / "counts.csv", "-t", "kind", *asked, "--per-class", "-f", "json"
        ).stdout
    )
    assert each["test"]["value_scale"] == "log1p"
    bad = run("rank", tmp_path / "counts.csv", "-t", "kind", "--transform", "logp1")
    assert bad.exit_code == 2
    assert "Did you mean 'log1p'" in bad.stderr


def test_compare_reads_the_same_tables(run, genes, sheet, tmp_path):
    asked = ["--transpose", *sheet, "-m", "fisher", "--n-features", "2", "--trials", "2"]
    out = tmp_path / "results"
    done = run("compare", genes, *asked, "--groups", "age", "--out-dir", out, "-f", "csv")
    assert done.exit_code == 0, done.output
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["data"]["features"] == 40
    assert manifest["data"]["class_labels"] == ["sick", "well"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_sheets_are_joined_to_data_in_parts(run, tmp_path, sheet, suffix):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(24, 5)), columns=list("abcde"))
    frame["c"] += 5 * SICK
    frame.insert(0, "sample", SAMPLES)
    path = tmp_path / f"data{suffix}"
    frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path, index=False)
    whole = run("rank", path, *sheet, "-f", "csv")
    parts = run("rank", path, *sheet, "-f", "csv", "--memory", "64MB")
    assert rows(parts)[1][1] == "c"
    assert parts.stdout == whole.stdout
    assert "'sample' holds sample IDs" in parts.stderr
    small = tmp_path / "small.csv"
    assert run("select", path, *sheet, "--memory", "64MB", "--top", 1, "-o", small).exit_code == 0
    assert list(pd.read_csv(small)) == ["sample", "c", "diagnosis"]
    refused = run("rank", path, *sheet, "--memory", "64MB", "--transform", "rank")
    assert refused.exit_code == 2
    assert "--transform" in refused.stderr


def test_a_series_goes_from_file_to_gene_list(run, tmp_path):
    rng = np.random.default_rng(0)
    lines = [
        '!Series_title\t"made"',
        "!Sample_geo_accession\t" + "\t".join(f'"{one}"' for one in SAMPLES),
        "!Sample_characteristics_ch1\t"
        + "\t".join(f'"disease: {"ill" if sick else "well"}"' for sick in SICK),
        "!Sample_characteristics_ch1\t" + "\t".join(f'"batch: {i % 3}"' for i in range(24)),
        "!series_matrix_table_begin",
        "ID_REF\t" + "\t".join(SAMPLES),
    ]
    for place in range(30):
        values = rng.normal(7, 1, 24) + (3 * SICK if place == 8 else 0)
        lines.append(f"p{place}\t" + "\t".join(f"{value:.3f}" for value in values))
    path = tmp_path / "GSE1_series_matrix.txt"
    path.write_text("\n".join([*lines, "!series_matrix_table_end", ""]))
    list_of_genes = tmp_path / "best.grp"
    done = run("rank", path, "-t", "disease", "--groups", "batch", "--top", 1, "-o", list_of_genes)
    assert done.exit_code == 0, done.output
    assert list_of_genes.read_text() == "p8\n"
    signed = tmp_path / "ill.rnk"
    assert run("rank", path, "-t", "disease", "--of-class", "ill", "-o", signed).exit_code == 0
    first, *_, last = signed.read_text().splitlines()
    assert first.startswith("p8\t")
    assert float(last.split("\t")[1]) < 0


def test_sheets_are_joined_to_cells_and_genotypes_in_parts(run, tmp_path, sheet):
    import anndata

    from tests.sources.test_bed import write_plink

    rng = np.random.default_rng(0)
    values = rng.normal(size=(24, 5))
    values[:, 2] += 5 * SICK
    obs, var = pd.DataFrame(index=SAMPLES), pd.DataFrame(index=list("abcde"))
    anndata.AnnData(values, obs=obs, var=var).write_h5ad(tmp_path / "cells.h5ad")
    found = rows(run("rank", tmp_path / "cells.h5ad", *sheet, "-f", "csv", "--memory", "64MB"))
    assert found[1][1] == "c"
    ill = np.arange(24) % 3 == 0
    genotypes = rng.integers(0, 3, size=(6, 24))
    genotypes[1], genotypes[3] = 2 * SICK, 2 * ill  # .fam has a phenotype too, that of the first
    write_plink(tmp_path, genotypes)
    people = [line.split()[1] for line in (tmp_path / "study.fam").read_text().splitlines()]
    frame = pd.DataFrame({"iid": people, "state": np.where(ill, "ill", "well")})
    frame.iloc[::-1].to_csv(tmp_path / "people.csv", index=False)
    asked = ["--labels", tmp_path / "people.csv", "-t", "state", "-m", "fisher", "-f", "csv"]
    assert rows(run("rank", tmp_path / "study.bed", *asked))[1][1] == "rs3"
    assert rows(run("rank", tmp_path / "study.bed", "-m", "fisher", "-f", "csv"))[1][1] == "rs1"


@pytest.mark.parametrize("memory", [(), ("--memory", "64MB")])
def test_what_a_sheet_is_used_for_is_no_feature(run, tmp_path, memory):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(24, 2)), columns=["a", "b"])
    frame["donor"], frame["state"], frame["batch"] = np.arange(24) // 3, SICK, SICK
    frame.to_csv(tmp_path / "cells.csv", index=False)
    donors = pd.DataFrame({"donor": range(8), "state": [0, 1] * 4, "batch": [1, 1, 2, 2] * 2})
    donors.to_csv(tmp_path / "donors.csv", index=False)
    asked = ["--labels", tmp_path / "donors.csv", "--id-column", "donor", "-t", "state"]
    found = rows(
        run("rank", tmp_path / "cells.csv", *asked, "--groups", "batch", "-f", "csv", *memory)
    )
    assert sorted(row[1] for row in found[1:]) == ["a", "b"]
