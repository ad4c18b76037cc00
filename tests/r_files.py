"""Make R data files byte by byte, as the manual "R Internals" describes them."""

import struct

NULL = struct.pack(">i", 254)
ATTRIBUTES, TAG = 1 << 9, 1 << 10


def integers(*values):
    return struct.pack(f">{len(values)}i", *values)


def chars(text):
    content = text.encode()
    return integers(9 | 1 << 18, len(content)) + content


def symbol(name):
    return integers(1) + chars(name)


def pairs(**items):
    tagged = (integers(2 | TAG) + symbol(name) + item for name, item in items.items())
    return b"".join(tagged) + NULL


def vector(kind, content, length, attributes):
    flags = kind | (ATTRIBUTES if attributes else 0)
    return integers(flags, length) + content + (pairs(**attributes) if attributes else b"")


def reals(values, **attributes):
    return vector(14, struct.pack(f">{len(values)}d", *values), len(values), attributes)


def whole(values, **attributes):
    return vector(13, integers(*values), len(values), attributes)


def texts(values, **attributes):
    return vector(16, b"".join(map(chars, values)), len(values), attributes)


def several(items, **attributes):
    return vector(19, b"".join(items), len(items), attributes)


def r_file(version=2, **items):
    head = integers(version, 0x30500, 0x20300)
    encoding = integers(5) + b"UTF-8" if version == 3 else b""
    return f"RDX{version}\nX\n".encode() + head + encoding + pairs(**items)
