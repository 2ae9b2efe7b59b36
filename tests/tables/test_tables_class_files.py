"""GenePattern class files next to GCT and other tables."""

import numpy as np
import pytest

import featrank
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.tables import read_table

GCT = "#1.2\n2\t4\nName\tDescription\ts1\ts2\ts3\ts4\ng1\tna\t1\t2\t3\t4.5\ng2\tna\t7\t0\t6\t1\n"


@pytest.fixture
def data(tmp_path):
    (tmp_path / "d.gct").write_text(GCT)
    np.save(tmp_path / "d.npy", np.arange(8.0).reshape(4, 2))
    (tmp_path / "d.csv").write_text("a,b,batch\n1,2,p\n3,4,q\n5,7,p\n8,1,q\n")

    def write(text):
        (tmp_path / "d.cls").write_text(text)
        return tmp_path

    return write


@pytest.mark.parametrize(
    "text",
    [
        "4 2 1\n# ctrl case\n0 1 1 0\n",
        "4\t2\t1\r\n#ctrl\tcase\r\n0\t1\t1\t0\r\n",
        "4 2 1\n# ctrl case\nctrl case case ctrl\n",
        "4 2 1\n# case ctrl\nctrl case case ctrl\n",
        # GenePattern: the first code belongs to the first name.
        "4 2 1\n# ctrl case\n1 0 0 1\n\n",
        "\ufeff4 2 1\n# ctrl case\nA B B A\n",
    ],
)
def test_classes_of_every_table(data, text):
    folder = data(text)
    for name in ("d.gct", "d.npy"):
        table = read_table(folder / name, labels=folder / "d.cls")
        assert table.y.tolist() == ["ctrl", "case", "case", "ctrl"]
        assert table.target_name == "d"


def test_rankings_in_memory_and_in_chunks(data):
    folder = data("4 2 1\n# ctrl case\n0 1 0 1\n")
    for name in ("d.gct", "d.npy"):
        with pytest.warns(FeatrankWarning, match=r"fewer than 3 samples.*'ctrl' \(2 samples\)"):
            ranking = featrank.rank_file(folder / name, method="fisher", labels=folder / "d.cls")
        assert len(ranking) == 2
    kept = read_table(folder / "d.csv", labels=folder / "d.cls", groups="batch", keep="batch")
    assert kept.y.tolist() == ["ctrl", "case", "ctrl", "case"]
    assert kept.groups.tolist() == ["p", "q", "p", "q"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 2 1\n# ctrl case\n0 1 1\n", "classes of 3 samples, but the table has 4 samples"),
        (
            "5 2 1\n# ctrl case\n0 1 1 0\n",
            "inconsistent: line 1 is '5 2 1'.*4 samples of 2 classes",
        ),
        ("4 3 1\n# ctrl case\n0 1 1 0\n", "inconsistent.*2 class names"),
        ("4 2 1\n# ctrl case\n0 1 2 0\n", "inconsistent.*4 samples of 3 classes"),
        ("4 2 1\nctrl case\n0 1 1 0\n", "not a GenePattern class file. It needs three lines"),
        ("#numeric\n#peak\n1 2 3 4\n5\n", "not a GenePattern class file"),
        ("", "not a GenePattern class file"),
    ],
)
def test_inconsistent_files(data, text, message):
    folder = data(text)
    with pytest.raises(DataError, match=message):
        read_table(folder / "d.gct", labels=folder / "d.cls")


def test_a_class_file_has_no_columns(data):
    folder = data("4 2 1\n# ctrl case\n0 1 1 0\n")
    with pytest.raises(UsageError, match=r"has no columns. Leave out `target`"):
        featrank.rank_file(folder / "d.gct", "case", labels=folder / "d.cls")
