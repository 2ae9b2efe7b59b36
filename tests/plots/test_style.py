"""The palette: readers with two kinds of cones tell its colours apart."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from featrank.plots.style import COLOURS, GREY, INK, PALE

# G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based model for
# simulation of color vision deficiency", IEEE Transactions on Visualization and Computer Graphics
# 15 (2009): severity 1.0, for linear RGB.
SIMULATED = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour):
    value = np.array(to_rgb(colour))
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """Return CIELAB of linear RGB, in which a distance of 2.3 is just noticeable."""
    relative = TO_XYZ @ np.clip(rgb, 0, 1) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(
        relative > (6 / 29) ** 3, np.cbrt(relative), relative / (3 * (6 / 29) ** 2) + 4 / 29
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def closest(colours, seen):
    """Return the pair of colours that are most alike to those who see them through a matrix."""
    places = {colour: lab(seen @ linear(colour)) for colour in colours}
    distances = {
        (one, other): float(np.linalg.norm(places[one] - places[other]))
        for one, other in combinations(colours, 2)
    }
    return min(distances.items(), key=lambda item: item[1])


def test_lab_is_that_of_known_colours():
    np.testing.assert_allclose(lab(linear("#ffffff")), [100, 0, 0], atol=1e-3)
    np.testing.assert_allclose(lab(linear("#ff0000")), [53.24, 80.09, 67.20], atol=0.01)


@pytest.mark.parametrize("kind", SIMULATED)
def test_colours_are_told_apart_without_one_kind_of_cones(kind):
    pair, distance = closest(COLOURS, np.array(SIMULATED[kind]))
    assert distance > 15, pair


def test_colours_are_told_apart_by_all_others_and_from_paper_and_ink():
    pair, distance = closest(COLOURS, np.eye(3))
    assert distance > 25, pair
    pair, distance = closest([*COLOURS, "#ffffff", INK], np.eye(3))
    assert distance > 15, pair


def test_greys_are_grey():
    for grey in (INK, GREY, PALE):
        assert np.abs(lab(linear(grey))[1:]).max() < 12


def test_the_check_finds_a_palette_that_is_not_safe():
    """Matplotlib's usual colours, of which some look alike without long-wave cones."""
    usual = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown")
    assert min(closest(usual, np.array(matrix))[1] for matrix in SIMULATED.values()) < 10
