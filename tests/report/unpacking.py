"""Packed columns, read by what their description says and nothing of ours."""

import gzip
import json
import struct

FORMATS = {"f4": "f", "u1": "B", "u2": "H", "u4": "I"}


def unpack(block):
    """Return the header and the columns of a block."""
    raw = gzip.decompress(block)
    [length] = struct.unpack_from("<I", raw)
    header = json.loads(raw[4 : 4 + length])
    columns = {}
    for column in header["columns"]:
        start = 4 + length + column["offset"]
        assert start % 4 == 0
        body = raw[start : start + column["size"]]
        if column["kind"] == "text":
            columns[column["name"]] = json.loads(body)
        else:
            form = FORMATS[column["kind"]]
            number = column["size"] // struct.calcsize(form)
            columns[column["name"]] = list(struct.unpack(f"<{number}{form}", body))
    return header["about"], columns
