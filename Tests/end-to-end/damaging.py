"""Damages of a file that a later run continues from."""

import json
from collections.abc import Iterator


def damages(text: bytes, count: int) -> Iterator[tuple[str, bytes]]:
    """About so many changed bytes, lengths and, where the file is one JSON object, all its members removed and changed."""
    step = max(1, len(text) // count)
    for place in [*range(0, len(text), step), len(text) - 1]:
        for value in (text[place] ^ 1, ord("0") if text[place] != ord("0") else ord("1")):
            yield f"byte {place}", text[:place] + bytes([value]) + text[place + 1 :]
    for length in sorted({*range(0, len(text), step), 0, 1, len(text) - 2, len(text) - 1}):
        yield f"length {length}", text[:length]
    lines = text.splitlines(keepends=True)
    for place in range(0, len(lines) - 1, max(1, len(lines) // 5)):
        yield f"without line {place + 1}", b"".join(lines[:place] + lines[place + 1 :])
    if len(lines) > 1:
        yield "first lines exchanged", b"".join([lines[1], lines[0], *lines[2:]])
    yield "another end", text + b"{}\n"
    yield "twice", text + text
    yield "a foreign object", b'{"a":1}\n'
    try:
        root = json.loads(text)
    except ValueError:
        return
    for name, value in members(root, ()):
        yield f"without {'.'.join(map(str, name))}", plain(changed(root, name, None))
        other = value + 1 if isinstance(value, int) else value + "x" if isinstance(value, str) else 0
        yield f"another {'.'.join(map(str, name))}", plain(changed(root, name, other))


def members(value: object, path: tuple) -> Iterator[tuple[tuple, object]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key), inner
        yield from members(inner, (*path, key))


def changed(root: object, path: tuple, value: object) -> object:
    copy = json.loads(json.dumps(root))
    place = copy
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copy


def plain(root: object) -> bytes:
    return json.dumps(root, separators=(",", ":")).encode() + b"\n"
