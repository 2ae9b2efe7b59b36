import dataclasses
import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest

from featrank import datasets, tables
from featrank.datasets import REGISTRY
from featrank.datasets.places import cache_folder
from featrank.exceptions import DataError, FeatrankWarning, UsageError


@pytest.fixture
def save(tmp_path):
    """Save arrays as tiny.npz in a folder of this name, and return the folder."""

    def into(folder, arrays):
        path = tmp_path / folder
        path.mkdir(exist_ok=True)
        np.savez(path / "tiny.npz", **arrays)
        return path

    return into


def fetch(**options):
    return datasets.fetch("tiny", download=False, **options)


def test_found_in_the_given_folder(tiny, save, tiny_arrays):
    data = fetch(folder=save("here", tiny_arrays))
    assert np.array_equal(data.X, tiny_arrays["X"], equal_nan=True)
    assert data.y.tolist() == ["sick", "well", "sick", "sick"]
    assert data.feature_names == ["feature0001", "feature0002", "feature0003"]
    assert data.truth is None


def test_feature_names_come_from_the_file(tiny, save, tiny_arrays):
    data = fetch(folder=save("here", tiny_arrays | {"feature_names": ["a", "b", "c"]}))
    assert data.feature_names == ["a", "b", "c"]


def test_labels_are_the_registrys_whatever_the_file_calls_them(tiny, save, tiny_arrays):
    data = fetch(folder=save("here", tiny_arrays | {"y": np.array([5, -5, 5, 5])}))
    assert data.y.tolist() == ["sick", "well", "sick", "sick"]


def test_places_are_searched_in_order(tiny, save, tiny_arrays, monkeypatch):
    named = {key: {"feature_names": [key] * 3} for key in ("given", "named", "cache")}
    save("cache", tiny_arrays | named["cache"])
    assert fetch().feature_names[0] == "cache"
    monkeypatch.setenv("FEATRANK_DATA", str(save("named", tiny_arrays | named["named"])))
    assert fetch().feature_names[0] == "named"
    given = save("given", tiny_arrays | named["given"])
    assert fetch(folder=given).feature_names[0] == "given"


def test_folder_without_the_file_is_passed_over(tiny, save, tiny_arrays, tmp_path):
    save("cache", tiny_arrays)
    assert fetch(folder=tmp_path).X.shape == (4, 3)


def test_folder_that_does_not_exist_is_an_error(tiny, tmp_path):
    with pytest.raises(UsageError, match=r"nowhere.* does not exist"):
        fetch(folder=tmp_path / "nowhere")


def test_not_found_says_where_it_looked(tiny, cache, tmp_path):
    with pytest.raises(DataError, match=r"no file tiny\.npz in .*FEATRANK_DATA") as caught:
        fetch(folder=tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert str(cache) in str(caught.value)


def test_set_without_address_is_never_downloaded():
    with pytest.raises(DataError, match=r"gina_like_mnist.*no public address"):
        datasets.fetch("gina_like_mnist")


def test_unknown_name_lists_near_ones():
    with pytest.raises(UsageError, match=r"Unknown data set 'colons'\. Did you mean 'colon'"):
        datasets.fetch("colons")


def shifted(arrays):
    return arrays | {"X": np.nextafter(arrays["X"], 99)}


def swapped(arrays):
    return arrays | {"y": arrays["y"][[1, 0, 2, 3]]}


WRONG = {
    "values": (shifted, "checksum of the values: expected .*, got"),
    "labels-swapped": (swapped, "checksum of the values: expected .*, got"),
    "shape": (
        lambda a: {"X": a["X"][:3], "y": a["y"][:3]},
        r"shape: expected \(4, 3\), got \(3, 3\)",
    ),
    "class-sizes": (
        lambda a: a | {"y": ["sick", "well"] * 2},
        r"class sizes: expected \[1, 3\], got \[2, 2\]",
    ),
    "no-labels": (lambda a: {"X": a["X"]}, "array 'y' is missing"),
    "labels-short": (lambda a: a | {"y": a["y"][:2]}, r"'y' should have shape \(4,\)"),
    "names-short": (lambda a: a | {"feature_names": ["a"]}, "'feature_names' should have shape"),
    "text": (lambda a: a | {"X": a["X"].astype(str)}, "'X' should be a matrix of numbers"),
    "pickle": (lambda a: a | {"X": a["X"].astype(object)}, "cannot be read as NPZ"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_wrong_file_is_refused(tiny, save, tiny_arrays, change, message):
    folder = save("here", change(tiny_arrays))
    with pytest.raises(DataError, match=message) as caught:
        fetch(folder=folder)
    assert "Replace this file" in str(caught.value)


def test_wrong_file_is_refused_even_if_a_right_one_comes_later(tiny, save, tiny_arrays):
    save("cache", tiny_arrays)
    with pytest.raises(DataError, match="checksum of the values"):
        fetch(folder=save("here", shifted(tiny_arrays)))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"neither zip nor array"])
def test_damaged_file_in_the_cache_is_refused_and_kept(tiny, cache, content):
    cache.mkdir()
    (cache / "tiny.npz").write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be read as NPZ.*Delete this file"):
        datasets.fetch("tiny")
    assert (cache / "tiny.npz").read_bytes() == content


def test_file_cut_short_anywhere_is_refused(tiny, save, tiny_arrays):
    folder = save("here", tiny_arrays)
    whole = (folder / "tiny.npz").read_bytes()
    for cut in range(0, len(whole) - 1, 37):
        (folder / "tiny.npz").write_bytes(whole[:cut])
        with pytest.raises(DataError):
            fetch(folder=folder)


def test_known_file_is_taken_by_its_checksum(tiny, save, tiny_arrays, monkeypatch):
    folder = save("here", tiny_arrays)
    known = hashlib.sha256((folder / "tiny.npz").read_bytes()).hexdigest()
    source = dataclasses.replace(tiny, file_sha256=known, values_sha256="0" * 64)
    monkeypatch.setitem(REGISTRY, "tiny", source)
    assert fetch(folder=folder).X.shape == (4, 3)
    np.savez_compressed(folder / "tiny.npz", **tiny_arrays)
    with pytest.raises(DataError, match="checksum of the values: expected 0000"):
        fetch(folder=folder)


def test_sum_of_values_is_checked_where_nothing_better_is_known(
    tiny, save, tiny_arrays, monkeypatch
):
    whole = tiny_arrays | {"X": np.arange(12).reshape(4, 3), "y": np.array([2, 1, 2, 2])}
    source = dataclasses.replace(tiny, values_sha256=None, total=66)
    monkeypatch.setitem(REGISTRY, "tiny", source)
    folder = save("here", whole)
    with pytest.warns(FeatrankWarning, match="known by its shape, class sizes and sum alone"):
        assert fetch(folder=folder).y.tolist() == [2, 1, 2, 2]
    monkeypatch.setitem(REGISTRY, "tiny", dataclasses.replace(source, total=67))
    with pytest.raises(DataError, match="sum of all values: expected 67, got 66"):
        fetch(folder=save("here", whole))


@pytest.mark.skipif(sys.platform != "linux", reason="the usual place differs by platform")
def test_cache_is_where_the_platform_has_it(monkeypatch):
    monkeypatch.delenv("FEATRANK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/featrank")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "featrank"


def test_table_tells_what_is_at_hand(tiny, save, tiny_arrays):
    save("cache", tiny_arrays)
    rows = {row["name"]: row for row in datasets.table()}
    assert rows["tiny"]["found"].endswith("tiny.npz")
    assert rows["colon"] == {
        "name": "colon",
        "samples": 62,
        "classes": 2,
        "features": 2000,
        "paper_samples": 62,
        "paper_features": 2000,
        "found": None,
        "address": "https://www.openml.org/d/45087",
        "at_hand": "missing",
    }
    assert rows["tiny"]["at_hand"] == "in the cache"
    assert set(rows) == set(datasets.list_datasets())
    assert rows["wine"] == {
        "name": "wine",
        "samples": 178,
        "classes": 3,
        "features": 13,
        "paper_samples": None,
        "paper_features": None,
        "found": None,
        "address": None,
        "at_hand": "built-in",
    }
    assert rows["gina_like_mnist"]["paper_samples"] is None
    assert rows["gina"]["samples"] == 3153


def test_facts_of_one_set(tiny, save, tiny_arrays, tmp_path):
    save("cache", tiny_arrays)
    known = datasets.describe("tiny")
    assert known == datasets.describe(datasets.load("tiny"))
    assert (known["samples"], known["features"], known["classes"]) == (4, 3, 2)
    assert known["class_sizes"] == {"sick": 3, "well": 1}
    assert known["file"].endswith("tiny.npz")
    assert (known["citation"], known["description"]) == (tiny.citation, tiny.description)
    assert datasets.describe("iris")["file"] is None
    with pytest.raises(UsageError, match="Did you mean 'iris'"):
        datasets.describe("iriss")


def test_a_set_is_written_as_a_table(tmp_path):
    data = datasets.load("wine")
    data.write(tmp_path / "wine.parquet")
    stored = tables.read_table(tmp_path / "wine.parquet", target="cultivar")
    np.testing.assert_array_equal(stored.X, data.X)
    np.testing.assert_array_equal(stored.y, data.y)
    assert stored.feature_names == data.feature_names
