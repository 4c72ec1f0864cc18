#!/usr/bin/env python3
"""Writes an archive to try the job with: the records in Fixtures/ again and again, each time with other ids.

    make_archive.py COUNT DIRECTORY [--form json|parquet] [--files N] [--receipt-bytes N]

One line in forty is broken in one of the ways that Fixtures/rejects shows. The same words give the same archive.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "Fixtures"
BROKEN_EVERY = 40
FIRST_RECEIVED = 1_700_000_000_000
IDENTIFIER = re.compile(rb"(?<!\d)7300(\d{11})(?!\d)")
RECEIPT = re.compile(rb'"latest_receipt":"[^"]*"')


def good_records() -> list[bytes]:
    """The notifications of Fixtures/ that stand alone, without a row around them, one line each."""
    folders = sorted((FIXTURES / "notifications").iterdir())
    plain = [folder / "v1.json" for folder in folders if not (folder / "arguments.txt").exists()]
    texts = [path.read_text(encoding="utf-8-sig") for path in plain]
    return [json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False).encode() for text in texts]


def broken_records() -> list[bytes]:
    """What Fixtures/rejects holds, each brought into one line, with invalid UTF-8 and all."""
    files = sorted((FIXTURES / "rejects").glob("*/input.json"))
    lines = [b" ".join(path.read_bytes().split()) for path in files]
    return [line for line in lines if line]


def records(count: int, receipt_bytes: int = 0) -> Iterator[bytes]:
    """So many lines. Fixtures whose ids are unlike the others' come back unchanged: repeated deliveries."""
    good, broken, rng = good_records(), broken_records(), random.Random(7)
    for number in range(count):
        turn, place = divmod(number, len(good))
        if number % BROKEN_EVERY == BROKEN_EVERY - 1:
            yield broken[number // BROKEN_EVERY % len(broken)]
            continue
        line = IDENTIFIER.sub(b"%d\\1" % (7300 + turn % 2700), good[place])
        if receipt_bytes:
            receipt = base64.b64encode(rng.randbytes(receipt_bytes))
            line = RECEIPT.sub(b'"latest_receipt":"' + receipt + b'"', line)
        yield line


def rows(lines: Iterator[bytes]) -> Iterator[dict[str, object]]:
    """The lines as rows of a table; one in ten does not know when it was received."""
    for number, line in enumerate(lines):
        received = None if number % 10 == 9 else FIRST_RECEIVED + number * 1000
        yield {"id": f"row-{number}", "received_at": received, "body": line.decode(errors="replace")}


def write_json(lines: Iterator[bytes], path: Path) -> None:
    with path.open("wb") as file:
        file.writelines(line + b"\n" for line in lines)


def write_parquet(lines: Iterator[bytes], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("id", pa.string()), ("received_at", pa.int64()), ("body", pa.string())])
    found = rows(lines)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while some := list(islice(found, 10_000)):
            writer.write_table(pa.Table.from_pylist(some, schema))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("count", type=int)
    ask.add_argument("directory", type=Path)
    ask.add_argument("--form", choices=["json", "parquet"], default="json")
    ask.add_argument("--files", type=int, default=4, metavar="N", help="over how many files (default: 4)")
    ask.add_argument("--receipt-bytes", type=int, default=0, metavar="N",
                     help="gives each record a receipt of that size, as real archives have; random, so it does not shrink")
    words = ask.parse_args()
    words.directory.mkdir(parents=True, exist_ok=True)
    lines = records(words.count, words.receipt_bytes)
    share = -(-words.count // words.files)
    for number in range(words.files):
        name = words.directory / f"part-{number:03}.{'ndjson' if words.form == 'json' else 'parquet'}"
        (write_json if words.form == "json" else write_parquet)(islice(lines, share), name)


if __name__ == "__main__":
    main()
