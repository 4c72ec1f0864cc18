"""Records and texts in shapes that tempt a program into the square of their length, or into much memory."""

import base64
import json
from collections.abc import Iterator

from harness import Failure
from material import Material, record
from running import FINDINGS, FINE, Limits, expect, expect_quick

MEGABYTE = 1 << 20


def legacy(text: str, size: int) -> Iterator[tuple[str, str]]:
    """One long record in many shapes; `text` is a record without its last bracket."""
    yield "nested arrays", text + ',"x":[' + ",".join(["[[[[[1]]]]]"] * (size // 12)) + "]}"
    yield "a million keys", text + "," + ",".join(f'"k{key}":1' for key in range(size // 13)) + "}"
    yield "one key a million times", text + "," + ",".join(['"k":1'] * (size // 6)) + "}"
    yield "a known key a million times", text + "," + ",".join(['"password":"a"'] * (size // 15)) + "}"
    yield "escapes", text + ',"x":"' + "\\u0041\\n" * (size // 8) + '"}'
    yield "escapes in a known value", text + ',"product_id":"' + "\\u0041\\n" * (size // 8) + '"}'
    yield "keys with escapes", text + "," + ",".join(f'"\\u006b{key}":1' for key in range(size // 17)) + "}"
    yield "a long number", text + ',"x":' + "1" * size + "}"
    yield "blanks", text + " " * size + "}"
    yield "a long receipt", text + ',"latest_receipt":"' + "A" * size + '"}'
    yield "a long secret", text + ',"password":"' + "A" * size + '"}'
    small = '{"transaction_id":"%d","original_transaction_id":"%d","expires_date_ms":"16%011d","product_id":"p"}'
    rows = ",".join(small % (row, row % 7, row) for row in range(size // 90))
    yield "transactions", '{"status":0,"environment":"Production","latest_receipt_info":[' + rows + "]}"
    rows = ",".join(small % (row, row, row) for row in range(size // 100))
    both = '"latest_receipt_info":[' + rows + '],"pending_renewal_info":[' + rows + "]"
    yield "purchases", '{"status":0,"environment":"Production",' + both + "}"


def texts(text: str, size: int) -> Iterator[tuple[str, bytes]]:
    """Texts that are no record, or many."""
    line = (text + "}").encode()
    yield "open arrays", b"[" * size
    yield "open objects", b'{"a":' * (size // 5)
    yield "brackets", b"{" * size
    yield "lines of brackets", b"{\n" * (size // 2)
    yield "lines of numbers", b"1\n" * (size // 2)
    yield "lines of strings", b'""\n' * (size // 3)
    yield "quotes", b'"' * size
    yield "blank lines", b"\n" * size
    yield "carriage returns", b"\r" * size
    yield "commas", b"[" + b"," * size
    yield "numbers in an array", b"[" + b"1," * (size // 2)
    yield "backslashes", b'{"a":"' + b"\\" * size
    yield "small objects", b'{"a":1}' * (size // 7)
    yield "records cut off without line ends", line[:-30] * (size // len(line))
    yield "records between carriage returns", (line + b"\r") * (size // len(line))
    yield "UTF-16", (text + "}\n").encode("utf-16") * (size // len(line) // 2)
    yield "byte order marks", b"\xef\xbb\xbf" * (size // 3)
    yield "no text", b"\xff" * size
    yield "base64", b"M" * size
    yield "base64 of DER", base64.b64encode(b"\x30\x83\xff\xff\xff" * (size // 7))
    yield "wrapped base64", (b"MII" + b"A" * 73 + b"\n") * (size // 77)
    yield "DER without ends", b"\x30\x80" * (size // 2)
    yield "a long sequence of DER", b"\x30\x84" + (size - 6).to_bytes(4, "big") + b"\x05\x00" * (size // 2)
    yield "points", b"eyJhbGciOiJFUzI1NiJ9." * (size // 21)
    yield "small tokens", b"e30.e30.e30\n" * (size // 12)
    yield "property lists", b'{"a"="b";' * (size // 9) + b"}"


def single(material: Material, is_full: bool) -> str:
    """One long record, to every command, beside a pair that is sound."""
    text = record(material)[:-1]
    server = json.dumps(json.loads((material.folder / "one.v2.json").read_bytes()))[:-1]
    size = 15 * MEGABYTE if is_full else MEGABYTE // 4
    slowest, largest = (0.0, ""), (0.0, "")
    for version, begin in (("v1", text), ("v2", server)):
        # In a short test each shape is met in one version.
        own = [*legacy(begin, size)] if is_full else [*legacy(begin, size)][version == "v1" :: 2]
        for name, content in own:
            material.write("shape.json", content.encode())
            for words in commands("shape.json", version, is_full):
                seen = expect_quick(material.expect(words, keeps=False, seconds=120), len(content))
                what = f"{words[0]}, {name} ({version}, {len(content) / 1e6:.1f} MB)"
                slowest = max(slowest, (seen.seconds / (len(content) / 1e6), what))
                largest = max(largest, (seen.memory, what))
    return worst(slowest, largest)


def worst(slowest: tuple[float, str], largest: tuple[float, str]) -> str:
    return f"slowest {slowest[0]:.2f} s/MB ({slowest[1]}), most memory {largest[0]:.0f} MB ({largest[1]})"


def commands(name: str, version: str, is_full: bool) -> list[list[str]]:
    pair = ["diff", name, "one.v2.json"] if version == "v1" else ["diff", "one.v1.json", name]
    chosen = [["convert", "--provenance", "account", "--rejects", "rejects", name], pair]
    if not is_full:
        return chosen[:1] if version == "v1" else chosen[1:]
    chosen += [["verify", name], ["inspect", name], ["sign", "identity", name]]
    chosen += [["timeline", "--format", "json", name], ["parity", "--legacy", name, "--server", name]]
    return chosen


def ruined(material: Material, is_full: bool) -> str:
    """Long texts that are none, to every command; all of them with eight workers, which share the memory."""
    size = 16 * MEGABYTE if is_full else MEGABYTE // 2
    slowest, largest = (0.0, ""), (0.0, "")
    for name, content in texts(record(material)[:-1], size):
        material.write("shape.json", content)
        words = [["convert", "--jobs", "8"], ["verify", "--jobs", "8"], ["inspect"], ["timeline", "--format", "json"]]
        words += [["sign", "--jobs", "8", "identity"]]
        for command in words if is_full else words[:1]:
            seen = material.expect([*command, "shape.json"], FINE, FINDINGS, keeps=False, seconds=120)
            expect_quick(seen, len(content))
            slowest = max(slowest, (seen.seconds / (len(content) / 1e6), f"{command[0]}, {name}"))
            largest = max(largest, (seen.memory, f"{command[0]}, {name}"))
    return f"{size / MEGABYTE} MB each: {worst(slowest, largest)}"


def many_long(material: Material, is_full: bool) -> str:
    """Many long records one after another, among short ones, for eight workers: memory does not add up."""
    size = 12 * MEGABYTE if is_full else MEGABYTE // 2
    text = record(material)
    long = text[:-1] + ',"x":[' + ",".join(["[1]"] * (size // 4)) + "]}"
    few = f"{long}\n" + f"{text}\n" * 2000
    told = []
    for count in (4, 24):
        material.write("long.ndjson", (few * count).encode())
        seen = material.run(["convert", "--jobs", "8", "long.ndjson"], keeps=False, seconds=300)
        expect_quick(expect(seen, FINE, FINDINGS), len(few) * count)
        told.append(seen.memory)
    (material.folder / "long.ndjson").unlink()
    if is_full and told[1] > told[0] * 2 + 200:
        raise Failure(f"memory adds up: {told[0]:.0f} MB with 4 long records, {told[1]:.0f} MB with 24")
    return f"{size >> 20} MB each: {told[0]:.0f} MB of memory for 4, {told[1]:.0f} MB for 24"


def record_limit(material: Material, is_full: bool) -> str:
    """--max-record: a longer record is a reject, a long one is read where that is allowed."""
    text = record(material)[:-1] + ',"x":"' + "a" * (3 * MEGABYTE) + '"}'
    material.write("limit.ndjson", (text + "\n" + record(material)).encode())
    low = material.run(["convert", "--max-record", "1", "limit.ndjson"])
    expect(low, FINDINGS, says="at most 1048576 bytes")
    high = material.expect(["convert", "--max-record", "4", "limit.ndjson"], FINE)
    if (low.count("converted"), low.count("rejected"), high.count("converted")) != (1, 1, 2):
        raise Failure(f"--max-record: {low.told()}")
    absurd = ["0", "-1", "1e9", "99999999999999999999", "4096"]
    for limit in absurd:
        material.expect(["convert", "--max-record", limit, "limit.ndjson"], limits=Limits(space=4_000_000))
    return f"a reject above it; {len(absurd)} absurd limits are refused or harmless"
