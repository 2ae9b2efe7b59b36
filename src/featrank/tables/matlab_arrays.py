"""The variables of MATLAB files as arrays."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from featrank.exceptions import missing_extra
from featrank.tables.hdf5_links import refuse_outside
from featrank.tables.hdf5_probe import require_sound
from featrank.tables.matlab_elements import read_version_5
from featrank.tables.table import parsing

_HDF5 = b"\x89HDF\r\n\x1a\n"


def read_variables(path: Path) -> dict[str, Any]:
    """Return the matrices, also sparse ones, and the strings of a file by name."""
    with parsing(path, "a MATLAB file"):
        with open(path, "rb") as file:
            start = file.read(520)
        # MATLAB puts 512 bytes of its own before the HDF5 part.
        if _HDF5 in (start[:8], start[512:]):
            return _version_73(path)
        # Later versions begin with a readable line.
        return _version_4(path) if 0 in start[:4] else read_version_5(path)


def _version_4(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        variables = loadmat(path, appendmat=False)
    found = {name: _plain(value) for name, value in variables.items() if name[:2] != "__"}
    return {name: value for name, value in found.items() if value is not None}


def _plain(value: Any) -> Any:
    """Return numbers as they are, and strings without the padding to one width."""
    if value.dtype.kind != "U":
        return value
    return np.char.rstrip(value) if value.size else None


def _version_73(path: Path) -> dict[str, Any]:
    try:
        import h5py
    except ImportError as error:
        raise missing_extra("h5py", "bio", "Reading a MATLAB 7.3 file") from error
    require_sound(path)
    with h5py.File(path, "r") as file:
        refuse_outside(file)
        found = {name: _variable(file[name], file) for name in file if not name.startswith("#")}
    return {name: value for name, value in found.items() if value is not None}


def _variable(item: Any, file: Any) -> Any:
    if "MATLAB_sparse" in item.attrs:
        return _sparse(item)
    if not hasattr(item, "dtype") or "MATLAB_empty" in item.attrs:
        return None
    kind = item.attrs.get("MATLAB_class", b"")
    # HDF5 holds MATLAB's column-major arrays with the axes in reverse.
    values = item[()].T if item.ndim else np.array([[item[()]]])
    if kind == b"char":
        return np.array(_rows_of_text(values), dtype=str)
    if values.dtype.kind == "O":
        cells = [_cell_text(file[reference]) for reference in values.ravel()]
        return None if None in cells or not cells else np.array(cells, dtype=str)
    return values.astype(bool) if kind == b"logical" else values


def _sparse(group: Any) -> Any:
    from scipy.sparse import csc_matrix

    starts = group["jc"][()].astype(np.int64)
    shape = (int(group.attrs["MATLAB_sparse"]), len(starts) - 1)
    if "data" not in group:
        return csc_matrix(shape)
    values = group["data"][()]
    return csc_matrix((values, group["ir"][()].astype(np.int64), starts), shape=shape)


def _rows_of_text(codes: np.ndarray) -> list[str]:
    return [row.astype("<u2").tobytes().decode("utf-16-le").rstrip() for row in codes]


def _cell_text(item: Any) -> str | None:
    if item.attrs.get("MATLAB_class", b"") != b"char":
        return None
    if "MATLAB_empty" in item.attrs:
        return ""
    return "".join(_rows_of_text(item[()].T))
