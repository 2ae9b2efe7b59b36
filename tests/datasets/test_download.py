import builtins
import dataclasses
import json

import numpy as np
import pytest

from featrank import datasets
from featrank.datasets import REGISTRY
from featrank.exceptions import DataError, MissingExtraError

DESCRIPTION = "/api/v1/json/data/7"


def refused(cache, message):
    """Fetch, expect an error with a way out, and nothing in the cache."""
    with pytest.raises(DataError, match=message) as caught:
        datasets.fetch("tiny")
    assert "FEATRANK_DATA" in str(caught.value)
    assert not cache.exists() or list(cache.iterdir()) == []


def test_download_is_verified_kept_and_not_repeated(tiny, server, cache, tiny_arrays, tiny_arff):
    server.serve_openml(7, tiny_arff)
    first = datasets.fetch("tiny")
    second = datasets.fetch("tiny")
    assert server.hits == {DESCRIPTION: 1, "/files/7.arff": 1}
    assert [path.name for path in cache.iterdir()] == ["tiny.npz"]
    for data in (first, second):
        assert np.array_equal(data.X, tiny_arrays["X"], equal_nan=True)
        assert data.y.tolist() == tiny_arrays["y"].tolist()
        assert data.feature_names == ["g1", "g2", "g3"]


def test_load_downloads_too(tiny, server, tiny_arff):
    server.serve_openml(7, tiny_arff)
    assert datasets.load("tiny").X.shape == (4, 3)


def test_columns_that_openml_ignores_are_dropped(tiny, server):
    arff = "@relation t\n@attribute id numeric\n@attribute g1 numeric\n@attribute g2 numeric\n"
    arff += "@attribute note numeric\n@attribute g3 numeric\n@attribute state {well,sick}\n@data\n"
    arff += "1,0.1,-2,9,30,sick\n2,0.2,?,9,31,well\n3,0.3,2.5,9,32,sick\n4,0.4,4,9,33,sick\n"
    server.serve_openml(7, arff, row_id_attribute="id", ignore_attribute=["note"])
    assert datasets.fetch("tiny").feature_names == ["g1", "g2", "g3"]


def test_last_column_is_the_target_unless_openml_names_one(tiny, server, tiny_arff):
    server.serve_openml(7, tiny_arff, default_target_attribute=None, md5_checksum=None)
    assert datasets.fetch("tiny").feature_names == ["g1", "g2", "g3"]


def test_download_only_if_allowed(tiny, server, tiny_arff):
    server.serve_openml(7, tiny_arff)
    with pytest.raises(DataError, match="download=True"):
        datasets.fetch("tiny", download=False)
    assert not server.hits


def test_wrong_md5(tiny, server, cache, tiny_arff):
    server.serve_openml(7, tiny_arff, md5_checksum="0" * 32)
    refused(cache, "MD5 checksum should be 0{32} and is [0-9a-f]{32}")


def test_wrong_values(tiny, server, cache, tiny_arff):
    server.serve_openml(7, tiny_arff.replace("0.4", "0.40001"))
    refused(cache, "checksum of the values: expected")


def test_wrong_shape(tiny, server, cache, tiny_arff):
    server.serve_openml(7, tiny_arff + "0.5,5,34,well\n")
    refused(cache, r"shape: expected \(4, 3\), got \(5, 3\)")


def test_wrong_class_sizes(tiny, server, cache, tiny_arff):
    server.serve_openml(7, tiny_arff.replace("33,sick", "33,well"))
    refused(cache, r"class sizes: expected \[1, 3\], got \[2, 2\]")


def test_not_a_table(tiny, server, cache):
    server.serve_openml(7, "<html>Service moved</html>")
    refused(cache, r"7\.arff sent cannot be used as the data set 'tiny'")


@pytest.mark.parametrize("page", ["<html>", "[]", "{}", json.dumps({"data_set_description": {}})])
def test_not_a_description(tiny, server, cache, page):
    server.pages[DESCRIPTION] = page
    refused(cache, "a JSON description with the address of the data was expected")


def test_description_not_found(tiny, server, cache):
    refused(cache, "the server answered 404")


def test_data_not_found(tiny, server, cache, tiny_arff):
    server.serve_openml(7, tiny_arff)
    del server.pages["/files/7.arff"]
    refused(cache, r"files/7\.arff: the server answered 404")


def test_transfer_that_breaks_off(tiny, server, cache, tiny_arff, truncated):
    server.serve_openml(7, tiny_arff)
    server.pages["/files/7.arff"] = truncated(tiny_arff)
    refused(cache, "connection failed or broke off")


def test_address_of_another_kind_is_not_followed(tiny, server, cache, tiny_arff, tmp_path):
    (tmp_path / "tiny.arff").write_text(tiny_arff)
    server.serve_openml(7, tiny_arff, url=(tmp_path / "tiny.arff").as_uri())
    refused(cache, "Cannot download the data set 'tiny' from file:")


@pytest.mark.parametrize("address", ["http://example.org/d.arff", "http://127.0.0.1.example.org/d"])
def test_only_https_is_used(tiny, server, cache, tiny_arff, address):
    server.serve_openml(7, tiny_arff, url=address)
    refused(cache, "only addresses that begin with https://")


def test_a_server_that_sends_elsewhere_is_followed_by_https_alone(tiny, server, cache, tiny_arff):
    server.serve_openml(7, tiny_arff)
    server.redirects["/files/7.arff"] = "http://example.org/7.arff"
    refused(cache, "from http://example.org/7.arff: only addresses that begin with https://")
    server.redirects["/files/7.arff"] = f"{server.address}/moved.arff"
    server.pages["/moved.arff"] = tiny_arff
    assert datasets.fetch("tiny").X.shape == (4, 3)


def test_no_network(tiny, cache, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("FEATRANK_OPENML", "http://127.0.0.1:9")
    refused(cache, "connection failed or broke off")


def test_cache_that_cannot_be_written(tiny, server, tiny_arff, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FEATRANK_CACHE", str(tmp_path / "file"))
    server.serve_openml(7, tiny_arff)
    with pytest.raises(DataError, match=r"cannot be kept in .*FEATRANK_CACHE"):
        datasets.fetch("tiny")
    assert not server.hits


def test_failed_write_leaves_nothing(tiny, server, cache, tiny_arff, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    server.serve_openml(7, tiny_arff)
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(DataError, match="No space left on device"):
        datasets.fetch("tiny")
    assert list(cache.iterdir()) == []


def test_without_pooch_the_extra_is_named(tiny, monkeypatch):
    def no_pooch(name, *args, **kwargs):
        if name == "pooch":
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    real_import = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", no_pooch)
    with pytest.raises(MissingExtraError, match=r"featrank\[data\]"):
        datasets.fetch("tiny")


class TestMatrix:
    """Features × samples as CSV, the samples class by class."""

    HEADER = '"control","control.1","cancer","cancer.1"\n'
    ROWS = ("0.5,1,1.5,2", "-1,-2,-3,-4.25")

    @pytest.fixture
    def matrix(self, tiny, server, monkeypatch):
        X = np.array([[0.5, -1], [1, -2], [1.5, -3], [2, -4.25]])
        source = dataclasses.replace(
            tiny,
            openml=None,
            matrix_url=f"{server.address}/matrix.csv",
            shape=X.shape,
            classes={0: 2, 1: 2},
            values_sha256=datasets.checks.values_checksum(X, np.array([0, 0, 1, 1])),
        )
        monkeypatch.setitem(REGISTRY, "tiny", source)
        return X

    @pytest.mark.parametrize(
        "text",
        [
            HEADER + "\n".join(ROWS) + "\n",
            "\n".join(ROWS),
            "\ufeff" + HEADER.replace("\n", "\r\n") + "\r\n".join(ROWS) + "\r\n\r\n",
            '"",' + HEADER + '"1",' + ROWS[0] + '\n"2",' + ROWS[1] + "\n",
            HEADER + '"AFFX",' + ROWS[0] + '\n"1007_s",' + ROWS[1] + "\n",
        ],
        ids=["header", "no-header", "windows", "row-numbers", "row-names"],
    )
    def test_matrix_is_turned_and_labelled(self, matrix, server, text):
        server.pages["/matrix.csv"] = text
        data = datasets.fetch("tiny")
        assert data.X.tolist() == matrix.tolist()
        assert data.y.tolist() == [0, 0, 1, 1]
        assert data.feature_names == ["gene0001", "gene0002"]
        assert datasets.fetch("tiny").X.tolist() == matrix.tolist()
        assert server.hits == {"/matrix.csv": 1}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "shape: expected"),
            (HEADER, "shape: expected"),
            (HEADER + ROWS[0], r"shape: expected \(4, 2\), got \(4, 1\)"),
            ("\n".join(ROWS).replace("2", "7"), "checksum of the values"),
            (HEADER + ROWS[0] + "\n1,2", "CSV of numbers was expected"),
            (HEADER + ROWS[0] + "\n1,2,three,4", "CSV of numbers was expected"),
        ],
        ids=["empty", "header-only", "short", "values", "ragged", "text"],
    )
    def test_wrong_matrix_is_refused(self, matrix, server, cache, text, message):
        server.pages["/matrix.csv"] = text
        refused(cache, message)
