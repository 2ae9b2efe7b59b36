"""Reject HDF5 files that refer to other files, which the user did not ask featrank to open."""

from pathlib import Path
from typing import Any

from featrank.exceptions import DataError


def refuse_outside(file: Any) -> None:
    """Reject an HDF5 file with links to other files, or with values in other files."""
    seen: set[int] = set()
    _look(file, "", seen)


def _look(group: Any, place: str, seen: set[int]) -> None:
    import h5py

    for name in group:
        key = f"{place}/{name}"
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.ExternalLink):
            _reject(group, f"{key!r} is a link to {link.filename!r}")
        if not isinstance(link, h5py.HardLink):
            continue
        item = group[name]
        address = h5py.h5o.get_info(item.id).addr
        if address in seen:
            continue
        seen.add(address)
        if isinstance(item, h5py.Group):
            _look(item, key, seen)
        elif isinstance(item, h5py.Dataset) and (item.is_virtual or item.external):
            _reject(group, f"the values of {key!r} are in another file")


def _reject(group: Any, what: str) -> None:
    raise DataError(
        f"{Path(group.file.filename).name!r} refers to other files, which featrank does not open: "
        f"{what}. Store the data in the file itself."
    )
