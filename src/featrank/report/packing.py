"""Columns of a table as one compressed block, which JavaScript unpacks into typed arrays.

The block is gzip of: the length of the header as a 32-bit number, the header, and the columns one
after the other, each on a multiple of four bytes. Numbers are little-endian. The header is JSON:
``about``, which describes the table, and ``columns``, with the ``name``, ``kind``, ``offset`` (from
the end of the header) and ``size`` in bytes of each. A column of strings is a JSON list.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = {"f4": "<f4", "u1": "u1", "u2": "<u2", "u4": "<u4"}
_ALIGNED = 4


def pack(columns: Mapping[str, Sequence[str] | NDArray[Any]], about: Mapping[str, Any]) -> bytes:
    """Return the block; the same columns give the same bytes.

    Examples
    --------
    >>> block = pack({"feature": ["a", "b"], "rank": counts([2, 1])}, {"ks": [10]})
    >>> block == pack({"feature": ["a", "b"], "rank": counts([2, 1])}, {"ks": [10]})
    True
    """
    described, bodies, offset = [], [], 0
    for name, values in columns.items():
        kind, body = _column(values)
        described.append({"name": name, "kind": kind, "offset": offset, "size": len(body)})
        bodies.append(_aligned(body))
        offset += len(bodies[-1])
    header = _aligned(_json({"about": about, "columns": described}), b" ")
    block = len(header).to_bytes(_ALIGNED, "little") + header + b"".join(bodies)
    return gzip.compress(block, compresslevel=9, mtime=0)


def counts(values: Any) -> NDArray[Any]:
    """Return integers in the smallest type that holds them all.

    Examples
    --------
    >>> counts([0, 255]).dtype.name, counts([256]).dtype.name, counts([70_000]).dtype.name
    ('uint8', 'uint16', 'uint32')
    """
    values = np.asarray(values, dtype=np.int64)
    largest = int(values.max(initial=0))
    kind = next(kind for kind in ("u1", "<u2", "<u4") if largest <= np.iinfo(kind).max)
    return values.astype(kind)


def _column(values: Sequence[str] | NDArray[Any]) -> tuple[str, bytes]:
    if not isinstance(values, np.ndarray):
        return "text", _json(list(values))
    kind = f"{values.dtype.kind}{values.dtype.itemsize}"
    return kind, values.astype(KINDS[kind]).tobytes()


def _json(value: Any) -> bytes:
    """Return compact ASCII, in which any string can be written, even lone surrogates."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def _aligned(body: bytes, filler: bytes = b"\0") -> bytes:
    return body + filler * (-len(body) % _ALIGNED)
