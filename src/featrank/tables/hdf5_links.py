"""HDF5 files that lead to other files, which nobody who gave the file to featrank meant to open."""

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
            _refuse(group, f"{key!r} is a link to {link.filename!r}")
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
            _refuse(group, f"the values of {key!r} are elsewhere")


def _refuse(group: Any, what: str) -> None:
    raise DataError(
        f"{Path(group.file.filename).name!r} leads to other files, which are not opened: {what}. "
        "Store the data itself."
    )
