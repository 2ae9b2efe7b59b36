"""Manifests with something else in any place: read as they are, or refused in a sentence.

FEATRANK_FUZZ=1 makes pages of all that are read, not of some.
"""

import copy
import json
import os
import random

import numpy as np
import pytest

from featrank.evaluation import (
    Protocol,
    compare,
    compare_labels,
    read_comparison,
    read_label_comparison,
)
from featrank.exceptions import FeatrankError
from featrank.report import comparison_html_report, significance_report, stability_report

GONE = object()
VALUES = [GONE, None, True, 0, -1, 5, 10**30, float("nan"), "text", [], [1], ["a"], [None]]
VALUES += [{}, {"a": 1}]
PAGES = 10


def make_classes():
    rng = np.random.default_rng(0)
    y = np.arange(36) % 2
    return rng.normal(5, 1, size=(36, 30)) + 0.3 * y[:, None], y


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("manifests") / "run"
    protocol = Protocol(n_repeats=6, n_features=(3, 6), C=(1.0,), inner_cv=2)
    compare(*make_classes(), ["fisher", "mi"], protocol, out_dir=path)
    return path


def places(value, place=()):
    """Give every place of a manifest, of lists the first two."""
    if place:
        yield place
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(min(2, len(value)))
        for key in keys:
            yield from places(value[key], (*place, key))


def changed(manifest, place, value):
    made = copy.deepcopy(manifest)
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return made


def everything_of(path):
    """Read a folder, and return the figures of it that the manifest decides on."""
    results = read_comparison(path)
    results.missing_parts(), results.table(), results.features(), repr(results)
    stability_report(results)
    significance_report(results)
    return results


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_anything_in_any_place_of_a_manifest(folder):
    path = folder / "manifest.json"
    text = path.read_text()
    good, read, refused = json.loads(text), [], 0
    try:
        for place in places(good):
            for value in VALUES:
                made = changed(good, place, value)
                path.write_text(json.dumps(made))
                try:
                    everything_of(folder)
                except FeatrankError:
                    refused += 1
                else:
                    read.append(made)
        assert len(read) > PAGES
        assert refused > len(read)
        if "FEATRANK_FUZZ" not in os.environ:
            read = random.Random(0).sample(read, PAGES)
        for made in read:
            path.write_text(json.dumps(made))
            comparison_html_report(read_comparison(folder))
    finally:
        path.write_text(text)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_anything_in_any_place_of_a_manifest_of_labels(tmp_path):
    X, y = make_classes()
    protocol = Protocol(n_repeats=1, n_features=(3,), C=(1.0,), inner_cv=2)
    Y = np.column_stack([y, np.arange(36) % 3 == 0])
    compare_labels(X, Y, ["fisher"], protocol, out_dir=tmp_path)
    path = tmp_path / "manifest.json"
    good = json.loads(path.read_text())
    for place in places(good):
        for value in VALUES:
            path.write_text(json.dumps(changed(good, place, value)))
            try:
                results = read_label_comparison(tmp_path)
                results.table(results.n_features[0]), results.of_class(results.classes[0]).table()
            except FeatrankError:
                continue
