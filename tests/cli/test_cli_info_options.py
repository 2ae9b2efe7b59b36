"""``featrank info`` with the options that say how a file is read."""

import numpy as np

import featrank


def test_a_sample_sheet_offers_its_columns(run, tmp_path):
    rng, names = np.random.default_rng(0), [f"sample{i}" for i in range(12)]
    rows = [[f"metab {j}x", *rng.normal(size=12).round(3)] for j in range(40)]
    path, sheet = tmp_path / "a.tsv", tmp_path / "sheet.csv"
    path.write_text("\n".join("\t".join(map(str, row)) for row in [["feature", *names], *rows]))
    lines = [f"{name},{'ab'[i % 2]}" for i, name in enumerate(names)]
    sheet.write_text("\n".join(["id,diagnosis", *lines]))
    found = featrank.describe_file(path, labels=sheet)
    assert [one.name for one in found.candidates] == ["diagnosis"]
    shown = run("info", path, "--transpose", "--labels", sheet, "--sep", "tab").stdout
    assert "--target diagnosis" in " ".join(shown.split())
    assert featrank.rank_file(path, method="fisher", **found.options).data.n_samples == 12


def test_equal_names_of_a_spreadsheet_are_not_averaged(run, tmp_path):
    path = tmp_path / "genes.csv"
    rows = [f"{j},{j * j % 7},{j % 3},{'ab'[j % 2]}" for j in range(12)]
    path.write_text("\n".join(["1-Mar,1-Mar,TP53,y", *rows]))
    failed = run("rank", path, "-t", "y", "-m", "fisher")
    assert failed.exit_code
    assert "Export the table again with the gene names as text." in failed.stderr
    assert "--duplicates" not in failed.stderr
    path.write_text("\n".join(["TP53,TP53,1-Mar,y", *rows]))
    assert "--duplicates mean" in run("rank", path, "-t", "y", "-m", "fisher").stderr
