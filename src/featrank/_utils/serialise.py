"""Arrays and facts as bytes to send between computers: versioned, checked, never executed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

MAGIC = b"featrank"
VERSION = 1
_NUMBER = np.dtype("<u8")
_START = len(MAGIC) + _NUMBER.itemsize


def pack(kind: str, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return a checksum, a header that describes the arrays, and the arrays."""
    plain = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    little = {name: array.astype(array.dtype.newbyteorder("<")) for name, array in plain.items()}
    header = json.dumps(
        {
            "kind": kind,
            "version": VERSION,
            "facts": dict(facts),
            "arrays": {name: [array.dtype.str, array.shape] for name, array in little.items()},
        }
    ).encode()
    body = b"".join([_number(len(header)), header, *(array.tobytes() for array in little.values())])
    return MAGIC + _number(zlib.crc32(body)) + body


def unpack(blob: bytes, kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the facts and arrays that were passed to ``pack``. Other bytes raise an error."""
    try:
        return _unpacked(bytes(blob), kind)
    except DataError:
        raise
    # Even with a correct checksum, an invalid header can raise nearly anything.
    except Exception as error:
        raise DataError(f"The bytes of a {kind} are damaged. {_FIX}") from error


def _unpacked(blob: bytes, kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    header, rest = _header(blob, kind)
    arrays, start = {}, 0
    for name, (dtype, shape) in header["arrays"].items():
        size = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(rest, np.dtype(dtype), size, start).reshape(shape)
        arrays[name] = array.astype(array.dtype.newbyteorder("="))
        start += array.nbytes
    return header["facts"], arrays


def _header(blob: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    body = blob[_START:]
    if blob[: len(MAGIC)] != MAGIC or len(body) < _NUMBER.itemsize:
        raise DataError(f"These {len(blob)} bytes are not a featrank {kind}. {_FIX}")
    if _number(zlib.crc32(body)) != blob[len(MAGIC) : _START]:
        raise DataError(f"The bytes of a {kind} are damaged or cut short. {_FIX}")
    end = _NUMBER.itemsize + int(np.frombuffer(body, _NUMBER, 1)[0])
    header = json.loads(body[_NUMBER.itemsize : end])
    if header["version"] > VERSION:
        raise DataError(
            f"The bytes have format version {header['version']}, but this featrank reads "
            f"version {VERSION}. Use the same release everywhere."
        )
    if header["kind"] != kind:
        raise DataError(f"These bytes hold {header['kind']}, not {kind}. {_FIX}")
    return header, body[end:]


def _number(value: int) -> bytes:
    return np.array(value, _NUMBER).tobytes()


_FIX = "Pass the complete result of `to_bytes()`."
