"""Files of labels: headers, pickles, and texts that are none."""

import zipfile

import numpy as np
import pytest

from featrank.exceptions import DataError
from featrank.sources import open_dataset
from featrank.tables import read_table

X = np.arange(12.0).reshape(4, 3)
Y = np.array([0, 1, 0, 1])


@pytest.fixture
def readers(tmp_path):
    """Return functions that read the data with the labels in a file, as a whole and in parts."""
    np.save(tmp_path / "data.npy", X)

    def whole(name):
        return read_table(tmp_path / "data.npy", target=name).y

    def in_parts(name):
        source = open_dataset(tmp_path / "data.npy", labels=tmp_path / name)
        return next(source.chunks(1 << 20)).read().y

    return whole, in_parts


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["kind", "a", "b", "a", "b"], ["a", "b", "a", "b"]),
        (["0", "a", "b", "a", "b"], ["a", "b", "a", "b"]),
        (["dose", "1", "2", "1", "2"], [1, 2, 1, 2]),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".txt"])
def test_a_header_is_told_by_its_looks(readers, tmp_path, lines, expected, suffix):
    (tmp_path / f"labels{suffix}").write_text("\n".join(lines) + "\n")
    for reader in readers:
        assert reader(f"labels{suffix}").tolist() == expected


@pytest.mark.parametrize(
    "lines", [["a", "a", "b", "a", "b"], ["1", "1", "2", "1", "2"], ["3", "1", "2", "1.5", "2"]]
)
def test_one_label_too_many_is_no_header(readers, tmp_path, lines):
    (tmp_path / "labels.csv").write_text("\n".join(lines) + "\n")
    for reader in readers:
        with pytest.raises(DataError, match=f"5 lines for 4 samples.*'{lines[0]}', looks like a"):
            reader("labels.csv")


@pytest.mark.parametrize("damage", ["object", "magic"])
def test_labels_are_never_unpickled(readers, tmp_path, damage):
    path = tmp_path / "labels.npy"
    np.save(path, np.array(list("abab"), dtype=object if damage == "object" else str))
    if damage == "magic":
        path.write_bytes(b"X" + path.read_bytes()[1:])
    for reader in readers:
        with pytest.raises(DataError) as caught:
            reader("labels.npy")
        assert "allow_pickle" not in str(caught.value)


@pytest.mark.parametrize("code", [0xD800, 0x110000, 0x630000])
@pytest.mark.parametrize("order", ["<", ">"])
def test_texts_that_are_no_unicode(readers, tmp_path, code, order):
    """NumPy reads them, and nothing can write them again."""
    labels = np.array(["a", "b", "a", "b"], dtype=f"{order}U1")
    labels.view(f"{order}u4")[1::2] = code
    np.save(tmp_path / "labels.npy", labels)
    np.savez(tmp_path / "named.npz", X=X, y=Y, feature_names=labels[:3])
    for reader in readers:
        with pytest.raises(DataError, match=r"'labels' contains strings .* not Unicode"):
            reader("labels.npy")
    with pytest.raises(DataError, match=r"'feature_names' in .* not Unicode"):
        read_table(tmp_path / "named.npz")


@pytest.mark.parametrize(
    ("suffix", "said"),
    [
        (".npy", "cannot be read as an npz archive: the magic string"),
        ("", "'{}' in .* is not an array"),
    ],
)
def test_a_member_of_an_archive_that_is_no_array(tmp_path, suffix, said):
    path = tmp_path / "data.npz"
    for broken in ("X", "y", "feature_names"):
        others = {"X": X, "y": Y}
        others.pop(broken, None)
        np.savez(path, **others)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(f"{broken}{suffix}", b"no array")
        with pytest.raises(DataError, match=said.format(broken)):
            read_table(path)
