"""Damage to the bytes of a file, by a generator of random numbers: same generator, same damage."""

import gzip
import io
import json
import random
import re
import zipfile
import zlib

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
# What is written in the place of a number in a text.
EXTREMES = [
    *(b"0", b"-1", b"-0", b"2", b"255", b"65536", b"2147483648", b"4294967295"),
    *(b"9223372036854775807", b"18446744073709551616", b"-9223372036854775809", b"9" * 40),
    *(b"1e308", b"-1e308", b"1e309", b"1e999", b"5e-324", b"1e-400", b"nan", b"inf", b"-Infinity"),
    *(b"", b"NA", b"?", b"1.5.2", b"0x10", b"1_000", b"1,5", b"one", b"\xd9\xa3", b'"', b"\0"),
]
# What is written in the place of a number in binary data, in two, four or eight bytes.
PATTERNS = [
    *(b"\0" * 8, b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 7 + b"\x80", b"\1" + b"\0" * 7),
    *(b"\0\0\0\x80\0\0\0\0", b"\xff\xff\xff\x7f\0\0\0\0", b"\0\0\0\0\0\0\xf0\x7f"),
    *(b"\0\0\0\0\0\0\xf8\x7f", b"\xff\xff\xff\xff\xff\xff\xef\x7f", b"\0\0\0\0\1\0\0\0"),
]
VALUES = [None, True, [], {}, "", "text", 0, -1, 1.5, 10**30, 1e308, [None], [[1]], {"a": 1}]
# How a checkpoint begins, before its checksum.
MAGIC = b"featrank"
_START = len(MAGIC) + 8
# Where headers and footers are.
EDGE = 160


def damaged(content: bytes, name: str, others: list[bytes], chance: random.Random) -> bytes:
    """Return the content of the file of this name with one damage or a few."""
    repacked = _repacked(content, name, others, chance)
    if repacked is not None:
        return repacked
    if name.endswith("json") and chance.random() < 0.5:
        content = _another_value(content, chance)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        content = chance.choice(DAMAGES)(content, chance, others)
    return content


def _repacked(
    content: bytes, name: str, others: list[bytes], chance: random.Random
) -> bytes | None:
    """Return packed data whose content is damaged and whose checksums are right."""
    if chance.random() < 0.4:
        return None
    try:
        if name.endswith(".gz"):
            inside = damaged(gzip.decompress(content), name[:-3], others, chance)
            return gzip.compress(inside, mtime=0)
        if name.endswith(".npz"):
            return _with_damaged_member(content, others, chance)
        if content.startswith(MAGIC):
            inside = damaged(content[_START:], "", others, chance)
            return MAGIC + zlib.crc32(inside).to_bytes(8, "little") + inside
    except Exception:  # nearly any: what is packed was damaged by an earlier turn
        return None
    return None


def _with_damaged_member(content: bytes, others: list[bytes], chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    victim = chance.choice([*members])
    members[victim] = damaged(members[victim], victim, others, chance)
    if chance.random() < 0.1:
        del members[victim]
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        for name, member in members.items():
            packed.writestr(zipfile.ZipInfo(name), member)
    return written.getvalue()


def _another_value(content: bytes, chance: random.Random) -> bytes:
    """Replace, double or remove a value somewhere in a JSON text."""
    try:
        tree = json.loads(content)
    except ValueError:
        return content
    places = list(_places(tree))
    if not places:
        return content
    holder, key = chance.choice(places)
    if chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = chance.choice(VALUES)
    return json.dumps(tree).encode()


def _places(tree):
    if not isinstance(tree, dict | list):
        return
    for key in tree if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        yield from _places(tree[key])


def _place(content: bytes, chance: random.Random) -> int:
    """Return a place in the data, often near one of its ends, where headers are."""
    last = max(len(content) - 1, 0)
    where = chance.random()
    if where < 0.3:
        return chance.randint(0, min(EDGE, last))
    if where < 0.5:
        return chance.randint(max(0, last - EDGE), last)
    return chance.randint(0, last)


def _flip_bits(content, chance, others):
    changed = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 8]) if changed else 0):
        changed[_place(content, chance)] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _truncate(content, chance, others):
    return content[: _place(content, chance)]


def _behead(content, chance, others):
    return content[_place(content, chance) :]


def _insert(content, chance, others):
    place = _place(content, chance)
    return content[:place] + chance.randbytes(chance.choice([1, 1, 4, 64])) + content[place:]


def _insert_sign(content, chance, others):
    """Insert what means something in texts."""
    signs = [b"\n", b"\r", b"\t", b",", b'"', b" ", b"\0", b"#", b"%", b"{", b"\xef\xbb\xbf", b"-"]
    place = _place(content, chance)
    return content[:place] + chance.choice(signs) * chance.choice([1, 1, 2]) + content[place:]


def _delete(content, chance, others):
    place = _place(content, chance)
    return content[:place] + content[place + chance.choice([1, 1, 2, 8, 100]) :]


def _repeat(content, chance, others):
    place, length = _place(content, chance), chance.choice([1, 4, 16, 200])
    piece = content[place : place + length]
    return content[:place] + piece * chance.choice([2, 3, 50]) + content[place + length :]


def _swap(content, chance, others):
    """Swap two stretches of bytes, or the order of bytes in one."""
    length = chance.choice([1, 2, 4, 8])
    first, second = sorted((_place(content, chance), _place(content, chance)))
    one, two = content[first : first + length], content[second : second + length]
    if second < first + length:
        return content[:first] + one[::-1] + content[first + length :]
    between = content[first + length : second]
    return content[:first] + two + between + one + content[second + length :]


def _extreme_bytes(content, chance, others):
    place, length = _place(content, chance), chance.choice([2, 4, 8])
    place -= place % length
    return content[:place] + chance.choice(PATTERNS)[:length] + content[place + length :]


def _extreme_number(content, chance, others):
    found = list(NUMBER.finditer(content))
    if not found:
        return _extreme_bytes(content, chance, others)
    match = chance.choice(found[:8] if chance.random() < 0.3 else found)
    return content[: match.start()] + chance.choice(EXTREMES) + content[match.end() :]


def _shuffle_lines(content, chance, others):
    """Remove a line, repeat it, or put it elsewhere."""
    lines = content.splitlines(keepends=True)
    if len(lines) < 2:
        return _repeat(content, chance, others)
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.choice([0, 1, 2])):
        lines.insert(chance.randint(0, len(lines)), line)
    return b"".join(lines)


def _edit_header(content, chance, others):
    """Replace a word of the beginning by another one, or change its case."""
    words = list(re.finditer(rb"[A-Za-z_]{2,}", content[: 4 * EDGE]))
    if not words:
        return _extreme_bytes(content, chance, others)
    match, other = chance.choice(words), chance.choice(words)
    new = chance.choice([other[0], match[0].swapcase(), match[0][:-1], b"", b"object", b"complex"])
    return content[: match.start()] + new + content[match.end() :]


def _concatenate(content, chance, others):
    other = chance.choice([content, *others])
    return content + other if chance.random() < 0.7 else other + content


def _empty(content, chance, others):
    return chance.choice([b"", b"\n", b"\0", content[:8], b"\0" * len(content)])


DAMAGES = [
    *(_truncate, _behead, _insert, _insert_sign, _delete, _repeat, _swap, _concatenate, _empty),
    # Those after which a file is most often read on.
    *([_flip_bits, _extreme_bytes, _extreme_number, _shuffle_lines, _edit_header] * 3),
]
