"""Damage a valid file, with regard to its structure, in a way that a random seed decides."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any

Random = random.Random
NUMBERS = (0, 1, -1, 2, 127, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**62, 2**63 - 1)
WORDS = (
    *("nan", "inf", "-inf", "1e999", "1e-999", "-0", "", " ", '"', "'", ",", ";", "\t", "\0"),
    *("1_2", "1,5", "1.234,5", "0x10", "NA", "<0.5", "99999999999999999999", "-2147483649", "²"),
    *(
        "=cmd|'/C calc'!A0",
        "<script>alert(1)</script>",
        "\ud7ff",
        "\u202e",
        "\ufeff",
        "a:b",
        "../x",
    ),
    *("e" * 5000, "#", "@data", "{", "[" * 200, "\r", "\n\n\n"),
)
VALUES = (
    *(None, True, False, 0, -1, 3, 10**6, 2**63, 10**30, 0.5, -1e308, 1e-320),
    *("", "x", "<img src=x onerror=alert(1)>", "</script>", "\ud800", "\0", "e" * 2000),
    *([], {}, [[]], [None], ["a", 1], {"a": 1}),
)
TEXTS = (".csv", ".tsv", ".gct", ".arff", ".svmlight")


def mutate(content: bytes, suffix: str, rng: Random) -> bytes:
    """Return the content of a file with one or a few changes.

    Parameters
    ----------
    content : bytes
    suffix : str
        The extension of the file, which says how it is built.
    rng : random.Random

    Returns
    -------
    content : bytes
    """
    change = rng.choices((_structure_of(suffix), mutate_bytes), (5, 1))[0]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        content = change(content, rng)
    return content


def _structure_of(suffix: str) -> Callable[[bytes, Random], bytes]:
    if suffix in TEXTS:
        return mutate_text
    known = {".npy": mutate_npy, ".npz": mutate_zip, ".xlsx": mutate_zip, ".json": mutate_json}
    return {**known, ".gz": mutate_gzip}.get(suffix, mutate_bytes)


def mutate_bytes(content: bytes, rng: Random) -> bytes:
    """Change bits, numbers or pieces anywhere."""
    if not content:
        return bytes([rng.randrange(256)])
    at = rng.randrange(len(content))
    kind = rng.randrange(6)
    if kind == 0:
        return content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1 :]
    if kind in (1, 2):
        size, code = rng.choice(((1, "B"), (2, "H"), (4, "I"), (8, "Q")))
        at -= at % rng.choice((1, size))  # numbers are aligned in most formats
        number = rng.choice(NUMBERS) % 256**size
        return content[:at] + struct.pack(rng.choice("<>") + code, number) + content[at + size :]
    if kind == 3:
        return content[:at]
    length = rng.choice((1, 2, 4, 8, 64, 512))
    piece = content[at : at + length]
    if kind == 4:
        return content[:at] + content[at + length :]
    to = rng.randrange(len(content))
    return content[:to] + piece * rng.choice((1, 1, 2, 50)) + content[to:]


def mutate_text(content: bytes, rng: Random) -> bytes:
    """Replace, insert, repeat or remove fields and lines."""
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    encoding = "utf-16" if wide else rng.choices(("utf-8", "latin-1", "cp1252"), (8, 1, 1))[0]
    text = content.decode(encoding, "replace")
    kind = rng.randrange(6)
    fields = list(re.finditer(r"[^\s,;:\t]+", text))
    if kind < 3 and fields:
        field = rng.choice(fields)
        text = text[: field.start()] + _word(rng) + text[field.end() :]
    elif kind == 3:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + _word(rng) + text[at:]
    else:
        lines = text.splitlines(keepends=True) or [""]
        at = rng.randrange(len(lines))
        if kind == 4:
            lines[at : at + rng.choice((1, 1, 3))] = []
        else:
            lines[at:at] = [rng.choice([*lines, "\n"])] * rng.choice((1, 2, 30, 3000))
        text = "".join(lines)
    return text.encode(encoding, "replace")


def _word(rng: Random) -> str:
    return rng.choice((rng.choice(WORDS), str(rng.choice(NUMBERS)), repr(rng.uniform(-1e9, 1e9))))


def mutate_npy(content: bytes, rng: Random) -> bytes:
    """Change the header of an array, or its values."""
    end = content.find(b"\n") + 1
    if end < 12 or rng.randrange(3) == 0:
        return mutate_bytes(content, rng)
    header = content[10:end].decode("latin-1")
    tokens = list(re.finditer(r"\d+|True|False|<f8|'[a-z_]+'", header))
    if tokens:
        token = rng.choice(tokens)
        others = ("True", "False", "'|O'", "'<U9'", "(" * 50, "None", "-3", "<c16", "|V8", ">f4")
        new = rng.choice((str(rng.choice(NUMBERS)), rng.choice(others)))
        header = header[: token.start()] + new + header[token.end() :]
    raw = header.encode("latin-1", "replace")
    return content[:8] + struct.pack("<H", len(raw) % 65536) + raw + content[end:]


def mutate_zip(content: bytes, rng: Random) -> bytes:
    """Change one member of an archive, whose checksum is made right again."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {each.filename: archive.read(each) for each in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return mutate_bytes(content, rng)
    name = rng.choice(sorted(members)) if members else "X.npy"
    kind = rng.randrange(10)
    if kind == 0:
        members.pop(name, None)
    elif kind == 1:
        members[rng.choice(("X.npy", "y.npy", "note.txt", "format.npy"))] = members.get(name, b"")
    else:
        change = mutate_npy if name.endswith(".npy") else mutate_text
        members[name] = change(members.get(name, b""), rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", rng.choice((0, 8))) as archive:
        for each, data in members.items():
            archive.writestr(zipfile.ZipInfo(each), data)
    return packed.getvalue()


def mutate_gzip(content: bytes, rng: Random) -> bytes:
    """Change the text in a compressed file."""
    try:
        return gzip.compress(mutate_text(gzip.decompress(content), rng), mtime=0)
    except (OSError, EOFError):
        return mutate_bytes(content, rng)


def mutate_json(content: bytes, rng: Random) -> bytes:
    """Replace, remove, add or repeat one value of a document, or change its text."""
    kind = rng.randrange(8)
    numbers = list(re.finditer(rb"(?<=[:\[,])\s*-?\d+(\.\d+)?", content))
    if kind == 0:
        return mutate_text(content, rng)
    if kind == 1 and numbers:
        words = ("NaN", "Infinity", "1e999", "1" * 5000, "[" * 100_000, '"\\ud800"', "-0.0")
        at = rng.choice(numbers)
        return content[: at.start()] + rng.choice(words).encode() + content[at.end() :]
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return mutate_bytes(content, rng)
    places = list(_places(document))
    if places:
        _change(*rng.choice(places), rng.choice(places), rng)
    return json.dumps(document).encode()


def _change(holder: Any, key: Any, other: tuple[Any, Any], rng: Random) -> None:
    """Change one value of a document, perhaps to another one of it."""
    kind = rng.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.extend([holder[key]] * rng.choice((1, 2, 100)))
    elif kind == 2:
        holder[key] = json.loads(json.dumps(other[0][other[1]]))
    elif kind == 3 and isinstance(holder, dict):
        holder[str(rng.choice(WORDS))] = rng.choice(VALUES)
    else:
        holder[key] = rng.choice(VALUES)


def _places(value: Any) -> Any:
    """Yield every object or array with each of its keys or positions."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])
